// Stresses and strains of the accepted state, asked from the materials again: nothing of it is kept while stepping.
#include <algorithm>
#include <cmath>

#include "saltus/fem/continuum.hpp"
#include "saltus/fem/extrapolation.hpp"

namespace saltus {

namespace {

PointFields zero_fields() { return {Vector6::Zero(), Vector6::Zero(), 0, 0}; }

void add_fields(const PointFields& f, double weight, PointFields& sum) {
  sum.stress += weight * f.stress;
  sum.strain += weight * f.strain;
  sum.plastic_strain += weight * f.plastic_strain;
}

}  // namespace

template <int Dim>
ElementBatch<Dim> Continuum<Dim>::accepted_batch() const {
  ElementBatch<Dim> all = batch();
  all.q = accepted_q_.data();
  all.duration = accepted_duration_;
  all.before = previous_.data();
  return all;
}

template <int Dim>
std::vector<PointFields> Continuum<Dim>::point_fields(int element) const {
  std::vector<PointFields> fields;
  element_ops<Dim>(mesh_.elements[element].kind).fields(accepted_batch(), element, fields);
  return fields;
}

template <int Dim>
PointFields Continuum<Dim>::element_mean(int element) const {
  PointFields sum = zero_fields();
  Vector6 stress = Vector6::Zero();
  double volume = 0;  // now: that over which the mean of Cauchy's stress is the moment of the forces
  for (const PointFields& f : point_fields(element)) {
    add_fields(f, f.volume, sum);
    sum.volume += f.volume;
    const double now =
        options_.kinematics == Kinematics::finite ? f.volume * std::exp(f.strain.head<3>().sum()) : f.volume;
    stress += now * f.stress;
    volume += now;
  }
  PointFields mean = zero_fields();
  add_fields(sum, 1 / sum.volume, mean);
  mean.stress = stress / volume;
  mean.volume = sum.volume;
  return mean;
}

template <int Dim>
std::vector<PointFields> Continuum<Dim>::element_means() const {
  std::vector<PointFields> means;
  for (int e = 0; e < static_cast<int>(mesh_.elements.size()); ++e) means.push_back(element_mean(e));
  return means;
}

template <int Dim>
std::vector<PointFields> Continuum<Dim>::node_fields() const {
  std::vector<PointFields> sums(mesh_.nodes.size(), zero_fields());
  for (int e = 0; e < static_cast<int>(mesh_.elements.size()); ++e) {
    const ElementKind kind = mesh_.elements[e].kind;
    const Eigen::MatrixXd& to_nodes = extrapolation_of(kind);
    const std::vector<PointFields> fields = point_fields(e);
    double volume = 0;
    for (const PointFields& f : fields) volume += f.volume;
    const auto own = mesh_.nodes_of(mesh_.elements[e]);
    for (int a = 0; a < to_nodes.rows(); ++a) {
      PointFields& sum = sums[own[a]];
      for (int p = 0; p < to_nodes.cols(); ++p) add_fields(fields[p], volume * to_nodes(a, p), sum);
      sum.volume += volume;
    }
  }
  for (PointFields& sum : sums) {
    PointFields mean = zero_fields();
    add_fields(sum, 1 / sum.volume, mean);
    mean.plastic_strain = std::max(0.0, mean.plastic_strain);  // extrapolation may go below
    mean.volume = sum.volume;
    sum = mean;
  }
  return sums;
}

template <int Dim>
double Continuum<Dim>::largest_rotation() const {
  const ElementBatch<Dim> all = accepted_batch();
  double largest = 0;
  for (int e = 0; e < static_cast<int>(mesh_.elements.size()); ++e)
    largest = std::max(largest, element_ops<Dim>(mesh_.elements[e].kind).rotation(all, e));
  return largest;
}

template ElementBatch<2> Continuum<2>::accepted_batch() const;
template ElementBatch<3> Continuum<3>::accepted_batch() const;
template std::vector<PointFields> Continuum<2>::point_fields(int) const;
template std::vector<PointFields> Continuum<3>::point_fields(int) const;
template PointFields Continuum<2>::element_mean(int) const;
template PointFields Continuum<3>::element_mean(int) const;
template std::vector<PointFields> Continuum<2>::element_means() const;
template std::vector<PointFields> Continuum<3>::element_means() const;
template std::vector<PointFields> Continuum<2>::node_fields() const;
template std::vector<PointFields> Continuum<3>::node_fields() const;
template double Continuum<2>::largest_rotation() const;
template double Continuum<3>::largest_rotation() const;

}  // namespace saltus

#include "saltus/drawing/stress_crosses.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/drawing/render_scale.hpp"
#include "saltus/math/dense_factor.hpp"

namespace saltus {

namespace {

template <int Dim>
Mat<Dim> stress_at(const double* s) {
  Mat<Dim> m;
  if constexpr (Dim == 2)
    m << s[0], s[3], s[3], s[1];
  else
    m << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  return m;
}

template <int Dim>
StressCross<Dim> cross_of(const Vec<Dim>& place, const Mat<Dim>& stress, double size) {
  Eigen::MatrixXd axes = Eigen::MatrixXd::Identity(Dim, Dim);
  const Eigen::VectorXd principal = symmetric_axes(stress, axes);
  return {place, principal.size() == Dim ? Vec<Dim>(principal) : Vec<Dim>(stress.diagonal()), axes, size};
}

// Shortest side of the box around nodes, without deformation.
template <int Dim>
double size_of(const SystemMesh<Dim>& mesh, const std::vector<int>& own) {
  Vec<Dim> low = mesh.nodes[static_cast<std::size_t>(own[0])], high = low;
  for (const int node : own) {
    low = low.cwiseMin(mesh.nodes[static_cast<std::size_t>(node)]);
    high = high.cwiseMax(mesh.nodes[static_cast<std::size_t>(node)]);
  }
  return (high - low).minCoeff();
}

}  // namespace

template <int Dim>
std::vector<StressCross<Dim>> build_crosses(const TrajectoryReader<Dim>& reader, const Frame<Dim>& frame,
                                            StressMarks marks, double magnify) {
  constexpr auto kWidth = static_cast<std::size_t>(tensor_width(Dim));
  std::vector<StressCross<Dim>> crosses;
  bool has_stress = false;
  for (const FrameSystem<Dim>& system : frame.systems) {
    const auto field = std::find_if(system.cell_fields.begin(), system.cell_fields.end(),
                                    [](const FrameField& f) { return f.name == "stress"; });
    if (field == system.cell_fields.end()) continue;
    has_stress = true;
    const SystemMesh<Dim>& mesh = *system.mesh;
    const std::vector<Vec<Dim>> nodes = magnified_nodes(system, magnify);
    auto next = mesh.connectivity.begin();
    Mat<Dim> whole = Mat<Dim>::Zero();
    Vec<Dim> centre = Vec<Dim>::Zero();
    double volume = 0;
    std::vector<int> all;
    for (std::size_t cell = 0; cell < mesh.cells.size(); ++cell) {
      const std::vector<int> own(next, next + node_count(mesh.cells[cell]));
      next += node_count(mesh.cells[cell]);
      Vec<Dim> middle = Vec<Dim>::Zero();
      const int corners = corner_count(mesh.cells[cell]);
      for (int k = 0; k < corners; ++k) middle += nodes[static_cast<std::size_t>(own[k])] / corners;
      const Mat<Dim> stress = stress_at<Dim>(field->values.data() + kWidth * cell);
      if (marks == StressMarks::elements)
        crosses.push_back(cross_of<Dim>(middle, stress, size_of<Dim>(mesh, own)));
      whole += mesh.cell_volume[cell] * stress;
      centre += mesh.cell_volume[cell] * middle;
      volume += mesh.cell_volume[cell];
      all.insert(all.end(), own.begin(), own.end());
    }
    if (marks == StressMarks::bodies)
      crosses.push_back(
          cross_of<Dim>(centre / volume, whole / volume, size_of<Dim>(mesh, all)));
  }
  if (!has_stress)
    throw InputError(reader.file().path(),
                     "holds no stresses of deformable bodies to be drawn: run again with \"stresses\" in "
                     "output.fields (or without output.fields)");
  return crosses;
}

template <int Dim>
double full_stress(const std::vector<StressCross<Dim>>& crosses) {
  std::vector<double> sizes;
  for (const StressCross<Dim>& cross : crosses) sizes.push_back(cross.stress.cwiseAbs().maxCoeff());
  std::sort(sizes.begin(), sizes.end());
  return sizes.empty() ? 0 : sizes[(sizes.size() - 1) * 49 / 50];
}

template struct StressCross<2>;
template struct StressCross<3>;
template std::vector<StressCross<2>> build_crosses<2>(const TrajectoryReader<2>&, const Frame<2>&,
                                                      StressMarks, double);
template std::vector<StressCross<3>> build_crosses<3>(const TrajectoryReader<3>&, const Frame<3>&,
                                                      StressMarks, double);
template double full_stress<2>(const std::vector<StressCross<2>>&);
template double full_stress<3>(const std::vector<StressCross<3>>&);

}  // namespace saltus

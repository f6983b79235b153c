// The bodies of ElementOps. Included by the files that instantiate them, one per kind of element (element_*.cpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/fem/element_kernel.hpp"
#include "saltus/fem/element_ops.hpp"

namespace saltus {

template <ElementKind K>
struct ElementRun {
  using T = ElementTypes<K>;
  using Nodal = typename T::Nodal;
  using Batch = ElementBatch<T::kDim>;
  static constexpr int Dim = T::kDim, N = T::kNodes;

  static const int* nodes_of(const Batch& batch, int element) {
    return batch.mesh->connectivity.data() + batch.mesh->elements[element].first;
  }
  static const ElementLaw& law_of(const Batch& batch, int element) {
    return batch.laws[batch.mesh->elements[element].material];
  }
  static Nodal positions(const Batch& batch, int element) {
    const int* own = nodes_of(batch, element);
    Nodal X;
    for (int a = 0; a < N; ++a) X.row(a) = batch.mesh->nodes[own[a]].transpose();
    return X;
  }
  static Nodal displacements(const Batch& batch, int element) {
    const int* own = nodes_of(batch, element);
    Nodal u;
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < Dim; ++i) u(a, i) = batch.q[Dim * own[a] + i];
    return u;
  }
  static MaterialStep step_of(const Batch& batch, int element) {
    const std::size_t first = batch.first_internal[element];
    // None are given where there are none.
    return {batch.duration, batch.before ? batch.before + first : nullptr, batch.after ? batch.after + first : nullptr,
            batch.want_tangent};
  }

  static void scatter(const Batch& batch, int element, const ElementResult<K>& result) {
    const int* own = nodes_of(batch, element);
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < Dim; ++i) batch.force[Dim * own[a] + i] += result.force(a, i);
    if (!batch.want_tangent) return;
    const int* places = batch.pattern->places(element);
    for (int b = 0; b < N; ++b) {
      const int stride = batch.pattern->stride(own[b]);
      for (int a = 0; a < N; ++a) {
        double* block = batch.tangent + places[a + N * b];
        for (int j = 0; j < Dim; ++j)
          for (int i = 0; i < Dim; ++i) block[j * stride + i] += result.tangent(i * N + a, j * N + b);
      }
    }
  }

  static ChunkResult run(const Batch& batch, int begin, int end) {
    ChunkResult sum;
    ElementResult<K> result;
    for (int k = begin; k < end; ++k) {
      const int e = batch.order[k];
      evaluate_element<K>(batch.body, law_of(batch, e), positions(batch, e), displacements(batch, e),
                          step_of(batch, e), result);
      if (result.trouble != ElementTrouble::none) {
        if (sum.bad_element < 0 || e < sum.bad_element) {
          sum.bad_element = e;
          sum.trouble = result.trouble;
        }
        continue;
      }
      add_energy(result.energy, 1, sum.energy);
      scatter(batch, e, result);
    }
    return sum;
  }

  static bool tangent(const Batch& batch, int e, Eigen::MatrixXd& tangent) {
    ElementResult<K> result;
    evaluate_element<K>(batch.body, law_of(batch, e), positions(batch, e), displacements(batch, e),
                        step_of(batch, e), result);
    tangent = result.tangent;
    return result.trouble == ElementTrouble::none;
  }

  static bool check(const Batch& batch, int e, double& smallest) {
    const Nodal X = positions(batch, e);
    const double size = (X.rowwise() - X.row(0)).rowwise().norm().maxCoeff();
    smallest = std::numeric_limits<double>::infinity();
    for (const auto* table : {&ElementTable<K>::stiffness(), &ElementTable<K>::mass()})
      for (const auto& row : table->rows) {
        const Eigen::Matrix<double, Dim, Dim> jacobian = X.transpose().lazyProduct(row.gradients) / size;
        smallest = std::min(smallest, jacobian.determinant());
        if (batch.body.axisymmetric() && !(row.values.dot(X.col(0)) > 0)) return false;
      }
    return smallest > 0;
  }

  static void mass(const Batch& batch, int e, Eigen::MatrixXd& products, Eigen::VectorXd& weights) {
    products.setZero(N, N);
    weights.setZero(N);
    const Nodal X = positions(batch, e);
    ElementPoint<K> point;
    for (const auto& row : ElementTable<K>::mass().rows) {
      if (!place_point<K>(batch.body, row, X, point)) continue;  // none: checked
      for (int b = 0; b < N; ++b) {
        for (int a = 0; a < N; ++a) products(a, b) += point.volume * row.values[a] * row.values[b];
        weights[b] += point.volume * row.values[b];
      }
    }
  }

  // H that the material sees at every point.
  static bool gradients(const Batch& batch, int e, std::array<Eigen::Matrix3d, T::kPoints>& H,
                        std::array<double, T::kPoints>& volumes) {
    const Nodal X = positions(batch, e), u = displacements(batch, e);
    const bool finite = batch.body.kinematics == Kinematics::finite;
    ElementPoint<K> point;
    double volume = 0, theta = 0;
    const auto change = [&](const Eigen::Matrix3d& h) {
      return finite ? (Eigen::Matrix3d::Identity() + h).determinant() : 1 + h.trace();
    };
    for (int p = 0; p < T::kPoints; ++p) {
      if (!place_point<K>(batch.body, ElementTable<K>::stiffness().rows[p], X, point)) return false;
      H[p] = gradient_at<K>(batch.body, point, u);
      volumes[p] = point.volume;
      volume += point.volume;
      theta += point.volume * change(H[p]);
    }
    if (!T::kMeanDilatation || !law_of(batch, e).mean_dilatation) return true;
    for (Eigen::Matrix3d& h : H) h = dilated_gradient(finite, h, change(h), theta / volume);
    return true;
  }

  static bool fields(const Batch& batch, int e, std::vector<PointFields>& fields) {
    const ElementLaw& law = law_of(batch, e);
    const PointLaw point_law = batch.body.point_law();
    std::array<Eigen::Matrix3d, T::kPoints> H;
    std::array<double, T::kPoints> volumes;
    fields.resize(T::kPoints);
    if (!gradients(batch, e, H, volumes)) return false;
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    if (batch.body.kinematics == Kinematics::corotational)
      R = rotation_of(
          mean_deformation<K>(mean_gradients<K>(batch.body, positions(batch, e)), displacements(batch, e)));
    std::vector<double> after(point_law.internal_count(*law.material) + 1, 0.0), none(after.size(), 0.0);
    PointResponse response;
    for (int p = 0; p < T::kPoints; ++p) {
      // Linear elements keep nothing; that of plane stress is then sought from 0 on.
      const double* before = law.linear ? none.data() : step_of(batch, e).before + p * law.internal_count;
      const Eigen::Matrix3d local =
          R.transpose() * (Eigen::Matrix3d::Identity() + H[p]) - Eigen::Matrix3d::Identity();
      if (!point_law.respond(*law.material, local, {batch.duration, before, after.data(), false}, response))
        return false;
      Eigen::Matrix3d whole = local;
      whole(2, 2) = response.out_of_plane;
      fields[p] = {stress_voigt(R * response.stress * R.transpose()),
                   strain_voigt(R * (0.5 * (whole + whole.transpose())) * R.transpose()),
                   law.material->plastic_strain(point_law.measure(), after.data()), volumes[p]};
      if (point_law.measure() == StrainMeasure::finite) {
        const Eigen::Matrix3d F = Eigen::Matrix3d::Identity() + whole;
        fields[p].stress = stress_voigt(cauchy_stress(response.stress, F));
        fields[p].strain = strain_voigt(0.5 * Spectral(F * F.transpose()).log());
      }
    }
    return true;
  }

  static double rotation(const Batch& batch, int e) {
    const Eigen::Matrix3d F =
        mean_deformation<K>(mean_gradients<K>(batch.body, positions(batch, e)), displacements(batch, e));
    if (!(F.determinant() > 0)) return std::numeric_limits<double>::infinity();
    if constexpr (Dim == 2) return std::abs(std::atan2(F(1, 0) - F(0, 1), F(0, 0) + F(1, 1)));
    const Eigen::Matrix3d R = rotation_of(F);
    // Small angles from the sine, large ones from the cosine.
    const Eigen::Vector3d twice(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
    return std::atan2(0.5 * twice.norm(), 0.5 * (R.trace() - 1));
  }
};

template <ElementKind K>
const ElementOps<ElementShape<K>::kDim>& ops_of() {
  using Run = ElementRun<K>;
  static constexpr ElementOps<ElementShape<K>::kDim> ops = {Run::run,  Run::tangent, Run::check,
                                                            Run::mass, Run::fields,  Run::rotation};
  return ops;
}

}  // namespace saltus

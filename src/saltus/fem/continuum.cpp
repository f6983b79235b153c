#include "saltus/fem/continuum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/input_error.hpp"
#include "saltus/base/parallel.hpp"

namespace saltus {

template <int Dim>
Continuum<Dim>::Continuum(SolidMesh<Dim> mesh, std::vector<ContinuumMaterial> materials,
                          ContinuumOptions options)
    : mesh_(std::move(mesh)), materials_(std::move(materials)), options_(std::move(options)) {
  if (Dim == 3) options_.plane = PlaneKind::strain;
  body_ = {options_.kinematics, options_.plane, options_.thickness};
  build_laws();
  check_mesh();
  pattern_ = BlockPattern(mesh_, options_.where);
  tangent_ = pattern_.zero_matrix();
  chunks_ = build_chunks(mesh_);
  results_.resize(chunks_.chunks.size());
  build_internal();
  force_.setZero(degrees_of_freedom());
  accepted_q_ = tried_q_ = force_;
}

template <int Dim>
void Continuum<Dim>::build_internal() {
  const PointLaw point_law = body_.point_law();
  first_internal_.assign(1, 0);
  for (const auto& element : mesh_.elements)
    first_internal_.push_back(first_internal_.back() +
                              static_cast<std::size_t>(stiffness_points(element.kind)) *
                                  laws_[element.material].internal_count);
  accepted_.assign(first_internal_.back() + 1, 0.0);  // one more, so that there is an address
  for (std::size_t e = 0; e < mesh_.elements.size(); ++e) {
    const ElementLaw& law = laws_[mesh_.elements[e].material];
    if (law.internal_count == 0) continue;
    for (std::size_t at = first_internal_[e]; at < first_internal_[e + 1]; at += law.internal_count)
      point_law.start(*law.material, accepted_.data() + at);
  }
  previous_ = tried_ = accepted_;
}

template <int Dim>
ElementBatch<Dim> Continuum<Dim>::batch() const {
  return {.mesh = &mesh_,
          .body = body_,
          .laws = laws_,
          .order = chunks_.order,
          .first_internal = first_internal_,
          .pattern = &pattern_};
}

template <int Dim>
bool Continuum<Dim>::evaluate(const Eigen::VectorXd& q, double duration, Want want) {
  if (!linear_) return assemble(q, duration, want);
  if (!assembled_) assembled_ = assemble(q, duration, {.tangent = true});
  multiply(q);
  return assembled_ && std::isfinite(energy_.elastic);
}

template <int Dim>
bool Continuum<Dim>::assemble(const Eigen::VectorXd& q, double duration, Want want) {
  tried_q_ = q;
  tried_duration_ = duration;
  force_.setZero();
  if (want.tangent)
    parallel_for(tangent_.nonZeros(), 1 << 16, [this](std::int64_t begin, std::int64_t end) {
      std::fill(tangent_.valuePtr() + begin, tangent_.valuePtr() + end, 0.0);
    });
  ElementBatch<Dim> work = batch();
  work.q = q.data();
  work.duration = duration;
  work.before = accepted_.data();
  work.after = tried_.data();
  work.want_tangent = want.tangent;
  work.force = force_.data();
  work.tangent = tangent_.valuePtr();
  for (std::size_t c = 0; c + 1 < chunks_.colours.size(); ++c) {
    const int first = chunks_.colours[c];
    parallel_for(chunks_.colours[c + 1] - first, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = first + begin; k < first + end; ++k) {
        const ElementChunk& chunk = chunks_.chunks[k];
        results_[k] = element_ops<Dim>(chunk.kind).run(work, chunk.begin, chunk.end);
      }
    });
  }
  energy_ = {};
  const ChunkResult* bad = nullptr;
  for (const ChunkResult& r : results_) {
    energy_.elastic += r.energy.elastic;
    energy_.hardening += r.energy.hardening;
    energy_.plastic += r.energy.plastic;
    energy_.viscous += r.energy.viscous;
    if (r.bad_element >= 0 && (bad == nullptr || r.bad_element < bad->bad_element)) bad = &r;
  }
  if (bad == nullptr && std::isfinite(stored())) return true;
  if (bad == nullptr)
    trouble_ = "displacements that are not finite";
  else
    trouble_ = fmt::format(
        "element {} ({}) {}", bad->bad_element, name(mesh_.elements[bad->bad_element].kind),
        bad->trouble == ElementTrouble::inside_out ? "is turned inside out"
                                                   : "deforms so that its material has no answer");
  return false;
}

// K is symmetric: its columns are its rows.
template <int Dim>
void Continuum<Dim>::multiply(const Eigen::VectorXd& q) {
  tried_q_ = q;
  tried_duration_ = 0;
  const int* start = tangent_.outerIndexPtr();
  const int* row = tangent_.innerIndexPtr();
  const double* value = tangent_.valuePtr();
  energy_ = {};
  energy_.elastic = parallel_reduce(
      degrees_of_freedom(), 1024, 0.0,
      [&](std::int64_t begin, std::int64_t end) {
        double sum = 0;
        for (std::int64_t j = begin; j < end; ++j) {
          double f = 0;
          for (int k = start[j]; k < start[j + 1]; ++k) f += value[k] * q[row[k]];
          force_[j] = f;
          sum += 0.5 * f * q[j];
        }
        return sum;
      },
      [](double a, double b) { return a + b; });
}

// Of the places of nodes.
template <int Dim>
double Continuum<Dim>::round_off() const {
  double largest = 0, stiffest = 0;
  for (const auto& x : mesh_.nodes) largest = std::max(largest, x.cwiseAbs().maxCoeff());
  for (Eigen::Index i = 0; i < tangent_.rows(); ++i)
    stiffest = std::max(stiffest, std::abs(tangent_.coeff(i, i)));
  return 10 * std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(tangent_.rows())) *
         stiffest * largest;
}

template <int Dim>
void Continuum<Dim>::accept() {
  previous_.swap(accepted_);
  accepted_.swap(tried_);
  accepted_q_ = tried_q_;
  accepted_duration_ = tried_duration_;
}

template <int Dim>
std::span<const double> Continuum<Dim>::internal_state() const {
  state_.assign(accepted_q_.data(), accepted_q_.data() + accepted_q_.size());
  state_.push_back(accepted_duration_);
  state_.insert(state_.end(), previous_.begin(), previous_.end());
  state_.insert(state_.end(), accepted_.begin(), accepted_.end());
  return state_;
}

template <int Dim>
void Continuum<Dim>::set_internal_state(std::span<const double> state) {
  const std::size_t dofs = accepted_q_.size(), size = dofs + 1 + 2 * accepted_.size();
  if (state.size() != size)
    throw InputError(options_.where, "size of the saved state of a deformable body",
                     fmt::format("{}", state.size()), fmt::format("{}", size));
  const double* at = state.data();
  accepted_q_ = Eigen::Map<const Eigen::VectorXd>(at, accepted_q_.size());
  accepted_duration_ = at[dofs];
  std::copy_n(at + dofs + 1, previous_.size(), previous_.begin());
  std::copy_n(at + dofs + 1 + previous_.size(), accepted_.size(), accepted_.begin());
}

template class Continuum<2>;
template class Continuum<3>;

}  // namespace saltus

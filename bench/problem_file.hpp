// Contact problems of steps in a file, with the velocities their bodies started from.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "saltus/base/input_error.hpp"
#include "saltus/sim/simulation.hpp"
#include "saltus/solvers/velocity_problem.hpp"

namespace saltus {

template <int Dim>
struct KeptProblem {
  VelocityProblem<Dim> problem;
  std::vector<BodyVelocity<Dim>> start;
  double gravity_step = 0;  // g h, m/s
};

template <int Dim>
KeptProblem<Dim> keep_next_problem(const Simulation<Dim>& simulation) {
  KeptProblem<Dim> kept;
  kept.problem = simulation.build_velocity_problem();
  const BodySet<Dim>& bodies = simulation.bodies();
  kept.start.resize(bodies.slots());
  for (int s = 0; s < bodies.slots(); ++s) {
    if (!bodies.alive(s)) continue;
    Eigen::Map<Vec<Dim>>(kept.start[s].v) = bodies.velocity[s];
    Eigen::Map<Spin<Dim>>(kept.start[s].w) = bodies.spin[s];
  }
  kept.gravity_step = simulation.scene().gravity.norm() * simulation.scene().scheme.h;
  return kept;
}

template <class T>
void put(const T* data, std::size_t count, std::ofstream& out) {
  out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(count * sizeof(T)));
}
template <class T>
bool get(T* data, std::size_t count, std::ifstream& in) {
  return static_cast<bool>(
      in.read(reinterpret_cast<char*>(data), static_cast<std::streamsize>(count * sizeof(T))));
}

template <int Dim>
void save_problems(const std::vector<KeptProblem<Dim>>& problems, const std::string& path) {
  std::ofstream out(path, std::ios::binary);
  const int dimension = Dim;
  put(&dimension, 1, out);
  for (const KeptProblem<Dim>& kept : problems) {
    const VelocityProblem<Dim>& p = kept.problem;
    const std::size_t sizes[3] = {p.bodies.size(), p.contacts.size(), p.rolling ? 1u : 0u};
    const double units[3] = {p.mass, p.length, kept.gravity_step};
    put(sizes, 3, out);
    put(units, 3, out);
    put(p.bodies.data(), p.bodies.size(), out);
    put(kept.start.data(), kept.start.size(), out);
    put(p.contacts.data(), p.contacts.size(), out);
  }
  if (!out.flush()) throw InputError(path, "cannot be written");
}

// 2 or 3, what stands first in the file.
inline int open_problems(const std::string& path, std::ifstream& in) {
  in.open(path, std::ios::binary);
  int dimension = 0;
  if (!in || !get(&dimension, 1, in)) throw InputError(path, "cannot be read");
  return dimension;
}

template <int Dim>
std::vector<KeptProblem<Dim>> load_problems(std::ifstream& in) {
  std::vector<KeptProblem<Dim>> problems;
  std::size_t sizes[3];
  while (get(sizes, 3, in)) {
    KeptProblem<Dim>& kept = problems.emplace_back();
    VelocityProblem<Dim>& p = kept.problem;
    double units[3] = {1, 1, 1};
    get(units, 3, in);
    p.mass = units[0];
    p.length = units[1];
    kept.gravity_step = units[2];
    p.rolling = sizes[2] != 0;
    p.bodies.resize(sizes[0]);
    kept.start.resize(sizes[0]);
    p.contacts.resize(sizes[1]);
    get(p.bodies.data(), sizes[0], in);
    get(kept.start.data(), sizes[0], in);
    if (!get(p.contacts.data(), sizes[1], in))
      throw InputError("arguments", "the file of problems is cut short");
  }
  return problems;
}

}  // namespace saltus

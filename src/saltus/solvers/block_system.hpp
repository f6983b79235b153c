// Blocks of any kind over parts that move, in velocity form: what ties bodies and systems beside packed contacts.
//
//     v = v_free + Mhat^-1 sum_b H_b r_b        Mhat block diagonal, one block per part
//     u_b = H_b^T v + shift_b + C_b r_b         (r_b, u_b) in the set of block b (block_set.hpp)
//
// A part is a rigid body, or the degrees of freedom of a system that blocks act on. What nothing can move is no part:
// its velocity is in `ground`. Plain data in flat arrays that keep their memory: no bodies, no laws, no time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "saltus/solvers/block_set.hpp"

namespace saltus {

struct BlockSystem {
  static constexpr int kMostRows = 6;

  struct Part {
    int size = 0;                           // degrees of freedom
    std::size_t velocity = 0, inverse = 0;  // where they begin in the arrays below
    int body = -1;  // of the velocity problem, where packed contacts act on it as well; -1: blocks alone do
  };
  struct End {
    int part = 0;
    int dofs = 0, first_dof = -1;  // in `dofs`; -1: all of the part, in order
    std::size_t jacobian = 0;      // dofs x rows, column by column
  };
  struct Block {
    BlockSet set;
    double mu = 0, mu_r = 0;
    int first_end = 0, ends = 0;
    int first_row = 0;      // in the arrays of rows
    bool left_out = false;  // no impulse of it can do anything: it has none

    int rows() const { return set.size; }
    bool is_swept() const { return set.kind != SetKind::space && !left_out; }
  };

  std::vector<Part> parts;
  std::vector<double> free, inverse;  // v_free; Mhat^-1, column by column
  std::vector<Block> blocks;
  std::vector<End> ends;
  std::vector<int> dofs;
  std::vector<double> jacobian;
  // Per row of the blocks. unit: 1, or the length (m) that makes rad/s a velocity. r: warm start in, solution out.
  std::vector<double> ground, shift, compliance, unit, r;
  double mass = 1, length = 1;  // impulses of the residual are counted in units of mass

  void clear() {
    parts.clear();
    blocks.clear();
    ends.clear();
    dofs.clear();
    for (std::vector<double>* values : {&free, &inverse, &jacobian, &ground, &shift, &compliance, &unit, &r})
      values->clear();
  }

  std::span<const End> ends_of(const Block& block) const {
    return {ends.data() + block.first_end, static_cast<std::size_t>(block.ends)};
  }
  int dof(const End& end, int i) const { return end.first_dof < 0 ? i : dofs[end.first_dof + i]; }
  double inverse_at(const Part& part, int i, int j) const {
    return inverse[part.inverse + static_cast<std::size_t>(j) * part.size + i];
  }

  // out += H^T v of one end; v is that of the part.
  void add_velocity(const End& end, int rows, const double* v, double* out) const {
    const double* column = jacobian.data() + end.jacobian;
    for (int k = 0; k < rows; ++k, column += end.dofs)
      for (int i = 0; i < end.dofs; ++i) out[k] += column[i] * v[dof(end, i)];
  }
};

// |r - P_K(r - u~)|^2 of a block in (m/s)^2: r in N s (N m s), u as the law sees it.
double natural_map_square(const BlockSystem& system, const BlockSystem::Block& block, const double* r,
                          const double* u);

}  // namespace saltus

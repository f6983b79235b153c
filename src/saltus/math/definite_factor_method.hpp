// The two ways of DefiniteFactor: what each answers.
#pragma once

#include "saltus/math/definite_factor.hpp"

namespace saltus {

struct DefiniteFactor::Method {
  virtual ~Method() = default;
  virtual void analyse(const Sparse& matrix) = 0;
  virtual bool factor(const Sparse& matrix, double least) = 0;
  virtual void solve(Eigen::VectorXd& x) = 0;
  virtual void solve(Eigen::MatrixXd& x) = 0;
  virtual std::size_t entries() const = 0;
  virtual bool is_supernodal() const = 0;
};

std::unique_ptr<DefiniteFactor::Method> build_simplicial_factor();
std::unique_ptr<DefiniteFactor::Method> build_supernodal_factor();

}  // namespace saltus

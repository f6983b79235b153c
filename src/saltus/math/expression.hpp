// A formula of one variable, t, given as text: "0.1*sin(2*pi*t) + step(t - 1)".
//
// Operators + - * / ^ (right to left) and brackets; the constant pi; the functions
// sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs sign floor step (0 below 0, else 1)
// min max pow. A formula is compiled once to a list of operations on a small stack; the value
// and the derivative in t are computed together, exactly (dual numbers).
//
// A mistake in the text is an InputError whose `where` is "column N" of the text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace saltus {

class Expression {
 public:
  Expression() = default;
  explicit Expression(std::string text);

  double value(double t) const { return evaluate(t).value; }
  double derivative(double t) const { return evaluate(t).slope; }
  const std::string& text() const { return text_; }

  struct Dual {
    double value = 0, slope = 0;
  };
  Dual evaluate(double t) const;

  enum class Op : std::uint8_t;
  struct Instruction {
    Op op;
    double number = 0;
  };

 private:
  std::string text_;
  std::vector<Instruction> code_;
};

}  // namespace saltus

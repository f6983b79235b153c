// A formula given as text, of one variable, t, or of several that have names:
// "0.1*sin(2*pi*t) + step(t - 1)", "m*l*cos(a - b)*da".
//
// Operators + - * / ^ (right to left) and brackets; the constant pi; the functions
// sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs sign floor step (0 below 0, else 1)
// min max pow. A formula is compiled once to a list of operations on a small stack, with operations on
// constants done then. Derivatives are exact, by dual numbers: four directions in one pass, only those of
// variables that the formula has. Nothing is allocated by an evaluation.
//
// A mistake in the text is an InputError whose `where` is "column N" of the text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace saltus {

// What a formula may name: variables in their order, and numbers that are known.
struct ExpressionNames {
  std::vector<std::string> variables;
  std::vector<std::pair<std::string, double>> constants;
};

// Whether a formula could name it: a letter, then letters, digits and _; not pi, not a function.
bool is_expression_name(std::string_view name);

class Expression {
 public:
  Expression() = default;                                      // 0
  explicit Expression(std::string text);                       // of t
  Expression(std::string text, const ExpressionNames& names);  // of these variables

  const std::string& text() const { return text_; }

  // Of t.
  double value(double t) const { return evaluate(t).value; }
  double derivative(double t) const { return evaluate(t).slope; }
  struct Dual {
    double value = 0, slope = 0;
  };
  Dual evaluate(double t) const;

  // Of all variables, in the order of their names. `slopes` gets the derivative in each of used(), as many.
  double value(std::span<const double> variables) const;
  double evaluate(std::span<const double> variables, std::span<double> slopes) const;
  const std::vector<int>& used() const { return used_; }  // variables that it has, ascending

  enum class Op : std::uint8_t;
  struct Instruction {
    Op op;
    int variable = 0;
    double number = 0;
  };

 private:
  std::string text_;
  std::vector<Instruction> code_;
  std::vector<int> used_;
};

}  // namespace saltus

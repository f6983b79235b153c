#include "saltus/math/expression.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <utility>

#include "saltus/base/input_error.hpp"

namespace saltus {

enum class Expression::Op : std::uint8_t {
  number,
  variable,
  negate,
  add,
  subtract,
  multiply,
  divide,
  power,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  sign,
  floor,
  step,
  min,
  max
};

namespace {

using Op = Expression::Op;

constexpr int kStack = 64;

struct Function {
  const char* name;
  Op op;
  int arguments;
};
constexpr std::array kFunctions = {
    Function{"sin", Op::sin, 1},   Function{"cos", Op::cos, 1},     Function{"tan", Op::tan, 1},
    Function{"asin", Op::asin, 1}, Function{"acos", Op::acos, 1},   Function{"atan", Op::atan, 1},
    Function{"sinh", Op::sinh, 1}, Function{"cosh", Op::cosh, 1},   Function{"tanh", Op::tanh, 1},
    Function{"exp", Op::exp, 1},   Function{"log", Op::log, 1},     Function{"sqrt", Op::sqrt, 1},
    Function{"abs", Op::abs, 1},   Function{"sign", Op::sign, 1},   Function{"floor", Op::floor, 1},
    Function{"step", Op::step, 1}, Function{"min", Op::min, 2},     Function{"max", Op::max, 2},
    Function{"pow", Op::power, 2}, Function{"atan2", Op::atan2, 2},
};

// A value and its derivatives in one direction (a number) or in four (an array).
template <class Slope>
struct DualOf {
  double value;
  Slope slope;
};
using Slopes = Eigen::Array<double, 4, 1>;
constexpr int kDirections = 4;

DualOf<double> operate(Op op, DualOf<double> a, DualOf<double> b);
int arguments_of(Op op);

bool is_name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Recursive descent: sum > product > sign > power > atom. `depth_` is the height of the stack
// that the code needs; a formula deeper than the stack is refused here, so evaluation cannot overflow.
class Parser {
 public:
  Parser(const std::string& text, const ExpressionNames& names) : text_(text), names_(names) {}

  std::vector<Expression::Instruction> parse() {
    parse_sum();
    skip_space();
    if (at_ < text_.size()) fail("unexpected character", std::string(1, text_[at_]));
    return std::move(code_);
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& value = {},
                         const std::string& allowed = {}) const {
    throw InputError("column " + std::to_string(at_ + 1) + " of \"" + text_ + "\"", what, value, allowed);
  }

  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void push_variable(int variable) {
    push(Op::variable, 0);
    code_.back().variable = variable;
  }

  void push(Op op, int arguments, double number = 0) {
    code_.push_back({op, 0, number});
    depth_ += 1 - arguments;
    if (depth_ > kStack) fail("formula too deeply nested");
    if (arguments > 0) fold(op, arguments);
  }

  // An operation on constants is done at once.
  void fold(Op op, int arguments) {
    const std::size_t first = code_.size() - 1 - static_cast<std::size_t>(arguments);
    for (std::size_t i = first; i + 1 < code_.size(); ++i)
      if (code_[i].op != Op::number) return;
    const double a = code_[first].number, b = arguments > 1 ? code_[first + 1].number : 0.0;
    code_.resize(first);
    code_.push_back({Op::number, 0, operate(op, {a, 0}, {b, 0}).value});
  }

  void parse_sum() {
    if (++nesting_ > kStack) fail("formula too deeply nested");
    parse_product();
    for (;;) {
      if (take('+')) {
        parse_product();
        push(Op::add, 2);
      } else if (take('-')) {
        parse_product();
        push(Op::subtract, 2);
      } else
        break;
    }
    --nesting_;
  }

  void parse_product() {
    parse_signed();
    for (;;) {
      if (take('*')) {
        parse_signed();
        push(Op::multiply, 2);
      } else if (take('/')) {
        parse_signed();
        push(Op::divide, 2);
      } else
        break;
    }
  }

  void parse_signed() {
    bool negative = false;
    for (;;) {
      if (take('-'))
        negative = !negative;
      else if (!take('+'))
        break;
    }
    parse_power();
    if (negative) push(Op::negate, 1);
  }

  void parse_power() {
    parse_atom();
    if (!take('^')) return;
    if (++nesting_ > kStack) fail("formula too deeply nested");
    parse_signed();
    push(Op::power, 2);
    --nesting_;
  }

  void parse_atom() {
    skip_space();
    if (at_ >= text_.size()) fail("the formula ends too early");
    const char c = text_[at_];
    if (take('(')) {
      parse_sum();
      if (!take(')')) fail("missing )");
    } else if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') {
      parse_number();
    } else if (std::isalpha(static_cast<unsigned char>(c))) {
      parse_name();
    } else {
      fail("a number, a name, a function or ( expected", std::string(1, c));
    }
  }

  void parse_number() {
    char* end = nullptr;
    const double number = std::strtod(text_.c_str() + at_, &end);
    const std::size_t length = static_cast<std::size_t>(end - (text_.c_str() + at_));
    if (length == 0) fail("not a number", std::string(1, text_[at_]));
    if (!std::isfinite(number)) fail("a number out of range", text_.substr(at_, length), "up to 1.8e308");
    at_ += length;
    push(Op::number, 0, number);
  }

  void parse_name() {
    const std::size_t begin = at_;
    std::size_t end = at_;
    while (end < text_.size() && is_name_character(text_[end])) ++end;
    const std::string word = text_.substr(begin, end - begin);
    const auto& variables = names_.variables;
    if (const auto found = std::find(variables.begin(), variables.end(), word); found != variables.end()) {
      at_ = end;
      return push_variable(static_cast<int>(found - variables.begin()));
    }
    for (const auto& [name, value] : names_.constants)
      if (word == name) {
        at_ = end;
        return push(Op::number, 0, value);
      }
    if (word == "pi") {
      at_ = end;
      return push(Op::number, 0, std::numbers::pi);
    }
    for (const Function& function : kFunctions)
      if (word == function.name) {
        at_ = end;
        return parse_call(function);
      }
    std::string known;
    for (const std::string& name : variables) known += name + ", ";
    for (const auto& [name, value] : names_.constants) known += name + ", ";
    known += "pi";
    for (const Function& function : kFunctions) known += std::string(", ") + function.name;
    fail("unknown name", word, known);
  }

  void parse_call(const Function& function) {
    if (!take('(')) fail(std::string("( expected after ") + function.name);
    for (int i = 0; i < function.arguments; ++i) {
      if (i > 0 && !take(',')) fail(std::string(function.name) + " takes two arguments: , expected");
      parse_sum();
    }
    if (!take(')')) fail("missing )");
    push(function.op, function.arguments);
  }

  const std::string& text_;
  const ExpressionNames& names_;
  std::size_t at_ = 0;
  int depth_ = 0, nesting_ = 0;
  std::vector<Expression::Instruction> code_;
};

// slope * factor; where the slope is zero the factor may be anything, infinite too.
double times(double slope, double factor) { return slope == 0 ? 0.0 : slope * factor; }
Slopes times(const Slopes& slope, double factor) {
  if (std::isfinite(factor)) return slope * factor;
  return slope.unaryExpr([factor](double s) { return times(s, factor); });
}

template <class Slope>
DualOf<Slope> apply(Op op, const DualOf<Slope>& a) {
  const double x = a.value;
  const auto result = [&](double value, double factor) {
    return DualOf<Slope>{value, times(a.slope, factor)};
  };
  switch (op) {
    case Op::negate: return result(-x, -1);
    case Op::sin: return result(std::sin(x), std::cos(x));
    case Op::cos: return result(std::cos(x), -std::sin(x));
    case Op::tan: return result(std::tan(x), 1 / (std::cos(x) * std::cos(x)));
    case Op::asin: return result(std::asin(x), 1 / std::sqrt(1 - x * x));
    case Op::acos: return result(std::acos(x), -1 / std::sqrt(1 - x * x));
    case Op::atan: return result(std::atan(x), 1 / (1 + x * x));
    case Op::sinh: return result(std::sinh(x), std::cosh(x));
    case Op::cosh: return result(std::cosh(x), std::sinh(x));
    case Op::tanh: return result(std::tanh(x), 1 / (std::cosh(x) * std::cosh(x)));
    case Op::exp: return result(std::exp(x), std::exp(x));
    case Op::log: return result(std::log(x), 1 / x);
    case Op::sqrt: return result(std::sqrt(x), x > 0 ? 1 / (2 * std::sqrt(x)) : 0.0);
    case Op::abs: return result(std::abs(x), x < 0 ? -1 : 1);
    case Op::sign: return result(x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0, 0);
    case Op::floor: return result(std::floor(x), 0);
    case Op::step: return result(x < 0 ? 0.0 : 1.0, 0);
    default: break;
  }
  assert(false && "not a function of one argument");
  return a;
}

bool is_zero(double slope) { return slope == 0; }
bool is_zero(const Slopes& slope) { return (slope == 0).all(); }

template <class Slope>
DualOf<Slope> apply(Op op, const DualOf<Slope>& a, const DualOf<Slope>& b) {
  const auto result = [&](double value, double by_a, double by_b) {
    return DualOf<Slope>{value, times(a.slope, by_a) + times(b.slope, by_b)};
  };
  const double x = a.value, y = b.value;
  switch (op) {
    case Op::add: return {x + y, a.slope + b.slope};
    case Op::subtract: return {x - y, a.slope - b.slope};
    case Op::multiply: return result(x * y, y, x);
    case Op::divide: return result(x / y, 1 / y, -(x / y) / y);
    case Op::power: {
      const double value = std::pow(x, y);
      return result(value, is_zero(a.slope) ? 0.0 : y * std::pow(x, y - 1),
                    is_zero(b.slope) ? 0.0 : value * std::log(x));
    }
    case Op::atan2: return result(std::atan2(x, y), y / (x * x + y * y), -x / (x * x + y * y));
    case Op::min: return x <= y ? a : b;
    case Op::max: return x >= y ? a : b;
    default: break;
  }
  assert(false && "not an operation on two arguments");
  return a;
}

int arguments_of(Op op) {
  switch (op) {
    case Op::number:
    case Op::variable: return 0;
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::power:
    case Op::atan2:
    case Op::min:
    case Op::max: return 2;
    default: return 1;
  }
}

DualOf<double> operate(Op op, DualOf<double> a, DualOf<double> b) {
  return arguments_of(op) == 2 ? apply(op, a, b) : apply(op, a);
}

// Runs the code; `seed(i)` is variable i with its slope.
template <class Slope, class Seed>
DualOf<Slope> run(const std::vector<Expression::Instruction>& code, const Slope& zero, Seed&& seed) {
  if (code.empty()) return {0, zero};
  DualOf<Slope> stack[kStack];
  int top = -1;
  for (const Expression::Instruction& i : code) {
    const int arguments = arguments_of(i.op);
    if (i.op == Op::number) {
      stack[++top] = {i.number, zero};
    } else if (i.op == Op::variable) {
      stack[++top] = seed(i.variable);
    } else if (arguments == 2) {
      --top;
      stack[top] = apply(i.op, stack[top], stack[top + 1]);
    } else {
      stack[top] = apply(i.op, stack[top]);
    }
  }
  return stack[top];
}

const ExpressionNames& time_only() {
  static const ExpressionNames names{{"t"}, {}};
  return names;
}

}  // namespace

bool is_expression_name(std::string_view name) {
  if (name.empty() || !std::isalpha(static_cast<unsigned char>(name[0])) || name == "pi") return false;
  if (!std::all_of(name.begin(), name.end(), is_name_character)) return false;
  return std::none_of(kFunctions.begin(), kFunctions.end(),
                      [&](const Function& f) { return name == f.name; });
}

Expression::Expression(std::string text) : Expression(std::move(text), time_only()) {}

Expression::Expression(std::string text, const ExpressionNames& names)
    : text_(std::move(text)), code_(Parser(text_, names).parse()) {
  for (const Instruction& i : code_)
    if (i.op == Op::variable) used_.push_back(i.variable);
  std::sort(used_.begin(), used_.end());
  used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
}

Expression::Dual Expression::evaluate(double t) const {
  const auto [value, slope] = run<double>(code_, 0.0, [t](int) { return DualOf<double>{t, 1}; });
  return {value, slope};
}

double Expression::value(std::span<const double> variables) const {
  return run<double>(code_, 0.0, [&](int i) { return DualOf<double>{variables[i], 0}; }).value;
}

double Expression::evaluate(std::span<const double> variables, std::span<double> slopes) const {
  const int count = static_cast<int>(used_.size());
  if (count == 0) return value(variables);
  double value = 0;
  for (int first = 0; first < count; first += kDirections) {
    const int last = std::min(count, first + kDirections);
    const auto seed = [&](int variable) {
      DualOf<Slopes> x{variables[variable], Slopes::Zero()};
      for (int k = first; k < last; ++k)
        if (used_[k] == variable) x.slope[k - first] = 1;
      return x;
    };
    const DualOf<Slopes> result = run<Slopes>(code_, Slopes::Zero(), seed);
    value = result.value;
    for (int k = first; k < last; ++k) slopes[k] = result.slope[k - first];
  }
  return value;
}

}  // namespace saltus

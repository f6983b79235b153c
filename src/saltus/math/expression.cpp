#include "saltus/math/expression.hpp"

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
using Dual = Expression::Dual;

constexpr int kStack = 64;

struct Function {
  const char* name;
  Op op;
  int arguments;
};
constexpr std::array kFunctions = {
    Function{"sin", Op::sin, 1},   Function{"cos", Op::cos, 1},   Function{"tan", Op::tan, 1},
    Function{"asin", Op::asin, 1}, Function{"acos", Op::acos, 1}, Function{"atan", Op::atan, 1},
    Function{"sinh", Op::sinh, 1}, Function{"cosh", Op::cosh, 1}, Function{"tanh", Op::tanh, 1},
    Function{"exp", Op::exp, 1},   Function{"log", Op::log, 1},   Function{"sqrt", Op::sqrt, 1},
    Function{"abs", Op::abs, 1},   Function{"sign", Op::sign, 1}, Function{"floor", Op::floor, 1},
    Function{"step", Op::step, 1}, Function{"min", Op::min, 2},   Function{"max", Op::max, 2},
    Function{"pow", Op::power, 2},
};

// Recursive descent: sum > product > sign > power > atom. `depth_` is the height of the stack
// that the code needs; a formula deeper than the stack is refused here, so evaluation cannot overflow.
class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

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

  void push(Op op, int arguments, double number = 0) {
    code_.push_back({op, number});
    depth_ += 1 - arguments;
    if (depth_ > kStack) fail("formula too deeply nested");
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
      fail("a number, t, pi, a function or ( expected", std::string(1, c));
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
    while (end < text_.size() && std::isalnum(static_cast<unsigned char>(text_[end]))) ++end;
    const std::string word = text_.substr(begin, end - begin);
    if (word == "t") {
      at_ = end;
      return push(Op::variable, 0);
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
    std::string known = "t, pi";
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
  std::size_t at_ = 0;
  int depth_ = 0, nesting_ = 0;
  std::vector<Expression::Instruction> code_;
};

Dual apply(Op op, Dual a) {
  const double x = a.value;
  switch (op) {
    case Op::negate: return {-x, -a.slope};
    case Op::sin: return {std::sin(x), std::cos(x) * a.slope};
    case Op::cos: return {std::cos(x), -std::sin(x) * a.slope};
    case Op::tan: return {std::tan(x), a.slope / (std::cos(x) * std::cos(x))};
    case Op::asin: return {std::asin(x), a.slope / std::sqrt(1 - x * x)};
    case Op::acos: return {std::acos(x), -a.slope / std::sqrt(1 - x * x)};
    case Op::atan: return {std::atan(x), a.slope / (1 + x * x)};
    case Op::sinh: return {std::sinh(x), std::cosh(x) * a.slope};
    case Op::cosh: return {std::cosh(x), std::sinh(x) * a.slope};
    case Op::tanh: return {std::tanh(x), a.slope / (std::cosh(x) * std::cosh(x))};
    case Op::exp: return {std::exp(x), std::exp(x) * a.slope};
    case Op::log: return {std::log(x), a.slope / x};
    case Op::sqrt: return {std::sqrt(x), x > 0 ? a.slope / (2 * std::sqrt(x)) : 0.0};
    case Op::abs: return {std::abs(x), x < 0 ? -a.slope : a.slope};
    case Op::sign: return {x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0, 0};
    case Op::floor: return {std::floor(x), 0};
    case Op::step: return {x < 0 ? 0.0 : 1.0, 0};
    default: break;
  }
  assert(false && "not a function of one argument");
  return a;
}

Dual power(Dual a, Dual b) {
  const double value = std::pow(a.value, b.value);
  double slope = 0;
  if (a.slope != 0) slope += b.value * std::pow(a.value, b.value - 1) * a.slope;
  if (b.slope != 0) slope += value * std::log(a.value) * b.slope;
  return {value, slope};
}

Dual apply(Op op, Dual a, Dual b) {
  switch (op) {
    case Op::add: return {a.value + b.value, a.slope + b.slope};
    case Op::subtract: return {a.value - b.value, a.slope - b.slope};
    case Op::multiply: return {a.value * b.value, a.slope * b.value + a.value * b.slope};
    case Op::divide: return {a.value / b.value, (a.slope - a.value / b.value * b.slope) / b.value};
    case Op::power: return power(a, b);
    case Op::min: return a.value <= b.value ? a : b;
    case Op::max: return a.value >= b.value ? a : b;
    default: break;
  }
  assert(false && "not an operation on two arguments");
  return a;
}

}  // namespace

Expression::Expression(std::string text) : text_(std::move(text)), code_(Parser(text_).parse()) {}

Expression::Dual Expression::evaluate(double t) const {
  if (code_.empty()) return {};
  std::array<Dual, kStack> stack{};
  int top = -1;
  for (const Instruction& i : code_) {
    if (i.op == Op::number) {
      stack[++top] = {i.number, 0};
    } else if (i.op == Op::variable) {
      stack[++top] = {t, 1};
    } else if (i.op == Op::add || i.op == Op::subtract || i.op == Op::multiply || i.op == Op::divide ||
               i.op == Op::power || i.op == Op::min || i.op == Op::max) {
      --top;
      stack[top] = apply(i.op, stack[top], stack[top + 1]);
    } else {
      stack[top] = apply(i.op, stack[top]);
    }
  }
  return stack[top];
}

}  // namespace saltus

// SPDX-License-Identifier: Apache-2.0
#include "predict/expression.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/spirit/home/x3.hpp>
#include <cmath>
#include <functional>

#include "base/parse_number.h"

namespace psim::predict {
namespace {

namespace x3 = boost::spirit::x3;
using Operation = Expression::Operation;
using Instruction = Expression::Instruction;
using Characters = boost::iterator_range<const char*>;

constexpr std::size_t kStackSlots = 256;
constexpr std::uint32_t kMostSmallPower = 8;

struct Function {
  const char* name;
  Operation operation;
  int arguments;
};
constexpr Function kFunctions[] = {{"ceil", Operation::Ceil, 1}, {"floor", Operation::Floor, 1},
                                   {"sqrt", Operation::Sqrt, 1}, {"log", Operation::Log, 1},
                                   {"log2", Operation::Log2, 1}, {"min", Operation::Min, 2},
                                   {"max", Operation::Max, 2},   {"div", Operation::DivideDown, 2}};

/// Returns the number of values that an operation takes from the stack. It puts back one.
int operands(Operation operation) {
  switch (operation) {
    case Operation::Number:
    case Operation::Parameter:
      return 0;
    case Operation::Negate:
    case Operation::SmallPower:
    case Operation::Ceil:
    case Operation::Floor:
    case Operation::Sqrt:
    case Operation::Log:
    case Operation::Log2:
      return 1;
    default:
      return 2;
  }
}

/// Receives the parts of an expression from the grammar, in the order of execution.
class Compiler {
 public:
  Compiler(const char* begin, const std::vector<std::string>& parameters)
      : begin_(begin), parameters_(parameters) {}

  void number(const Characters& text) {
    const auto value = parse_number<double>(word(text));
    if (!value) refuse(text, fmt::format("{}: expected a number up to 1e308", word(text)));
    push({Operation::Number, 0, *value});
  }
  void parameter(const Characters& text) {
    const auto found = std::find(parameters_.begin(), parameters_.end(), word(text));
    if (found == parameters_.end()) {
      refuse(text,
             fmt::format("unknown parameter {}; {}", word(text),
                         parameters_.empty() ? std::string("the expression has none")
                                             : fmt::format("expected {}", fmt::join(parameters_, ", "))));
    }
    push({Operation::Parameter, static_cast<std::uint32_t>(found - parameters_.begin()), 0});
  }
  void open_call(const Characters& text) {
    for (const Function& function : kFunctions)
      if (word(text) == function.name) return calls_.push_back({&function, text, 0});
    std::vector<std::string> names;
    for (const Function& function : kFunctions) names.emplace_back(function.name);
    refuse(text,
           fmt::format("unknown function {}{}", word(text),
                       did_you_mean(word(text), names, fmt::format("expected {}", fmt::join(names, ", ")))));
  }
  void argument() { ++calls_.back().arguments; }
  void close_call() {
    const Call call = calls_.back();
    calls_.pop_back();
    if (call.arguments != call.function->arguments)
      refuse(call.text, fmt::format("{} has {} arguments; expected {}", call.function->name, call.arguments,
                                    call.function->arguments));
    push({call.function->operation, 0, 0});
  }
  void apply(Operation operation) {
    if (operation == Operation::Power && code_.back().operation == Operation::Number) {
      const double exponent = code_.back().number;
      if (exponent >= 0 && exponent <= kMostSmallPower && exponent == std::floor(exponent)) {
        code_.back() = {Operation::SmallPower, static_cast<std::uint32_t>(exponent), 0};
        --depth_;
        return;
      }
    }
    push({operation, 0, 0});
  }
  std::vector<Instruction> take() { return std::move(code_); }

 private:
  struct Call {
    const Function* function;
    Characters text;
    int arguments;
  };
  static std::string_view word(const Characters& text) { return {text.begin(), text.size()}; }
  [[noreturn]] void refuse(const Characters& text, const std::string& why) const {
    throw ExpressionError(fmt::format("column {}: {}", text.begin() - begin_ + 1, why));
  }
  void push(Instruction instruction) {
    depth_ += 1 - operands(instruction.operation);
    if (depth_ > static_cast<int>(kStackSlots))  // unreachable: parentheses nest at most kDeepest deep
      throw ExpressionError("more operands than the evaluation can hold");
    code_.push_back(instruction);
  }

  const char* begin_;
  const std::vector<std::string>& parameters_;
  std::vector<Call> calls_;
  std::vector<Instruction> code_;
  int depth_ = 0;  ///< of the stack
};

struct CompilerTag {};
Compiler& compiler_of(auto& context) { return x3::get<CompilerTag>(context).get(); }

constexpr auto kPushNumber = [](auto& context) { compiler_of(context).number(x3::_attr(context)); };
constexpr auto kPushParameter = [](auto& context) { compiler_of(context).parameter(x3::_attr(context)); };
constexpr auto kOpenCall = [](auto& context) { compiler_of(context).open_call(x3::_attr(context)); };
constexpr auto kArgument = [](auto& context) { compiler_of(context).argument(); };
constexpr auto kCloseCall = [](auto& context) { compiler_of(context).close_call(); };
template <Operation kOperation>
constexpr auto kApply = [](auto& context) { compiler_of(context).apply(kOperation); };

// The names of the rules appear in messages: "expected an operand".
const x3::rule<struct SumRule> sum = "an operand";
const x3::rule<struct ProductRule> product = "an operand";
const x3::rule<struct SignedRule> signed_power = "an operand";
const x3::rule<struct PowerRule> power = "an operand";
const x3::rule<struct ExponentRule> exponent = "an operand";
const x3::rule<struct OperandRule> operand = "an operand";

const auto digits = +x3::digit;
const auto number = x3::raw[x3::lexeme[((digits >> -('.' >> *x3::digit)) | ('.' >> digits)) >>
                                       -(x3::char_("eE") >> -x3::char_("+-") >> digits)]];
const auto name = x3::raw[x3::lexeme[(x3::alpha | '_') >> *(x3::alnum | '_')]];
const auto call_name = x3::raw[x3::lexeme[(x3::alpha | '_') >> *(x3::alnum | '_')]] >> &x3::lit('(');

const auto sum_def = product >> *(('+' > product)[kApply<Operation::Add>] |
                                  ('-' > product)[kApply<Operation::Subtract>]);
const auto product_def = signed_power >> *((x3::lit("//") > signed_power)[kApply<Operation::DivideDown>] |
                                           ('*' > signed_power)[kApply<Operation::Multiply>] |
                                           ('/' > signed_power)[kApply<Operation::Divide>]);
const auto signed_power_def = ('-' > power)[kApply<Operation::Negate>] | ('+' > power) | power;
const auto power_def = operand >> -('^' > exponent)[kApply<Operation::Power>];
const auto exponent_def = ('-' > operand)[kApply<Operation::Negate>] | operand;
const auto operand_def = number[kPushNumber] | ('(' > sum > ')') |
                         (call_name[kOpenCall] > '(' > sum[kArgument] % ',' > x3::lit(')')[kCloseCall]) |
                         name[kPushParameter];
BOOST_SPIRIT_DEFINE(sum, product, signed_power, power, exponent, operand)

/// Throws for texts that the recursive grammar must not see.
void check_size(std::string_view text) {
  if (text.size() > Expression::kMostCharacters)
    throw ExpressionError(
        fmt::format("{} characters; an expression has at most {}", text.size(), Expression::kMostCharacters));
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (static_cast<unsigned char>(text[i]) >= 0x7f || (text[i] < ' ' && text[i] != '\t'))
      throw ExpressionError(fmt::format("column {}: a character that expressions do not have", i + 1));
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth > Expression::kDeepest)
      throw ExpressionError(
          fmt::format("column {}: parentheses nest more than {} deep", i + 1, Expression::kDeepest));
  }
}

/// Returns "end of the text" or the character that was found.
std::string found_at(const char* at, const char* end) {
  while (at != end && (*at == ' ' || *at == '\t')) ++at;
  return at == end ? std::string("the end") : fmt::format("'{}'", *at);
}

double small_power(double base, std::uint32_t exponent) {
  double value = 1;
  for (; exponent != 0; exponent >>= 1, base *= base)
    if (exponent & 1) value *= base;
  return value;
}

double quotient(double a, double b) {
  if (b == 0) throw EvaluationError("division by zero");
  return a / b;
}

double checked_power(double base, double exponent) {
  if (base == 0 && exponent < 0) throw EvaluationError("division by zero");
  const double value = std::pow(base, exponent);
  if (std::isnan(value)) throw EvaluationError(fmt::format("{} to the power of {}", base, exponent));
  return value;
}

double checked_log(double value, double (*log)(double)) {
  if (!(value > 0)) throw EvaluationError(fmt::format("logarithm of {}", value));
  return log(value);
}

}  // namespace

Expression Expression::parse(std::string_view text, const std::vector<std::string>& parameters) {
  check_size(text);
  const char* at = text.data();
  const char* const end = at + text.size();
  Compiler compiler(at, parameters);
  try {
    const bool parsed =
        x3::phrase_parse(at, end, x3::with<CompilerTag>(std::ref(compiler))[sum], x3::char_(" \t"));
    if (!parsed || at != end)
      throw ExpressionError(fmt::format("column {}: expected {}, found {}", at - text.data() + 1,
                                        parsed ? "an operator" : "an operand", found_at(at, end)));
  } catch (const x3::expectation_failure<const char*>& failure) {
    const char* where = failure.where();
    while (where != end && (*where == ' ' || *where == '\t')) ++where;
    throw ExpressionError(fmt::format("column {}: expected {}, found {}", where - text.data() + 1,
                                      failure.which(), found_at(where, end)));
  }
  Expression expression;
  expression.text_ = text;
  expression.code_ = compiler.take();
  return expression;
}

bool Expression::is_parameter_name(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (name.empty() || !letter(name[0])) return false;
  for (const char c : name)
    if (!letter(c) && !(c >= '0' && c <= '9') && c != '_') return false;
  return std::none_of(std::begin(kFunctions), std::end(kFunctions),
                      [&](const Function& function) { return name == function.name; });
}

double Expression::evaluate(std::span<const double> arguments) const {
  std::array<double, kStackSlots> stack;
  double* top = stack.data();  // one past the last value
  for (const Instruction& instruction : code_) {
    switch (instruction.operation) {
      case Operation::Number:
        *top++ = instruction.number;
        break;
      case Operation::Parameter:
        *top++ = arguments[instruction.index];
        break;
      case Operation::Negate:
        top[-1] = -top[-1];
        break;
      case Operation::Add:
        --top, top[-1] += *top;
        break;
      case Operation::Subtract:
        --top, top[-1] -= *top;
        break;
      case Operation::Multiply:
        --top, top[-1] *= *top;
        break;
      case Operation::Divide:
        --top, top[-1] = quotient(top[-1], *top);
        break;
      case Operation::DivideDown:
        --top, top[-1] = std::floor(quotient(top[-1], *top));
        break;
      case Operation::Power:
        --top, top[-1] = checked_power(top[-1], *top);
        break;
      case Operation::SmallPower:
        top[-1] = small_power(top[-1], instruction.index);
        break;
      case Operation::Ceil:
        top[-1] = std::ceil(top[-1]);
        break;
      case Operation::Floor:
        top[-1] = std::floor(top[-1]);
        break;
      case Operation::Sqrt:
        if (top[-1] < 0) throw EvaluationError(fmt::format("square root of {}", top[-1]));
        top[-1] = std::sqrt(top[-1]);
        break;
      case Operation::Log:
        top[-1] = checked_log(top[-1], std::log);
        break;
      case Operation::Log2:
        top[-1] = checked_log(top[-1], std::log2);
        break;
      case Operation::Min:
        --top, top[-1] = std::min(top[-1], *top);
        break;
      case Operation::Max:
        --top, top[-1] = std::max(top[-1], *top);
        break;
    }
    if (!std::isfinite(top[-1])) throw EvaluationError("overflow");
  }
  return top[-1];
}

std::string Expression::in(Language language, const std::vector<std::string>& parameters) const {
  const bool fortran = language == Language::Fortran;
  const auto literal = [fortran](double value) {
    std::string text = fmt::format("{}", value);
    if (!fortran) return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
    const std::size_t e = text.find('e');
    if (e == std::string::npos) return text + "d0";
    text[e] = 'd';
    return text;
  };
  const auto down = [fortran](const std::string& value) {
    return fmt::format("{}({})", fortran ? "psim_floor" : "floor", value);
  };
  std::vector<std::string> stack;
  for (const Instruction& instruction : code_) {
    const auto take = [&stack] {
      std::string text = std::move(stack.back());
      stack.pop_back();
      return text;
    };
    const std::string b = operands(instruction.operation) > 0 ? take() : std::string();
    const std::string a = operands(instruction.operation) > 1 ? take() : std::string();
    const auto infix = [&](const char* sign) { return fmt::format("({} {} {})", a, sign, b); };
    const auto call = [&](const char* function) {
      return a.empty() ? fmt::format("{}({})", function, b) : fmt::format("{}({}, {})", function, a, b);
    };
    const auto made = [&]() -> std::string {
      switch (instruction.operation) {
        case Operation::Number:
          return literal(instruction.number);
        case Operation::Parameter:
          return parameters[instruction.index];
        case Operation::Negate:
          return fmt::format("(-{})", b);
        case Operation::Add:
          return infix("+");
        case Operation::Subtract:
          return infix("-");
        case Operation::Multiply:
          return infix("*");
        case Operation::Divide:
          return infix("/");
        case Operation::DivideDown:
          return down(infix("/"));
        case Operation::Power:
          return fortran ? infix("**") : call("pow");
        case Operation::SmallPower:
          return fortran ? fmt::format("({}**{})", b, instruction.index)
                         : fmt::format("pow({}, {}.0)", b, instruction.index);
        case Operation::Ceil:
          return fortran ? fmt::format("(-{})", down("(-" + b + ")")) : call("ceil");
        case Operation::Floor:
          return down(b);
        case Operation::Sqrt:
          return call("sqrt");
        case Operation::Log:
          return call("log");
        case Operation::Log2:
          return fortran ? fmt::format("(log({}) / log(2d0))", b) : call("log2");
        case Operation::Min:
          return call(fortran ? "min" : "fmin");
        case Operation::Max:
          return call(fortran ? "max" : "fmax");
      }
      return {};
    };
    stack.push_back(made());
  }
  return stack.back();
}

}  // namespace psim::predict

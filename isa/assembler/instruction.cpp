// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/instruction.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "isa/assembler/forms.h"
#include "isa/assembler/link_operators.h"
#include "isa/assembler/syntax.h"
#include "isa/assembler/unit.h"

namespace psim::isa::assembler {
namespace {

// set, setuw, setsw, setx: constants of more bits than an instruction holds (V9 manual, G.3).

/// Emits single instructions of one statement.
class Emitter {
 public:
  Emitter(Unit& unit, const Statement& statement, const Expression& expression)
      : unit_(unit), column_(statement.column), expression_(expression) {}

  static constexpr std::uint32_t kOr = 0x02, kXor = 0x03;
  void sethi(Modifier modifier, std::uint32_t rd) {
    chosen(modifier, Operand::High22);
    unit_.emit_instruction(rd << 25 | 4u << 22, column_);
  }
  /// Emits rd = rs1 op the low bits of the constant.
  void low(Modifier modifier, std::uint32_t op3, std::uint32_t rs1, std::uint32_t rd) {
    chosen(modifier, Operand::Simm13);
    unit_.emit_instruction(2u << 30 | rd << 25 | op3 << 19 | rs1 << 14 | 1u << 13, column_);
  }
  void shift_left_32(std::uint32_t reg) {
    unit_.emit_instruction(2u << 30 | reg << 25 | 0x25u << 19 | reg << 14 | 1u << 13 | 1u << 12 | 32,
                           column_);
  }
  void sign_extend(std::uint32_t reg) {
    unit_.emit_instruction(2u << 30 | reg << 25 | 0x27u << 19 | reg << 14, column_);
  }
  void or_registers(std::uint32_t a, std::uint32_t b, std::uint32_t rd) {
    unit_.emit_instruction(2u << 30 | rd << 25 | kOr << 19 | a << 14 | b, column_);
  }

 private:
  void chosen(Modifier modifier, Operand operand) {
    Expression part = expression_;
    if (modifier != Modifier::None) {
      Item& item = part.items.emplace_back();
      item.kind = Item::Kind::SelectBits;
      item.modifier = modifier;
      item.column = part.column;
    }
    unit_.fill_later({operand}, part);
  }
  Unit& unit_;
  std::uint32_t column_;
  const Expression& expression_;
};

std::uint32_t integer_register(const Argument& argument, const Value& value) {
  const bool fits = argument.kind == Argument::Kind::Plain && value.register_count == 1 &&
                    !value.has_number && value.registers[0].kind == RegisterClass::Integer;
  if (!fits)
    throw Complaint{argument.column,
                    fmt::format("got {}, expected an integer register", argument.expression.source)};
  return value.registers[0].number;
}

bool small(std::int64_t value) { return value >= -4096 && value <= 4095; }

void check_range(const Argument& argument, std::int64_t value, std::int64_t least, std::int64_t most,
                 const char* instead) {
  if (value < least || value > most)
    throw Complaint{argument.column, fmt::format("got {}, expected {} … {}{}", argument.expression.source,
                                                 least, most, instead)};
}

/// Emits the statement if it is one of these mnemonics. A number that is already known takes the fewest
/// instructions possible, an address 2 (set, setuw), 3 (setsw) or 6 (setx). Throws Complaint.
bool assemble_constant(Statement& statement, Unit& unit) {
  const std::string& name = statement.mnemonic;
  const bool sign = name == "setsw", whole = name == "setx", zero = name == "setuw";
  if (name != "set" && !sign && !whole && !zero) return false;

  const std::size_t operands = whole ? 3 : 2;
  std::vector<Argument>& arguments = statement.arguments;
  if (arguments.size() != operands || statement.annul || statement.taken)
    throw Complaint{statement.column,
                    fmt::format("got {} with {} operands, expected {}", name, arguments.size(),
                                whole ? "a number or address and two registers: setx VALUE, TEMPORARY, RESULT"
                                      : "a number or address and a register")};
  if (arguments[0].kind == Argument::Kind::String)
    throw Complaint{arguments[0].column, "got a string, expected a number or address"};
  const Value value = unit.value_now(arguments[0].expression);
  if (arguments[0].kind != Argument::Kind::Plain || value.register_count != 0 ||
      value.word != Value::Word::None || value.modifier != Modifier::None)
    throw Complaint{arguments[0].column,
                    fmt::format("got {}, expected a number or address", arguments[0].expression.source)};
  const auto reg = [&](std::size_t i) {
    const Value which =
        arguments[i].kind == Argument::Kind::String ? Value{} : unit.value_now(arguments[i].expression);
    return integer_register(arguments[i], which);
  };
  const std::uint32_t rd = reg(operands - 1), temporary = whole ? reg(1) : 0;
  if (whole && (temporary == rd || temporary == 0))
    throw Complaint{arguments[1].column,
                    fmt::format("got {}, expected another register than the result and %g0",
                                arguments[1].expression.source)};

  Emitter emit(unit, statement, arguments[0].expression);
  using enum Modifier;
  if (!value.constant()) {
    if (whole) {
      emit.sethi(Hh, temporary);
      emit.sethi(Lm, rd);
      emit.low(Hm, Emitter::kOr, temporary, temporary);
      emit.low(Lo, Emitter::kOr, rd, rd);
      emit.shift_left_32(temporary);
      emit.or_registers(rd, temporary, rd);
    } else {
      emit.sethi(Hi, rd);
      emit.low(Lo, Emitter::kOr, rd, rd);
      if (sign) emit.sign_extend(rd);
    }
    return true;
  }

  const auto number = static_cast<std::int64_t>(value.number);
  if (sign)
    check_range(arguments[0], number, INT32_MIN, INT32_MAX, "");
  else if (zero)
    check_range(arguments[0], number, 0, UINT32_MAX, "");
  else if (!whole)
    check_range(arguments[0], number, INT32_MIN, UINT32_MAX, ": setx takes 64 bits");
  const bool wide = number < INT32_MIN || number > UINT32_MAX;
  if (small(number)) {
    emit.low(None, Emitter::kOr, 0, rd);
  } else if (number < 0 && !wide && (sign || whole)) {
    emit.sethi(Hix, rd);
    emit.low(Lox, Emitter::kXor, rd, rd);
  } else if (!wide) {
    emit.sethi(Hi, rd);
    if ((number & 0x3ff) != 0) emit.low(Lo, Emitter::kOr, rd, rd);
  } else {
    emit.sethi(Hh, temporary);
    if ((number & 0xffffffff) != 0) emit.sethi(Lm, rd);
    emit.low(Hm, Emitter::kOr, temporary, temporary);
    if ((number & 0x3ff) != 0) emit.low(Lo, Emitter::kOr, rd, rd);
    emit.shift_left_32(temporary);
    emit.or_registers((number & 0xffffffff) != 0 ? rd : 0, temporary, rd);
  }
  return true;
}

constexpr std::uint32_t kAnnulBit = 1u << 29, kPredictBit = 1u << 19;

bool annuls(Suffix suffix) {
  return (field_bits(suffix) & kAnnulBit) != 0 && suffix != Suffix::CompareBranch;
}
bool predicts(Suffix suffix) { return (field_bits(suffix) & kPredictBit) != 0; }

/// An attempt to match the operands with a form.
struct Attempt {
  bool fits = false;
  std::uint32_t word = 0;
  std::size_t reached = 0;  ///< operands that fitted
  std::string expected;     ///< instead of the operand that did not
  std::vector<std::pair<Field, const Expression*>> numbers;
};

Attempt attempt(const Form& form, const std::vector<Argument>& arguments, const std::vector<Value>& values) {
  Attempt result;
  result.word = form.value;
  for (const Operand operand : form.format.operands) {
    if (operand == Operand::None) break;
    const bool there = result.reached < arguments.size();
    const Match found = there ? match(operand, arguments[result.reached], values[result.reached]) : Match{};
    if (!found.fits) {
      if (optional_operand(operand)) continue;
      result.expected = expected(operand);
      return result;
    }
    // A row may fix bits of an operand's field.
    const std::uint32_t fixed = form.mask & found.field_bits;
    std::uint32_t bits = found.bits;
    if (found.number && fixed != 0)
      bits |= static_cast<std::uint32_t>(
          encode({operand}, static_cast<std::int64_t>(values[result.reached].number)).value_or(0));
    if (((bits ^ form.value) & fixed) != 0) {
      if (optional_operand(operand)) continue;
      result.expected = expected(operand);
      return result;
    }
    result.word |= found.bits;
    if (found.number) result.numbers.push_back({{operand}, &arguments[result.reached].expression});
    ++result.reached;
  }
  if (result.reached < arguments.size()) {
    result.expected = "the end of the statement";
    return result;
  }
  if (form.same == Same::RdRs1) result.word |= (result.word >> 25 & 0x1f) << 14;
  if (form.same == Same::RdRs2) result.word |= result.word >> 25 & 0x1f;
  result.fits = true;
  return result;
}

/// Drops the number of argument registers of "call f, 0", which compilers add and which has no meaning.
void drop_register_count(Statement& statement, std::vector<Value>& values) {
  if (statement.mnemonic != "call" || values.size() != 2 || !values[1].constant()) return;
  statement.arguments.pop_back();
  values.pop_back();
}

void set_suffix(const Statement& statement, const Form& form, std::uint32_t& word) {
  const Suffix suffix = form.format.suffix;
  if (statement.annul && !annuls(suffix))
    throw Complaint{statement.suffix_column,
                    fmt::format("got ,a after {}, expected no annul bit: it has none", statement.mnemonic)};
  if (statement.taken && !predicts(suffix))
    throw Complaint{statement.suffix_column,
                    fmt::format("got ,{} after {}, expected no prediction{}", *statement.taken ? "pt" : "pn",
                                statement.mnemonic,
                                annuls(suffix) ? " without %icc, %xcc or %fccN in front of the label" : "")};
  if (statement.annul) word |= kAnnulBit;
  if (predicts(suffix) && statement.taken.value_or(true)) word |= kPredictBit;
}

std::string shown(const Argument& argument) {
  if (argument.kind == Argument::Kind::String) return "a string";
  return argument.expression.source.empty() ? argument.text : argument.expression.source;
}

[[noreturn]] void refuse(const Statement& statement, const std::vector<Attempt>& attempts) {
  std::size_t furthest = 0;
  for (const Attempt& each : attempts) furthest = std::max(furthest, each.reached);
  std::vector<std::string> wanted;
  for (const Attempt& each : attempts)
    if (each.reached == furthest && std::ranges::find(wanted, each.expected) == wanted.end())
      wanted.push_back(each.expected);
  std::string expected;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    expected += fmt::format("{}{}", i == 0 ? "" : i + 1 == wanted.size() ? " or " : ", ", wanted[i]);
  if (furthest < statement.arguments.size())
    throw Complaint{statement.arguments[furthest].column,
                    fmt::format("got {}, expected {}", shown(statement.arguments[furthest]), expected)};
  throw Complaint{statement.column, fmt::format("got {} with {} operand{}, expected {} too",
                                                statement.mnemonic, statement.arguments.size(),
                                                statement.arguments.size() == 1 ? "" : "s", expected)};
}

}  // namespace

void assemble_instruction(Statement& statement, Unit& unit) {
  if (assemble_constant(statement, unit)) return;
  const std::vector<Form>& forms = forms_of(statement.mnemonic);
  if (forms.empty())
    throw Complaint{statement.column,
                    fmt::format("got {}, expected an instruction or directive{}", statement.mnemonic,
                                did_you_mean(statement.mnemonic, mnemonics()))};
  std::vector<Value> values;
  for (Argument& argument : statement.arguments) {
    if (argument.kind == Argument::Kind::String)
      values.emplace_back();
    else
      values.push_back(unit.value_now(argument.expression));
  }
  drop_register_count(statement, values);
  // "ldx [%l7 + %g1], %g1, %gdop(x)" names the loaded symbol for a linker, "call f, %tgd_call(x)" the called
  // one.
  std::optional<Expression> mark;
  const LinkOperator* const link = values.empty() ? nullptr : link_operator(values.back().modifier);
  const bool call = link != nullptr && link->use == LinkOperator::Use::Call && statement.mnemonic == "call";
  if (link != nullptr && (link->use == LinkOperator::Use::Mark || call)) {
    mark = std::move(statement.arguments.back().expression);
    statement.arguments.pop_back();
    values.pop_back();
  }
  std::vector<Attempt> attempts;
  for (const Form& form : forms) {
    Attempt each = attempt(form, statement.arguments, values);
    if (!each.fits) {
      attempts.push_back(std::move(each));
      continue;
    }
    set_suffix(statement, form, each.word);
    if (mark) unit.fill_later({}, *mark);
    if (!call)
      for (const auto& [field, number] : each.numbers) unit.fill_later(field, *number);
    unit.emit_instruction(each.word, statement.column);
    return;
  }
  refuse(statement, attempts);
}

}  // namespace psim::isa::assembler

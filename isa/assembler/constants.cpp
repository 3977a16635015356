// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/constants.h"

#include <fmt/format.h>

namespace psim::isa::assembler {
namespace {

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

}  // namespace

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

}  // namespace psim::isa::assembler

// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/encoding.h"

#include <fmt/format.h>

#include "isa/assembler/forms.h"

namespace psim::isa::assembler {
namespace {

constexpr std::uint32_t kRs1Bits = 0x1fu << 14, kRs2Bits = 0x1f;

struct Range {
  std::int64_t least = 0, most = 0;
  std::uint32_t bits = 0;  ///< where it goes; 0: data
  bool distance = false;
};
Range range(Operand operand) {
  const OperandRow& row = row_of(operand);
  // A number after a register leaves its bits out.
  return {row.least, row.most, row.role == Role::Nothing ? row.bits : row.bits & ~kRs1Bits,
          is_distance(operand)};
}

/// Returns the field of a double or quad register.
constexpr std::uint32_t even_field(unsigned number) { return (number & 0x1e) | number >> 5; }

Match match_register(RegisterFile file, Operand operand, Register reg) {
  const std::uint32_t bits = field_bits(operand);
  const unsigned n = reg.number;
  const bool integer = reg.kind == RegisterClass::Integer, floating = reg.kind == RegisterClass::Float;
  switch (file) {
    case RegisterFile::Integer:
      return {integer, deposit(n, bits), bits};
    case RegisterFile::Pair:
      return {integer && n % 2 == 0, deposit(n, bits), bits};
    case RegisterFile::Single:
    case RegisterFile::PeSingle:
      return {floating && n < 32, deposit(n, bits), bits};
    case RegisterFile::Double:
    case RegisterFile::PeDouble:
      return {floating && n % 2 == 0, deposit(even_field(n), bits), bits};
    case RegisterFile::Quad:
      return {floating && n % 4 == 0, deposit(even_field(n), bits), bits};
    case RegisterFile::None:
      break;
  }
  return {};
}

}  // namespace

bool pc_relative(Field field) { return range(field.operand).distance; }

std::string range_of(Field field) {
  if (field.operand == Operand::None) {
    if (field.bytes == 8) return "a number of 64 bits";
    const std::int64_t half = std::int64_t{1} << (8 * field.bytes - 1);
    return fmt::format("{} … {}", -half, 2 * half - 1);
  }
  if (field.operand == Operand::Const22) return "-2097152 … 4194303";
  const Range limits = range(field.operand);
  if (limits.distance)
    return fmt::format("a multiple of 4 within {} … {} bytes of the instruction", limits.least, limits.most);
  return fmt::format("{} … {}", limits.least, limits.most);
}

std::optional<std::uint64_t> encode(Field field, std::int64_t value) {
  if (field.size() == 0) return 0;
  if (field.leb != Field::Leb::No) {
    const std::int64_t least = field.leb == Field::Leb::Signed ? -(1 << 27) : 0;
    if (value < least || value >= least + (1 << 28)) return std::nullopt;
    std::uint64_t bits = 0;
    for (unsigned n = 0; n < 4; ++n)
      bits = bits << 8 | (static_cast<std::uint64_t>(value) >> 7 * n & 0x7f) | 0x80;
    return bits & ~std::uint64_t{0x80};
  }
  if (field.operand == Operand::None) {
    if (field.bytes == 8) return static_cast<std::uint64_t>(value);
    const std::int64_t half = std::int64_t{1} << (8 * field.bytes - 1);
    if (value < -half || value >= 2 * half) return std::nullopt;
    return static_cast<std::uint64_t>(value) & (2 * static_cast<std::uint64_t>(half) - 1);
  }
  const Range limits = range(field.operand);
  if (value < limits.least || value > limits.most) return std::nullopt;
  if (field.operand == Operand::Const22 && value > 0x3fffff && value < 0xffe00000) return std::nullopt;
  if (!limits.distance) return deposit(static_cast<std::uint64_t>(value), limits.bits);
  if (value % 4 != 0) return std::nullopt;
  return deposit(static_cast<std::uint64_t>(value) >> 2, limits.bits);
}

bool optional_operand(Operand operand) {
  return operand == Operand::TrapIcc || operand == Operand::CompareFcc;
}

Match match(Operand operand, const Argument& argument, const Value& value) {
  const std::uint32_t bits = field_bits(operand);
  const bool asi = operand == Operand::ImmediateAsi || operand == Operand::AsiRegister;
  const bool in_brackets = operand == Operand::AddressRegister || operand == Operand::AddressImmediate ||
                           operand == Operand::AddressRs1;
  if (in_brackets != (argument.kind == Argument::Kind::Address)) return {};
  if (asi != (argument.kind == Argument::Kind::AfterAddress)) return {};
  if (argument.kind == Argument::Kind::String || argument.kind == Argument::Kind::Raw) return {};

  // Matches one register alone, two registers, or no register.
  const Register first = value.registers[0], second = value.registers[1];
  const bool lone = value.register_count == 1 && !value.has_number;
  const bool numeric = value.register_count == 0 && value.word == Value::Word::None;
  const bool integers = (value.register_count < 1 || first.kind == RegisterClass::Integer) &&
                        (value.register_count < 2 || second.kind == RegisterClass::Integer);
  const auto named = [&](RegisterClass kind) { return lone && first.kind == kind; };
  const auto number = [&](bool fits) { return Match{fits, 0, bits, true}; };
  const OperandRow& row = row_of(operand);
  if (row.file != RegisterFile::None) return lone ? match_register(row.file, operand, first) : Match{};
  if (row.state >= 0) return {named(RegisterClass::State) && first.number == row.state, 0, 0};

  switch (operand) {
    using enum Operand;
    case Simm13:
    case Simm11:
    case Simm10:
    case Simm5:
    case Shcnt32:
    case Shcnt64:
    case High22:
    case Const22:
    case SiamMode:
    case Disp22:
    case Disp19:
    case Disp16:
    case Disp10:
      return number(numeric);
    case Disp30:
      // A small number is an address for jmpl, as in GNU as.
      return number(numeric && !(value.constant() &&
                                 encode({Operand::Simm13}, static_cast<std::int64_t>(value.number))));
    case MembarMask:
      return number(numeric || value.word == Value::Word::Membar);
    case PrefetchFunction:
      return number(numeric || value.word == Value::Word::Prefetch);
    case ImmediateAsi:
      return number(numeric || value.word == Value::Word::Asi);
    case AddressRs1:
      return {lone && integers, deposit(first.number, kRs1Bits), bits};
    case AddressRegister:
    case TargetRegister:
    case TrapRegister:
      return {!value.has_number && value.register_count > 0 && integers && value.word == Value::Word::None,
              deposit(first.number, kRs1Bits) | (value.register_count == 2 ? second.number : 0u),
              kRs1Bits | kRs2Bits};
    case AddressImmediate:
    case TargetImmediate:
    case TrapImmediate:
      return {value.register_count < 2 && integers && value.word == Value::Word::None,
              value.register_count == 0 ? 0 : deposit(first.number, kRs1Bits), bits, true};
    case BranchIcc:
    case MoveIcc:
    case TrapIcc:
      return {named(RegisterClass::Icc), deposit(first.number / 2u, bits), bits};
    case BranchFcc:
    case MoveFcc:
    case CompareFcc:
      return {named(RegisterClass::Fcc), deposit(first.number, bits), bits};
    case Fsr:
      return {named(RegisterClass::FloatingPointState), 0, 0};
    case AsrRead:
    case AsrWrite:
      return {named(RegisterClass::State), deposit(first.number, bits), bits};
    case PrivilegedRead:
    case PrivilegedWrite: {
      const bool tick = named(RegisterClass::State) && first.number == 4;
      return {tick || named(RegisterClass::Privileged), deposit(first.number, bits), bits};
    }
    default:
      return {};
  }
}

std::string expected(Operand operand) {
  switch (row_of(operand).file) {
    case RegisterFile::Integer:
      return "an integer register";
    case RegisterFile::Pair:
      return "an even integer register";
    case RegisterFile::Single:
    case RegisterFile::PeSingle:
      return "a register %f0 … %f31";
    case RegisterFile::Double:
    case RegisterFile::PeDouble:
      return "an even register %f0 … %f62";
    case RegisterFile::Quad:
      return "a register %f0, %f4 … %f60";
    case RegisterFile::None:
      break;
  }
  switch (operand) {
    using enum Operand;
    case AddressRegister:
      return "[ register + register ]";
    case AddressImmediate:
      return "[ register + number ]";
    case AddressRs1:
      return "[ register ]";
    case TargetRegister:
    case TrapRegister:
      return "register + register";
    case TargetImmediate:
    case TrapImmediate:
      return "register + number";
    case ImmediateAsi:
      return "an ASI (0 … 255 or #ASI_…) after [ register + register ]";
    case AsiRegister:
      return "%asi after [ register + number ]";
    case BranchIcc:
    case MoveIcc:
    case TrapIcc:
      return "%icc or %xcc";
    case BranchFcc:
    case MoveFcc:
    case CompareFcc:
      return "%fcc0 … %fcc3";
    case MembarMask:
      return "a mask such as #StoreLoad|#Sync or 0 … 127";
    case PrefetchFunction:
      return "a function such as #n_reads or 0 … 31";
    case High22:
      return "%hi(…) or 0 … 4194303";
    case Disp30:
    case Disp22:
    case Disp19:
    case Disp16:
    case Disp10:
      return "a label";
    case Fsr:
      return "%fsr";
    case AsrRead:
    case AsrWrite:
      return "a state register";
    case PrivilegedRead:
    case PrivilegedWrite:
      return "a privileged register";
    default:
      return row_of(operand).state >= 0 ? std::string(row_of(operand).syntax)
                                        : fmt::format("a number {}", range_of({operand}));
  }
}

}  // namespace psim::isa::assembler

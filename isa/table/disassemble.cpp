// SPDX-License-Identifier: Apache-2.0
#include "isa/table/disassemble.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "isa/table/asi.h"
#include "isa/table/fields.h"
#include "isa/table/operand_names.h"
#include "isa/table/spec.h"
#include "isa/table/synthetic.h"

namespace psim::isa {
namespace {

using namespace std::string_view_literals;
using namespace names;

std::string number(std::int64_t value) {
  return value > 9 ? fmt::format("{:#x}", value) : fmt::format("{}", value);
}

std::string address(std::uint32_t word, bool immediate) {
  std::string text(kIntegerNames[rs1(word)]);
  if (immediate) {
    if (rs1(word) == 0 && simm13(word) != 0) return number(simm13(word));
    if (simm13(word) != 0) text += fmt::format(" + {}", number(simm13(word)));
  } else if (rs2(word) != 0) {
    text += fmt::format(" + {}", kIntegerNames[rs2(word)]);
  }
  return text;
}

std::string trap_number(std::uint32_t word, bool immediate) {
  if (!immediate && rs2(word) == 0) return std::string(kIntegerNames[rs1(word)]);
  const std::string second = immediate ? number(bits(word, 0, 7)) : std::string(kIntegerNames[rs2(word)]);
  return immediate && rs1(word) == 0 ? second : fmt::format("{} + {}", kIntegerNames[rs1(word)], second);
}

std::string prefetch_function(unsigned function) {
  for (const auto& [number, name] : kPrefetchFunctions) {
    if (number == function) return std::string(name);
  }
  return fmt::format("{}", function);
}

std::string membar_mask(std::uint32_t mask) {
  std::string text;
  for (unsigned bit = 7; bit-- > 0;) {
    if ((mask >> bit & 1) != 0) text += fmt::format("{}{}", text.empty() ? "" : "|", kMembarMasks[bit]);
  }
  return text.empty() ? "0" : text;
}

std::string privileged_name(unsigned n) {
  return std::string(n < kPrivilegedNames.size() ? kPrivilegedNames[n] : "%ver"sv);
}

std::string fcc(unsigned n) { return fmt::format("%fcc{}", n); }
std::string_view icc(bool extended) { return extended ? "%xcc"sv : "%icc"sv; }
std::string f(unsigned n) { return fmt::format("%f{}", n); }

std::string text_of(Operand operand, std::uint32_t word, std::uint64_t pc) {
  const auto target = [pc](std::int64_t displacement) {
    return fmt::format("{:#x}", pc + static_cast<std::uint64_t>(displacement));
  };
  const OperandRow& row = row_of(operand);
  const unsigned field = field_of(row, word);
  switch (row.file) {
    case RegisterFile::None:
      break;
    case RegisterFile::Integer:
    case RegisterFile::Pair:
      return std::string(kIntegerNames[field]);
    case RegisterFile::Single:
    case RegisterFile::PeSingle:
      return f(field);
    default:
      return f(double_register(field));
  }
  // clang-format off
  switch (operand) {
    using enum Operand;
    case Simm13: return number(simm13(word));
    case Simm11: return number(simm11(word));
    case Simm10: return number(simm10(word));
    case Simm5: return number(bits(word, 0, 5));  // objdump shows the five bits unsigned
    case Shcnt32: return number(shcnt32(word));
    case Shcnt64: return number(shcnt64(word));
    case High22: return imm22(word) == 0 ? "%hi(0)" : fmt::format("%hi({:#x})", imm22(word) << 10);
    case Const22: return imm22(word) == 0 ? "0" : fmt::format("{:#x}", static_cast<std::uint32_t>(sign_extended(word, 22)));
    case SiamMode: return fmt::format("{}", bits(word, 0, 3));
    case MembarMask: return membar_mask(bits(word, 0, 7));
    case PrefetchFunction: return prefetch_function(rd(word));
    case AddressRegister: return fmt::format("[ {} ]", address(word, false));
    case AddressImmediate: return fmt::format("[ {} ]", address(word, true));
    case AddressRs1: return fmt::format("[ {} ]", kIntegerNames[rs1(word)]);
    case TargetRegister: return address(word, false);
    case TargetImmediate: return address(word, true);
    case TrapRegister: return trap_number(word, false);
    case TrapImmediate: return trap_number(word, true);
    case ImmediateAsi: {
      const std::string_view name = asi_name(imm_asi(word));
      return name.empty() ? fmt::format("({})", imm_asi(word)) : fmt::format("#{}", name);
    }
    case BranchIcc: return std::string(icc(bits(word, 21, 1) != 0));
    case BranchFcc: return fcc(branch_cc(word));
    case TrapIcc:
      if (bits(word, 12, 1) == 0) return {};
      return "%xcc";
    case MoveIcc: return std::string(icc(bits(word, 12, 1) != 0));
    case MoveFcc: return fcc(move_cc(word));
    case CompareFcc:
      if (rd(word) == 0 && bits(word, 19, 6) == 0x35) return {};  // but flcmp shows it
      return fcc(compare_cc(word));
    case Disp30: return target(disp30(word));
    case Disp22: return target(disp22(word));
    case Disp19: return target(disp19(word));
    case Disp16: return target(disp16(word));
    case Disp10: return target(disp10(word));
    case AsrRead: return std::string(kAsrNames[rs1(word)]);
    case AsrWrite: return std::string(kAsrNames[rd(word)]);
    case PrivilegedRead: return privileged_name(rs1(word));
    case PrivilegedWrite: return privileged_name(rd(word));
    default: return std::string(row.syntax);  // a state register
  }
  // clang-format on
}

/// Returns the name of a condition; "always" is omitted.
std::string_view branch_condition(const std::array<std::string_view, 16>& names, std::uint32_t word) {
  return cond(word) == 8 ? ""sv : names[cond(word)];
}

std::string suffix_of(Suffix suffix, std::uint32_t word) {
  const std::string_view annulled = annul(word) ? ",a"sv : ""sv;
  const std::string_view predicted = predict_taken(word) ? ""sv : ",pn"sv;
  switch (suffix) {
    case Suffix::None:
      return {};
    case Suffix::Bicc:
      return fmt::format("{}{}", branch_condition(kIntegerConditions, word), annulled);
    case Suffix::Bpcc:
      return fmt::format("{}{}{}", branch_condition(kIntegerConditions, word), annulled, predicted);
    case Suffix::Fbfcc:
      return fmt::format("{}{}", branch_condition(kFloatConditions, word), annulled);
    case Suffix::Fbpfcc:
      return fmt::format("{}{}{}", branch_condition(kFloatConditions, word), annulled, predicted);
    case Suffix::Bpr:
      return fmt::format("{}{}{}", kBranchRegisterConditions[branch_rcond(word)], annulled, predicted);
    case Suffix::MoveIcc:
      return std::string(kIntegerConditions[move_cond(word)]);
    case Suffix::MoveFcc:
      return std::string(kFloatConditions[move_cond(word)]);
    case Suffix::MoveR:
      return std::string(kRegisterConditions[move_rcond(word)]);
    case Suffix::Tcc:
      return std::string(kIntegerConditions[cond(word)]);
    case Suffix::CompareBranch:
      return std::string(kIntegerConditions[compare_branch_cond(word)]);
  }
  return {};
}

std::string compose(std::string_view name, const Format& format, std::uint32_t word, std::uint64_t pc) {
  std::string text = std::string(name) + suffix_of(format.suffix, word);
  std::string_view separator = " ";
  for (const Operand operand : format.operands) {
    if (operand == Operand::None) break;
    if (operand == Operand::ImmediateAsi || operand == Operand::AsiRegister) separator = " ";
    const std::string shown = text_of(operand, word, pc);
    if (shown.empty()) continue;  // %icc of traps and %fcc0 of compares are implied
    text += separator;
    text += shown;
    separator = ", ";
  }
  return text;
}

}  // namespace

std::string disassemble(std::uint32_t word, std::uint64_t pc) {
  const Spec& spec = decode(word);
  if ((spec.effects & effect::kReserved) != 0) return fmt::format(".word {:#010x}", word);
  for (const Synthetic& synthetic : table::kSynthetics) {
    if ((word & synthetic.pattern.mask) != synthetic.pattern.value) continue;
    if (synthetic.same == Same::RdRs1 && rd(word) != rs1(word)) continue;
    if (synthetic.same == Same::RdRs2 && rd(word) != rs2(word)) continue;
    return compose(synthetic.name, *synthetic.format, word, pc);
  }
  return compose(spec.name, *spec.format, word, pc);
}

}  // namespace psim::isa

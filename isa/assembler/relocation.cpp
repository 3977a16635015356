// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/relocation.h"

#include <elf.h>
#include <fmt/format.h>

#include <utility>

#include "isa/assembler/link_operators.h"

namespace psim::isa::assembler {

unsigned relocation_type(Field field, const Value& value, bool aligned) {
  const bool difference = value.minus != kNoSymbol;
  if (const LinkOperator* const link = link_operator(value.modifier)) {
    using Use = LinkOperator::Use;
    const bool low = field.operand == Operand::Simm13 || field.operand == Operand::AddressImmediate ||
                     field.operand == Operand::TargetImmediate;
    const bool fits = (link->use == Use::High && field.operand == Operand::High22) ||
                      (link->use == Use::Low && low) ||
                      (field.operand == Operand::None && field.bytes == (link->use == Use::Word    ? 4
                                                                         : link->use == Use::Xword ? 8
                                                                                                   : 0));
    return fits && !difference && value.outside == 0 ? link->relocation : 0;
  }
  if (field.size() == 0) return 0;
  if (field.operand == Operand::None) {
    if (value.modifier != Modifier::None) return 0;
    switch (field.bytes) {
      case 1:
        return difference ? R_SPARC_DISP8 : R_SPARC_8;
      case 2:
        return difference ? R_SPARC_DISP16 : aligned ? R_SPARC_16 : R_SPARC_UA16;
      case 4:
        return difference ? R_SPARC_DISP32 : aligned ? R_SPARC_32 : R_SPARC_UA32;
      default:
        return difference ? R_SPARC_DISP64 : aligned ? R_SPARC_64 : R_SPARC_UA64;
    }
  }
  if (difference) return 0;
  const Modifier modifier = value.modifier;
  switch (field.operand) {
    using enum Operand;
    case Simm13:
    case AddressImmediate:
    case TargetImmediate:
      // clang-format off
      switch (modifier) {
        case Modifier::None: return R_SPARC_13;
        case Modifier::Lo: return value.outside != 0 ? R_SPARC_OLO10 : R_SPARC_LO10;
        case Modifier::Hm: return R_SPARC_HM10;
        case Modifier::M44: return R_SPARC_M44;
        case Modifier::L44: return R_SPARC_L44;
        case Modifier::Lox: return R_SPARC_LOX10;
        default: return 0;
      }
    case High22:
      switch (modifier) {
        case Modifier::None: return R_SPARC_22;
        case Modifier::Hi: return R_SPARC_HI22;
        case Modifier::Hh: return R_SPARC_HH22;
        case Modifier::Lm: return R_SPARC_LM22;
        case Modifier::H44: return R_SPARC_H44;
        case Modifier::Hix: return R_SPARC_HIX22;
        default: return 0;
      }
    default:
      break;
  }
  if (modifier != Modifier::None) return 0;
  switch (field.operand) {
    using enum Operand;
    case Simm11: return R_SPARC_11;
    case Simm10: return R_SPARC_10;
    case Shcnt32: return R_SPARC_5;
    case Shcnt64: return R_SPARC_6;
    case TrapImmediate: return R_SPARC_7;
    case Const22: return R_SPARC_22;
    case Disp30: return R_SPARC_WDISP30;
    case Disp22: return R_SPARC_WDISP22;
    case Disp19: return R_SPARC_WDISP19;
    case Disp16: return R_SPARC_WDISP16;
    case Disp10: return 88;  // R_SPARC_WDISP10, which this elf.h does not have
    default: return 0;
      // clang-format on
  }
}

std::string relocation_name(unsigned type) {
  // clang-format off
  static constexpr std::pair<unsigned, const char*> kNames[] = {
      {R_SPARC_8, "8"}, {R_SPARC_16, "16"}, {R_SPARC_32, "32"}, {R_SPARC_64, "64"},
      {R_SPARC_UA16, "UA16"}, {R_SPARC_UA32, "UA32"}, {R_SPARC_UA64, "UA64"},
      {R_SPARC_DISP8, "DISP8"}, {R_SPARC_DISP16, "DISP16"}, {R_SPARC_DISP32, "DISP32"}, {R_SPARC_DISP64, "DISP64"},
      {R_SPARC_WDISP30, "WDISP30"}, {R_SPARC_WDISP22, "WDISP22"}, {R_SPARC_WDISP19, "WDISP19"},
      {R_SPARC_WDISP16, "WDISP16"}, {88, "WDISP10"},
      {R_SPARC_HI22, "HI22"}, {R_SPARC_22, "22"}, {R_SPARC_13, "13"}, {R_SPARC_LO10, "LO10"},
      {R_SPARC_OLO10, "OLO10"}, {R_SPARC_11, "11"}, {R_SPARC_10, "10"}, {R_SPARC_7, "7"}, {R_SPARC_6, "6"},
      {R_SPARC_5, "5"}, {R_SPARC_HH22, "HH22"}, {R_SPARC_HM10, "HM10"}, {R_SPARC_LM22, "LM22"},
      {R_SPARC_H44, "H44"}, {R_SPARC_M44, "M44"}, {R_SPARC_L44, "L44"}, {R_SPARC_HIX22, "HIX22"},
      {R_SPARC_LOX10, "LOX10"}, {R_SPARC_GOTDATA_OP_HIX22, "GOTDATA_OP_HIX22"},
      {R_SPARC_GOTDATA_OP_LOX10, "GOTDATA_OP_LOX10"}, {R_SPARC_GOTDATA_OP, "GOTDATA_OP"},
      {R_SPARC_PC22, "PC22"}, {R_SPARC_PC10, "PC10"}, {R_SPARC_WPLT30, "WPLT30"},
      {R_SPARC_PLT32, "PLT32"}, {R_SPARC_PLT64, "PLT64"},
      {R_SPARC_TLS_GD_HI22, "TLS_GD_HI22"}, {R_SPARC_TLS_GD_LO10, "TLS_GD_LO10"}, {R_SPARC_TLS_GD_ADD, "TLS_GD_ADD"},
      {R_SPARC_TLS_GD_CALL, "TLS_GD_CALL"}, {R_SPARC_TLS_LDM_HI22, "TLS_LDM_HI22"},
      {R_SPARC_TLS_LDM_LO10, "TLS_LDM_LO10"}, {R_SPARC_TLS_LDM_ADD, "TLS_LDM_ADD"},
      {R_SPARC_TLS_LDM_CALL, "TLS_LDM_CALL"}, {R_SPARC_TLS_LDO_HIX22, "TLS_LDO_HIX22"},
      {R_SPARC_TLS_LDO_LOX10, "TLS_LDO_LOX10"}, {R_SPARC_TLS_LDO_ADD, "TLS_LDO_ADD"},
      {R_SPARC_TLS_IE_HI22, "TLS_IE_HI22"}, {R_SPARC_TLS_IE_LO10, "TLS_IE_LO10"}, {R_SPARC_TLS_IE_LD, "TLS_IE_LD"},
      {R_SPARC_TLS_IE_LDX, "TLS_IE_LDX"}, {R_SPARC_TLS_IE_ADD, "TLS_IE_ADD"},
      {R_SPARC_TLS_LE_HIX22, "TLS_LE_HIX22"}, {R_SPARC_TLS_LE_LOX10, "TLS_LE_LOX10"},
      {R_SPARC_TLS_DTPOFF32, "TLS_DTPOFF32"}, {R_SPARC_TLS_DTPOFF64, "TLS_DTPOFF64"}};
  // clang-format on
  for (const auto& [number, name] : kNames)
    if (number == type) return fmt::format("R_SPARC_{}", name);
  return fmt::format("relocation {}", type);
}

}  // namespace psim::isa::assembler

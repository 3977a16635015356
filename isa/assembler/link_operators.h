// SPDX-License-Identifier: Apache-2.0
// Operators whose value a linker computes: distances, offsets in the global offset table, offsets of
// thread-local variables (SPARC Compliance Definition 2.4, relocations; GNU as).
#pragma once

#include <elf.h>

#include <cstdint>

#include "isa/assembler/syntax.h"

namespace psim::isa::assembler {

struct LinkOperator {
  /// The fields in which an operator may stand.
  enum class Use : std::uint8_t {
    High,   ///< 22 bits of sethi
    Low,    ///< simm13
    Mark,   ///< a last operand, which describes the instruction's purpose to a linker
    Call,   ///< the same for a call, whose target a linker chooses
    Word,   ///< data of 4 bytes
    Xword,  ///< data of 8 bytes
  };
  Modifier modifier;
  const char* name;
  Use use;
  unsigned relocation;
  bool distance = false;  ///< relative to its own address
  bool tls = false;       ///< of a thread-local symbol
};

// clang-format off
inline constexpr LinkOperator kLinkOperators[] = {
    {Modifier::GdopHix, "%gdop_hix22", LinkOperator::Use::High, R_SPARC_GOTDATA_OP_HIX22},
    {Modifier::GdopLox, "%gdop_lox10", LinkOperator::Use::Low, R_SPARC_GOTDATA_OP_LOX10},
    {Modifier::Gdop, "%gdop", LinkOperator::Use::Mark, R_SPARC_GOTDATA_OP},
    {Modifier::Pc22, "%pc22", LinkOperator::Use::High, R_SPARC_PC22, true},
    {Modifier::Pc10, "%pc10", LinkOperator::Use::Low, R_SPARC_PC10, true},
    {Modifier::Disp32, "%r_disp32", LinkOperator::Use::Word, R_SPARC_DISP32, true},
    {Modifier::Disp64, "%r_disp64", LinkOperator::Use::Xword, R_SPARC_DISP64, true},
    {Modifier::Plt32, "%r_plt32", LinkOperator::Use::Word, R_SPARC_PLT32},
    {Modifier::Plt64, "%r_plt64", LinkOperator::Use::Xword, R_SPARC_PLT64},
    {Modifier::TgdHi, "%tgd_hi22", LinkOperator::Use::High, R_SPARC_TLS_GD_HI22, false, true},
    {Modifier::TgdLo, "%tgd_lo10", LinkOperator::Use::Low, R_SPARC_TLS_GD_LO10, false, true},
    {Modifier::TgdAdd, "%tgd_add", LinkOperator::Use::Mark, R_SPARC_TLS_GD_ADD, false, true},
    {Modifier::TgdCall, "%tgd_call", LinkOperator::Use::Call, R_SPARC_TLS_GD_CALL, false, true},
    {Modifier::TldmHi, "%tldm_hi22", LinkOperator::Use::High, R_SPARC_TLS_LDM_HI22, false, true},
    {Modifier::TldmLo, "%tldm_lo10", LinkOperator::Use::Low, R_SPARC_TLS_LDM_LO10, false, true},
    {Modifier::TldmAdd, "%tldm_add", LinkOperator::Use::Mark, R_SPARC_TLS_LDM_ADD, false, true},
    {Modifier::TldmCall, "%tldm_call", LinkOperator::Use::Call, R_SPARC_TLS_LDM_CALL, false, true},
    {Modifier::TldoHix, "%tldo_hix22", LinkOperator::Use::High, R_SPARC_TLS_LDO_HIX22, false, true},
    {Modifier::TldoLox, "%tldo_lox10", LinkOperator::Use::Low, R_SPARC_TLS_LDO_LOX10, false, true},
    {Modifier::TldoAdd, "%tldo_add", LinkOperator::Use::Mark, R_SPARC_TLS_LDO_ADD, false, true},
    {Modifier::TieHi, "%tie_hi22", LinkOperator::Use::High, R_SPARC_TLS_IE_HI22, false, true},
    {Modifier::TieLo, "%tie_lo10", LinkOperator::Use::Low, R_SPARC_TLS_IE_LO10, false, true},
    {Modifier::TieLd, "%tie_ld", LinkOperator::Use::Mark, R_SPARC_TLS_IE_LD, false, true},
    {Modifier::TieLdx, "%tie_ldx", LinkOperator::Use::Mark, R_SPARC_TLS_IE_LDX, false, true},
    {Modifier::TieAdd, "%tie_add", LinkOperator::Use::Mark, R_SPARC_TLS_IE_ADD, false, true},
    {Modifier::TleHix, "%tle_hix22", LinkOperator::Use::High, R_SPARC_TLS_LE_HIX22, false, true},
    {Modifier::TleLox, "%tle_lox10", LinkOperator::Use::Low, R_SPARC_TLS_LE_LOX10, false, true},
    {Modifier::Dtpoff32, "%r_tls_dtpoff32", LinkOperator::Use::Word, R_SPARC_TLS_DTPOFF32, false, true},
    {Modifier::Dtpoff64, "%r_tls_dtpoff64", LinkOperator::Use::Xword, R_SPARC_TLS_DTPOFF64, false, true},
};
// clang-format on

/// Returns the operator; null for a modifier that chooses bits of an address.
constexpr const LinkOperator* link_operator(Modifier modifier) {
  for (const LinkOperator& each : kLinkOperators)
    if (each.modifier == modifier) return &each;
  return nullptr;
}

}  // namespace psim::isa::assembler

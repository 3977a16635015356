// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "isa/spec.h"
#include "isa/static_instruction.h"

namespace psim::isa {

/// What the pipeline must know of `word`, from its row, its format and its fields. Never fails: an illegal
/// word is a serial instruction without operands. Meant for translation time.
///
/// - Conditions "always" and "never" read no condition codes.
/// - Floating-point operations do not name %fsr: whatever writes it is serial.
/// - Block loads and stores (64 bytes, 8 double registers) are known by an immediate ASI. With %asi, an ldda
///   or stda whose register could begin a block is taken for one: that is what the C library's are.
/// - `simd`: as it is executed in SIMD state. Floating-point registers and fccs are those of the PEs, except
/// where
///   the row itself says whose they are; operations on them go to Unit::Simd.
StaticInstruction analyse(std::uint32_t word, bool simd = false);

/// Returns the displacement in bytes of a PC-relative branch or call; 0 for all other instructions.
std::int64_t displacement(const Spec& row, std::uint32_t word);

}  // namespace psim::isa

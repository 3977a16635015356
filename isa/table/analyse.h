// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "isa/table/spec.h"
#include "isa/table/static_instruction.h"

namespace psim::isa {

/// Returns the properties of `word` that the pipeline needs, from its row, its format and its fields. Never
/// fails: an illegal word is a serial instruction without operands. Call it at translation time.
///
/// - Conditions "always" and "never" read no condition codes.
/// - Floating-point operations do not name %fsr: instructions that write it are serial.
/// - Block loads and stores (64 bytes, 8 double registers) are recognised by an immediate ASI. With %asi, an
///   ldda
///   or stda whose register could begin a block counts as a block access, as in the C library.
/// - `simd`: as it is executed in SIMD state. Floating-point registers and fccs are those of the PEs, except
///   where
///   the row names the register file; operations on them go to Unit::Simd.
StaticInstruction analyse(std::uint32_t word, bool simd = false);

/// Returns the displacement in bytes of a PC-relative branch or call; 0 for all other instructions.
std::int64_t displacement(const Spec& row, std::uint32_t word);

}  // namespace psim::isa

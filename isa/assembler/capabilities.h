// SPDX-License-Identifier: Apache-2.0
// What an object says of the processors that it needs: section .gnu.attributes, as GNU as makes it from the
// instructions used. `psim exec` rounds multiply-adds by it.
#pragma once

#include <cstdint>
#include <string>

#include "isa/spec.h"

namespace psim::isa::assembler {

/// ELF_SPARC_HWCAP_… that an instruction needs, those of HWCAPS2 in the upper 32 bits. 0: any V9 processor,
/// or an instruction that no processor has (the SIMD extension).
std::uint64_t hardware_capabilities(const Spec& spec);
/// The contents of .gnu.attributes; empty for 0.
std::string gnu_attributes(std::uint64_t capabilities);
inline constexpr std::uint32_t kGnuAttributes = 0x6ffffff5;  ///< the section's type

}  // namespace psim::isa::assembler

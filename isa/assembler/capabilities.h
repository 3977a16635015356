// SPDX-License-Identifier: Apache-2.0
// The processor features that an object needs: section .gnu.attributes, as GNU as makes it from the
// instructions used. `psim exec` rounds multiply-adds by it.
#pragma once

#include <cstdint>
#include <string>

namespace psim::isa::assembler {

/// Returns the contents of .gnu.attributes for the OR of all instructions' Spec::needs; empty for 0.
std::string gnu_attributes(std::uint64_t capabilities);
inline constexpr std::uint32_t kGnuAttributes = 0x6ffffff5;  ///< the section's type

}  // namespace psim::isa::assembler

// SPDX-License-Identifier: Apache-2.0
// The .gnu.attributes section: the instruction-set extensions that the compiler was allowed to use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace psim::isa {

/// Returns the OR of Tag_GNU_Sparc_HWCAPS (tag 4 of vendor "gnu") over a section's file-scope attributes.
/// Returns 0 if there is none or the section is malformed: attributes never make psim refuse a program.
std::uint32_t sparc_hardware_capabilities(std::span<const std::byte> section);

}  // namespace psim::isa

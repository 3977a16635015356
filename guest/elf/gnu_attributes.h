// SPDX-License-Identifier: Apache-2.0
// The .gnu.attributes section: which instruction-set extensions the compiler was allowed to use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace psim::isa {

/// The OR of Tag_GNU_Sparc_HWCAPS (tag 4 of vendor "gnu") over a section's file-scope attributes; 0 if there
/// is none or the section is malformed (attributes are advice, never a reason to refuse a program).
std::uint32_t sparc_hardware_capabilities(std::span<const std::byte> section);

}  // namespace psim::isa

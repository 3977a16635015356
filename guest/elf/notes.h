// SPDX-License-Identifier: Apache-2.0
// The notes (PT_NOTE) of a program file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "guest/elf/elf_image.h"

namespace psim::isa {

/// Returns the description of the first note with this name and type. Notes behind a malformed one are not
/// found.
std::optional<std::span<const std::byte>> find_note(const ElfImage& image, std::string_view name,
                                                    std::uint32_t type);

}  // namespace psim::isa

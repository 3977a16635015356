// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "guest/elf/elf_image.h"

namespace psim::isa {

/// Returns the address of the function `name` in the file's symbol table, as linked; nothing if the file is
/// stripped or has no such function.
std::optional<std::uint64_t> function_address(const ElfImage& image, std::string_view name);

}  // namespace psim::isa

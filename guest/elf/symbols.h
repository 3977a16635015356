// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "guest/elf/elf_image.h"

namespace psim::isa {

/// Returns the address of the function `name` in the file's symbol table, as linked; nothing if the file is
/// stripped or has no such function.
std::optional<std::uint64_t> function_address(const ElfImage& image, std::string_view name);

/// A function of the symbol table.
struct FunctionSymbol {
  std::uint64_t address = 0;  ///< as linked
  std::uint64_t bytes = 0;    ///< 0: the file does not give its size
  std::string name;           ///< linkage name
};
/// Functions by address; of several names of one address the most visible, then the shortest, then the first
/// in the alphabet. Empty if the file is stripped.
std::vector<FunctionSymbol> function_symbols(const ElfImage& image);

}  // namespace psim::isa

// SPDX-License-Identifier: Apache-2.0
// Names of a program's code for a profile: its symbols, demangled, and its source lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "guest/elf/symbols.h"
#include "report/profile/named_profile.h"

namespace psim::commands {

/// Returns the names of code. `functions` are those of the ELF file at `path`, which was loaded `load_bias`
/// above its addresses.
report::CodeNames code_names(const std::vector<isa::FunctionSymbol>& functions, const std::string& path,
                             std::uint64_t load_bias);

}  // namespace psim::commands

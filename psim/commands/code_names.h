// SPDX-License-Identifier: Apache-2.0
// Names of a program's code for a profile: its symbols, demangled, and its source lines.
#pragma once

#include <vector>

#include "guest/elf/symbols.h"
#include "guest/process.h"
#include "report/profile/named_profile.h"

namespace psim::commands {

/// Returns the names of code. `functions` are those of the file that `process` runs. The names outlive the
/// process.
report::CodeNames code_names(const std::vector<isa::FunctionSymbol>& functions, const isa::Process& process);

}  // namespace psim::commands

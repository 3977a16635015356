// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "isa/assembler/assembly.h"

namespace psim::isa::assembler {

/// Returns every instruction with address, word, text as the disassembler writes it, and line. `program`:
/// placed as executable() places it; otherwise each section from 0, with its relocations.
std::string listing(const Assembly& assembly, bool program);

}  // namespace psim::isa::assembler

// SPDX-License-Identifier: Apache-2.0
// From an instruction statement to words.
#pragma once

#include "isa/assembler/syntax.h"
#include "isa/assembler/unit.h"

namespace psim::isa::assembler {

/// Emits the instruction or synthetic instruction. Throws Complaint; then nothing was emitted.
void assemble_instruction(Statement& statement, Unit& unit);

}  // namespace psim::isa::assembler

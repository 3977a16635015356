// SPDX-License-Identifier: Apache-2.0
// Assembles instruction statements to words.
#pragma once

#include "isa/assembler/syntax.h"
#include "isa/assembler/unit.h"

namespace psim::isa::assembler {

/// Emits the instruction or synthetic instruction. Throws Complaint without emitting anything.
void assemble_instruction(Statement& statement, Unit& unit);

}  // namespace psim::isa::assembler

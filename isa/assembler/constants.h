// SPDX-License-Identifier: Apache-2.0
// set, setuw, setsw, setx: constants of more bits than an instruction holds (V9 manual, G.3).
#pragma once

#include "isa/assembler/syntax.h"
#include "isa/assembler/unit.h"

namespace psim::isa::assembler {

/// Emits the statement if it is one of these mnemonics. A number that is already known takes the fewest
/// instructions possible, an address 2 (set, setuw), 3 (setsw) or 6 (setx). Throws Complaint.
bool assemble_constant(Statement& statement, Unit& unit);

}  // namespace psim::isa::assembler

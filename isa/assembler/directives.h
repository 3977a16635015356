// SPDX-License-Identifier: Apache-2.0
// Directives: sections, data, symbols. docs/assembler.md lists them.
#pragma once

#include "isa/assembler/syntax.h"
#include "isa/assembler/unit.h"

namespace psim::isa::assembler {

/// Carries out a statement whose mnemonic begins with '.'. Throws Complaint.
void carry_out(Statement& statement, Unit& unit);

}  // namespace psim::isa::assembler

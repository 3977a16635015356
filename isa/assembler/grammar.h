// SPDX-License-Identifier: Apache-2.0
// The grammar of assembly text (Boost.Spirit X3; grammar.cpp alone includes it).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/assembler/syntax.h"

namespace psim::isa::assembler {

/// Adds the statements of one line without comments. Throws Complaint; the last statement then has only its
/// labels.
void parse_line(std::string_view line, std::vector<Statement>& statements);

/// Returns the register of that name, "%o0"; nothing if there is none.
std::optional<Register> register_named(std::string_view name);
/// Returns its name for messages.
std::string name_of(Register reg);

}  // namespace psim::isa::assembler

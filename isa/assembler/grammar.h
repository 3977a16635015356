// SPDX-License-Identifier: Apache-2.0
// The grammar of assembly text (Boost.Spirit X3; grammar.cpp alone includes it).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/assembler/syntax.h"

namespace psim::isa::assembler {

/// `text` with comments (! to the end of a line, # at its beginning, /* … */) blanked out; lines and columns
/// stay. `unterminated` is the position of an unterminated /*: line and column from 1, 0 if there is none.
struct Stripped {
  std::string text;
  std::uint32_t unterminated_line = 0, unterminated_column = 0;
};
Stripped strip_comments(std::string_view text);

/// Adds the statements of one line without comments. Throws Complaint; the last statement then has only its
/// labels.
void parse_line(std::string_view line, std::vector<Statement>& statements);

/// Returns the register of that name, "%o0"; nothing if there is none.
std::optional<Register> register_named(std::string_view name);
/// Returns its name for messages.
std::string name_of(Register reg);

}  // namespace psim::isa::assembler

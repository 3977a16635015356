// SPDX-License-Identifier: Apache-2.0
// The grammar of assembly text (Boost.Spirit X3; grammar.cpp alone includes it).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/assembler/syntax.h"

namespace psim::isa::assembler {

/// `text` with comments (! to the end of a line, # at its beginning, /* … */) blanked out; lines and columns
/// stay. An unterminated /* is told by `unterminated`: line and column from 1, 0 if there is none.
struct Stripped {
  std::string text;
  std::uint32_t unterminated_line = 0, unterminated_column = 0;
};
Stripped strip_comments(std::string_view text);

/// Adds the statements of one line without comments. Throws Complaint; then the last statement is not whole,
/// but for its labels.
void parse_line(std::string_view line, std::vector<Statement>& statements);

/// The register of that name, "%o0"; nothing if there is none.
std::optional<Register> register_named(std::string_view name);
/// As it is written in messages.
std::string name_of(Register reg);

}  // namespace psim::isa::assembler

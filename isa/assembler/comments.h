// SPDX-License-Identifier: Apache-2.0
// The comments of assembly text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace psim::isa::assembler {

/// `text` with comments (! to the end of a line, # at its beginning, /* … */) blanked out; lines and columns
/// stay. `unterminated` is the position of an unterminated /*: line and column from 1, 0 if there is none.
struct Stripped {
  std::string text;
  std::uint32_t unterminated_line = 0, unterminated_column = 0;
};
Stripped strip_comments(std::string_view text);

}  // namespace psim::isa::assembler

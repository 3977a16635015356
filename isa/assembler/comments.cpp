// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/comments.h"

namespace psim::isa::assembler {

Stripped strip_comments(std::string_view text) {
  Stripped result;
  result.text = text;
  std::string& out = result.text;
  std::uint32_t line = 1, column = 0;
  bool line_begins = true;
  enum class In { Code, Line, Block, String } in = In::Code;
  const auto next = [&](std::size_t at) { return at + 1 < text.size() ? text[at + 1] : '\0'; };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    ++column;
    if (c == '\n') {
      ++line;
      column = 0;
      line_begins = true;
      if (in == In::Line || in == In::String) in = In::Code;
      continue;
    }
    switch (in) {
      case In::Code:
        if (c == '!' || (c == '#' && line_begins)) {
          in = In::Line;
          out[at] = ' ';
        } else if (c == '/' && next(at) == '*') {
          in = In::Block;
          result.unterminated_line = line;
          result.unterminated_column = column;
          out[at] = out[at + 1] = ' ';
          ++at;
          ++column;
        } else if (c == '"') {
          in = In::String;
        } else if (c == '\'' && next(at) != '\0' && next(at) != '\n') {
          // A quoted character may be a quote, or begin a comment; the second quote may be left out.
          const std::size_t begin = at++;
          if (text[at] == '\\' && next(at) != '\n' && next(at) != '\0') ++at;
          if (next(at) == '\'') ++at;
          column += static_cast<std::uint32_t>(at - begin);
        }
        break;
      case In::Line:
        out[at] = ' ';
        break;
      case In::Block:
        out[at] = ' ';
        if (c == '*' && next(at) == '/') {
          out[at + 1] = ' ';
          ++at;
          ++column;
          in = In::Code;
        }
        break;
      case In::String:
        if (c == '"') in = In::Code;
        if (c == '\\' && next(at) != '\n' && next(at) != '\0') {
          ++at;
          ++column;
        }
        break;
    }
    if (c != ' ' && c != '\t') line_begins = false;
  }
  if (in != In::Block) result.unterminated_line = result.unterminated_column = 0;
  return result;
}

}  // namespace psim::isa::assembler

// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/assembler.h"

#include <fmt/format.h>

#include "isa/assembler/comments.h"
#include "isa/assembler/directives.h"
#include "isa/assembler/expansion.h"
#include "isa/assembler/grammar.h"
#include "isa/assembler/instruction.h"
#include "isa/assembler/unit.h"

namespace psim::isa::assembler {
namespace {

void carry_out_all(std::vector<Statement>& statements, bool whole, Unit& unit) {
  const auto guarded = [&unit](auto&& action) {
    try {
      action();
    } catch (const Complaint& complaint) {
      unit.complain(complaint);
    }
  };
  for (Statement& statement : statements) {
    for (const Statement::Label& label : statement.labels) guarded([&] { unit.define_label(label); });
    // A refused statement still defines its labels, so that their uses cause no further mistakes.
    if (!whole && &statement == &statements.back()) return;
    guarded([&] {
      if (statement.assignment)
        unit.equate(statement.mnemonic, statement.arguments.at(0).expression, statement.column);
      else if (statement.mnemonic.starts_with('.'))
        carry_out(statement, unit);
      else if (!statement.mnemonic.empty())
        assemble_instruction(statement, unit);
    });
  }
}

}  // namespace

Assembly assemble(std::string_view text, const Options& options) {
  Unit unit(options);
  const Stripped stripped = strip_comments(text);
  // ".skip NUMBER" takes an expression, like other directives.
  const auto number = [&unit](std::string_view expression) {
    std::vector<Statement> statements;
    parse_line(" .skip " + std::string(expression), statements);
    if (statements.size() != 1 || statements[0].arguments.size() != 1)
      throw Complaint{1, fmt::format("got {}, expected a number", expression)};
    return unit.number_now(statements[0].arguments[0]);
  };
  Expansion expansion(stripped.text, options.file, number);
  for (std::string line;;) {
    std::vector<Statement> statements;
    try {
      const bool more = expansion.next(line);
      unit.line = expansion.number();
      unit.within = expansion.within();
      if (!more) break;
      parse_line(line, statements);
    } catch (const Complaint& complaint) {
      unit.line = expansion.number();
      unit.within = expansion.within();
      carry_out_all(statements, false, unit);
      unit.complain(complaint);
      continue;
    }
    carry_out_all(statements, true, unit);
  }
  unit.within.clear();
  if (stripped.unterminated_line != 0)
    unit.complain(stripped.unterminated_line,
                  {stripped.unterminated_column, "got the end of the file in a comment, expected */"});
  unit.call_frames.write(unit);
  return unit.finish();
}

std::vector<std::uint32_t> words(std::string_view text, std::uint64_t address) {
  const LinkedAssembly linked = link_at(assemble(text), address);
  const std::vector<std::uint8_t>& bytes = linked.assembly.sections.at(0).bytes;
  std::vector<std::uint32_t> result(bytes.size() / 4);
  for (std::size_t i = 0; i < bytes.size() / 4 * 4; ++i) result[i / 4] = result[i / 4] << 8 | bytes[i];
  return result;
}

}  // namespace psim::isa::assembler

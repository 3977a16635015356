// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/listing.h"

#include <fmt/format.h>

#include "isa/assembler/assembler.h"
#include "isa/assembler/relocation.h"
#include "isa/table/listing.h"

namespace psim::isa::assembler {
namespace {

/// Returns "symbol + 8" for a relocation.
std::string target_of(const Assembly& assembly, const Relocation& relocation) {
  std::string text;
  if (relocation.symbol >= 0) text = assembly.symbols[static_cast<std::size_t>(relocation.symbol)].name;
  if (text.find(':') != std::string::npos || text.empty()) return relocation.source;
  return relocation.number == 0 ? text : fmt::format("{}{:+}", text, relocation.number);
}

}  // namespace

std::string listing(const Assembly& assembly, bool program) {
  LinkedAssembly linked{assembly, std::vector<std::uint64_t>(assembly.sections.size())};
  if (program) linked = link_at(assembly, kExecutableTextBase);
  std::string out;
  for (std::size_t i = 0; i < linked.assembly.sections.size(); ++i) {
    const Section& section = linked.assembly.sections[i];
    if (section.instructions.empty()) continue;
    const std::uint64_t base = linked.addresses[i];
    CodeNames names;
    for (const Symbol& symbol : linked.assembly.symbols) {
      const bool here = symbol.kind == Symbol::Kind::Section && symbol.section == i;
      if (here && symbol.name.find(':') == std::string::npos)
        names.symbols.emplace(base + symbol.value, symbol.name);
    }
    for (const Relocation& relocation : linked.assembly.relocations)
      if (relocation.section == i)
        names.notes.emplace(
            base + relocation.offset / 4 * 4,
            fmt::format("{} {}", relocation_name(relocation.type), target_of(linked.assembly, relocation)));
    for (const Section::Mark& mark : section.instructions)
      names.notes.emplace(base + mark.offset, fmt::format("line {}", mark.line));
    out += fmt::format("{}section {}\n", out.empty() ? "" : "\n", section.name);
    out += list_code(section.bytes, base, names);
  }
  return out;
}

}  // namespace psim::isa::assembler

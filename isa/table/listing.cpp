// SPDX-License-Identifier: Apache-2.0
#include "isa/table/listing.h"

#include <fmt/format.h>

#include "isa/table/analyse.h"
#include "isa/table/disassemble.h"
#include "isa/table/spec.h"

namespace psim::isa {

std::string CodeNames::nearest(std::uint64_t address, std::uint64_t least) const {
  auto after = symbols.upper_bound(address);
  if (after == symbols.begin()) return {};
  const auto at = symbols.lower_bound(std::prev(after)->first);  // the first of those at one address
  if (at->first < least) return {};
  return at->first == address ? at->second : fmt::format("{}+{:#x}", at->second, address - at->first);
}

std::string list_code(std::span<const std::uint8_t> bytes, std::uint64_t address, const CodeNames& names) {
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 4) {
    const std::uint64_t pc = address + at;
    const auto [first, last] = names.symbols.equal_range(pc);
    for (auto symbol = first; symbol != last; ++symbol) out += fmt::format("{}:\n", symbol->second);
    const std::size_t count = std::min<std::size_t>(4, bytes.size() - at);
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < count; ++i) word = word << 8 | bytes[at + i];
    std::string line;
    if (count < 4) {
      line = fmt::format("{:>12x}:  {:0{}x}", pc, word, 2 * count);
      line += fmt::format("{:{}}  .byte", "", 8 - 2 * count);
      for (std::size_t i = 0; i < count; ++i)
        line += fmt::format("{} {:#04x}", i == 0 ? "" : ",", bytes[at + i]);
    } else {
      line = fmt::format("{:>12x}:  {:08x}  {}", pc, word, disassemble(word, pc));
      const std::int64_t displacement = analyse(word).displacement;
      if (displacement != 0) {
        const std::string name = names.nearest(pc + static_cast<std::uint64_t>(displacement), 0);
        if (!name.empty()) line += fmt::format(" <{}>", name);
      }
    }
    std::string_view mark = "  ! ";
    const auto [note, end] = names.notes.equal_range(pc);
    for (auto each = note; each != end; ++each) {
      line += fmt::format("{}{}", mark, each->second);
      mark = ", ";
    }
    out += line;
    out += '\n';
  }
  return out;
}

}  // namespace psim::isa

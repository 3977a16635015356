// SPDX-License-Identifier: Apache-2.0
// Links a single file.
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"
#include "isa/assembler/assembler.h"
#include "isa/assembler/link_operators.h"

namespace psim::isa::assembler {
namespace {

// The page of sparc64 Linux.
constexpr std::uint64_t kSectionPage = 8192;
constexpr std::size_t kMostErrors = 50;

constexpr std::uint64_t aligned(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

/// Returns 0 for executed, 1 read, 2 written, 3 written and initially zero, 4 not loaded.
unsigned part_of(const Section& section) {
  if ((section.flags & SHF_ALLOC) == 0) return 4;
  if ((section.flags & SHF_EXECINSTR) != 0) return 0;
  if ((section.flags & SHF_WRITE) == 0 && section.type != SHT_NOBITS) return 1;
  return section.type == SHT_NOBITS ? 3 : 2;
}

void allocate_common(Assembly& assembly) {
  auto bss = std::ranges::find(assembly.sections, ".bss", &Section::name);
  for (Symbol& symbol : assembly.symbols) {
    if (symbol.kind != Symbol::Kind::Common) continue;
    if (bss == assembly.sections.end()) {
      Section& added = assembly.sections.emplace_back();
      added.name = ".bss";
      added.type = SHT_NOBITS;
      added.flags = SHF_ALLOC | SHF_WRITE;
      bss = assembly.sections.end() - 1;
    }
    bss->size = aligned(bss->size, symbol.value);
    bss->alignment = std::max(bss->alignment, symbol.value);
    symbol.kind = Symbol::Kind::Section;
    symbol.section = static_cast<std::uint32_t>(bss - assembly.sections.begin());
    symbol.value = bss->size;
    bss->size += symbol.size;
  }
}

class Linker {
 public:
  explicit Linker(LinkedAssembly& linked) : linked_(linked), assembly_(linked.assembly) {}

  void run() {
    for (const Relocation& relocation : assembly_.relocations) {
      if (problems_.size() == kMostErrors) break;
      if (defined(relocation)) apply(relocation);
    }
    std::string text;
    for (const std::string& problem : problems_) text += (text.empty() ? "" : "\n") + problem;
    if (!text.empty()) throw UserError(text);
    assembly_.relocations.clear();
  }

 private:
  void complain(const Relocation& relocation, const std::string& expected) {
    problems_.push_back(fmt::format("{}:{}:{}: got {}, expected {}", assembly_.file, relocation.line,
                                    relocation.column, relocation.source, expected));
  }

  bool defined(const Relocation& relocation) {
    if (relocation.symbol < 0) return true;
    const Symbol& symbol = assembly_.symbols[static_cast<std::size_t>(relocation.symbol)];
    if (symbol.kind != Symbol::Kind::Undefined || symbol.binding == STB_WEAK) return true;
    if (!reported_.insert(symbol.name).second) return false;
    std::vector<std::string> names;
    for (const Symbol& other : assembly_.symbols)
      if (other.kind != Symbol::Kind::Undefined && !other.name.empty() && other.name[0] != ':')
        names.push_back(other.name);
    complain(relocation, "a symbol that this file defines" + did_you_mean(symbol.name, names));
    return false;
  }

  std::uint64_t address(const Relocation& relocation) const {
    if (relocation.symbol < 0) return 0;
    const Symbol& symbol = assembly_.symbols[static_cast<std::size_t>(relocation.symbol)];
    return symbol.kind == Symbol::Kind::Section ? linked_.addresses[symbol.section] + symbol.value
                                                : symbol.value;
  }

  void apply(const Relocation& relocation) {
    const LinkOperator* const link = link_operator(relocation.modifier);
    if (link != nullptr && !link->distance)
      return complain(relocation,
                      "an address: offset tables and thread-local variables are laid out by a linker (-c)");
    std::uint64_t value = address(relocation) + static_cast<std::uint64_t>(relocation.number);
    if (relocation.difference || link != nullptr || pc_relative(relocation.field))
      value -= linked_.addresses[relocation.section] + relocation.offset;
    const auto whole = static_cast<std::int64_t>(value);
    const bool narrow = relocation.modifier == Modifier::Hi;
    if (narrow && (whole < INT32_MIN || whole > static_cast<std::int64_t>(UINT32_MAX)))
      return complain(relocation, "an address of 32 bits: setx takes 64");
    value = select_bits(relocation.modifier, value) + static_cast<std::uint64_t>(relocation.outside);
    const auto bits = encode(relocation.field, static_cast<std::int64_t>(value));
    if (!bits)
      return complain(relocation, fmt::format("{}; it is {}{}", range_of(relocation.field),
                                              static_cast<std::int64_t>(value),
                                              pc_relative(relocation.field) ? " bytes away" : ""));
    std::vector<std::uint8_t>& bytes = assembly_.sections[relocation.section].bytes;
    const unsigned count = relocation.field.size();
    for (unsigned i = 0; i < count; ++i)
      bytes[relocation.offset + i] |= static_cast<std::uint8_t>(*bits >> (8 * (count - 1 - i)));
  }

  LinkedAssembly& linked_;
  Assembly& assembly_;
  std::vector<std::string> problems_;
  std::set<std::string> reported_;
};

}  // namespace

LinkedAssembly link_at(Assembly assembly, std::uint64_t base) {
  LinkedAssembly linked{std::move(assembly), {}};
  allocate_common(linked.assembly);
  std::vector<Section>& sections = linked.assembly.sections;
  linked.addresses.resize(sections.size());
  std::uint64_t at = base;
  bool written = false;
  for (unsigned part = 0; part < 4; ++part) {
    // Zero-initialised sections continue the data, if there are any.
    bool first = part == 1 || part == 2 || (part == 3 && !written);
    for (std::size_t i = 0; i < sections.size(); ++i) {
      if (part_of(sections[i]) != part || sections[i].size == 0) continue;
      if (std::exchange(first, false)) at = aligned(at, kSectionPage);
      written |= part == 2;
      at = aligned(at, sections[i].alignment);
      linked.addresses[i] = at;
      at += sections[i].size;
    }
  }
  // Labels in empty sections get the address of the end.
  for (std::size_t i = 0; i < sections.size(); ++i)
    if (sections[i].size == 0 && part_of(sections[i]) != 4) linked.addresses[i] = at;
  Linker(linked).run();
  return linked;
}

}  // namespace psim::isa::assembler

// SPDX-License-Identifier: Apache-2.0
// Finishes a unit: joins subsections, writes numbers that were unknown into their fields or relocations, and
// places symbols.
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "isa/assembler/link_operators.h"
#include "isa/assembler/relocation.h"
#include "isa/assembler/unit.h"

namespace psim::isa::assembler {

void Unit::join_subsections() {
  if (subsections_.empty()) return;
  // The destination of each section read.
  std::vector<std::pair<std::uint32_t, std::uint64_t>> moved(assembly_.sections.size());
  for (std::uint32_t i = 0; i < moved.size(); ++i) moved[i] = {i, 0};
  std::set<std::uint32_t> parents;
  for (const auto& [key, part] : subsections_) parents.insert(key.first);
  for (const std::uint32_t parent : parents) {
    Section whole = section_named(assembly_.sections[parent].name, assembly_.sections[parent].type,
                                  assembly_.sections[parent].flags, assembly_.sections[parent].alignment);
    whole.entry_size = assembly_.sections[parent].entry_size;
    whole.grouped = assembly_.sections[parent].grouped;
    const auto append = [&](std::uint32_t part) {
      const Section& added = assembly_.sections[part];
      whole.alignment = std::max(whole.alignment, added.alignment);
      const std::uint64_t begin = (whole.size + added.alignment - 1) & ~(added.alignment - 1);
      if ((whole.flags & SHF_EXECINSTR) != 0) {
        whole.bytes.resize(whole.size + (begin - whole.size) % 4);
        for (const std::uint32_t word : code_filler((begin - whole.size) / 4))
          for (const int shift : {24, 16, 8, 0})
            whole.bytes.push_back(static_cast<std::uint8_t>(word >> shift));
      }
      whole.size = begin;
      moved[part] = {parent, whole.size};
      if (whole.type != SHT_NOBITS) whole.bytes.resize(whole.size);
      whole.bytes.insert(whole.bytes.end(), added.bytes.begin(), added.bytes.end());
      for (const Section::Mark& mark : added.instructions)
        whole.instructions.push_back({whole.size + mark.offset, mark.line});
      whole.size += added.size;
    };
    const auto first = subsections_.lower_bound({parent, INT64_MIN}),
               zero = subsections_.lower_bound({parent, 0}),
               last = subsections_.upper_bound({parent, INT64_MAX});
    for (auto part = first; part != zero; ++part) append(part->second);
    append(parent);
    for (auto part = zero; part != last; ++part) append(part->second);
    assembly_.sections[parent] = std::move(whole);
  }
  // The parts are removed; later sections move up.
  std::vector<std::uint32_t> kept(assembly_.sections.size());
  std::vector<Section> sections;
  for (std::uint32_t i = 0; i < kept.size(); ++i) {
    kept[i] = static_cast<std::uint32_t>(sections.size());
    if (moved[i].first == i) sections.push_back(std::move(assembly_.sections[i]));
  }
  assembly_.sections = std::move(sections);
  const auto move = [&](std::uint32_t& section, std::uint64_t& offset) {
    offset += moved[section].second;
    section = kept[moved[section].first];
  };
  const auto move_items = [&](Expression& expression) {
    for (Item& item : expression.items)
      if (item.kind == Item::Kind::Location) move(item.section, item.number);
  };
  symbols_at_.clear();
  for (Definition& definition : definitions_) {
    if (definition.symbol.kind == Symbol::Kind::Section)
      move(definition.symbol.section, definition.symbol.value);
    move_items(definition.expression);
    move_items(definition.size);
  }
  for (Fixup& fixup : fixups_) {
    move(fixup.section, fixup.offset);
    move_items(fixup.expression);
  }
}

bool Unit::exported(const Symbol& symbol) const {
  return symbol.binding != STB_LOCAL || symbol.kind == Symbol::Kind::Undefined ||
         symbol.kind == Symbol::Kind::Common;
}

void Unit::put(const Fixup& fixup, std::uint64_t bits) {
  std::vector<std::uint8_t>& bytes = assembly_.sections[fixup.section].bytes;
  const unsigned count = fixup.field.size();
  if (bytes.size() < fixup.offset + count) return;  // the position itself was a mistake, already reported
  for (unsigned i = 0; i < count; ++i)
    bytes[fixup.offset + i] |= static_cast<std::uint8_t>(bits >> (8 * (count - 1 - i)));
}

/// Uses the written symbol instead of its value if it is set to another symbol and has its own binding: a
/// linker may have to find it elsewhere.
void Unit::name_as_written(const Expression& expression, Value& value) {
  const Item* written = nullptr;
  for (const Item& item : expression.items) {
    if (item.kind == Item::Kind::Location || (item.kind == Item::Kind::Symbol && written != nullptr)) return;
    if (item.kind == Item::Kind::Symbol) written = &item;
  }
  if (written == nullptr || value.symbol == kNoSymbol || value.minus != kNoSymbol) return;
  const std::size_t number = number_of(written->text);
  if (definitions_[number].state != Definition::State::Later ||
      definitions_[number].symbol.binding == STB_LOCAL)
    return;
  const Value target = evaluate(Expression(definitions_[number].expression), *this, true);
  if (target.symbol != value.symbol) return;
  value.symbol = static_cast<std::int32_t>(number);
  value.number -= target.number;
}

void Unit::resolve(const Fixup& fixup) {
  Value value = evaluate(fixup.expression, *this, true);
  name_as_written(fixup.expression, value);
  const auto refuse = [&](const std::string& expected) {
    throw Complaint{fixup.expression.column,
                    fmt::format("got {}, expected {}", fixup.expression.source, expected)};
  };
  if (value.word == Value::Word::Other) refuse("a number or an address");
  bool difference = false;
  if (value.minus != kNoSymbol) {
    const auto minus = location_of(value.minus);
    if (!minus || minus->section != fixup.section || value.symbol == kNoSymbol || pc_relative(fixup.field) ||
        value.modifier != Modifier::None)
      refuse("a number or one address");
    value.number += fixup.offset - minus->offset;
    difference = true;
  }
  if (value.symbol != kNoSymbol && value.modifier == Modifier::None &&
      (difference || pc_relative(fixup.field))) {
    const auto location = location_of(value.symbol);
    const Symbol& symbol = definitions_[static_cast<std::size_t>(value.symbol)].symbol;
    if (location && location->section == fixup.section && !exported(symbol)) {
      value.number += location->offset - fixup.offset;
      value.symbol = kNoSymbol;
      const auto bits = encode(fixup.field, static_cast<std::int64_t>(value.number));
      if (!bits)
        refuse(fmt::format("{}; it is {} bytes away", range_of(fixup.field),
                           static_cast<std::int64_t>(value.number)));
      put(fixup, *bits);
      return;
    }
  }
  if (value.symbol == kNoSymbol && !pc_relative(fixup.field)) {
    const auto bits = encode(fixup.field, static_cast<std::int64_t>(value.number));
    if (!bits) refuse(range_of(fixup.field));
    put(fixup, *bits);
    return;
  }
  if (fixup.field.leb != Field::Leb::No) refuse("a number or the distance of two labels in a section");
  Relocation relocation;
  relocation.section = fixup.section;
  relocation.offset = fixup.offset;
  relocation.field = fixup.field;
  relocation.modifier = value.modifier;
  relocation.symbol = value.symbol;
  relocation.number = static_cast<std::int64_t>(value.number);
  relocation.outside = value.outside;
  relocation.difference = difference;
  const unsigned size = std::max(fixup.field.size(), 1u);
  // A linker that omits descriptions of frames moves the later ones by any distance.
  const std::string& name = assembly_.sections[fixup.section].name;
  const bool stays_aligned = name != ".eh_frame" && name != ".debug_frame";
  relocation.type = relocation_type(fixup.field, value, stays_aligned && fixup.offset % size == 0);
  // Position-independent code finds its table by a relative address.
  if (value.symbol != kNoSymbol &&
      definitions_[static_cast<std::size_t>(value.symbol)].symbol.name == "_GLOBAL_OFFSET_TABLE_") {
    if (relocation.type == R_SPARC_HI22) relocation.type = R_SPARC_PC22;
    if (relocation.type == R_SPARC_LO10) relocation.type = R_SPARC_PC10;
  }
  if (value.modifier != Modifier::None && relocation.type == 0)
    refuse(fmt::format("something else than {}(…) of an address here", name_of(value.modifier)));
  if (const LinkOperator* const link = link_operator(value.modifier); link != nullptr && link->tls)
    definitions_[static_cast<std::size_t>(value.symbol)].symbol.type = STT_TLS;
  relocation.line = fixup.line;
  relocation.column = fixup.expression.column;
  relocation.source = fixup.expression.source;
  assembly_.relocations.push_back(std::move(relocation));
}

void Unit::settle(std::size_t number) {
  if (definitions_[number].state == Definition::State::Equated) {
    Symbol& symbol = definitions_[number].symbol;
    symbol.kind = Symbol::Kind::Absolute;
    symbol.value = definitions_[number].value.number;
  } else if (definitions_[number].state == Definition::State::Later) {
    Item item;
    item.kind = Item::Kind::Symbol;
    item.text = definitions_[number].symbol.name;
    item.column = definitions_[number].expression.column;
    const Value value = value_of(item);
    Symbol& symbol = definitions_[number].symbol;
    const auto location = value.symbol == kNoSymbol ? std::nullopt : location_of(value.symbol);
    if (value.minus != kNoSymbol || value.modifier != Modifier::None ||
        (value.symbol != kNoSymbol && !location))
      throw Complaint{item.column, fmt::format("got {}, expected a number or an address in this file",
                                               definitions_[number].expression.source)};
    symbol.kind = location ? Symbol::Kind::Section : Symbol::Kind::Absolute;
    symbol.section = location ? location->section : 0;
    symbol.value = value.number + (location ? location->offset : 0);
  }
  if (const Expression size = definitions_[number].size; !size.items.empty()) {
    const Value value = evaluate(size, *this, true);
    if (!value.constant())
      throw Complaint{size.column, fmt::format("got {}, expected a number", size.source)};
    definitions_[number].symbol.size = value.number;
  }
}

Assembly Unit::finish() {
  final_ = true;
  join_subsections();
  const auto guarded = [this](std::uint32_t at_line, auto&& action) {
    try {
      line = at_line;
      action();
    } catch (const Complaint& complaint) {
      complain(at_line, complaint);
    }
  };
  for (const Fixup& fixup : fixups_) guarded(fixup.line, [&] { resolve(fixup); });
  for (std::size_t i = 0; i < definitions_.size(); ++i) guarded(definitions_[i].line, [&] { settle(i); });
  for (const Definition& definition : definitions_) {
    const Symbol& symbol = definition.symbol;
    // Names private to assemblers cannot come from another file.
    if (symbol.kind == Symbol::Kind::Undefined && symbol.name.starts_with(".L") && definition.used_line != 0)
      complain(definition.used_line,
               {definition.used_column, fmt::format("got {}, expected a label of this file", symbol.name)});
    assembly_.symbols.push_back(symbol);
  }
  if (!problems_.empty()) give_up();
  return std::move(assembly_);
}

}  // namespace psim::isa::assembler

// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/unit.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "isa/table/spec.h"

namespace psim::isa::assembler {
namespace {

constexpr std::uint64_t kMostZeroBytes = std::uint64_t{1} << 32;
constexpr std::uint64_t kMostAlignment = 1u << 19;
// Symbols equated to symbols equated to …
constexpr unsigned kDeepestDefinition = 100;

bool numeric(std::string_view name) { return name[0] >= '0' && name[0] <= '9'; }

}  // namespace

std::vector<std::uint32_t> code_filler(std::uint64_t words) {
  std::vector<std::uint32_t> result(words, 0x01000000);
  if (words > 2) result[0] = 0x30680000 | static_cast<std::uint32_t>(words);  // ba,a,pt %xcc
  return result;
}

Section section_named(std::string name, std::uint32_t type, std::uint64_t flags, std::uint64_t alignment) {
  Section section;
  section.name = std::move(name);
  section.type = type;
  section.flags = flags;
  section.alignment = alignment;
  return section;
}

Unit::Unit(const Options& options) : options_(options) {
  assembly_.file = options.file;
  enter_section(section_named(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 4));
}

void Unit::complain(std::uint32_t at_line, const Complaint& complaint) {
  problems_.push_back({{at_line, complaint.column},
                       fmt::format("{}:{}:{}: {}{}", options_.file, at_line, complaint.column, complaint.text,
                                   within.empty() ? "" : fmt::format(" (in {})", within))});
  if (problems_.size() >= options_.most_errors) give_up();
}

void Unit::give_up() {
  std::ranges::stable_sort(problems_, {}, [](const auto& problem) { return problem.first; });
  Problems all;
  std::string text;
  for (const auto& [where, problem] : problems_) text += (text.empty() ? "" : "\n") + problem;
  if (problems_.size() >= options_.most_errors)
    text += fmt::format("\n{}: more than {} mistakes; the rest is not told", options_.file,
                        options_.most_errors - 1);
  throw UserError(text);
}

void Unit::enter_section(Section section) {
  const auto [found, created] =
      section_numbers_.emplace(section.name, static_cast<std::uint32_t>(assembly_.sections.size()));
  if (created) assembly_.sections.push_back(std::move(section));
  previous_ = std::exchange(current_, found->second);
}

void Unit::enter_subsection(std::int64_t number) {
  // A subsection is a section of its own until join_subsections moves it.
  const Section& now = section();
  const std::string parent = now.name.substr(0, now.name.find('\n'));
  Section part = section_named(parent, now.type, now.flags, 1);
  part.entry_size = now.entry_size;
  if (number != 0) {
    part.name += fmt::format("\n{}", number);
    subsections_.try_emplace({section_numbers_.at(parent), number},
                             static_cast<std::uint32_t>(assembly_.sections.size()));
  }
  enter_section(std::move(part));
}

void Unit::reserve(std::uint64_t bytes, std::uint32_t column) {
  const bool zero = section().type == SHT_NOBITS;
  const std::uint64_t most = zero ? kMostZeroBytes : options_.most_bytes;
  const std::uint64_t used = zero ? section().size : used_;
  if (bytes > most - used)
    throw Complaint{column, fmt::format("got {} more bytes in {}, expected at most {} in {}", bytes,
                                        section().name, most, zero ? "it" : "all sections together")};
  if (!zero) used_ += bytes;
}

void Unit::skip(std::uint64_t bytes, std::uint8_t fill, std::uint32_t column) {
  reserve(bytes, column);
  if (section().type == SHT_NOBITS) {
    if (fill != 0)
      throw Complaint{column,
                      fmt::format("got the byte {} in {}, expected only zeros there", fill, section().name)};
  } else {
    section().bytes.insert(section().bytes.end(), bytes, fill);
  }
  section().size += bytes;
}

void Unit::align(std::uint64_t alignment, std::uint32_t column) {
  if (alignment == 0) return;
  if ((alignment & (alignment - 1)) != 0 || alignment > kMostAlignment)
    throw Complaint{column, fmt::format("got the alignment {}, expected a power of two up to {}", alignment,
                                        kMostAlignment)};
  section().alignment = std::max(section().alignment, alignment);
  std::uint64_t missing = (alignment - section().size % alignment) % alignment;
  if ((section().flags & SHF_EXECINSTR) != 0) {
    skip(missing % 4, 0, column);
    for (const std::uint32_t word : code_filler(missing / 4)) emit_instruction(word, column);
  } else {
    skip(missing, 0, column);
  }
}

void Unit::emit(std::string_view bytes, std::uint32_t column) {
  if (section().type == SHT_NOBITS)
    throw Complaint{column, fmt::format("got contents in {}, expected .skip or labels only", section().name)};
  reserve(bytes.size(), column);
  section().bytes.insert(section().bytes.end(), bytes.begin(), bytes.end());
  section().size += bytes.size();
}

void Unit::emit(std::uint64_t value, unsigned bytes, std::uint32_t column) {
  char text[8];
  for (unsigned i = 0; i < bytes; ++i) text[i] = static_cast<char>(value >> (8 * (bytes - 1 - i)));
  emit(std::string_view(text, bytes), column);
}

void Unit::emit_instruction(std::uint32_t word, std::uint32_t column) {
  if (offset() % 4 != 0)
    throw Complaint{column,
                    fmt::format("got an instruction at offset {} of {}, expected a multiple of 4: use "
                                ".align 4",
                                offset(), section().name)};
  section().alignment = std::max<std::uint64_t>(section().alignment, 4);
  section().instructions.push_back({offset(), line});
  assembly_.capabilities |= decode(word).needs;
  emit(word, 4, column);
}

std::size_t Unit::number_of(const std::string& name) {
  const auto [found, created] = symbol_numbers_.emplace(name, definitions_.size());
  if (created) definitions_.emplace_back().symbol.name = name;
  return found->second;
}

void Unit::define_label(const Statement::Label& label) {
  std::string name = label.name;
  if (numeric(name)) name = fmt::format("{}:{}", label.name, ++numeric_labels_[label.name]);
  Definition& definition = named(name);
  if (definition.state != Definition::State::Undefined || definition.symbol.kind == Symbol::Kind::Common)
    throw Complaint{label.column, fmt::format("got {} again, expected a new name: line {} defines it", name,
                                              definition.line)};
  definition.state = Definition::State::Label;
  definition.line = line;
  definition.symbol.kind = Symbol::Kind::Section;
  definition.symbol.section = current_;
  definition.symbol.value = offset();
}

void Unit::equate(const std::string& name, const Expression& expression, std::uint32_t column) {
  if (numeric(name) || name == ".")
    throw Complaint{column, fmt::format("got {}, expected the name of a symbol", name)};
  Expression copy = expression;
  const Value value = value_now(copy);
  if (value.register_count != 0 || value.word != Value::Word::None)
    throw Complaint{expression.column,
                    fmt::format("got {}, expected a number or an address", expression.source)};
  Definition& definition = named(name);
  if (definition.state == Definition::State::Label || definition.symbol.kind == Symbol::Kind::Common)
    throw Complaint{
        column, fmt::format("got {} again, expected a new name: line {} defines it", name, definition.line)};
  if (definition.state != Definition::State::Undefined && definition.used_ahead)
    throw Complaint{
        column, fmt::format("got {} again, expected one value: it is used ahead of its definition", name)};
  definition.line = line;
  if (value.constant()) {
    definition.state = Definition::State::Equated;
    definition.value = value;
  } else {
    definition.state = Definition::State::Later;
    definition.expression = std::move(copy);
  }
}

void Unit::common(const std::string& name, std::uint64_t size, std::uint64_t alignment,
                  std::uint32_t column) {
  Definition& definition = named(name);
  if (definition.state != Definition::State::Undefined || definition.symbol.kind == Symbol::Kind::Common)
    throw Complaint{
        column, fmt::format("got {} again, expected a new name: line {} defines it", name, definition.line)};
  if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment > kMostAlignment)
    throw Complaint{column, fmt::format("got the alignment {}, expected a power of two up to {}", alignment,
                                        kMostAlignment)};
  if (size > kMostZeroBytes)
    throw Complaint{column, fmt::format("got {} bytes, expected at most {}", size, kMostZeroBytes)};
  definition.line = line;
  Symbol& symbol = definition.symbol;
  symbol.type = STT_OBJECT;
  symbol.size = size;
  if (!definition.declared_local) {
    symbol.binding = STB_GLOBAL;
    symbol.kind = Symbol::Kind::Common;
    symbol.value = alignment;
    return;
  }
  const std::uint32_t back = current_, before = previous_;
  enter_section(section_named(".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 1));
  align(alignment, column);
  definition.state = Definition::State::Label;
  symbol.kind = Symbol::Kind::Section;
  symbol.section = current_;
  symbol.value = offset();
  skip(size, 0, column);
  current_ = back;
  previous_ = before;
}

void Unit::localise(Expression& expression) {
  for (Item& item : expression.items) {
    if (item.kind != Item::Kind::Symbol) continue;
    if (item.text == ".") {
      item.kind = Item::Kind::Location;
      item.section = current_;
      item.number = offset();
    } else if (numeric(item.text) && item.text.find(':') == std::string::npos) {
      const std::string label = item.text.substr(0, item.text.size() - 1);
      const auto found = numeric_labels_.find(label);
      const unsigned last = found == numeric_labels_.end() ? 0 : found->second;
      const bool forward = item.text.back() == 'f';
      if (!forward && last == 0)
        throw Complaint{item.column, fmt::format("got {}, expected a label {}: above", item.text, label)};
      item.text = fmt::format("{}:{}", label, forward ? last + 1 : last);
    }
  }
}

Value Unit::value_now(Expression& expression) {
  localise(expression);
  return evaluate(expression, *this, false);
}

std::int64_t Unit::number_now(Argument& argument) {
  if (argument.kind != Argument::Kind::Plain || argument.expression.items.empty())
    throw Complaint{argument.column, fmt::format("got {}, expected a number", argument.expression.source)};
  const Value value = value_now(argument.expression);
  if (!value.constant())
    throw Complaint{argument.column,
                    fmt::format("got {}, expected a number that is known here", argument.expression.source)};
  return static_cast<std::int64_t>(value.number);
}

void Unit::fill_later(Field field, const Expression& expression) {
  fixups_.push_back({current_, offset(), field, expression, line});
  // A number is final: its symbols may be redefined afterwards.
  const Value value = evaluate(expression, *this, false);
  if (!value.constant()) return;
  Item number;
  number.column = expression.column;
  number.number = value.number;
  fixups_.back().expression.items = {number};
}

Value Unit::value_of(const Item& item) {
  const std::size_t number = number_of(item.text);
  Definition& definition = definitions_[number];
  Value value;
  value.has_number = true;
  if (definition.used_line == 0) {
    definition.used_line = line;
    definition.used_column = item.column;
  }
  switch (definition.state) {
    case Definition::State::Equated:
      return definition.value;
    case Definition::State::Label:
      value.symbol = static_cast<std::int32_t>(number);
      return value;
    case Definition::State::Undefined:
      definition.used_ahead = true;
      if (numeric(item.text) && final_)
        throw Complaint{item.column, fmt::format("got {0}f, expected a label {0}: below",
                                                 item.text.substr(0, item.text.find(':')))};
      value.symbol = static_cast<std::int32_t>(number);
      return value;
    case Definition::State::Later:
      definition.used_ahead = true;
      break;
  }
  if (definition.being_evaluated || depth_ == kDeepestDefinition)
    throw Complaint{item.column, fmt::format("got {}, whose value depends on itself", item.text)};
  definition.being_evaluated = true;
  ++depth_;
  const auto leave = [&] {
    definitions_[number].being_evaluated = false;
    --depth_;
  };
  try {
    // A copy, since evaluation may add symbols and move the definition.
    const Expression expression = definition.expression;
    value = evaluate(expression, *this, final_);
  } catch (...) {
    leave();
    throw;
  }
  leave();
  return value;
}

std::optional<Symbols::SectionOffset> Unit::location_of(std::int32_t symbol) const {
  const Definition& definition = definitions_[static_cast<std::size_t>(symbol)];
  if (definition.state != Definition::State::Label) return std::nullopt;
  return SectionOffset{definition.symbol.section, definition.symbol.value};
}

std::int32_t Unit::symbol_at(std::uint32_t section, std::uint64_t offset) {
  const auto [found, created] = symbols_at_.emplace(std::pair(section, offset), 0);
  if (created) {
    // No symbol name can begin with a colon.
    found->second = static_cast<std::int32_t>(number_of(fmt::format(":{}:{}", section, offset)));
    Definition& definition = definitions_[static_cast<std::size_t>(found->second)];
    definition.state = Definition::State::Label;
    definition.symbol.kind = Symbol::Kind::Section;
    definition.symbol.section = section;
    definition.symbol.value = offset;
  }
  return found->second;
}

}  // namespace psim::isa::assembler

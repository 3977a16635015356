// SPDX-License-Identifier: Apache-2.0
// ELF-64 files, big-endian (System V ABI; SPARC Compliance Definition 2.4 for relocations).
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "isa/assembler/assembler.h"
#include "isa/assembler/capabilities.h"

namespace psim::isa::assembler {
namespace {

constexpr std::uint64_t kHeaderBytes = 64, kSectionHeaderBytes = 64, kSymbolBytes = 24;
constexpr std::uint64_t kSegmentPage = 8192;

class Bytes {
 public:
  void number(std::uint64_t value, unsigned bytes) {
    for (unsigned i = bytes; i-- > 0;) text += static_cast<char>(value >> (8 * i));
  }
  void pad_to(std::uint64_t offset) { text.resize(offset, '\0'); }
  void align(std::uint64_t alignment) {
    text.resize((text.size() + alignment - 1) / alignment * alignment, '\0');
  }
  std::uint64_t size() const { return text.size(); }
  std::string text;
};

class Strings {
 public:
  std::uint32_t add(std::string_view name) {
    if (name.empty()) return 0;
    const auto [found, created] = offsets_.emplace(name, static_cast<std::uint32_t>(text.size()));
    if (created) {
      text += name;
      text += '\0';
    }
    return found->second;
  }
  std::string text = std::string(1, '\0');

 private:
  std::map<std::string, std::uint32_t, std::less<>> offsets_;
};

struct SectionHeader {
  std::uint32_t name = 0, type = 0;
  std::uint64_t flags = 0, address = 0, offset = 0, size = 0;
  std::uint32_t link = 0, info = 0;
  std::uint64_t alignment = 0, entry_size = 0;
};

/// The tables that objects and executables share. Section i of the assembly is section i + 1 of the file.
class Writer {
 public:
  explicit Writer(const Assembly& assembly) : assembly_(assembly), headers_(1) {}

  Bytes out;

  void file_header(std::uint16_t type, std::uint64_t entry, std::uint16_t program_headers) {
    out.text.append("\177ELF\2\2\1", 7);
    out.pad_to(16);
    out.number(type, 2);
    out.number(EM_SPARCV9, 2);
    out.number(1, 4);
    out.number(entry, 8);
    out.number(program_headers == 0 ? 0 : kHeaderBytes, 8);
    out.number(0, 8);  // of the section headers: patched when they are written
    out.number(EF_SPARCV9_RMO, 4);
    out.number(kHeaderBytes, 2);
    out.number(program_headers == 0 ? 0 : sizeof(Elf64_Phdr), 2);
    out.number(program_headers, 2);
    out.number(kSectionHeaderBytes, 2);
    out.number(0, 2);  // patched
    out.number(0, 2);
  }

  void add_section(const Section& section, std::uint64_t address, std::uint64_t offset) {
    SectionHeader& header = headers_.emplace_back();
    header.name = names_.add(section.name);
    header.type = section.type;
    header.flags = section.flags;
    header.address = address;
    header.offset = offset;
    header.size = section.size;
    header.alignment = section.alignment;
    header.entry_size = section.entry_size;
  }

  /// What processors the instructions need. Behind the assembly's sections.
  void attributes() {
    const std::string text = gnu_attributes(assembly_.capabilities);
    if (!text.empty()) contents(plain(".gnu.attributes", kGnuAttributes), text);
  }

  /// Symbols in the order that ELF wants: local ones first. `number_of`[i] is the place of the assembly's i.
  void symbols(const std::vector<std::uint64_t>* addresses, bool sections_too,
               std::vector<std::uint32_t>& number_of) {
    Bytes table;
    Strings strings;
    std::uint32_t count = 0;
    const auto entry = [&](std::uint32_t name, unsigned info, unsigned other, std::uint32_t section,
                           std::uint64_t value, std::uint64_t size) {
      table.number(name, 4);
      table.number(info, 1);
      table.number(other, 1);
      table.number(section, 2);
      table.number(value, 8);
      table.number(size, 8);
      return count++;
    };
    entry(0, 0, 0, SHN_UNDEF, 0, 0);
    if (sections_too)
      for (std::uint32_t i = 0; i < assembly_.sections.size(); ++i)
        entry(0, ELF64_ST_INFO(STB_LOCAL, STT_SECTION), 0, i + 1, 0, 0);
    number_of.assign(assembly_.symbols.size(), 0);
    std::uint32_t locals = 0;
    for (const bool local : {true, false}) {
      for (std::size_t i = 0; i < assembly_.symbols.size(); ++i) {
        const Symbol& symbol = assembly_.symbols[i];
        const bool undefined = symbol.place == Symbol::Place::Undefined;
        if ((symbol.binding == STB_LOCAL && !undefined) != local || internal(symbol)) continue;
        const unsigned binding =
            undefined && symbol.binding == STB_LOCAL ? unsigned{STB_GLOBAL} : symbol.binding;
        std::uint32_t section = SHN_UNDEF;
        std::uint64_t value = symbol.value;
        if (symbol.place == Symbol::Place::Absolute) section = SHN_ABS;
        if (symbol.place == Symbol::Place::Common) section = SHN_COMMON;
        if (symbol.place == Symbol::Place::Section) {
          section = symbol.section + 1;
          if (addresses != nullptr) value += (*addresses)[symbol.section];
        }
        number_of[i] = entry(strings.add(symbol.name), ELF64_ST_INFO(binding, symbol.type), symbol.visibility,
                             section, value, symbol.size);
      }
      if (local) locals = count;
    }
    SectionHeader header;
    header.name = names_.add(".symtab");
    header.type = SHT_SYMTAB;
    header.link = static_cast<std::uint32_t>(headers_.size()) + 1;
    header.info = locals;
    header.alignment = 8;
    header.entry_size = kSymbolBytes;
    symbol_table_ = static_cast<std::uint32_t>(headers_.size());
    contents(header, table.text);
    contents(plain(".strtab", SHT_STRTAB), strings.text);
  }

  /// Symbols that relocations name, beside those that have a name outside.
  void need(std::set<std::size_t> symbols) { needed_ = std::move(symbols); }

  void relocations(std::uint32_t section, const std::string& table) {
    SectionHeader header = plain(".rela" + assembly_.sections[section].name, SHT_RELA);
    header.flags = SHF_INFO_LINK;
    header.link = symbol_table_;
    header.info = section + 1;
    header.alignment = 8;
    header.entry_size = 24;
    contents(header, table);
  }

  std::string finish() {
    SectionHeader names = plain(".shstrtab", SHT_STRTAB);
    contents(names, names_.text);
    if (headers_.size() >= SHN_LORESERVE)
      throw UserError(fmt::format("{}: got {} sections, expected fewer than {}", assembly_.file,
                                  headers_.size(), SHN_LORESERVE));
    out.align(8);
    const std::uint64_t offset = out.size();
    for (const SectionHeader& header : headers_) {
      out.number(header.name, 4);
      out.number(header.type, 4);
      out.number(header.flags, 8);
      out.number(header.address, 8);
      out.number(header.offset, 8);
      out.number(header.size, 8);
      out.number(header.link, 4);
      out.number(header.info, 4);
      out.number(header.alignment, 8);
      out.number(header.entry_size, 8);
    }
    Bytes patch;
    patch.number(offset, 8);
    out.text.replace(40, 8, patch.text);
    patch.text.clear();
    patch.number(headers_.size(), 2);
    patch.number(headers_.size() - 1, 2);
    out.text.replace(60, 4, patch.text);
    return std::move(out.text);
  }

  /// Numeric labels and places of "." have no name outside; neither have labels that begin with .L.
  bool internal(const Symbol& symbol) const {
    if (needed_.contains(static_cast<std::size_t>(&symbol - assembly_.symbols.data()))) return false;
    if (symbol.place == Symbol::Place::Undefined) return symbol.name.find(':') != std::string::npos;
    return symbol.name.find(':') != std::string::npos ||
           (symbol.binding == STB_LOCAL && symbol.name.starts_with(".L"));
  }

 private:
  SectionHeader plain(const std::string& name, std::uint32_t type) {
    SectionHeader header;
    header.name = names_.add(name);
    header.type = type;
    header.alignment = 1;
    return header;
  }
  void contents(SectionHeader header, const std::string& text) {
    out.align(header.alignment);
    header.offset = out.size();
    header.size = text.size();
    out.text += text;
    headers_.push_back(header);
  }

  const Assembly& assembly_;
  std::vector<SectionHeader> headers_;
  Strings names_;
  std::uint32_t symbol_table_ = 0;
  std::set<std::size_t> needed_;
};

std::string_view contents_of(const Section& section) {
  return {reinterpret_cast<const char*>(section.bytes.data()), section.bytes.size()};
}

/// A run of sections with the same rights.
struct Segment {
  std::uint32_t flags = 0;
  std::uint64_t begin = 0, file_end = 0, end = 0;
};

}  // namespace

std::string executable(const Assembly& assembly) {
  const Placed placed = place(assembly, kExecutableTextBase);
  const std::vector<Section>& sections = placed.assembly.sections;

  std::uint64_t entry = 0;
  for (const Symbol& symbol : placed.assembly.symbols)
    if (symbol.name == "_start" && symbol.place == Symbol::Place::Section)
      entry = placed.addresses[symbol.section] + symbol.value;
  if (entry == 0)
    throw UserError(
        fmt::format("{}: got no label _start, expected one where the program begins (-c makes an object "
                    "for a linker)",
                    assembly.file));

  std::vector<Segment> segments;
  for (const std::uint32_t rights : {PF_R | PF_X, PF_R | 0, PF_R | PF_W}) {
    Segment segment{rights, 0, 0, 0};
    for (std::size_t i = 0; i < sections.size(); ++i) {
      const Section& section = sections[i];
      if ((section.flags & SHF_ALLOC) == 0 || section.size == 0) continue;
      const bool executed = (section.flags & SHF_EXECINSTR) != 0;
      const bool written = !executed && ((section.flags & SHF_WRITE) != 0 || section.type == SHT_NOBITS);
      if (executed != ((rights & PF_X) != 0) || written != ((rights & PF_W) != 0)) continue;
      const std::uint64_t begin = placed.addresses[i], end = begin + section.size;
      segment.begin = segment.end == 0 ? begin : std::min(segment.begin, begin);
      segment.end = std::max(segment.end, end);
      if (section.type != SHT_NOBITS) segment.file_end = std::max(segment.file_end, end);
    }
    if (segment.end == 0) continue;
    if ((rights & PF_X) != 0) segment.begin = kExecutableBase;  // the headers are loaded too
    segment.file_end = std::max(segment.file_end, segment.begin);
    segments.push_back(segment);
  }

  Writer writer(placed.assembly);
  writer.file_header(ET_EXEC, entry, static_cast<std::uint16_t>(segments.size() + 1));
  Bytes& out = writer.out;
  const auto program_header = [&](std::uint32_t type, std::uint32_t flags, std::uint64_t address,
                                  std::uint64_t file, std::uint64_t memory, std::uint64_t alignment) {
    out.number(type, 4);
    out.number(flags, 4);
    out.number(type == PT_LOAD ? address - kExecutableBase : 0, 8);
    out.number(address, 8);
    out.number(address, 8);
    out.number(file, 8);
    out.number(memory, 8);
    out.number(alignment, 8);
  };
  for (const Segment& segment : segments)
    program_header(PT_LOAD, segment.flags, segment.begin, segment.file_end - segment.begin,
                   segment.end - segment.begin, kSegmentPage);
  program_header(PT_GNU_STACK, PF_R | PF_W, 0, 0, 0, 16);

  // Alignments and gaps make a file longer than its sections.
  constexpr std::uint64_t kMostFileBytes = std::uint64_t{1} << 28, kMostMemoryBytes = std::uint64_t{1} << 32;
  for (const Segment& segment : segments) {
    if (segment.file_end - kExecutableBase > kMostFileBytes)
      throw UserError(fmt::format("{}: got a program file of {} bytes, expected at most {}", assembly.file,
                                  segment.file_end - kExecutableBase, kMostFileBytes));
    if (segment.end - kExecutableBase > kMostMemoryBytes)
      throw UserError(fmt::format("{}: got a program of {} bytes of memory, expected at most {}",
                                  assembly.file, segment.end - kExecutableBase, kMostMemoryBytes));
  }

  // The file is the memory from the base on, so that a place in it is an address.
  for (const Segment& segment : segments) {
    out.pad_to(std::max(segment.begin - kExecutableBase, out.size()));  // zeros alone have a place there, too
    for (std::size_t i = 0; i < sections.size(); ++i) {
      const std::uint64_t address = placed.addresses[i];
      if (sections[i].type == SHT_NOBITS || sections[i].size == 0 || address < segment.begin ||
          address >= segment.end)
        continue;
      out.pad_to(address - kExecutableBase);
      out.text += contents_of(sections[i]);
    }
  }
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const bool loaded = (sections[i].flags & SHF_ALLOC) != 0;
    const std::uint64_t offset =
        loaded ? std::min(placed.addresses[i] - kExecutableBase, out.size()) : out.size();
    writer.add_section(sections[i], placed.addresses[i], offset);
    if (!loaded) out.text += contents_of(sections[i]);
  }
  writer.attributes();
  std::vector<std::uint32_t> number_of;
  writer.symbols(&placed.addresses, false, number_of);
  return writer.finish();
}

std::string object(const Assembly& assembly) {
  Writer writer(assembly);
  writer.file_header(ET_REL, 0, 0);
  for (const Section& section : assembly.sections) {
    writer.out.align(std::min<std::uint64_t>(section.alignment, 16));
    writer.add_section(section, 0, writer.out.size());
    writer.out.text += contents_of(section);
  }
  // Where a linker merges contents, the section and an offset would say which of them is meant; what lies
  // behind a label has to name the label. Where it chooses among sections, a function says which is meant.
  const auto keeps_symbol = [&](const Relocation& relocation) {
    const Symbol& symbol = assembly.symbols[static_cast<std::size_t>(relocation.symbol)];
    return symbol.place != Symbol::Place::Section || symbol.binding != STB_LOCAL ||
           (assembly.sections[symbol.section].flags & SHF_TLS) != 0 ||
           (assembly.sections[symbol.section].grouped && symbol.section != relocation.section &&
            !symbol.name.starts_with(".L") && symbol.name.find(':') == std::string::npos) ||
           ((assembly.sections[symbol.section].flags & SHF_MERGE) != 0 && relocation.number != 0);
  };
  std::set<std::size_t> needed;
  for (const Relocation& relocation : assembly.relocations)
    if (relocation.symbol >= 0 && keeps_symbol(relocation))
      needed.insert(static_cast<std::size_t>(relocation.symbol));
  writer.need(std::move(needed));
  writer.attributes();
  std::vector<std::uint32_t> number_of;
  writer.symbols(nullptr, true, number_of);

  std::vector<Bytes> tables(assembly.sections.size());
  for (const Relocation& relocation : assembly.relocations) {
    if (relocation.type == 0)
      throw UserError(fmt::format("{}:{}:{}: got {}, expected {}: a linker cannot put an address there",
                                  assembly.file, relocation.line, relocation.column, relocation.source,
                                  range_of(relocation.field)));
    std::uint64_t symbol = 0;
    std::int64_t addend = relocation.number;
    if (relocation.symbol >= 0) {
      const auto index = static_cast<std::size_t>(relocation.symbol);
      const Symbol& named = assembly.symbols[index];
      if (!keeps_symbol(relocation)) {
        symbol = named.section + 1;  // the section's symbol
        addend += static_cast<std::int64_t>(named.value);
      } else {
        symbol = number_of[index];
      }
    }
    Bytes& table = tables[relocation.section];
    table.number(relocation.offset, 8);
    // R_SPARC_OLO10 keeps its second addend in the upper 24 bits of the type.
    const auto type = relocation.type | static_cast<std::uint32_t>(relocation.outside) << 8;
    table.number(symbol << 32 | type, 8);
    table.number(static_cast<std::uint64_t>(addend), 8);
  }
  for (std::uint32_t i = 0; i < tables.size(); ++i)
    if (!tables[i].text.empty()) writer.relocations(i, tables[i].text);
  return writer.finish();
}

}  // namespace psim::isa::assembler

// SPDX-License-Identifier: Apache-2.0
// ELF-64 files, big-endian (System V ABI; SPARC Compliance Definition 2.4 for relocations).
#include <fmt/format.h>
#include <gelf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>

#include "base/error.h"
#include "isa/assembler/assembler.h"
#include "isa/assembler/capabilities.h"

namespace psim::isa::assembler {
namespace {

constexpr std::uint64_t kSegmentPage = 8192;

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

/// A file in memory that libelf writes, in the order and at the offsets that we choose.
class ElfFile {
 public:
  ElfFile() : descriptor_(::memfd_create("object", MFD_CLOEXEC)), elf_(nullptr, elf_end) {
    elf_version(EV_CURRENT);
    elf_.reset(elf_begin(descriptor_, ELF_C_WRITE, nullptr));
    if (elf_ == nullptr) fail();
    elf_flagelf(elf_.get(), ELF_C_SET, ELF_F_LAYOUT);
  }
  ~ElfFile() { ::close(descriptor_); }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  Elf* get() const { return elf_.get(); }
  template <class T>
  T* check(T* result) const {
    return result != nullptr ? result : fail();
  }
  void check(int done) const {
    if (done == 0) fail();
  }
  std::string bytes() const {
    const std::int64_t size = elf_update(elf_.get(), ELF_C_WRITE);
    if (size < 0) fail();
    std::string text(static_cast<std::size_t>(size), '\0');
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t got = ::pread(descriptor_, text.data() + at, text.size() - at, static_cast<off_t>(at));
      if (got <= 0) throw std::runtime_error("an object in memory cannot be read");
      at += static_cast<std::size_t>(got);
    }
    return text;
  }

 private:
  [[noreturn]] static std::nullptr_t fail() {
    throw std::runtime_error(fmt::format("libelf: {}", elf_errmsg(-1)));
  }
  int descriptor_;
  std::unique_ptr<Elf, int (*)(Elf*)> elf_;
};

/// The tables that objects and executables share. Section i of the assembly is section i + 1 of the file.
class Writer {
 public:
  std::uint64_t end;  ///< the end of the file so far

  Writer(const Assembly& assembly, std::uint16_t type, std::uint64_t entry, std::uint16_t program_headers)
      : end(kHeaderBytes + std::uint64_t{program_headers} * sizeof(Elf64_Phdr)), assembly_(assembly) {
    file_.check(gelf_newehdr(file_.get(), ELFCLASS64) != nullptr);
    file_.check(gelf_getehdr(file_.get(), &header_));
    header_.e_ident[EI_DATA] = ELFDATA2MSB;
    header_.e_type = type;
    header_.e_machine = EM_SPARCV9;
    header_.e_version = EV_CURRENT;
    header_.e_entry = entry;
    header_.e_flags = EF_SPARCV9_RMO;
    header_.e_phoff = program_headers == 0 ? 0 : kHeaderBytes;
    header_.e_phentsize = program_headers == 0 ? 0 : sizeof(Elf64_Phdr);
    header_.e_phnum = program_headers;
    if (program_headers != 0) file_.check(gelf_newphdr(file_.get(), program_headers) != nullptr);
  }

  void program_header(GElf_Phdr header) { file_.check(gelf_update_phdr(file_.get(), segments_++, &header)); }

  /// Adds a section of the assembly, at `offset` of the file.
  void section(const Section& section, std::uint64_t address, std::uint64_t offset) {
    GElf_Shdr header{};
    header.sh_name = names_.add(section.name);
    header.sh_type = section.type;
    header.sh_flags = section.flags;
    header.sh_addr = address;
    header.sh_addralign = section.alignment;
    header.sh_entsize = section.entry_size;
    add(header, ELF_T_BYTE, section.bytes.data(), section.size, offset);
  }

  /// Adds .gnu.attributes, the capabilities that the instructions need, after the assembly's sections.
  void attributes() {
    const std::string& text = kept_.emplace_back(gnu_attributes(assembly_.capabilities));
    if (!text.empty()) contents(plain(".gnu.attributes", kGnuAttributes), text);
  }

  /// Adds the symbols in the order that ELF requires: local ones first. `number_of`[i] is the number of the
  /// assembly's i.
  void symbols(const std::vector<std::uint64_t>* addresses, bool sections_too,
               std::vector<std::uint32_t>& number_of) {
    Strings strings;
    symbols_.push_back({});
    if (sections_too)
      for (std::uint32_t i = 0; i < assembly_.sections.size(); ++i) {
        Elf64_Sym& own = symbols_.emplace_back();
        own.st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION);
        own.st_shndx = static_cast<std::uint16_t>(i + 1);
      }
    number_of.assign(assembly_.symbols.size(), 0);
    std::size_t locals = 0;
    for (const bool local : {true, false}) {
      for (std::size_t i = 0; i < assembly_.symbols.size(); ++i) {
        const Symbol& symbol = assembly_.symbols[i];
        const bool undefined = symbol.kind == Symbol::Kind::Undefined;
        if ((symbol.binding == STB_LOCAL && !undefined) != local || internal(symbol)) continue;
        const unsigned binding =
            undefined && symbol.binding == STB_LOCAL ? unsigned{STB_GLOBAL} : symbol.binding;
        number_of[i] = static_cast<std::uint32_t>(symbols_.size());
        Elf64_Sym& own = symbols_.emplace_back();
        own.st_name = strings.add(symbol.name);
        own.st_info = static_cast<unsigned char>(ELF64_ST_INFO(binding, symbol.type));
        own.st_other = symbol.visibility;
        own.st_value = symbol.value;
        own.st_size = symbol.size;
        if (symbol.kind == Symbol::Kind::Absolute) own.st_shndx = SHN_ABS;
        if (symbol.kind == Symbol::Kind::Common) own.st_shndx = SHN_COMMON;
        if (symbol.kind == Symbol::Kind::Section) {
          own.st_shndx = static_cast<std::uint16_t>(symbol.section + 1);
          if (addresses != nullptr) own.st_value += (*addresses)[symbol.section];
        }
      }
      if (local) locals = symbols_.size();
    }
    GElf_Shdr header = plain(".symtab", SHT_SYMTAB);
    symbol_table_ = sections_ + 1;
    header.sh_link = symbol_table_ + 1;
    header.sh_info = static_cast<std::uint32_t>(locals);
    header.sh_addralign = 8;
    header.sh_entsize = sizeof(Elf64_Sym);
    add(header, ELF_T_SYM, symbols_.data(), symbols_.size() * sizeof(Elf64_Sym), aligned(8));
    contents(plain(".strtab", SHT_STRTAB), kept_.emplace_back(std::move(strings.text)));
  }

  /// Requests symbols that relocations name, in addition to symbols with an external name.
  void need(std::set<std::size_t> symbols) { needed_ = std::move(symbols); }

  void relocations(std::uint32_t section, const std::vector<Elf64_Rela>& table) {
    GElf_Shdr header = plain(".rela" + assembly_.sections[section].name, SHT_RELA);
    header.sh_flags = SHF_INFO_LINK;
    header.sh_link = symbol_table_;
    header.sh_info = section + 1;
    header.sh_addralign = 8;
    header.sh_entsize = sizeof(Elf64_Rela);
    add(header, ELF_T_RELA, table.data(), table.size() * sizeof(Elf64_Rela), aligned(8));
  }

  std::string finish() {
    const GElf_Shdr names = plain(".shstrtab", SHT_STRTAB);
    contents(names, names_.text);
    if (sections_ + 1 >= SHN_LORESERVE)
      throw UserError(fmt::format("{}: got {} sections, expected fewer than {}", assembly_.file,
                                  sections_ + 1, SHN_LORESERVE));
    header_.e_shstrndx = static_cast<std::uint16_t>(sections_);
    header_.e_shoff = aligned(8);
    file_.check(gelf_update_ehdr(file_.get(), &header_));
    return file_.bytes();
  }

  /// Returns true for numeric labels, positions of "." and labels that begin with .L: they have no external
  /// name.
  bool internal(const Symbol& symbol) const {
    if (needed_.contains(static_cast<std::size_t>(&symbol - assembly_.symbols.data()))) return false;
    if (symbol.kind == Symbol::Kind::Undefined) return symbol.name.find(':') != std::string::npos;
    return symbol.name.find(':') != std::string::npos ||
           (symbol.binding == STB_LOCAL && symbol.name.starts_with(".L"));
  }

  std::uint64_t aligned(std::uint64_t alignment) const {
    return (end + alignment - 1) / alignment * alignment;
  }

 private:
  static constexpr std::uint64_t kHeaderBytes = sizeof(Elf64_Ehdr);

  GElf_Shdr plain(const std::string& name, std::uint32_t type) {
    GElf_Shdr header{};
    header.sh_name = names_.add(name);
    header.sh_type = type;
    header.sh_addralign = 1;
    return header;
  }
  void contents(const GElf_Shdr& header, const std::string& text) {
    add(header, ELF_T_BYTE, text.data(), text.size(), end);
  }
  /// `bytes` must outlive finish().
  void add(GElf_Shdr header, Elf_Type type, const void* bytes, std::uint64_t size, std::uint64_t offset) {
    Elf_Scn* const section = file_.check(elf_newscn(file_.get()));
    ++sections_;
    header.sh_offset = offset;
    header.sh_size = size;
    file_.check(gelf_update_shdr(section, &header));
    if (size != 0) {
      Elf_Data* const data = file_.check(elf_newdata(section));
      data->d_type = type;
      data->d_buf = header.sh_type == SHT_NOBITS ? nullptr : const_cast<void*>(bytes);  // only read
      data->d_size = size;
      data->d_align = 1;
    }
    if (header.sh_type != SHT_NOBITS) end = std::max(end, offset + size);
  }

  const Assembly& assembly_;
  ElfFile file_;
  GElf_Ehdr header_{};
  int segments_ = 0;
  std::uint32_t sections_ = 0;  // the file's number of the last section
  Strings names_;
  std::vector<Elf64_Sym> symbols_;
  std::deque<std::string> kept_;  // contents until the file is written
  std::uint32_t symbol_table_ = 0;
  std::set<std::size_t> needed_;
};

/// A run of sections with the same permissions.
struct Segment {
  std::uint32_t flags = 0;
  std::uint64_t begin = 0, file_end = 0, end = 0;
};

}  // namespace

std::string executable(const Assembly& assembly) {
  const LinkedAssembly linked = link_at(assembly, kExecutableTextBase);
  const std::vector<Section>& sections = linked.assembly.sections;

  std::uint64_t entry = 0;
  for (const Symbol& symbol : linked.assembly.symbols)
    if (symbol.name == "_start" && symbol.kind == Symbol::Kind::Section)
      entry = linked.addresses[symbol.section] + symbol.value;
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
      const std::uint64_t begin = linked.addresses[i], end = begin + section.size;
      segment.begin = segment.end == 0 ? begin : std::min(segment.begin, begin);
      segment.end = std::max(segment.end, end);
      if (section.type != SHT_NOBITS) segment.file_end = std::max(segment.file_end, end);
    }
    if (segment.end == 0) continue;
    if ((rights & PF_X) != 0) segment.begin = kExecutableBase;  // the headers are loaded too
    segment.file_end = std::max(segment.file_end, segment.begin);
    segments.push_back(segment);
  }

  Writer writer(linked.assembly, ET_EXEC, entry, static_cast<std::uint16_t>(segments.size() + 1));
  for (const Segment& segment : segments)
    writer.program_header({.p_type = PT_LOAD,
                           .p_flags = segment.flags,
                           .p_offset = segment.begin - kExecutableBase,
                           .p_vaddr = segment.begin,
                           .p_paddr = segment.begin,
                           .p_filesz = segment.file_end - segment.begin,
                           .p_memsz = segment.end - segment.begin,
                           .p_align = kSegmentPage});
  writer.program_header({.p_type = PT_GNU_STACK,
                         .p_flags = PF_R | PF_W,
                         .p_offset = 0,
                         .p_vaddr = 0,
                         .p_paddr = 0,
                         .p_filesz = 0,
                         .p_memsz = 0,
                         .p_align = 16});

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

  // The file is an image of memory from the base on, so that an offset is an address; zeros alone have an
  // offset, too.
  for (std::size_t i = 0; i < sections.size(); ++i)
    if ((sections[i].flags & SHF_ALLOC) != 0 && sections[i].size != 0 && sections[i].type != SHT_NOBITS)
      writer.end = std::max(writer.end, linked.addresses[i] + sections[i].size - kExecutableBase);
  for (const Segment& segment : segments) writer.end = std::max(writer.end, segment.begin - kExecutableBase);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const bool loaded = (sections[i].flags & SHF_ALLOC) != 0;
    const std::uint64_t offset =
        loaded ? std::min(linked.addresses[i] - kExecutableBase, writer.end) : writer.end;
    writer.section(sections[i], linked.addresses[i], offset);
  }
  writer.attributes();
  std::vector<std::uint32_t> number_of;
  writer.symbols(&linked.addresses, false, number_of);
  return writer.finish();
}

std::string object(const Assembly& assembly) {
  Writer writer(assembly, ET_REL, 0, 0);
  for (const Section& section : assembly.sections) {
    writer.end = writer.aligned(std::min<std::uint64_t>(section.alignment, 16));
    writer.section(section, 0, writer.end);
  }
  // If a linker merges the contents of a section, a section and an offset are ambiguous: the relocation must
  // name the label. If a linker chooses among sections, a function name is needed.
  const auto keeps_symbol = [&](const Relocation& relocation) {
    const Symbol& symbol = assembly.symbols[static_cast<std::size_t>(relocation.symbol)];
    return symbol.kind != Symbol::Kind::Section || symbol.binding != STB_LOCAL ||
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

  std::vector<std::vector<Elf64_Rela>> tables(assembly.sections.size());
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
    // R_SPARC_OLO10 keeps its second addend in the upper 24 bits of the type.
    const auto type = relocation.type | static_cast<std::uint32_t>(relocation.outside) << 8;
    tables[relocation.section].push_back({relocation.offset, symbol << 32 | type, addend});
  }
  for (std::uint32_t i = 0; i < tables.size(); ++i)
    if (!tables[i].empty()) writer.relocations(i, tables[i]);
  return writer.finish();
}

}  // namespace psim::isa::assembler

// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/object_file.h"

#include <fmt/format.h>
#include <gelf.h>

#include <memory>

#include "base/error.h"
#include "base/read_file.h"

namespace psim::isa {
namespace {

class Reader {
 public:
  Reader(const std::string& path, ObjectFile& file) : path_(path), file_(file), elf_(nullptr, elf_end) {}

  void run() {
    elf_version(EV_CURRENT);
    elf_.reset(elf_memory(reinterpret_cast<char*>(file_.bytes.data()), file_.bytes.size()));
    GElf_Ehdr header;
    if (elf_ == nullptr || elf_kind(elf_.get()) != ELF_K_ELF || gelf_getehdr(elf_.get(), &header) == nullptr)
      refuse("not an ELF file");
    if (gelf_getclass(elf_.get()) != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2MSB ||
        header.e_machine != EM_SPARCV9)
      refuse("expected a 64-bit big-endian SPARC-V9 ELF file");
    file_.relocatable = header.e_type == ET_REL;
    read_sections();
    for (std::size_t i = 0; i < headers_.size(); ++i)
      if (headers_[i].sh_type == SHT_SYMTAB) read_symbols(i);
    for (std::size_t i = 0; i < headers_.size(); ++i)
      if (headers_[i].sh_type == SHT_RELA && file_.relocatable) read_relocations(i);
  }

 private:
  [[noreturn]] void refuse(std::string_view text) const {
    throw UserError(fmt::format("{}: {}", path_, text));
  }

  /// Returns a string of the table in section `table`.
  std::string text(std::size_t table, std::size_t at) const {
    const char* const found = elf_strptr(elf_.get(), table, at);
    if (found == nullptr) refuse("a name lies outside its table");
    return found;
  }
  /// Returns the section's entries, as libelf reads them.
  Elf_Data* entries(std::size_t section) const {
    Elf_Data* const data = elf_getdata(elf_getscn(elf_.get(), section), nullptr);
    if (data == nullptr && headers_[section].sh_size != 0)
      refuse(fmt::format("section {} cannot be read: {}", section, elf_errmsg(-1)));
    return data;
  }
  const GElf_Shdr& linked(std::uint64_t index) const {
    if (index >= headers_.size()) refuse("a section refers to one that is not there");
    return headers_[index];
  }

  void read_sections() {
    std::size_t names = 0, count = 0;
    if (elf_getshdrnum(elf_.get(), &count) != 0)
      refuse("truncated: the section headers lie outside the file");
    if (count == 0) refuse("no section headers: give --start and --stop, or a file with sections");
    for (std::size_t i = 0; i < count; ++i)
      if (gelf_getshdr(elf_getscn(elf_.get(), i), &headers_.emplace_back()) == nullptr) refuse("truncated");
    if (elf_getshdrstrndx(elf_.get(), &names) != 0) refuse("a section refers to one that is not there");
    linked(names);
    for (const GElf_Shdr& header : headers_) {
      ObjectFile::Section& section = file_.sections.emplace_back();
      section.name = text(names, header.sh_name);
      section.address = header.sh_addr;
      section.flags = header.sh_flags;
      if (header.sh_type == SHT_NOBITS || header.sh_type == SHT_NULL) continue;
      if (header.sh_offset > file_.bytes.size() || header.sh_size > file_.bytes.size() - header.sh_offset)
        refuse("truncated: a section lies outside the file");
      section.bytes = std::span(file_.bytes).subspan(header.sh_offset, header.sh_size);
    }
  }

  void read_symbols(std::size_t table) {
    const GElf_Shdr& header = headers_[table];
    Elf_Data* const data = entries(table);
    GElf_Sym symbol;
    for (int i = 0; data != nullptr && gelf_getsym(data, i, &symbol) != nullptr; ++i) {
      const unsigned type = GELF_ST_TYPE(symbol.st_info);
      const bool has_address = type == STT_FUNC || type == STT_OBJECT || type == STT_NOTYPE;
      if (!has_address || symbol.st_name == 0 || symbol.st_shndx == SHN_UNDEF ||
          symbol.st_shndx >= headers_.size())
        continue;
      file_.symbols.push_back({text(header.sh_link, symbol.st_name), symbol.st_value, symbol.st_shndx});
    }
  }

  void read_relocations(std::size_t table) {
    const GElf_Shdr& header = headers_[table];
    const GElf_Shdr& symbols = linked(header.sh_link);
    linked(header.sh_info);
    Elf_Data* const data = entries(table);
    Elf_Data* const names = entries(header.sh_link);
    GElf_Rela entry;
    for (int i = 0; data != nullptr && gelf_getrela(data, i, &entry) != nullptr; ++i) {
      ObjectFile::Relocation relocation;
      relocation.section = header.sh_info;
      relocation.offset = entry.r_offset;
      relocation.type = GELF_R_TYPE(entry.r_info) & 0xff;
      relocation.addend = entry.r_addend;
      GElf_Sym symbol;
      if (names == nullptr ||
          gelf_getsym(names, static_cast<int>(GELF_R_SYM(entry.r_info)), &symbol) == nullptr)
        refuse("a relocation refers to a symbol that is not there");
      if (symbol.st_name != 0)
        relocation.symbol = text(symbols.sh_link, symbol.st_name);
      else if (symbol.st_shndx < file_.sections.size())
        relocation.symbol = file_.sections[symbol.st_shndx].name;
      file_.relocations.push_back(std::move(relocation));
    }
  }

  const std::string& path_;
  ObjectFile& file_;
  std::unique_ptr<Elf, int (*)(Elf*)> elf_;
  std::vector<GElf_Shdr> headers_;
};

}  // namespace

ObjectFile parse_object_file(const std::string& path, std::vector<std::uint8_t> bytes) {
  ObjectFile file;
  file.bytes = std::move(bytes);
  Reader(path, file).run();
  return file;
}

ObjectFile read_object_file(const std::string& path) {
  const FileBytes file = read_regular_file(path);
  if (!file.problem.empty()) throw UserError(fmt::format("{}: cannot be read: {}", path, file.problem));
  return parse_object_file(path, {file.bytes.begin(), file.bytes.end()});
}

}  // namespace psim::isa

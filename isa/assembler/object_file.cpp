// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/object_file.h"

#include <elf.h>
#include <fmt/format.h>

#include <cstring>

#include "base/error.h"
#include "base/read_file.h"

namespace psim::isa {
namespace {

struct Header {
  std::uint64_t name, type, flags, address, offset, size, link, info, entry_size;
};

class Reader {
 public:
  Reader(const std::string& path, ObjectFile& file) : path_(path), file_(file), bytes_(file.bytes) {}

  void run() {
    if (bytes_.size() < 64 || std::memcmp(bytes_.data(), "\177ELF", 4) != 0) refuse("not an ELF file");
    if (bytes_[EI_CLASS] != ELFCLASS64 || bytes_[EI_DATA] != ELFDATA2MSB || number(18, 2) != EM_SPARCV9)
      refuse("expected a 64-bit big-endian SPARC-V9 ELF file");
    file_.relocatable = number(16, 2) == ET_REL;
    read_headers();
    read_sections();
    for (const Header& header : headers_)
      if (header.type == SHT_SYMTAB) read_symbols(header);
    for (const Header& header : headers_)
      if (header.type == SHT_RELA && file_.relocatable) read_relocations(header);
  }

 private:
  [[noreturn]] void refuse(std::string_view text) const {
    throw UserError(fmt::format("{}: {}", path_, text));
  }

  std::uint64_t number(std::uint64_t offset, unsigned bytes) const {
    if (offset > bytes_.size() || bytes > bytes_.size() - offset) refuse("truncated");
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value = value << 8 | bytes_[offset + i];
    return value;
  }
  std::span<const std::uint8_t> part(std::uint64_t offset, std::uint64_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset)
      refuse("truncated: a section lies outside the file");
    return std::span(bytes_).subspan(offset, size);
  }
  std::string text(std::span<const std::uint8_t> strings, std::uint64_t at) const {
    if (at >= strings.size()) refuse("a name lies outside its table");
    const auto* begin = reinterpret_cast<const char*>(strings.data()) + at;
    return {begin, strnlen(begin, strings.size() - at)};
  }
  const Header& linked(std::uint64_t index) const {
    if (index >= headers_.size()) refuse("a section refers to one that is not there");
    return headers_[index];
  }

  void read_headers() {
    const std::uint64_t offset = number(40, 8), size = number(58, 2), count = number(60, 2);
    if (count == 0 || offset == 0)
      refuse("no section headers: give --start and --stop, or a file with sections");
    if (size != 64) refuse(fmt::format("section headers of {} bytes, expected 64", size));
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t at = offset + 64 * i;
      if (at < offset) refuse("truncated");
      headers_.push_back({number(at, 4), number(at + 4, 4), number(at + 8, 8), number(at + 16, 8),
                          number(at + 24, 8), number(at + 32, 8), number(at + 40, 4), number(at + 44, 4),
                          number(at + 56, 8)});
    }
  }

  void read_sections() {
    const Header& names = linked(number(62, 2));
    const auto strings = part(names.offset, names.size);
    for (const Header& header : headers_) {
      ObjectFile::Section& section = file_.sections.emplace_back();
      section.name = text(strings, header.name);
      section.address = header.address;
      section.flags = header.flags;
      if (header.type != SHT_NOBITS && header.type != SHT_NULL)
        section.bytes = part(header.offset, header.size);
    }
  }

  struct Entry {
    std::uint64_t name, info, section, value;
  };
  Entry symbol(std::span<const std::uint8_t> table, std::uint64_t index) const {
    const std::uint64_t at = static_cast<std::uint64_t>(table.data() - bytes_.data()) + 24 * index;
    return {number(at, 4), number(at + 4, 1), number(at + 6, 2), number(at + 8, 8)};
  }

  void read_symbols(const Header& header) {
    const auto table = part(header.offset, header.size);
    const Header& names = linked(header.link);
    const auto strings = part(names.offset, names.size);
    for (std::uint64_t i = 0; i < table.size() / 24; ++i) {
      const Entry entry = symbol(table, i);
      const unsigned type = ELF64_ST_TYPE(entry.info);
      const bool place = type == STT_FUNC || type == STT_OBJECT || type == STT_NOTYPE;
      if (!place || entry.name == 0 || entry.section == SHN_UNDEF || entry.section >= headers_.size())
        continue;
      file_.symbols.push_back(
          {text(strings, entry.name), entry.value, static_cast<std::uint32_t>(entry.section)});
    }
  }

  void read_relocations(const Header& header) {
    const Header& symbols = linked(header.link);
    const auto table = part(header.offset, header.size), names = part(symbols.offset, symbols.size);
    const Header& string_table = linked(symbols.link);
    const auto strings = part(string_table.offset, string_table.size);
    linked(header.info);
    const std::uint64_t base = header.offset;
    for (std::uint64_t i = 0; i < table.size() / 24; ++i) {
      const std::uint64_t info = number(base + 24 * i + 8, 8), index = info >> 32;
      ObjectFile::Relocation relocation;
      relocation.section = static_cast<std::uint32_t>(header.info);
      relocation.offset = number(base + 24 * i, 8);
      relocation.type = info & 0xff;
      relocation.addend = static_cast<std::int64_t>(number(base + 24 * i + 16, 8));
      if (index >= names.size() / 24) refuse("a relocation refers to a symbol that is not there");
      const Entry entry = symbol(names, index);
      if (entry.name != 0)
        relocation.symbol = text(strings, entry.name);
      else if (entry.section < file_.sections.size())
        relocation.symbol = file_.sections[entry.section].name;
      file_.relocations.push_back(std::move(relocation));
    }
  }

  const std::string& path_;
  ObjectFile& file_;
  const std::vector<std::uint8_t>& bytes_;
  std::vector<Header> headers_;
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

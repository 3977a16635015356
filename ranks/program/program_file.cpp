// SPDX-License-Identifier: Apache-2.0
#include "ranks/program/program_file.h"

#include <elf.h>

#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/read_file.h"

namespace psim::net {

namespace {

constexpr std::uint64_t kSegmentPage = 4'096;
// A tag that the loader ignores.
constexpr Elf64_Sxword kHidden = 0x60501000;

constexpr std::uint64_t down(std::uint64_t address) { return address / kSegmentPage * kSegmentPage; }
constexpr std::uint64_t up(std::uint64_t address) { return down(address + kSegmentPage - 1); }

std::vector<std::byte> read_all(const std::string& path) {
  const auto [text, problem] = read_regular_file(path);
  if (!problem.empty()) throw UserError(path + ": " + problem);
  if (text.empty()) throw UserError(path + ": is empty; expected a program");
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

}  // namespace

template <typename T>
T ProgramFile::get(std::uint64_t offset) const {
  T value{};
  if (offset <= bytes_.size() && sizeof value <= bytes_.size() - offset)
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
  return value;
}

template <typename T>
void ProgramFile::put(std::uint64_t offset, const T& value) {
  std::memcpy(bytes_.data() + offset, &value, sizeof value);
}

ProgramFile::ProgramFile(std::string path) : path_(std::move(path)), bytes_(read_all(path_)) {
  auto header = get<Elf64_Ehdr>(0);
  const std::string how = "link it with psim-cc, psim-cxx or psim-f90";
  if (std::memcmp(bytes_.data(), "#!", std::min<std::size_t>(2, bytes_.size())) == 0)
    throw UserError(
        path_ +
        ": a script; if it starts a program linked by psim-cc, psim-cxx or psim-f90, start it with "
        "PSIM_RANKS=N in the environment");
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    throw UserError(path_ + ": not a program (no ELF file); " + how);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64)
    throw UserError(path_ + ": a program for another processor; ranks run on this machine's x86-64");
  if (header.e_type != ET_DYN || header.e_phentsize != sizeof(Elf64_Phdr))
    throw UserError(path_ + ": not linked by psim-cc, psim-cxx or psim-f90");
  if (header.e_phoff + std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr) > bytes_.size())
    throw UserError(path_ + ": truncated");
  Range relro, dynamic;
  whole_.begin = ~std::uint64_t{0};
  std::uint64_t loaded = header.e_phoff + std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr);
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment = get<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
    if (segment.p_type != PT_NULL && segment.p_type != PT_GNU_STACK &&
        (segment.p_offset > bytes_.size() || segment.p_filesz > bytes_.size() - segment.p_offset))
      throw UserError(path_ + ": truncated");
    const Range range{segment.p_vaddr, segment.p_vaddr + segment.p_memsz};
    if (segment.p_type == PT_LOAD) {
      whole_ = {std::min(whole_.begin, down(range.begin)), std::max(whole_.end, up(range.end))};
      loaded = std::max(loaded, segment.p_offset + segment.p_filesz);
      if (!(segment.p_flags & PF_W))
        fixed_.push_back({.address = down(segment.p_vaddr),
                          .offset = down(segment.p_offset),
                          .size = up(segment.p_vaddr + segment.p_filesz) - down(segment.p_vaddr),
                          .code = (segment.p_flags & PF_X) != 0,
                          .alone = {}});
      if (segment.p_flags & PF_W) {
        writable_ = {down(range.begin), up(range.end)};
        variables_end_ = range.end;
        initialised_bytes_ = segment.p_filesz;
        initialised_end_ = up(range.begin + segment.p_filesz);
        values_ = {range.begin, segment.p_offset, segment.p_filesz};
      }
    } else if (segment.p_type == PT_GNU_RELRO) {
      relro = range;
    } else if (segment.p_type == PT_TLS) {
      thread_local_bytes_ = segment.p_memsz;
      thread_local_values_ = {segment.p_vaddr, segment.p_vaddr + segment.p_filesz};
    } else if (segment.p_type == PT_DYNAMIC) {
      dynamic = {segment.p_offset, segment.p_offset + segment.p_filesz};
    }
  }
  // The loader write-protects whole pages only.
  if (relro.size()) writable_.begin = std::min(down(relro.end), writable_.end);
  if (const std::uint64_t end = down(values_.address + values_.size); end > writable_.begin)
    values_ = {writable_.begin, values_.offset + (writable_.begin - values_.address), end - writable_.begin};
  else
    values_ = {};
  take_dynamic(dynamic.begin, dynamic.size());
  if (loaded < sizeof header) throw UserError(path_ + ": truncated");
  bytes_.resize(loaded);
  find_pages_alone();
  header.e_shoff = 0;
  header.e_shnum = header.e_shstrndx = 0;
  put(0, header);
}

void ProgramFile::find_pages_alone() {
  const auto header = get<Elf64_Ehdr>(0);
  for (Fixed& fixed : fixed_) {
    fixed.alone = {fixed.offset, fixed.offset + fixed.size};
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      const auto segment = get<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
      if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_W)) continue;
      const Range pages{down(segment.p_offset), up(segment.p_offset + segment.p_filesz)};
      if (pages.end <= fixed.alone.begin || pages.begin >= fixed.alone.end) continue;
      if (pages.begin > fixed.alone.begin)
        fixed.alone.end = pages.begin;
      else
        fixed.alone.begin = std::min(pages.end, fixed.alone.end);
    }
  }
}

std::optional<ProgramFile::Guard> ProgramFile::guard() const {
  const auto header = get<Elf64_Ehdr>(0);
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const std::uint64_t at = header.e_phoff + i * sizeof(Elf64_Phdr);
    const auto segment = get<Elf64_Phdr>(at);
    const bool last = up(segment.p_vaddr + segment.p_memsz) == whole_.end;
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) && last)
      return Guard{whole_.end, at + offsetof(Elf64_Phdr, p_memsz),
                   whole_.end + Guard::kBytes - segment.p_vaddr};
  }
  return {};
}

std::uint64_t ProgramFile::file_offset(std::uint64_t address) const {
  const auto header = get<Elf64_Ehdr>(0);
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment = get<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz)
      return segment.p_offset + (address - segment.p_vaddr);
  }
  throw UserError(path_ + ": damaged: a table for the loader lies outside of the file");
}

std::string ProgramFile::text_at(std::uint64_t address) const {
  const std::uint64_t offset = file_offset(address);
  const auto* from = reinterpret_cast<const char*>(bytes_.data() + offset);
  return {from, ::strnlen(from, bytes_.size() - offset)};
}

void ProgramFile::take_dynamic(std::uint64_t offset, std::uint64_t size) {
  std::uint64_t early = 0, late = 0;
  bool relocates_code = false;
  for (std::uint64_t at = offset; at + sizeof(Elf64_Dyn) <= offset + size; at += sizeof(Elf64_Dyn)) {
    auto entry = get<Elf64_Dyn>(at);
    if (entry.d_tag == DT_NULL) break;
    switch (entry.d_tag) {
      case DT_INIT:
        early_constructor_ = entry.d_un.d_ptr;
        break;
      case DT_INIT_ARRAY:
        constructors_.end += entry.d_un.d_ptr;
        constructors_.begin = entry.d_un.d_ptr;
        break;
      case DT_INIT_ARRAYSZ:
        constructors_.end += entry.d_un.d_val;
        break;
      case DT_FINI_ARRAY:
        destructors_.end += entry.d_un.d_ptr;
        destructors_.begin = entry.d_un.d_ptr;
        break;
      case DT_FINI_ARRAYSZ:
        destructors_.end += entry.d_un.d_val;
        break;
      case DT_FINI:
        break;
      case DT_TEXTREL:
        relocates_code = true;
        continue;
      case DT_FLAGS:
        relocates_code |= (entry.d_un.d_val & DF_TEXTREL) != 0;
        continue;
      case DT_FLAGS_1:
        if (entry.d_un.d_val & DF_1_PIE)
          throw UserError(
              path_ +
              ": an ordinary executable; link it with psim-cc, psim-cxx or psim-f90 (in CMake, as "
              "CMAKE_C_COMPILER and so on)");
        continue;
      case DT_NEEDED:
        needed_.push_back({"", at});
        continue;
      case DT_STRTAB:
        names_ = entry.d_un.d_ptr;
        continue;
      case DT_VERNEED:
        versions_ = entry.d_un.d_ptr;
        continue;
      case DT_RPATH:
        early = entry.d_un.d_val;
        continue;
      case DT_RUNPATH:
        late = entry.d_un.d_val;
        continue;
      default:
        continue;
    }
    entry.d_tag = kHidden;
    put(at, entry);
  }
  if (relocates_code) fixed_.clear();
  for (Needed& library : needed_) library.name = text_at(names_ + get<Elf64_Dyn>(library.entry).d_un.d_val);
  if (late != 0)
    late_folders_ = text_at(names_ + late);  // DT_RPATH has no effect then
  else if (early != 0)
    early_folders_ = text_at(names_ + early);
}

// Entries of symbol versions refer to the library's name.
void ProgramFile::rename_versions(const std::string& name, std::uint64_t distance) {
  if (versions_ == 0) return;
  for (std::uint64_t at = file_offset(versions_);;) {
    auto library = get<Elf64_Verneed>(at);
    if (text_at(names_ + library.vn_file) == name) {
      library.vn_file = static_cast<Elf64_Word>(distance);
      put(at, library);
      return;
    }
    if (library.vn_next == 0) return;
    at += library.vn_next;
  }
}

std::vector<std::uint64_t> ProgramFile::rename(std::span<const std::size_t> which) {
  std::vector<std::uint64_t> offsets;
  if (which.empty()) return offsets;
  const auto header = get<Elf64_Ehdr>(0);
  std::uint64_t note = 0;  // after all loaded segments: the loader requires ascending addresses
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const std::uint64_t at = header.e_phoff + i * sizeof(Elf64_Phdr);
    const auto type = get<Elf64_Phdr>(at).p_type;
    if (type == PT_LOAD) note = 0;
    if (type == PT_NOTE) note = at;
  }
  if (note == 0)
    throw UserError(path_ +
                    ": has no note section (such as a build id) to replace by the names of the "
                    "libraries that each rank has for itself; link it with -Wl,--build-id");
  // The loader takes names as offsets from the first one, also in a segment after all others.
  const std::uint64_t offset = up(bytes_.size());
  Elf64_Phdr segment{};
  segment.p_type = PT_LOAD;
  segment.p_flags = PF_R;
  segment.p_offset = offset;
  segment.p_vaddr = segment.p_paddr = whole_.end;
  segment.p_filesz = segment.p_memsz = which.size() * kNameRoom;
  segment.p_align = kSegmentPage;
  bytes_.resize(offset + segment.p_filesz);
  put(note, segment);
  for (std::size_t i = 0; i < which.size(); ++i) {
    const std::uint64_t entry_at = needed_.at(which[i]).entry;
    auto entry = get<Elf64_Dyn>(entry_at);
    entry.d_un.d_val = whole_.end + i * kNameRoom - names_;
    put(entry_at, entry);
    rename_versions(needed_[which[i]].name, entry.d_un.d_val);
    offsets.push_back(offset + i * kNameRoom);
  }
  whole_.end += up(segment.p_memsz);
  return offsets;
}

}  // namespace psim::net

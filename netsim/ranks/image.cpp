// SPDX-License-Identifier: Apache-2.0
#include "netsim/ranks/image.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "base/error.h"
#include "netsim/ranks/program_start.h"

namespace psim::net {

namespace {

constexpr std::uint64_t kPage = 4'096;
// Any tag the loader does not know.
constexpr Elf64_Sxword kHidden = 0x60501000;

constexpr std::uint64_t down(std::uint64_t address) { return address / kPage * kPage; }
constexpr std::uint64_t up(std::uint64_t address) { return down(address + kPage - 1); }

std::vector<std::byte> read_all(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw UserError(path + ": " + std::strerror(errno));
  std::vector<std::byte> bytes;
  char block[65'536];
  while (in.read(block, sizeof block), in.gcount() > 0) {
    const auto* from = reinterpret_cast<const std::byte*>(block);
    bytes.insert(bytes.end(), from, from + in.gcount());
  }
  if (in.bad() || bytes.empty()) throw UserError(path + ": cannot be read, or is empty");
  return bytes;
}

}  // namespace

ProgramFile::ProgramFile(std::string path) : path_(std::move(path)), bytes_(read_all(path_)) {
  Elf64_Ehdr header{};
  std::memcpy(&header, bytes_.data(), std::min(sizeof header, bytes_.size()));
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    throw UserError(path_ + ": not a program (no ELF file); link it with psim-cc, psim-cxx or psim-f90");
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64)
    throw UserError(path_ + ": a program for another processor; ranks run on this machine's x86-64");
  if (header.e_type != ET_DYN || header.e_phentsize != sizeof(Elf64_Phdr))
    throw UserError(path_ + ": not linked by psim-cc, psim-cxx or psim-f90");
  if (header.e_phoff + std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr) > bytes_.size())
    throw UserError(path_ + ": truncated");
  Range relro;
  whole_.begin = ~std::uint64_t{0};
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, bytes_.data() + header.e_phoff + i * sizeof segment, sizeof segment);
    if (segment.p_type != PT_NULL && segment.p_type != PT_GNU_STACK &&
        (segment.p_offset > bytes_.size() || segment.p_filesz > bytes_.size() - segment.p_offset))
      throw UserError(path_ + ": truncated");
    const Range range{segment.p_vaddr, segment.p_vaddr + segment.p_memsz};
    if (segment.p_type == PT_LOAD) {
      whole_ = {std::min(whole_.begin, down(range.begin)), std::max(whole_.end, up(range.end))};
      if (segment.p_flags & PF_W) {
        writable_ = {down(range.begin), up(range.end)};
        variables_end_ = range.end;
      }
    } else if (segment.p_type == PT_GNU_RELRO) {
      relro = range;
    } else if (segment.p_type == PT_TLS) {
      thread_local_bytes_ = segment.p_memsz;
    } else if (segment.p_type == PT_DYNAMIC) {
      take_dynamic(segment.p_offset, segment.p_filesz);
    }
  }
  // The loader seals whole pages only.
  if (relro.size()) writable_.begin = std::min(down(relro.end), writable_.end);
}

void ProgramFile::take_dynamic(std::uint64_t offset, std::uint64_t size) {
  for (std::uint64_t at = offset; at + sizeof(Elf64_Dyn) <= offset + size; at += sizeof(Elf64_Dyn)) {
    Elf64_Dyn entry;
    std::memcpy(&entry, bytes_.data() + at, sizeof entry);
    if (entry.d_tag == DT_NULL) return;
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
      case DT_FLAGS_1:
        if (entry.d_un.d_val & DF_1_PIE)
          throw UserError(
              path_ +
              ": an ordinary executable; link it with psim-cc, psim-cxx or psim-f90 (in CMake, as "
              "CMAKE_C_COMPILER and so on)");
        continue;
      case DT_FINI:
      case DT_FINI_ARRAY:
      case DT_FINI_ARRAYSZ:
        break;
      default:
        continue;
    }
    entry.d_tag = kHidden;
    std::memcpy(bytes_.data() + at, &entry, sizeof entry);
  }
}

Image::Image(const ProgramFile& file) : file_(&file) {
  // Each copy is a file of its own: the loader knows files by device and number, and by name, so that the
  // descriptor stays open as long as the copy is loaded.
  descriptor_ = ::memfd_create("psim-program", MFD_CLOEXEC);
  const auto bytes = file.bytes();
  std::size_t written = 0;
  while (descriptor_ >= 0 && written < bytes.size()) {
    const ssize_t n = ::write(descriptor_, bytes.data() + written, bytes.size() - written);
    if (n <= 0) break;
    written += static_cast<std::size_t>(n);
  }
  if (written < bytes.size()) {
    const std::string why = std::strerror(errno);
    if (descriptor_ >= 0) ::close(descriptor_);
    throw UserError(file.path() + ": cannot be copied into memory: " + why);
  }
  const std::string name = "/proc/self/fd/" + std::to_string(descriptor_);
  handle_ = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle_) {
    std::string why = ::dlerror();
    for (std::size_t at; (at = why.find(name)) != std::string::npos;)
      why.replace(at, name.size(), file.path());
    ::close(descriptor_);
    if (why.find(file.path()) == std::string::npos) why = file.path() + ": " + why;
    throw UserError(why);
  }
  link_map* map = nullptr;
  ::dlinfo(handle_, RTLD_DI_LINKMAP, &map);
  base_ = reinterpret_cast<std::byte*>(map->l_addr);
  const auto* start = static_cast<const psim_program_description*>(::dlsym(handle_, "psim_program"));
  std::string problem;
  if (!start || std::memcmp(start->magic, PSIM_PROGRAM_MAGIC, sizeof start->magic) != 0)
    problem = "not linked by psim-cc, psim-cxx or psim-f90 (no psim_program in it)";
  else if (start->version != PSIM_PROGRAM_VERSION)
    problem = "linked by the wrappers of another version of psim (program interface " +
              std::to_string(start->version) + ", this psim has " + std::to_string(PSIM_PROGRAM_VERSION) +
              "); link it again";
  if (!problem.empty()) {
    ::dlclose(handle_);
    ::close(descriptor_);
    throw UserError(file.path() + ": " + problem);
  }
  entry_ = start->entry;
}

Image::Image(Image&& other) noexcept
    : file_(other.file_),
      handle_(std::exchange(other.handle_, nullptr)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      base_(other.base_),
      entry_(other.entry_) {}

Image::~Image() {
  if (handle_) ::dlclose(handle_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

void* Image::symbol(const char* name) const { return ::dlsym(handle_, name); }

std::byte* Image::thread_locals() const {
  if (file_->thread_local_bytes() == 0) return nullptr;
  // dlinfo knows a block only once it was touched, which __tls_get_addr does.
  std::size_t module = 0;
  if (::dlinfo(handle_, RTLD_DI_TLS_MODID, &module) != 0) return nullptr;
  struct Index {
    unsigned long module, offset;
  } index{module, 0};
  using Get = void* (*)(Index*);
  static const auto get = reinterpret_cast<Get>(::dlsym(RTLD_DEFAULT, "__tls_get_addr"));
  return static_cast<std::byte*>(get(&index));
}

void Image::construct(int argc, char** argv, char** environment) const {
  using Constructor = void (*)(int, char**, char**);
  if (file_->early_constructor())
    reinterpret_cast<Constructor>(at(file_->early_constructor()))(argc, argv, environment);
  const auto list = file_->constructors();
  for (std::uint64_t place = list.begin; place < list.end; place += sizeof(void*)) {
    std::uintptr_t function;
    std::memcpy(&function, at(place), sizeof function);
    if (function != 0 && ~function != 0) reinterpret_cast<Constructor>(function)(argc, argv, environment);
  }
}

}  // namespace psim::net

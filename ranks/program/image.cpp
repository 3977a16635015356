// SPDX-License-Identifier: Apache-2.0
#include "ranks/program/image.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include "base/error.h"
#include "ranks/program/fortran_calls.h"
#include "ranks/program/program_start.h"

namespace psim::net {

namespace {

// Each copy is a file of its own, because the loader identifies files by device and number, and by name. The
// descriptor stays open while the copy is loaded.
constexpr std::string_view kNames = "/proc/self/fd/";
std::string name_of(int descriptor) { return std::string(kNames) + std::to_string(descriptor); }

bool write_at(int descriptor, std::span<const std::byte> bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
  return true;
}

using Function = void (*)(int, char**, char**);

Function function_at(const std::byte* offset) {
  std::uintptr_t function;
  std::memcpy(&function, offset, sizeof function);
  return ~function == 0 ? nullptr : reinterpret_cast<Function>(function);
}

}  // namespace

Image::Image(const Program& program, bool guarded, bool first)
    : program_(&program), parts_(program.parts().size()) {
  try {
    load(guarded, first);
  } catch (...) {
    unload();
    throw;
  }
}

bool Image::write_file(std::size_t part, bool guarded) const {
  const int descriptor = parts_[part].descriptor;
  const auto& [file, links] = program_->parts()[part];
  bool good = write_at(descriptor, file.bytes(), 0);
  for (const Program::Link& link : links) {
    const std::string name = name_of(parts_[link.part].descriptor);
    good = good && write_at(descriptor, std::as_bytes(std::span(name.c_str(), name.size() + 1)), link.offset);
  }
  if (const auto guard = file.guard(); guard && guarded)
    good = good && write_at(descriptor, std::as_bytes(std::span(&guard->size, 1)), guard->offset);
  return good;
}

void Image::load(bool guarded, bool first) {
  const auto& parts = program_->parts();
  const auto fail = [](const ProgramFile& file) {
    throw UserError(file.path() + ": cannot be copied into memory: " + std::strerror(errno));
  };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts_[i].descriptor = ::memfd_create("psim-program", MFD_CLOEXEC);
    if (parts_[i].descriptor < 0) fail(parts[i].file);
  }
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!write_file(i, guarded)) fail(parts[i].file);
  // They stay loaded, and the loader recognises them by their names. An error is reported with the program's.
  if (first)
    for (const std::string& library : program_->shared()) ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  const std::string name = name_of(parts_[0].descriptor);
  handle_ = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ && first && redirect_fortran_calls()) {  // its own calls, too
    ::dlclose(handle_);
    handle_ = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (!handle_) {
    std::string why = ::dlerror();
    for (std::size_t i = parts.size(); i-- > 0;) {
      const std::string copy = name_of(parts_[i].descriptor);
      for (std::size_t at; (at = why.find(copy + ":")) != std::string::npos;)
        why.replace(at, copy.size(), parts[i].file.path());
    }
    if (why.find(program_->path()) == std::string::npos) why = program_->path() + ": " + why;
    throw UserError(why);
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    // A look-up by name takes time in proportion to the number of images.
    void* handle = i == 0 ? handle_ : ::dlopen(name_of(parts_[i].descriptor).c_str(), RTLD_NOW | RTLD_NOLOAD);
    link_map* map = nullptr;
    ::dlinfo(handle, RTLD_DI_LINKMAP, &map);
    parts_[i].base = reinterpret_cast<std::byte*>(map->l_addr);
    if (i != 0) ::dlclose(handle);
  }
  if (guarded) guard();
  const auto* start = static_cast<const psim_program_description*>(::dlsym(handle_, "psim_program"));
  std::string problem;
  if (!start || std::memcmp(start->magic, PSIM_PROGRAM_MAGIC, sizeof start->magic) != 0)
    problem = "not linked by psim-cc, psim-cxx or psim-f90 (no psim_program in it)";
  else if (start->version != PSIM_PROGRAM_VERSION)
    problem = "linked by the wrappers of another version of psim (program interface " +
              std::to_string(start->version) + ", this psim has " + std::to_string(PSIM_PROGRAM_VERSION) +
              "); link it again";
  if (!problem.empty()) throw UserError(program_->path() + ": " + problem);
  entry_ = start->entry;
}

/// Redirects calls of gfortran's library, unless that is a part of the program. Returns false if that has
/// been done before, or the program does not use it.
bool Image::redirect_fortran_calls() const {
  const void* const function = symbol("_gfortran_st_write");
  Dl_info object{};
  if (function == nullptr || ::dladdr(function, &object) == 0 || is_copy(object.dli_fname)) return false;
  return FortranCalls::redirect(function);
}

bool Image::is_copy(std::string_view name) { return name.starts_with(kNames); }

// Stops writes beyond the last of a rank's variables there, before they reach psim's memory.
void Image::guard() const {
  for (std::size_t i = 0; i < parts_.size(); ++i)
    if (const auto guard = program_->parts()[i].file.guard())
      ::mprotect(parts_[i].base + guard->address, ProgramFile::Guard::kBytes, PROT_NONE);  // failure is
                                                                                           // harmless
}

void Image::share(const Image& other) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    for (const ProgramFile::Fixed& range : program_->parts()[i].file.fixed()) {
      const int access = PROT_READ | (range.code ? PROT_EXEC : 0);
      void* at = parts_[i].base + range.address;
      // If this fails, the copy keeps its own pages.
      if (::mmap(at, range.size, access, MAP_PRIVATE | MAP_FIXED, other.parts_[i].descriptor,
                 static_cast<off_t>(range.offset)) == at)
        ::fallocate(parts_[i].descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                    static_cast<off_t>(range.alone.begin), static_cast<off_t>(range.alone.size()));
    }
    share_variables(i, other);
  }
}

namespace {

/// Least number of pages worth a mapping: a process has some 65,000 mappings.
constexpr std::size_t kLeastShared = 16;

}  // namespace

// Maps initialised variables that the loader has not changed; the first write makes the copy's own page.
void Image::share_variables(std::size_t part, const Image& other) {
  constexpr std::uint64_t kPage = 4'096;
  const ProgramFile& file = program_->parts()[part].file;
  const ProgramFile::Variables variables = file.values();
  const auto same = [&](std::uint64_t page) {
    return std::memcmp(parts_[part].base + variables.address + page * kPage,
                       file.bytes().data() + variables.offset + page * kPage, kPage) == 0;
  };
  const std::uint64_t pages = variables.size / kPage;
  for (std::uint64_t first = 0; first < pages; ++first) {
    std::uint64_t last = first;
    while (last < pages && same(last)) ++last;
    if (last - first >= kLeastShared) {
      const auto offset = static_cast<off_t>(variables.offset + first * kPage);
      const std::size_t bytes = (last - first) * kPage;
      void* at = parts_[part].base + variables.address + first * kPage;
      if (::mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, other.parts_[part].descriptor,
                 offset) == at)
        ::fallocate(parts_[part].descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset,
                    static_cast<off_t>(bytes));
    }
    first = last;
  }
}

Image::Image(Image&& other) noexcept
    : program_(other.program_),
      handle_(std::exchange(other.handle_, nullptr)),
      parts_(std::exchange(other.parts_, {})),
      entry_(other.entry_) {}

Image::~Image() { unload(); }

void Image::unload() {
  if (handle_) ::dlclose(handle_);
  for (const Part& part : parts_)
    if (part.descriptor >= 0) ::close(part.descriptor);
}

std::size_t Image::part_of(const void* address) const {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto whole = program_->parts()[i].file.whole();
    if (address >= parts_[i].base + whole.begin && address < parts_[i].base + whole.end) return i;
  }
  return kNone;
}

void* Image::symbol(const char* name) const { return ::dlsym(handle_, name); }

std::byte* Image::thread_locals(std::size_t part) const {
  if (program_->parts()[part].file.thread_local_bytes() == 0) return nullptr;
  // dlinfo reports a block only after its first use, which __tls_get_addr makes.
  std::size_t module = 0;
  void* handle = ::dlopen(name_of(parts_[part].descriptor).c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (handle == nullptr) return nullptr;
  const bool known = ::dlinfo(handle, RTLD_DI_TLS_MODID, &module) == 0;
  ::dlclose(handle);
  if (!known) return nullptr;
  struct Index {
    unsigned long module, offset;
  } index{module, 0};
  using Get = void* (*)(Index*);
  static const auto get = reinterpret_cast<Get>(::dlsym(RTLD_DEFAULT, "__tls_get_addr"));
  return static_cast<std::byte*>(get(&index));
}

void Image::construct(int argc, char** argv, char** environment) const {
  for (const std::size_t part : program_->order()) {
    const ProgramFile& file = program_->parts()[part].file;
    if (file.early_constructor())
      reinterpret_cast<Function>(base(part) + file.early_constructor())(argc, argv, environment);
    const auto list = file.constructors();
    for (std::uint64_t offset = list.begin; offset < list.end; offset += sizeof(void*))
      if (const auto function = function_at(base(part) + offset)) function(argc, argv, environment);
  }
}

void Image::destruct() const {
  const auto& order = program_->order();
  for (auto part = order.rbegin(); part != order.rend(); ++part) {
    const auto list = program_->parts()[*part].file.destructors();
    for (std::uint64_t offset = list.end; offset > list.begin; offset -= sizeof(void*))
      if (const auto function = function_at(base(*part) + offset - sizeof(void*)))
        function(0, nullptr, nullptr);
  }
}

}  // namespace psim::net

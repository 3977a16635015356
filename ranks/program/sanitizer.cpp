// SPDX-License-Identifier: Apache-2.0
#include "ranks/program/sanitizer.h"

#include <dlfcn.h>
#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "base/executable_path.h"
#include "base/read_file.h"

namespace psim::net {

namespace {

/// The names of the libraries that an object file needs; none for a file of another machine.
class Needed {
 public:
  explicit Needed(const std::string& path) {
    bytes_ = read_regular_file(path).bytes;  // errors are reported elsewhere
    Elf64_Ehdr header{};
    if (!read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64)
      return;
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      Elf64_Phdr segment{};
      if (read(header.e_phoff + i * sizeof segment, segment)) segments_.push_back(segment);
    }
    for (const Elf64_Phdr& segment : segments_)
      if (segment.p_type == PT_DYNAMIC) take(segment);
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  template <class T>
  bool read(std::uint64_t at, T& to) const {
    if (at > bytes_.size() || sizeof to > bytes_.size() - at) return false;
    std::memcpy(&to, bytes_.data() + at, sizeof to);
    return true;
  }
  void take(const Elf64_Phdr& dynamic) {
    std::vector<std::uint64_t> names;
    std::uint64_t table = 0;
    Elf64_Dyn entry{};
    for (std::uint64_t at = dynamic.p_offset; read(at, entry) && entry.d_tag != DT_NULL; at += sizeof entry) {
      if (entry.d_tag == DT_NEEDED) names.push_back(entry.d_un.d_val);
      if (entry.d_tag == DT_STRTAB) table = entry.d_un.d_ptr;
    }
    for (const Elf64_Phdr& s : segments_)
      if (s.p_type == PT_LOAD && table >= s.p_vaddr && table < s.p_vaddr + s.p_filesz) {
        for (const std::uint64_t name : names) {
          const std::uint64_t at = table - s.p_vaddr + s.p_offset + name;
          if (at < bytes_.size()) names_.emplace_back(bytes_.c_str() + at);
        }
        return;
      }
  }

  std::string bytes_;
  std::vector<Elf64_Phdr> segments_;
  std::vector<std::string> names_;
};

constexpr const char* kStarted = "PSIM_SANITIZER_STARTED";

void prepend(const char* variable, const std::string& value, const char* separator) {
  const char* old = std::getenv(variable);
  ::setenv(variable, old != nullptr && *old != '\0' ? (value + separator + old).c_str() : value.c_str(), 1);
}

void start_anew(const std::string& program, const std::string& runtime) {
  if (std::getenv(kStarted) != nullptr)
    throw UserError(program + ": built with -fsanitize=address, but " + runtime +
                    " cannot be loaded first (LD_PRELOAD)");
  ::setenv(kStarted, "1", 1);
  prepend("LD_PRELOAD", runtime, ":");
  prepend("ASAN_OPTIONS", "detect_leaks=0", ":");  // a rank's end is not the end of the process
  execute_again(command_line());
  throw UserError(program +
                  ": built with -fsanitize=address, but psim cannot restart itself: " + std::strerror(errno));
}

}  // namespace

void run_with_sanitizer(const std::string& program) {
  const Needed needed(program);
  for (const std::string& name : needed.names()) {
    for (const char* other : {"libtsan", "libmsan", "libhwasan"})
      if (std::string_view(name).starts_with(other))
        throw UserError(
            program + ": needs " + name +
            ": ranks take turns on one thread; expected -fsanitize=address or -fsanitize=undefined");
    if (std::string_view(name).starts_with("libasan.so") && SanitizerRuntime::get().start_switch == nullptr)
      start_anew(program, name);
  }
}

bool needs_address_sanitizer(const std::string& program) {
  const Needed needed(program);
  return std::any_of(needed.names().begin(), needed.names().end(), [](const std::string& name) {
    return std::string_view(name).starts_with("libasan.so");
  });
}

const SanitizerRuntime& SanitizerRuntime::get() {
  static const SanitizerRuntime found = [] {
    SanitizerRuntime runtime;
    const auto look_up = [](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(RTLD_DEFAULT, name));
    };
    if (::dlsym(RTLD_DEFAULT, "__asan_init") == nullptr) return runtime;
    look_up(runtime.start_switch, "__sanitizer_start_switch_fiber");
    look_up(runtime.finish_switch, "__sanitizer_finish_switch_fiber");
    look_up(runtime.unpoison, "__asan_unpoison_memory_region");
    look_up(runtime.on_death, "__sanitizer_set_death_callback");
    return runtime;
  }();
  return found;
}

}  // namespace psim::net

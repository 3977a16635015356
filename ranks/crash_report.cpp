// SPDX-License-Identifier: Apache-2.0
#include "ranks/crash_report.h"

#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/demangle.h"

namespace psim::net {

namespace {

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

// Reads the program's own symbols and line table, which the loader does not read.
class Lines {
 public:
  Lines(const std::string& path, std::uint64_t base) : dwfl_(dwfl_begin(&callbacks()), dwfl_end) {
    if (!dwfl_) return;
    module_ = dwfl_report_elf(dwfl_.get(), "program", path.c_str(), -1, base, false);
    dwfl_report_end(dwfl_.get(), nullptr, nullptr);
  }

  std::string locate(const void* pc) const {
    const auto address = reinterpret_cast<std::uint64_t>(pc);
    const char* function = module_ ? dwfl_module_addrname(module_, address) : nullptr;
    std::string text = function ? demangled(function) : fmt::format("{}", pc);
    Dwfl_Line* line = module_ ? dwfl_module_getsrc(module_, address) : nullptr;
    int number = 0;
    const char* source = line ? dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr) : nullptr;
    return source ? text + fmt::format(" ({}:{})", file_name(source), number) : text;
  }

 private:
  static const Dwfl_Callbacks& callbacks() {
    static const Dwfl_Callbacks kCallbacks = [] {
      Dwfl_Callbacks callbacks{};
      callbacks.find_elf = dwfl_build_id_find_elf;
      // Only debug information in the file itself: the standard search may query debuginfod servers.
      callbacks.find_debuginfo = [](Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*,
                                    GElf_Word, char**) { return -1; };
      callbacks.section_address = dwfl_offline_section_address;
      return callbacks;
    }();
    return kCallbacks;
  }

  std::unique_ptr<Dwfl, void (*)(Dwfl*)> dwfl_;
  Dwfl_Module* module_ = nullptr;
};

// Returns "memcpy (libc.so.6)".
std::string library_location(const void* pc) {
  Dl_info info{};
  if (::dladdr(pc, &info) == 0 || !info.dli_fname) return fmt::format("{}, no code", pc);
  const std::string file = file_name(info.dli_fname);
  return info.dli_sname ? demangled(info.dli_sname) + " (" + file + ")" : file;
}

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

}  // namespace

std::string location(std::span<void* const> frames, const Image& image, const Program& program) {
  if (frames.empty()) return "";
  const std::string text = image.contains(frames[0]) ? "" : "in " + library_location(frames[0]);
  for (const void* frame : frames) {
    const std::size_t part = image.part_of(frame);
    if (part == Image::kNone) continue;
    const Lines lines(program.parts()[part].file.path(), reinterpret_cast<std::uint64_t>(image.base(part)));
    return (text.empty() ? "in " : text + ", called from ") + lines.locate(frame);
  }
  return text;
}

std::string calling_location(std::span<void* const> frames, const Image& image, const Program& program) {
  for (const void* frame : frames) {
    const std::size_t part = image.part_of(frame);
    if (part == Image::kNone) continue;
    const Lines lines(program.parts()[part].file.path(), reinterpret_cast<std::uint64_t>(image.base(part)));
    const std::string text = lines.locate(frame);
    // The Fortran bindings are part of the program.
    static constexpr std::string_view kBindings[] = {"mpi_", "pmpi_", "psim_region_", "__psim_MOD_"};
    if (std::ranges::none_of(kBindings, [&](std::string_view one) { return text.starts_with(one); }))
      return "in " + text;
  }
  return "";
}

std::string describe(const Crash& crash, const Image& image, const Program& program, Bytes stack) {
  std::string text = crash.stack_overflow ? fmt::format("stack overflow (of {} bytes)", stack.count)
                                          : signal_name(crash.signal);
  const bool faults = crash.signal == SIGSEGV || crash.signal == SIGBUS;
  if (faults && !crash.stack_overflow) text += fmt::format(" at {}", crash.address);
  const std::string where = location(std::span(crash.frame).first(crash.frames), image, program);
  return where.empty() ? text : text + " " + where;
}

}  // namespace psim::net

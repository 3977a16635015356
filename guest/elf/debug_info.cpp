// SPDX-License-Identifier: Apache-2.0
#include "guest/elf/debug_info.h"

#include <elfutils/libdwfl.h>

#include <memory>

#include "base/demangle.h"

namespace psim::isa {

std::string SourceLocation::text() const {
  if (function.empty() && file.empty()) return "";
  std::string result = function.empty() ? "" : "in " + function;
  if (!file.empty()) result += (result.empty() ? "at " : " at ") + file + ":" + std::to_string(line);
  return result;
}

struct SourceMap::Impl {
  std::unique_ptr<Dwfl, void (*)(Dwfl*)> dwfl{nullptr, dwfl_end};
  Dwfl_Module* module = nullptr;
};

SourceMap::SourceMap(const std::string& elf_path, std::uint64_t load_bias) : impl_(std::make_unique<Impl>()) {
  static const Dwfl_Callbacks kCallbacks = [] {
    Dwfl_Callbacks callbacks{};
    callbacks.find_elf = dwfl_build_id_find_elf;
    // Uses only the file's own debugging information: the standard search may query debuginfod servers.
    callbacks.find_debuginfo = [](Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*,
                                  GElf_Word, char**) { return -1; };
    callbacks.section_address = dwfl_offline_section_address;
    return callbacks;
  }();
  impl_->dwfl.reset(dwfl_begin(&kCallbacks));
  if (!impl_->dwfl) return;
  impl_->module = dwfl_report_elf(impl_->dwfl.get(), "program", elf_path.c_str(), -1, load_bias, false);
  dwfl_report_end(impl_->dwfl.get(), nullptr, nullptr);
}

SourceMap::~SourceMap() = default;

SourceLocation SourceMap::line_of(std::uint64_t pc) const {
  SourceLocation location;
  if (!impl_->module) return location;
  if (Dwfl_Line* line = dwfl_module_getsrc(impl_->module, pc)) {
    if (const char* file = dwfl_lineinfo(line, nullptr, &location.line, nullptr, nullptr, nullptr))
      location.file = file;
  }
  return location;
}

SourceLocation SourceMap::locate(std::uint64_t pc) const {
  SourceLocation location = line_of(pc);
  if (!impl_->module) return location;
  if (const char* name = dwfl_module_addrname(impl_->module, pc)) location.function = demangled(name);
  return location;
}

}  // namespace psim::isa

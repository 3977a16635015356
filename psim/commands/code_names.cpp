// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/code_names.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "guest/elf/debug_info.h"

namespace psim::commands {

namespace {
std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && name.starts_with("_Z") ? text.get() : name;
}
}  // namespace

report::CodeNames code_names(const std::vector<isa::FunctionSymbol>& functions, const std::string& path,
                             std::uint64_t load_bias) {
  report::CodeNames names;
  for (const isa::FunctionSymbol& f : functions)
    names.functions.push_back({f.address + load_bias, f.bytes, demangled(f.name)});
  const auto lines = std::make_shared<isa::SourceMap>(path, load_bias);
  names.line_of = [lines](std::uint64_t pc) {
    isa::SourceLocation location = lines->line_of(pc);
    return report::CodeNames::Line{std::move(location.file), location.line};
  };
  return names;
}

}  // namespace psim::commands

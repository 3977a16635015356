// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/code_names.h"

#include <memory>

#include "base/demangle.h"
#include "guest/elf/debug_info.h"

namespace psim::commands {

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

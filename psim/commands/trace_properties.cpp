// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/trace_properties.h"

#include <filesystem>

#include "base/result_document.h"

namespace psim::commands {

isa::trace::Properties trace_properties(const std::vector<std::string>& words, const GuestProgram& guest,
                                        std::uint64_t seed, std::string_view clock) {
  isa::trace::Properties properties;
  properties["psim"] = version();
  // Records the name alone: the folder of the program has no influence on its behaviour.
  properties["program"] = std::filesystem::path(words[0]).filename().string();
  for (std::size_t i = 1; i < words.size(); ++i) properties["arguments"] += (i == 1 ? "" : " ") + words[i];
  properties["program_sha256"] = guest.sha256;
  properties["fma"] = guest.options.fma == isa::FmaRounding::Fused ? "fused" : "unfused";
  properties["seed"] = std::to_string(seed);
  properties["clock"] = clock;
  return properties;
}

isa::trace::Properties trace_ending(const isa::Process& process) {
  isa::trace::Properties ending;
  if (!process.ending()) return ending;
  if (process.ending()->by_signal)
    ending["signal"] = isa::sig::name(process.ending()->code);
  else if (!process.ending()->deadlock.empty())
    ending["deadlock"] = process.ending()->deadlock;
  else
    ending["exit_status"] = std::to_string(process.ending()->code);
  return ending;
}

}  // namespace psim::commands

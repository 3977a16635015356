// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/guest_result.h"

#include <nlohmann/json.hpp>

namespace psim::commands {

void describe_guest(ResultDocument& result, const std::vector<std::string>& words, const GuestProgram& guest,
                    std::uint64_t seed) {
  result.input("program", words[0], guest.sha256, guest.image.bytes.size());
  result.seed(seed);
  result.body()["arguments"] = std::vector<std::string>(words.begin() + 1, words.end());
}

GuestEnding ending_of(const isa::Process& process) {
  if (!process.ending()) return {};
  const int code = process.ending()->code;
  if (!process.ending()->by_signal) return {.status = code};
  const int host = isa::sig::to_host(code);
  return {.status = 128 + (host ? host : code), .signal = code};
}

void describe_ending(ResultDocument& result, const GuestEnding& ending, const GuestProgram& guest) {
  result.body()["exit_status"] = ending.status;
  if (ending.signal) result.body()["signal"] = isa::sig::name(ending.signal);
  result.body()["fma"] = guest.options.fma == isa::FmaRounding::Fused ? "fused" : "unfused";
}

int end_as(const GuestEnding& ending) {
  if (ending.signal) isa::die_by_signal(ending.signal);
  return ending.status;
}

}  // namespace psim::commands

// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any text is read as a schedule or refused with a UserError.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "ranks/replay/goal_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const psim::net::replay::Trace trace = psim::net::replay::parse_goal(text, "fuzz");
    for (const auto& rank : trace.ranks)
      if (!rank.first.empty() && rank.first.back() != rank.successors.size()) std::abort();
  } catch (const psim::UserError&) {
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes are read as the trace of one rank, or refused with a UserError.
#include <cstdint>
#include <cstdlib>

#include "base/error.h"
#include "ranks/replay/chakra_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace psim::net::replay;
  try {
    const Trace trace =
        parse_chakra({{"fuzz.0.et", {reinterpret_cast<const char*>(data), size}}}, {"fuzz.groups.json", {}});
    if (trace.ranks[0].first.back() != trace.ranks[0].successors.size()) std::abort();
  } catch (const psim::UserError&) {
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes are read as the text of both ranks of a DUMPI trace, or refused with a UserError.
#include <cstdint>
#include <cstdlib>

#include "base/error.h"
#include "ranks/replay/dumpi_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace psim::net::replay;
  const DumpiFile file{"fuzz-0000.txt", {reinterpret_cast<const char*>(data), size}};
  try {
    const Trace trace = parse_dumpi("fuzz.meta", 2, [&](std::uint32_t) { return file; });
    for (const RankTrace& rank : trace.ranks)
      for (const Operation& operation : rank.operations) {
        if (operation.communicator >= trace.communicators.size() || operation.request > rank.requests)
          std::abort();
        const std::size_t members = trace.communicators[operation.communicator].size();
        const bool message = operation.kind == Kind::Send || operation.kind == Kind::Receive;
        if (message && operation.peer != kAny && operation.peer >= members) std::abort();
        if (operation.kind == Kind::Collective && operation.sizes != 0 &&
            operation.sizes + members > trace.sizes.size())
          std::abort();
      }
  } catch (const psim::UserError&) {
  }
  return 0;
}

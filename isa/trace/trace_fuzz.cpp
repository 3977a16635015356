// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes are either refused with a UserError or a trace whose records can be read. Checksums
// are not compared, so that the search passes them.
#include <cstdint>

#include "base/error.h"
#include "isa/trace/trace_source.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace psim::isa;
  trace::MemoryBytes bytes(std::string(reinterpret_cast<const char*>(data), size));
  try {
    trace::TraceFile file("fuzz", bytes, false);
    trace::TraceSource source(file);
    InstructionRecord record;
    for (int left = 100'000; left != 0 && source.next(0, true, record) == Pull::Record; --left) {
      if (record.region_marker) source.take_region();
      source.text(record.pc + 8);
    }
  } catch (const psim::UserError&) {
  }
  return 0;
}

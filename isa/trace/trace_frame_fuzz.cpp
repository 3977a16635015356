// SPDX-License-Identifier: Apache-2.0
// libFuzzer: a frame with any payload, in a valid file around it. This bypasses the compression and the
// index, which trace_fuzz rarely passes.
#include <cstdint>

#include "base/error.h"
#include "isa/trace/trace_source.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace psim::isa;
  if (size < 1) return 0;
  std::string made;
  trace::TraceFileWriter writer(std::make_unique<trace::MemorySink>(made));
  trace::TextImage image;
  // Branches, memory, windows, jumps, traps: instructions for the first byte of a frame's positions.
  const std::uint32_t words[] = {0x02800004, 0xd25a0000, 0x9de3bf50, 0x81c7e008, 0x81e80000, 0x91d0206d,
                                 0x93d0206d, 0x01000000, 0x10bffff8, 0x01000000, 0x40000004, 0xc0720001};
  image.set(0x1000, words);
  writer.properties({});
  writer.text(image);
  writer.frame({0, data[0] * 16u, true}, trace::Bytes(data + 1, data + size));
  writer.finish({});
  trace::MemoryBytes bytes(std::move(made));
  try {
    trace::TraceFile file("fuzz", bytes);
    trace::TraceSource source(file);
    InstructionRecord record;
    while (source.next(0, true, record) == Pull::Record)
      if (record.region_marker) source.take_region();
    source.check_used();
  } catch (const psim::UserError&) {
  }
  return 0;
}

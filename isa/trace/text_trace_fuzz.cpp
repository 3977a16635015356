// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any text is either refused with a UserError or makes a trace that can be read.
#include <cstdint>

#include "base/error.h"
#include "isa/trace/text_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace psim::isa;
  const std::string text = "psim-trace 1\n" + std::string(reinterpret_cast<const char*>(data), size);
  std::string made;
  trace::TraceFileWriter writer(std::make_unique<trace::MemorySink>(made));
  try {
    trace::write_from_text(text, "fuzz", writer);
  } catch (const psim::UserError&) {
    return 0;
  }
  trace::MemoryBytes bytes(std::move(made));
  trace::TraceFile file("fuzz", bytes);
  trace::print_as_text(file, 0, ~std::uint64_t{0}, true, [](std::string_view) {});
  return 0;
}

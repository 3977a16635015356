// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/trace_input.h"

#include <algorithm>

#include "isa/trace/text_trace.h"

namespace psim::commands {

namespace trace = isa::trace;

namespace {
std::string beginning(trace::TraceBytes& bytes, std::uint64_t most) {
  std::string text(std::min(bytes.size(), most), '\0');
  bytes.read(0, text.data(), text.size());
  return text;
}
}  // namespace

std::string read_text_trace(const std::string& path) {
  const auto bytes = trace::open_trace_bytes(path);
  return beginning(*bytes, bytes->size());
}

std::unique_ptr<trace::TraceBytes> open_trace(const std::string& path) {
  auto bytes = trace::open_trace_bytes(path);
  if (!trace::is_text_trace(beginning(*bytes, 4096))) return bytes;
  std::string made;
  trace::TraceFileWriter file(std::make_unique<trace::MemorySink>(made));
  trace::write_from_text(beginning(*bytes, bytes->size()), path, file);
  return std::make_unique<trace::MemoryBytes>(std::move(made));
}

}  // namespace psim::commands

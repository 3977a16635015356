// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/trace_input.h"

#include <algorithm>

#include "base/error.h"
#include "base/read_file.h"
#include "isa/trace/text_trace.h"

namespace psim::commands {

namespace trace = isa::trace;

namespace {
std::string beginning(trace::TraceBytes& bytes, std::uint64_t most) {
  std::string text(std::min(bytes.size(), most), '\0');
  bytes.read(0, text.data(), text.size());
  return text;
}

/// Returns the whole text of a text trace.
std::string all_text(trace::TraceBytes& bytes, const std::string& path) {
  if (bytes.size() > kMostProgramBytes)
    throw UserError(path + ": has more than 2 GiB; expected a smaller text trace, or one that psim recorded");
  return beginning(bytes, bytes.size());
}
}  // namespace

std::string read_text_trace(const std::string& path) {
  const auto bytes = trace::open_trace_bytes(path);
  return all_text(*bytes, path);
}

std::unique_ptr<trace::TraceBytes> open_trace(const std::string& path) {
  auto bytes = trace::open_trace_bytes(path);
  if (!trace::is_text_trace(beginning(*bytes, 4096))) return bytes;
  std::string made;
  trace::TraceFileWriter file(std::make_unique<trace::MemorySink>(made));
  trace::write_from_text(all_text(*bytes, path), path, file);
  return std::make_unique<trace::MemoryBytes>(std::move(made));
}

}  // namespace psim::commands

// SPDX-License-Identifier: Apache-2.0
// Traces as text, for people and for other tools' traces; the grammar is in docs/traces.md.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "isa/trace/trace_file.h"
#include "isa/trace/trace_source.h"

namespace psim::isa::trace {

/// The version number after "psim-trace" at the beginning.
inline constexpr std::uint32_t kTextVersion = 1;

/// Makes a trace of `text`. Throws UserError: "PATH:LINE:COLUMN: …".
void write_from_text(std::string_view text, const std::string& path, TraceFileWriter& file);
/// Returns true if the bytes look like a text trace rather than a trace file.
bool is_text_trace(std::string_view beginning);

/// Passes on, line by line with its end, the text of `count` instructions from `first` on. `with_text`: also
/// the text image, so that the output makes the same trace again.
void print_as_text(TraceFile& file, std::uint64_t first, std::uint64_t count, bool with_text,
                   const std::function<void(std::string_view)>& print);

}  // namespace psim::isa::trace

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "isa/trace/trace_file.h"

namespace psim::commands {

/// Opens the trace at `path`; a text trace is converted to a binary one in memory. Throws UserError.
std::unique_ptr<isa::trace::TraceBytes> open_trace(const std::string& path);
/// Returns the whole text of a text trace. Throws UserError.
std::string read_text_trace(const std::string& path);

}  // namespace psim::commands

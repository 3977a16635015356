// SPDX-License-Identifier: Apache-2.0
// Reads DUMPI traces of SST for `psim net --replay NAME.meta`: NAME-0000.txt, NAME-0001.txt, …, the text that
// dumpi2ascii -SX of sst-dumpi prints of each rank's binary file.
//
// Time between calls that communicate is computation, from the end of MPI_Init on; so is the time in local
// functions and in those that are not replayed. The network determines the time in the others. A receive from
// any source becomes one from the recorded source, if the trace has statuses. A rank waits for a request
// where the trace found it complete.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "ranks/replay/dumpi_text.h"
#include "ranks/replay/trace.h"

namespace psim::net::replay {

/// Reads the texts of ranks 0 to `ranks` - 1, which `file` returns; each is read once, in order. `name`: of
/// the trace, for errors. Throws UserError.
Trace parse_dumpi(const std::string& name, std::uint32_t ranks,
                  const std::function<DumpiFile(std::uint32_t rank)>& file);

/// Returns whether these are the bytes of a rank's file of a DUMPI trace, binary or text.
bool is_dumpi_file(std::string_view bytes);

/// Reads the files of all ranks. `path`: the trace's NAME.meta, which has their number; `who`: the option
/// that names it. Throws UserError.
Trace read_dumpi(const std::string& path, const std::string& who);

}  // namespace psim::net::replay

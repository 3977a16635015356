// SPDX-License-Identifier: Apache-2.0
// Reads OTF2 archives for `psim net --replay`: archives that psim-otf2 records under Open MPI, that psim
// writes with --timeline, and those of Score-P.
//
// Time outside MPI's functions is computation, from the end of MPI_Init on; the network determines the time
// inside them. A message starts at its start in the archive, and its rank waits for it where it was complete.
// Sizes are bytes. A collective with sizes by rank uses each rank's own; an alltoallv divides them evenly,
// because only sums are recorded.
#pragma once

#include <string>

#include "ranks/replay/trace.h"

namespace psim {

/// Reads an archive. `path`: the anchor file (traces.otf2), or its folder. Throws UserError naming it.
net::replay::Trace read_otf2(const std::string& path);

}  // namespace psim

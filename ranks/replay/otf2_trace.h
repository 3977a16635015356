// SPDX-License-Identifier: Apache-2.0
// OTF2 archives as what `psim net --replay` replays: those that psim-otf2 records under Open MPI, that psim
// writes with --timeline, and those of Score-P.
//
// Time outside MPI's functions is computing, from the end of MPI_Init on; time inside them is what the
// network makes of it. A message starts where the archive says so and is waited for where it was complete.
// Sizes are bytes. A collective with sizes by rank takes each rank's own; an alltoallv divides them evenly,
// for only sums are recorded.
#pragma once

#include <string>

#include "ranks/replay/trace.h"

namespace psim {

/// `path`: the anchor file (traces.otf2), or its folder. Throws UserError naming it.
net::replay::Trace read_otf2(const std::string& path);

}  // namespace psim

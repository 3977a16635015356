// SPDX-License-Identifier: Apache-2.0
// `psim cosim --messages NAME.trace.json`: messages in the trace event format, for Perfetto. Each node is a
// process with a track for the core and for the interface of each rank; the network is a process with a track
// for each router. Slices that overlap are on further tracks of the component. Arrows follow each message.
#pragma once

#include <string>

#include "cosim/message_timeline.h"

namespace psim {

/// Returns the whole file.
std::string message_perfetto(const cosim::MessageTimeline& timeline);

}  // namespace psim

// SPDX-License-Identifier: Apache-2.0
// Reads schedules in GOAL text, the format of LogGOPSim's tools:
//
//     num_ranks 2
//     rank 0 {
//       l1: calc 1000                  // ns
//       l2: send 64b to 1 tag 7
//       l2 requires l1                 // begins when l1 has ended
//       l3: recv 64b from 1 tag 7      // or: from any
//       l3 irequires l2                // begins when l2 has begun
//     }
//     rank 1 { recv 64b from 0 tag 7  send 64b to 0 tag 7 }
//
// A rank has one processor: ready operations are done in the order in which they became ready, messages
// before calc. `cpu 0` and `nic 0` are accepted. Comments: //, #, and as in C. Ranks without a description do
// nothing.
#pragma once

#include <string>
#include <string_view>

#include "ranks/replay/trace.h"

namespace psim::net::replay {

/// Reads a schedule. Throws UserError "two.goal:3: …".
Trace parse_goal(std::string_view text, const std::string& name);

}  // namespace psim::net::replay

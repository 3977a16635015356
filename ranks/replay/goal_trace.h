// SPDX-License-Identifier: Apache-2.0
// Schedules in GOAL text, as the tools around LogGOPSim write them:
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
// A rank has one processor: what is ready is done in the order in which it became so, messages before calc.
// `cpu 0` and `nic 0` may be said. Comments: //, #, and as in C. Ranks that are not described do nothing.
#pragma once

#include <string>
#include <string_view>

#include "ranks/replay/trace.h"

namespace psim::net::replay {

/// Throws UserError, "two.goal:3: …".
Trace parse_goal(std::string_view text, const std::string& name);

}  // namespace psim::net::replay

// SPDX-License-Identifier: Apache-2.0
// The options --observe-routers, --observe-links and --observe-every of `psim net`.
#pragma once

#include "netsim/statistics/watch.h"
#include "netsim/topology/graphs/graph.h"
#include "psim/net/program_options.h"

namespace psim {

/// Returns the routers and links of `graph` that `options` names. Throws UserError.
net::WatchConfig watch_config(const ProgramOptions& options, const net::Graph& graph);

}  // namespace psim

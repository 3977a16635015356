// SPDX-License-Identifier: Apache-2.0
// The changed machines of `psim net --efficiency`: other networks, and faster computing.
#pragma once

#include <cstdint>
#include <string>

#include "machines/network_machine.h"
#include "netsim/topology/topology.h"

namespace psim {

enum class ChangedNetwork : std::uint8_t {
  None,
  Ideal,        ///< messages take no time, and no processor time
  TwiceAsFast,  ///< all bandwidths twice, all times half; not of memory inside nodes, nor of processors
  Uncontended   ///< network.model = analytic: the empty network, without headers of packets and DMA engines
};

/// The change of a further run of the same command.
struct WhatIf {
  ChangedNetwork network = ChangedNetwork::None;
  bool halves = false;      ///< computing takes half of its time, in `region` and the regions inside it
  std::string region = {};  ///< empty: everywhere
  std::string record = {};  ///< text of a net::ComputeRecord that replaces measurements; empty: none

  /// Returns the change in words: "network twice as fast".
  std::string text() const;
  std::string to_json() const;
  static WhatIf from_json(const std::string& text);
};

/// Changes the machine.
void change(ChangedNetwork how, NetworkMachine& machine);
/// Throws UserError if ideal_network() cannot have this number of nodes. Call it before the first run.
void check_ideal_network(std::uint32_t nodes);
/// Returns the network on which ideal messages travel: all nodes on one router.
net::Network ideal_network(const net::NetworkConfig& config, std::uint32_t nodes);

}  // namespace psim

// SPDX-License-Identifier: Apache-2.0
// What libpsim_processes.so offers psim: psim_connect_processes() starts Open MPI and returns one of these.
#pragma once

#include <vector>

#include "netsim/parallel/parcel.h"

namespace psim::net {

class ProcessTransport {
 public:
  virtual ~ProcessTransport() = default;
  /// HostProcesses::exchange.
  virtual void exchange(const std::vector<Parcel>& out, std::vector<Parcel>& in) = 0;
  /// The last call: `together` with the others; if not, they are all ended.
  virtual void leave(bool together) = 0;
};

}  // namespace psim::net

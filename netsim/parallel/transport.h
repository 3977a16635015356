// SPDX-License-Identifier: Apache-2.0
// The interface of libpsim_processes.so: psim_connect_processes() starts Open MPI and returns a
// ProcessTransport.
#pragma once

#include <vector>

#include "netsim/parallel/parcel.h"

namespace psim::net {

class ProcessTransport {
 public:
  virtual ~ProcessTransport() = default;
  /// Implements HostProcesses::exchange.
  virtual void exchange(const std::vector<Parcel>& out, std::vector<Parcel>& in) = 0;
  /// The last call. Ends all processes unless they leave `together`.
  virtual void leave(bool together) = 0;
};

}  // namespace psim::net

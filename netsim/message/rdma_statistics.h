// SPDX-License-Identifier: Apache-2.0
// Counts of remote direct memory access as statistics.
#pragma once

#include "base/statistics/statistic.h"
#include "netsim/message/rdma_counts.h"

namespace psim::net::rdma {

struct Statistics : statistics::Group {
  /// `counts` outlive it.
  explicit Statistics(const Counts& counts) : counts_(counts) {}

 private:
  const Counts& counts_;
  Watched puts{*this, "puts", "operations", "copies from the caller's memory to another rank's",
               counts_.puts};
  Watched gets{*this, "gets", "operations", "copies from another rank's memory to the caller's",
               counts_.gets};
  Watched own{*this, "own", "operations", "copies within the caller's memory", counts_.own};
  Watched copies{*this, "copies", "operations", "copies between the memories of two other ranks",
                 counts_.copies};
  Watched atomics{*this, "atomics", "operations", "atomic operations of ACP", counts_.atomics};
  Watched one_sided{*this, "one_sided", "operations", "one-sided operations of MPI", counts_.one_sided};
  Watched bytes{*this, "bytes", "bytes", "bytes that these operations were to move", counts_.bytes};
  Watched control_packets{*this, "control_packets", "packets",
                          "requests, acknowledgements, answers without data", counts_.control_packets};
  Watched control_bytes{*this, "control_bytes", "bytes", "bytes of these on the wire, without headers",
                        counts_.control_bytes};
  Watched data_messages{*this, "data_messages", "messages", "messages through DMA engines",
                        counts_.data_messages};
  Watched data_bytes{*this, "data_bytes", "bytes", "bytes of these on the wire, without headers",
                     counts_.data_bytes};
  Watched registrations{*this, "registrations", "areas", "areas of memory that were registered",
                        counts_.registrations};
  Watched registered_bytes{*this, "registered_bytes", "bytes", "bytes of these areas",
                           counts_.registered_bytes};
};

}  // namespace psim::net::rdma

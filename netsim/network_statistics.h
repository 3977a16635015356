// SPDX-License-Identifier: Apache-2.0
// The statistics of a whole network, after Simulation::gather(): of all host processes, whatever their
// number.
#pragma once

#include "base/statistics/registry.h"
#include "netsim/simulation.h"

namespace psim::net {

class NetworkStatistics {
 public:
  /// `simulation` outlives it.
  explicit NetworkStatistics(const Simulation& simulation);

  /// Names the groups, and takes the time of the network for that of the run.
  void add_to(statistics::Registry& registry) const;

 private:
  struct Interfaces : statistics::Group {
    explicit Interfaces(const Simulation& simulation);
    Computed messages, packets, bytes, packet_hops, latency_ps, looped_packets, looped_bytes, dma_read_ps,
        dma_write_ps;
    Ratio latency, hops, throughput, dma_read, dma_write;
  };
  struct Links : statistics::Group {
    explicit Links(const Simulation& simulation);
    Computed count, packets, bytes, busy_ps, channel_ps;
    Ratio busy, utilization, bandwidth;
  };
  struct Buffers : statistics::Group {
    explicit Buffers(const Simulation& simulation);
    std::vector<std::unique_ptr<Computed>> tenths;
  };
  struct Sleep : statistics::Group {
    explicit Sleep(const LinkSleep& sleep);
    Computed wakes, low_ps, time_ps;
    Ratio low, share;
  };
  struct Options : statistics::Group {
    explicit Options(const Simulation& simulation);
    Computed send_waits, send_wait_ps, receive_waits, receive_wait_ps, striped, retries, retry_ps, marked,
        notices, overtaking, overtaking_ps, most_held;
    Ratio send_wait, receive_wait, retry, held;
  };
  struct Time : statistics::Group {
    explicit Time(const std::uint64_t& ps)
        : time(*this, ps), seconds(*this, "seconds", "seconds", "time simulated", {time}, {}, 1e-12) {}
    Watched time;
    Ratio seconds;
  };

  const Simulation& simulation_;
  const std::uint64_t last_;
  Time time_;
  Interfaces interfaces_;
  Links links_;
  Buffers buffers_;
  std::optional<Sleep> sleep_;
  std::optional<Options> options_;
};

}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
// Traffic at chosen routers and links over time, in intervals of one length (paper 003, 3.4.1): bytes,
// throughput and waits of channels, packets that wait in each virtual channel's buffer, latency of the
// packets that nodes receive.
//
// A packet's bytes are spread over its time on the channel, so that no interval exceeds the channel's
// bandwidth. Buffers are sampled at the end of an interval, between windows of the engine: up to a lookahead
// later than the instant in the sample. Each host process watches its own routers; process 0 gathers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "netsim/parallel/parcel.h"
#include "netsim/topology/graphs/graph.h"

namespace psim::net {

struct WatchConfig {
  std::uint64_t from = 0;                ///< ps
  std::uint64_t to = ~std::uint64_t{0};  ///< ps
  std::uint64_t every = 10'000'000;      ///< ps; length of an interval
  std::vector<bool> routers;             ///< by router: all of its channels, buffers and nodes
  std::vector<bool> channels;            ///< by channel of the graph: further chosen channels
};

/// A channel of a router, or of a node to its router.
struct WatchedChannel {
  bool from_node = false;
  std::uint32_t from = 0;  ///< router or node
  std::uint32_t port = 0;  ///< of the router, or of the node
  auto operator<=>(const WatchedChannel&) const = default;
};

class Watch {
 public:
  /// An interval of one channel.
  struct ChannelRow {
    std::uint64_t interval;
    WatchedChannel channel;
    std::uint64_t bytes, busy;          ///< busy: ps
    std::uint64_t packets;              ///< that started in it
    std::uint64_t wait_sum, wait_most;  ///< ps from request to grant of the channel, of these packets
  };
  /// A virtual channel's buffer with waiting packets at the end of an interval.
  struct BufferRow {
    std::uint64_t time;  ///< ps
    std::uint32_t router, port, vc, packets;
    std::uint64_t bytes, oldest;  ///< oldest: ps that its first packet has waited
  };
  /// The packets that a node received in an interval.
  struct NodeRow {
    std::uint64_t interval;
    std::uint32_t node;
    std::uint64_t packets, bytes;
    std::uint64_t latency_sum, latency_least, latency_most;  ///< ps
  };

  Watch(const Graph& graph, WatchConfig config);

  /// Notes that a packet was granted `port` of `router` from `now` on, for `length` ps, after waiting for
  /// `wait`.
  void granted(std::uint32_t router, std::uint32_t port, std::uint64_t now, std::uint64_t length,
               std::uint64_t bytes, std::uint64_t wait) {
    if (const std::uint32_t number = channel_[graph_.first_port[router] + port]; number != kNone)
      add({.from_node = false, .from = router, .port = port}, rows_of_[number], now, length, bytes, wait);
  }
  /// Notes a packet on a node's channel to its router. `wait`: since the packet was first at its port.
  void injected(std::uint32_t node, std::uint32_t port, std::uint64_t now, std::uint64_t length,
                std::uint64_t bytes, std::uint64_t wait) {
    if (const std::uint32_t number = node_[node]; number != kNone)
      add({.from_node = true, .from = node, .port = port}, rows_of_[number + port], now, length, bytes, wait);
  }
  void received(std::uint32_t node, std::uint64_t now, std::uint64_t bytes, std::uint64_t latency) {
    if (node_[node] != kNone) count_received(node, now, bytes, latency);
  }
  bool due(std::uint64_t time) const { return next_sample_ <= std::min(time, config_.to); }
  /// Samples the buffers of chosen routers of this process, routers `first` … `end` - 1, for each instant
  /// that is due up to `time`; nothing has changed since the last of these. `Buffers` has virtual_channels()
  /// and waiting(router, port, vc), as Fabric has.
  template <class Buffers>
  void sample(std::uint64_t time, const Buffers& buffers, std::uint32_t first, std::uint32_t end);

  void write(Parcel& parcel) const;
  void read(Parcel& parcel);

  // Sorted by time, then by router.
  std::vector<ChannelRow> channels() const;
  std::vector<BufferRow> buffers() const;
  std::vector<NodeRow> nodes() const;
  const WatchConfig& config() const { return config_; }
  std::uint64_t begin_of(std::uint64_t interval) const { return config_.from + interval * config_.every; }
  /// Returns the begin of the next interval, or the end of the observation.
  std::uint64_t end_of(std::uint64_t interval) const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  using Rows = std::vector<ChannelRow>;

  void add(const WatchedChannel& channel, Rows& rows, std::uint64_t now, std::uint64_t length,
           std::uint64_t bytes, std::uint64_t wait);
  ChannelRow& row(Rows& rows, const WatchedChannel& channel, std::uint64_t interval);
  template <class Buffers>
  void sample_now(const Buffers& buffers, std::uint32_t first, std::uint32_t end);
  void count_received(std::uint32_t node, std::uint64_t now, std::uint64_t bytes, std::uint64_t latency);

  const Graph& graph_;
  WatchConfig config_;
  std::vector<std::uint32_t> channel_,
      node_;  ///< index into rows_of_, by channel, and by node of its first port
  std::vector<Rows> rows_of_;
  std::vector<ChannelRow> gathered_;  ///< from other host processes
  std::vector<BufferRow> buffers_;
  std::vector<NodeRow> nodes_;
  std::vector<std::uint32_t> last_row_;  ///< by node: its last row in nodes_
  std::uint64_t next_sample_;
};

template <class Buffers>
void Watch::sample(std::uint64_t time, const Buffers& buffers, std::uint32_t first, std::uint32_t end) {
  while (due(time)) {
    const std::size_t before = buffers_.size();
    sample_now(buffers, first, end);
    // If no packet waits at one of the instants, none waits at the others.
    if (buffers_.size() != before)
      next_sample_ += config_.every;
    else
      next_sample_ = config_.from + ((time - config_.from) / config_.every + 1) * config_.every;
  }
}

template <class Buffers>
void Watch::sample_now(const Buffers& buffers, std::uint32_t first, std::uint32_t end) {
  const std::uint64_t time = next_sample_;
  for (std::uint32_t router = first; router < end; ++router) {
    if (!config_.routers[router]) continue;
    for (std::uint32_t port = 0; port < graph_.ports(router); ++port)
      for (std::uint32_t vc = 0; vc < buffers.virtual_channels(); ++vc) {
        const auto waiting = buffers.waiting(router, port, vc);
        if (waiting.packets == 0) continue;
        buffers_.push_back({.time = time,
                            .router = router,
                            .port = port,
                            .vc = vc,
                            .packets = waiting.packets,
                            .bytes = waiting.bytes,
                            .oldest = time > waiting.since ? time - waiting.since : 0});
      }
  }
}

}  // namespace psim::net

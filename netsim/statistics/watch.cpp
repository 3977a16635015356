// SPDX-License-Identifier: Apache-2.0
#include "netsim/statistics/watch.h"

#include <algorithm>
#include <tuple>

namespace psim::net {

Watch::Watch(const Graph& graph, WatchConfig config)
    : graph_(graph),
      config_(std::move(config)),
      channel_(graph.channels.size(), kNone),
      node_(graph.nodes(), kNone),
      last_row_(graph.nodes(), kNone),
      next_sample_(config_.from + config_.every) {
  std::uint32_t count = 0;
  for (std::uint32_t router = 0; router < graph.routers(); ++router)
    for (std::uint32_t port = 0; port < graph.ports(router); ++port) {
      const std::uint32_t channel = graph.first_port[router] + port;
      if (config_.routers[router] || config_.channels[channel]) channel_[channel] = count++;
    }
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    if (!config_.routers[graph.node_router[node]]) continue;
    node_[node] = count;
    count += graph.node_ports;
  }
  rows_of_.resize(count);
}

std::uint64_t Watch::end_of(std::uint64_t interval) const {
  const std::uint64_t begin = begin_of(interval);
  return config_.to - begin < config_.every ? config_.to : begin + config_.every;
}

/// Returns a channel's row for an interval. Times of a channel ascend, so it is among the last.
Watch::ChannelRow& Watch::row(Rows& rows, const WatchedChannel& channel, std::uint64_t interval) {
  auto at = rows.end();
  while (at != rows.begin() && (at - 1)->interval > interval) --at;
  if (at != rows.begin() && (at - 1)->interval == interval) return *(at - 1);
  return *rows.insert(at, ChannelRow{.interval = interval,
                                     .channel = channel,
                                     .bytes = 0,
                                     .busy = 0,
                                     .packets = 0,
                                     .wait_sum = 0,
                                     .wait_most = 0});
}

void Watch::add(const WatchedChannel& channel, Rows& rows, std::uint64_t now, std::uint64_t length,
                std::uint64_t bytes, std::uint64_t wait) {
  const std::uint64_t end = now + length, first = std::max(now, config_.from),
                      last = std::min(end, config_.to);
  if (now >= config_.from && now < config_.to) {
    ChannelRow& begun = row(rows, channel, (now - config_.from) / config_.every);
    ++begun.packets;
    begun.wait_sum += wait;
    begun.wait_most = std::max(begun.wait_most, wait);
  }
  // Bytes that have passed by a time: cumulative, so that the parts add up to the total.
  const auto passed = [&](std::uint64_t time) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(bytes) * (time - now) / length);
  };
  for (std::uint64_t from = first; from < last;) {
    const std::uint64_t interval = (from - config_.from) / config_.every;
    const std::uint64_t to = std::min(last, end_of(interval));
    ChannelRow& part = row(rows, channel, interval);
    part.bytes += passed(to) - passed(from);
    part.busy += to - from;
    from = to;
  }
}

void Watch::count_received(std::uint32_t node, std::uint64_t now, std::uint64_t bytes,
                           std::uint64_t latency) {
  if (now < config_.from || now >= config_.to) return;
  const std::uint64_t interval = (now - config_.from) / config_.every;
  std::uint32_t& last = last_row_[node];
  if (last == kNone || nodes_[last].interval != interval) {
    last = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({.interval = interval,
                      .node = node,
                      .packets = 0,
                      .bytes = 0,
                      .latency_sum = 0,
                      .latency_least = ~std::uint64_t{0},
                      .latency_most = 0});
  }
  NodeRow& row = nodes_[last];
  ++row.packets;
  row.bytes += bytes;
  row.latency_sum += latency;
  row.latency_least = std::min(row.latency_least, latency);
  row.latency_most = std::max(row.latency_most, latency);
}

void Watch::write(Parcel& parcel) const {
  parcel.put_all(channels());
  parcel.put_all(buffers_);
  parcel.put_all(nodes_);
}

void Watch::read(Parcel& parcel) {
  parcel.take_each<ChannelRow>([this](const ChannelRow& row) { gathered_.push_back(row); });
  parcel.take_each<BufferRow>([this](const BufferRow& row) { buffers_.push_back(row); });
  parcel.take_each<NodeRow>([this](const NodeRow& row) { nodes_.push_back(row); });
}

std::vector<Watch::ChannelRow> Watch::channels() const {
  std::vector<ChannelRow> all = gathered_;
  for (const Rows& rows : rows_of_) all.insert(all.end(), rows.begin(), rows.end());
  std::ranges::sort(all, {}, [](const ChannelRow& row) { return std::tuple(row.interval, row.channel); });
  return all;
}

std::vector<Watch::BufferRow> Watch::buffers() const {
  std::vector<BufferRow> all = buffers_;
  std::ranges::sort(all, {},
                    [](const BufferRow& row) { return std::tuple(row.time, row.router, row.port, row.vc); });
  return all;
}

std::vector<Watch::NodeRow> Watch::nodes() const {
  std::vector<NodeRow> all = nodes_;
  std::ranges::sort(all, {}, [](const NodeRow& row) { return std::tuple(row.interval, row.node); });
  return all;
}

}  // namespace psim::net

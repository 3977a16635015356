// SPDX-License-Identifier: Apache-2.0
#include "netsim/sleep/link_sleep.h"

namespace psim::net {
namespace {

std::uint64_t ps(Picoseconds time) { return static_cast<std::uint64_t>(time.count()); }

}  // namespace

LinkSleep::LinkSleep(const SleepConfig& config, const Graph& graph)
    : graph_(graph),
      policy_(config.policy),
      wake_(ps(config.wake)),
      first_of_nodes_(static_cast<std::uint32_t>(graph.kinds.size())),
      directions_(graph.channels.size() + std::size_t{graph.nodes()} * graph.node_ports),
      low_(first_of_nodes_ + 2) {
  for (std::size_t i = 0; i <= kCableClasses; ++i)
    after_[i] = ps(config.after_by_class[i].count() != 0 ? config.after_by_class[i] : config.after);
  const std::uint64_t least = *std::min_element(std::begin(after_), std::end(after_));
  least_idle_ = policy_ == SleepPolicy::Never ? kBusy : policy_ == SleepPolicy::Known ? least + wake_ : least;
  for (const ChannelKind& kind : graph.kinds) kinds_.push_back(kind.name);
  kinds_.insert(kinds_.end(), {"to nodes", "from nodes"});
  for (std::size_t i = 0; i < graph.channels.size(); ++i)
    if (graph.channels[i].to_place != Channel::kNowhere) directions_[i].kind = graph.channels[i].kind;
  for (std::uint32_t node = 0; node < graph.nodes(); ++node)
    for (std::uint32_t port = 0; port < graph.node_ports; ++port) {
      directions_[of_router(graph.node_place[node], graph.node_port[node] + port)].kind = first_of_nodes_;
      directions_[of_node(node, port)].kind = first_of_nodes_ + 1;
    }
}

void LinkSleep::add(Direction& direction, std::uint64_t begin, std::uint64_t length) {
  if (length == 0) return;
  direction.low += length;
  low_.add(direction.kind, begin, length);
}

std::uint64_t LinkSleep::ask(std::size_t number, std::uint64_t since, std::uint64_t now) {
  Direction& direction = directions_[number];
  since = std::max(since, direction.idle_since);
  if (since >= now) return now;
  const std::uint64_t after = this->after(number);
  const Rest rest = net::rest(policy_, now - since, after, wake_);
  if (rest.low == 0 && rest.delay == 0) return now;
  add(direction, since + after, rest.low);
  ++direction.wakes;
  return now + rest.delay;
}

void LinkSleep::write(Parcel& parcel, std::uint32_t first, std::uint32_t end) const {
  parcel.put(low_.shift());
  parcel.put_all(low_.sums());
  each_of(first, end, [&](std::size_t direction) { parcel.put(directions_[direction]); });
}

void LinkSleep::read(Parcel& parcel, std::uint32_t first, std::uint32_t end) {
  const auto shift = parcel.take<std::uint32_t>();
  low_.add(shift, parcel.take_all<std::uint64_t>());
  each_of(first, end, [&](std::size_t direction) { directions_[direction] = parcel.take<Direction>(); });
}

void LinkSleep::finish(std::uint64_t time) {
  time_ = time;
  for (std::size_t number = 0; number < directions_.size(); ++number) {
    Direction& direction = directions_[number];
    if (direction.kind == kNotThere || direction.idle_since >= time) continue;
    // Nobody comes, so nobody wakes it before its time.
    const std::uint64_t after = this->after(number), idle = time - direction.idle_since;
    const SleepPolicy policy = policy_ == SleepPolicy::Known ? SleepPolicy::Fixed : policy_;
    add(direction, direction.idle_since + after, rest(policy, idle, after, wake_).low);
  }
}

}  // namespace psim::net

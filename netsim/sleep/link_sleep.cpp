// SPDX-License-Identifier: Apache-2.0
#include "netsim/sleep/link_sleep.h"

namespace psim::net {
LinkSleep::LinkSleep(const SleepConfig& config, const Graph& graph, std::uint32_t owners)
    : graph_(graph),
      policy_(config.policy),
      wake_(ps(config.wake)),
      chunk_(config.policy == SleepPolicy::Fixed ? config.chunk.count : 0),
      first_of_nodes_(static_cast<std::uint32_t>(graph.kinds.size())),
      directions_(graph.channels.size() + std::size_t{graph.nodes()} * graph.node_ports),
      low_(first_of_nodes_ + 2),
      shares_(owners == 0 ? 0 : owners + 1) {
  for (std::size_t i = 0; i <= kCableClasses; ++i)
    after_[i] = ps(config.after_by_class[i].count() != 0 ? config.after_by_class[i] : config.after);
  const std::uint64_t least = *std::min_element(std::begin(after_), std::end(after_));
  least_idle_ = policy_ == SleepPolicy::Never ? kBusy : policy_ == SleepPolicy::Known ? least + wake_ : least;
  for (const ChannelKind& kind : graph.kinds) kinds_.push_back(kind.name);
  kinds_.insert(kinds_.end(), {"to nodes", "from nodes"});
  for (std::size_t i = 0; i < graph.channels.size(); ++i)
    if (graph.channels[i].to_router != Channel::kNowhere) directions_[i].kind = graph.channels[i].kind;
  for (std::uint32_t node = 0; node < graph.nodes(); ++node)
    for (std::uint32_t port = 0; port < graph.node_ports; ++port) {
      directions_[of_router(graph.node_router[node], graph.node_port[node] + port)].kind = first_of_nodes_;
      directions_[of_node(node, port)].kind = first_of_nodes_ + 1;
    }
}

void LinkSleep::add(Direction& direction, std::uint64_t begin, std::uint64_t length, std::uint8_t next) {
  if (counts_owners()) {
    hand_over(direction, begin, kNoOwner);
    hand_over(direction, begin + length, next);
  }
  if (length == 0) return;
  direction.low += length;
  low_.add(direction.kind, begin, length);
  if (history_ != nullptr)
    history_->rested(static_cast<std::size_t>(&direction - directions_.data()), begin, length);
}

void LinkSleep::hand_over(Direction& direction, std::uint64_t now, std::uint8_t owner) {
  shares_[direction.owner].awake += now - direction.owned_since;
  direction.owned_since = now;
  direction.owner = owner;
}

std::uint64_t LinkSleep::request(std::size_t number, std::uint64_t since, std::uint64_t now,
                                 std::uint8_t owner) {
  Direction& direction = directions_[number];
  since = std::max(since, direction.idle_since);
  if (since >= now) return now;
  const std::uint64_t after = this->after(number);
  const Rest rest = net::rest(policy_, now - since, after, wake_, direction.habit.expected());
  if (policy_ == SleepPolicy::Predict && now - since >= after) direction.habit.learn(now - since);
  if (rest.low == 0 && rest.delay == 0) return now;
  if (rest.again != 0) {
    add(direction, since + after, rest.low, direction.owner);
    add(direction, now - rest.again, rest.again, owner);
  } else {
    add(direction, since + after, rest.low, owner);
  }
  direction.wakes += rest.again != 0 ? 2 : 1;
  if (counts_owners()) ++shares_[owner].wakes;
  return direction.awake_at = now + rest.delay;
}

LinkSleep::Waits LinkSleep::pass(std::size_t number, std::uint64_t since, std::uint64_t now,
                                 std::uint64_t bytes, std::uint8_t owner) {
  if (after(number) != 0) return {};
  Direction& direction = directions_[number];
  const bool first = since == now && direction.awake_at != now;  // right after another packet
  const std::uint64_t wakes = (bytes + chunk_ - 1) / chunk_ - (first ? 0 : 1);
  direction.wakes += static_cast<std::uint32_t>(wakes);
  if (counts_owners()) shares_[owner].wakes += wakes;
  return {first ? wake_ : 0, wakes * wake_};
}

void LinkSleep::write(Parcel& parcel, std::uint32_t first, std::uint32_t end) const {
  parcel.put(low_.shift());
  parcel.put_all(low_.sums());
  parcel.put_all(shares_);
  each_of(first, end, [&](std::size_t direction) { parcel.put(directions_[direction]); });
}

void LinkSleep::read(Parcel& parcel, std::uint32_t first, std::uint32_t end) {
  const auto shift = parcel.take<std::uint32_t>();
  low_.add(shift, parcel.take_all<std::uint64_t>());
  const std::vector<Share> shares = parcel.take_all<Share>();
  for (std::size_t owner = 0; owner < shares.size(); ++owner) {
    shares_[owner].awake += shares[owner].awake;
    shares_[owner].wakes += shares[owner].wakes;
  }
  each_of(first, end, [&](std::size_t direction) { directions_[direction] = parcel.take<Direction>(); });
}

void LinkSleep::finish(std::uint64_t time) {
  time_ = time;
  for (std::size_t number = 0; number < directions_.size(); ++number) {
    Direction& direction = directions_[number];
    if (direction.kind == kNotThere) continue;
    if (direction.idle_since < time) finish(direction, this->after(number));
    // A run that was cut may have grants later than its last event.
    if (counts_owners()) hand_over(direction, std::max(time, direction.owned_since), kNoOwner);
  }
  low_.reach(time);
}

/// Counts a rest at the end of the run, which no packet ends.
void LinkSleep::finish(Direction& direction, std::uint64_t after) {
  const SleepPolicy policy = policy_ == SleepPolicy::Known ? SleepPolicy::Fixed : policy_;
  const Rest rest = net::rest(policy, time_ - direction.idle_since, after, wake_, direction.habit.expected());
  if (rest.low == 0) return;
  const std::uint64_t begin = direction.idle_since + after;
  if (begin + rest.low < time_) ++direction.wakes;  // woke by itself without a packet
  add(direction, begin, rest.low, direction.owner);
  if (rest.again != 0) add(direction, time_ - rest.again, rest.again, direction.owner);
}

}  // namespace psim::net

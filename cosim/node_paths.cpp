// SPDX-License-Identifier: Apache-2.0
#include "cosim/node_paths.h"

#include <algorithm>
#include <utility>

#include "cosim/queue_observer.h"
#include "pipeline/region_account.h"

namespace psim::cosim {
namespace {

/// Returns the configuration in which the network's own DMA engines, which nodes do not use, take no time.
net::NetworkConfig without_engines(net::NetworkConfig config) {
  config.nic.dma_startup = Picoseconds{0};
  config.nic.dma_bandwidth = BytesPerSecond{0};
  return config;
}

MessagePacket::Leg leg_of_kind(QueuePacket::Kind kind) {
  if (kind == QueuePacket::Kind::Done) return MessagePacket::Leg::Answer;
  const bool reply = kind == QueuePacket::Kind::GetReply || kind == QueuePacket::Kind::AtomicReply;
  return reply ? MessagePacket::Leg::Reply : MessagePacket::Leg::There;
}

}  // namespace

NodePaths::NodePaths(const net::NetworkConfig& config, const net::Network& network,
                     const std::vector<std::uint32_t>& places, std::uint32_t of_node, std::uint64_t period,
                     std::function<std::uint64_t(std::uint64_t)> channel)
    : places_(places),
      of_node_(of_node),
      period_(period),
      channel_(std::move(channel)),
      path_(static_cast<std::uint32_t>(places.size()) * of_node),
      times_(without_engines(config), network.graph, *network.routing) {
  for (std::uint32_t rank = 0; rank < places.size() * of_node; ++rank) {
    ranks_.emplace_back(*this, rank);
    path_.begin(rank, 0);
  }
}

std::uint32_t NodePaths::number_of_region(const std::string& name) {
  const bool full = regions_.size() >= kMostRegions && !region_numbers_.contains(name);
  const auto [found, added] = region_numbers_.emplace(full ? pipeline::RegionAccount::kFurther : name,
                                                      static_cast<std::uint32_t>(regions_.size() + 1));
  if (added) regions_.push_back(found->first);
  return found->second;
}

void NodePaths::OfRank::on_mark(const isa::RegionMarker& mark, const pipeline::Totals&) {
  if (!mark.first_thread) return;
  spend(cycle() * paths_.period_);
  place_.follow(mark);
  if (mark.call) return;
  const std::string region = place_.names().first;
  region_ = region.empty() ? 0 : paths_.number_of_region(region);
}

std::uint64_t NodePaths::OfRank::spend(std::uint64_t now) {
  if (in_call())
    paths_.path_.spent(number_, now, Kind::Calls);
  else
    paths_.path_.spent(number_, now, Kind::Compute, region_);
  present_ = std::max(present_, now);
  return present_;
}

void NodePaths::rang(std::uint32_t rank, std::uint64_t tail, std::uint64_t time) {
  OfRank& of = ranks_[rank];
  if (tail <= of.tail || tail - of.tail > queue::kMostEntries) return;
  const std::uint64_t present = of.spend(time);
  for (; of.tail < tail; ++of.tail) {
    Flight& flight = flights_[message_id(rank, of.tail)];
    flight.chain = path_.here(rank, time);
    flight.rang = present;
  }
}

void NodePaths::begun(std::uint32_t rank, std::uint64_t number, std::uint32_t peer, unsigned ends,
                      bool answered) {
  Flight& flight = flights_[message_id(rank, number)];
  flight.peer = peer;
  flight.ends = ends;
  flight.answered = answered;
}

NodePaths::Leg* NodePaths::leg_of(const QueuePacket& packet) {
  const auto found = flights_.find(message_id(packet.source, packet.operation - 1));
  return found == flights_.end() ? nullptr
                                 : &found->second.legs[static_cast<std::size_t>(leg_of_kind(packet.kind))];
}

void NodePaths::entered(const QueuePacket& packet, std::uint64_t bytes, std::uint64_t time) {
  Leg* const leg = leg_of(packet);
  if (leg == nullptr) return;
  if (leg->bytes == 0)
    leg->first = leg->channel = time;
  else if (time > leg->channel)
    leg->gaps += time - leg->channel;
  leg->channel = std::max(leg->channel, time) + channel_(bytes);
  leg->bytes += bytes;
}

void NodePaths::delivered(const QueuePacket& packet, std::uint64_t time) {
  if (Leg* const leg = leg_of(packet); leg != nullptr) leg->delivered = time;
}

NodePaths::Parts NodePaths::parts_of(const Flight& flight, std::uint32_t from, std::uint32_t to,
                                     std::uint64_t end, bool departs) {
  Parts all;
  const std::uint64_t whole = end - flight.rang;
  for (std::size_t i = 0; i < flight.legs.size(); ++i) {
    const Leg& leg = flight.legs[i];
    const bool there = i == static_cast<std::size_t>(MessagePacket::Leg::There);
    const std::uint64_t until = departs ? end : leg.delivered;
    if (leg.bytes == 0 || (!there && !flight.answered) || until <= leg.first) continue;
    const std::uint32_t source = places_[(there ? from : to) / of_node_],
                        destination = places_[(there ? to : from) / of_node_];
    // The channel waits for DMA in gaps.
    std::uint64_t network = until - leg.first - std::min(leg.gaps, until - leg.first);
    network = std::min(network, whole - all.network);
    const net::MessageTimes::Parts empty = times_.parts(source, destination, leg.bytes, departs);
    const std::uint64_t latency = std::min(empty.latency, network);
    all.latency += latency;
    all.bandwidth += std::min(empty.bandwidth, network - latency);
    all.network += network;
    all.bytes += leg.bytes;
  }
  const Leg& there = flight.legs[static_cast<std::size_t>(MessagePacket::Leg::There)];
  const std::uint64_t begin = there.bytes == 0 ? end : std::max(there.first, flight.rang);
  all.before = std::min(begin - flight.rang + there.gaps, whole - all.network);
  return all;
}

void NodePaths::replace_news(std::uint32_t rank, Chain chain, std::uint64_t time) {
  path_.release(std::exchange(ranks_[rank].news, chain));
  ranks_[rank].news_time = time;
}

void NodePaths::completed(std::uint32_t rank, std::uint64_t message, std::uint64_t time) {
  const auto found = flights_.find(message);
  if (found == flights_.end()) return;
  Flight& flight = found->second;
  if (flight.chain != 0) {
    const auto source = static_cast<std::uint32_t>(message >> kRankShift);
    const bool here = rank == source, departs = here && !flight.answered;
    const std::uint32_t other = here ? flight.peer : rank;
    const std::uint64_t end = std::max(time, flight.rang);
    const Parts parts = parts_of(flight, source, other, end, departs);
    if (parts.network == 0 && !here) {  // the message stays in the interface, which its ranks share
      const std::uint64_t time_inside = end - flight.rang;
      replace_news(rank,
                   path_.follow(flight.chain, {.begin = flight.rang,
                                               .end = end,
                                               .latency = time_inside,
                                               .rank = source,
                                               .other = rank,
                                               .kind = Kind::Inside}),
                   end);
      return end_of(found);
    }
    const std::uint64_t entered = flight.rang + parts.before, left = entered + parts.network;
    const Chain sent = path_.follow(
        flight.chain, {.begin = flight.rang, .end = entered, .rank = source, .kind = Kind::Timer});
    const Chain arrived = path_.follow(sent, {.begin = entered,
                                              .end = left,
                                              .latency = parts.latency,
                                              .bandwidth = parts.bandwidth,
                                              .bytes = parts.bytes,
                                              .rank = source,
                                              .other = other,
                                              .kind = here ? Kind::Departure : Kind::Message});
    replace_news(rank, path_.follow(arrived, {.begin = left, .end = end, .rank = rank, .kind = Kind::Timer}),
                 end);
    path_.release(sent);
    path_.release(arrived);
  }
  end_of(found);
}

/// Notes that one end of a message has completed it.
void NodePaths::end_of(Flights::iterator found) {
  Flight& flight = found->second;
  if (flight.ends > 1 && --flight.ends > 0) return;
  path_.release(flight.chain);
  flights_.erase(found);
}

void NodePaths::flagged(std::uint32_t rank, std::uint64_t group, std::uint64_t time) {
  Flag& flag = flags_[group];
  flag.set = ranks_[rank].spend(time);
  path_.release(std::exchange(flag.chain, path_.here(rank, time)));
  flag.rank = rank;
}

void NodePaths::cleared(std::uint32_t rank, std::uint64_t group, std::uint64_t time) {
  const Flag& flag = flags_[group];
  if (flag.chain == 0) return;
  const std::uint64_t end = std::max(time, flag.set);
  replace_news(
      rank,
      path_.follow(
          flag.chain,
          {.begin = flag.set, .end = end, .rank = flag.rank, .other = rank, .kind = Kind::Collective}),
      end);
}

void NodePaths::signalled(std::uint32_t rank, bool slept, std::uint64_t time) {
  OfRank& of = ranks_[rank];
  if (of.news == 0) return;
  const bool waited = slept && of.in_call();
  path_.enter(std::exchange(of.news, 0));
  if (waited) path_.woken(rank, rank, time);
  path_.leave();
  if (!waited) return;
  path_.resumed(rank, of.news_time);
  of.follow(of.news_time);
}

NodePath NodePaths::path(std::uint32_t rank, std::uint64_t time) {
  ranks_[rank].spend(time);
  return {rank, path_.path(rank), regions_};
}

}  // namespace psim::cosim

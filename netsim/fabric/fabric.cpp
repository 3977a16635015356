// SPDX-License-Identifier: Apache-2.0
#include "netsim/fabric/fabric.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "netsim/statistics/link_history.h"
#include "netsim/statistics/watch.h"

namespace psim::net {
namespace {

std::uint64_t hop_delay(const NetworkConfig& config, CableClass cable) {
  return ps(config.router.pass() + link_of(config.link, cable).delay);
}

std::uint64_t credit_delay(const NetworkConfig& config, CableClass cable) {
  const RouterConfig& router = config.router;
  return router.credit_delay.count() != 0 ? ps(router.credit_delay) : hop_delay(config, cable);
}

/// Bytes of the largest packet.
std::uint64_t largest(const NetworkConfig& config) {
  return std::max<std::uint64_t>(1, config.nic.payload.count + config.nic.header.count);
}

}  // namespace

bool Fabric::one_line(const NetworkConfig& config, const Graph& graph) {
  const RouterConfig& router = config.router;
  return RouterStates::one_line(graph, router.virtual_channels,
                                std::min(router.input_speedup, router.virtual_channels)) &&
         router.arbitration != Arbitration::Age;
}

std::uint64_t Fabric::lookahead(const NetworkConfig& config) {
  std::uint64_t least = ~std::uint64_t{0};
  for (std::size_t i = 0; i < kCableClasses; ++i)
    least = std::min(least, lookahead(config, static_cast<CableClass>(i)));
  return least;
}

std::uint64_t Fabric::lookahead(const NetworkConfig& config, CableClass cable) {
  return std::min(hop_delay(config, cable), credit_delay(config, cable));
}

/// Returns the bytes of credit that a virtual channel cannot use up in a window: the bytes that the fastest
/// cable carries in a window, and a packet more.
std::uint64_t Fabric::plenty(const NetworkConfig& config) {
  constexpr std::uint64_t kSecond = 1'000'000'000'000, kNever = ~std::uint64_t{0};
  std::uint64_t fastest = 0;
  for (std::size_t i = 0; i < kCableClasses; ++i)
    fastest = std::max(fastest, link_of(config.link, static_cast<CableClass>(i)).bandwidth.count);
  if (fastest > kSecond) return kNever;
  // The time of a packet is a whole number of ps, at least that of a byte, rounded either way.
  const double carried = static_cast<double>(lookahead(config)) / static_cast<double>(kSecond) *
                         static_cast<double>(fastest) * (1 + 1 / static_cast<double>(kSecond / fastest));
  return static_cast<std::uint64_t>(carried) + 1 + largest(config);
}

Fabric::Fabric(const NetworkConfig& config, const Graph& graph, const Routing& routing, Engine& engine,
               std::uint64_t seed, LinkSleep* sleep)
    : graph_(graph),
      routing_(routing),
      dimension_order_(dynamic_cast<const DimensionOrder*>(&routing)),
      engine_(engine),
      sleep_(sleep),
      reports_grants_(sleep != nullptr && (sleep->counts_owners() || sleep->between_chunks())),
      by_port_(sleep != nullptr && sleep->by_port()),
      seed_(seed),
      vcs_(config.router.virtual_channels),
      speedup_(std::min(config.router.input_speedup, vcs_)),
      by_age_(config.router.arbitration == Arbitration::Age),
      adaptive_(routing.adaptive()),
      shortens_(!routing.adaptive() && !routing.bubble() && routing.in_order()),
      to_output_(ps(config.router.pass() - config.router.routing)),
      ejection_delay_(to_output_ + ps(config.nic.delay)),
      injection_credit_(ps(config.nic.delay)),
      ejection_(config.nic.bandwidth),
      states_(graph, vcs_, speedup_, static_cast<std::uint32_t>(config.router.buffer.count)),
      buffer_(static_cast<std::uint32_t>(config.router.buffer.count)),
      largest_(static_cast<std::uint32_t>(largest(config))),
      tenths_((std::uint64_t{10} << kTenthShift) / buffer_ + 1),
      plenty_(plenty(config)),
      busy_(static_cast<std::uint32_t>(graph.kinds.size())) {
  const Rate common(config.link.bandwidth);
  for (std::size_t i = 0; i < kCableClasses; ++i) {
    const auto cable = static_cast<CableClass>(i);
    cables_[i].rate = Rate(link_of(config.link, cable).bandwidth);
    cables_[i].common = cables_[i].rate == common;
    cables_[i].delay = hop_delay(config, cable);
    cables_[i].credit = credit_delay(config, cable);
  }
  ejection_common_ = ejection_ == common;
  for (const Channel& channel : graph.channels) one_class_ = one_class_ && channel.cable == CableClass::Usual;
  if (routing.bubble()) bubble_ = largest_;
  if (config.link.bit_error_rate != 0) {
    errors_.emplace(config, seed);
    reports_grants_ = true;
  }
  if (config.congestion.control == CongestionControl::Dcqcn) {
    marks_ = config.congestion;
    reports_grants_ = true;
  }
  may_stall_ = always_may_stall_ = adaptive_ || sleep_ != nullptr;
  for (std::uint32_t router = engine.first_router(); router < engine.end_router(); ++router)
    for (std::uint32_t port = 0; port < graph.ports(router); ++port)
      if (graph.channel(router, port).to_router != Channel::kNowhere) occupancy_[0] += vcs_;
}

ChannelCount Fabric::count(std::uint32_t router, std::uint32_t port) const {
  const PortCount& count = states_.router(router).count(port);
  return {count.busy, count.packets, count.bytes};
}

std::uint64_t Fabric::count_grants() const {
  std::uint64_t sum = 0;
  for (std::uint32_t router = 0; router < graph_.routers(); ++router) {
    const RouterStates::Router<> state = states_.router(router);
    for (std::uint32_t port = 0; port < state.ports(); ++port) sum += state.count(port).packets;
  }
  return sum;
}

OccupancyClasses Fabric::occupancy() const {
  OccupancyClasses classes{};
  for (std::size_t i = 0; i < occupancy_.size(); ++i)
    classes[std::min(i, classes.size() - 1)] += occupancy_[i];
  return classes;
}

std::uint32_t Fabric::inject(std::uint64_t time, std::uint16_t port, std::uint8_t vc, const Packet& packet) {
  const std::uint32_t index = take_slot();
  Slot& slot = slots_[index];
  slot.packet = packet;
  slot.since = time;
  if (dimension_order_ != nullptr) slot.packet.route = route(port, vc, slot.packet);
  schedule_arrival(engine_.router(), port, vc, index);
  return index;
}

void Fabric::receive(const PacketEvent& event) {
  const std::uint32_t index = take_slot();
  Slot& slot = slots_[index];
  slot.packet = event.packet;
  slot.since = event.time;
  slot.number = static_cast<std::uint32_t>(event.data);
  slot.marked = event.data >> 32 != 0;
  Event arrival = event;
  arrival.data = data_of(index, event.packet.route.port);
  engine_.take(arrival);
}

void Fabric::send_away(const PortHead& out, std::uint8_t vc, std::uint32_t slot) {
  PacketEvent& event = engine_.schedule_away(slots_[slot].since, out.to_router);
  event.port = out.to_port;
  event.vc = vc;
  event.packet = slots_[slot].packet;
  event.data = data_of(slots_[slot].number, std::exchange(slots_[slot].marked, false));
}

std::uint64_t Fabric::hold(const Packet& packet) {
  const std::uint32_t slot = take_slot();
  slots_[slot].packet = packet;
  return data_of(slot, packet.message);
}

std::uint32_t Fabric::take_slot() {
  ++held_;
  std::uint32_t slot = free_slot_;
  if (slot == kNone) [[unlikely]] {
    slot = static_cast<std::uint32_t>(slots_.size());
    slots_.emplace_back();
  }
  free_slot_ = slots_[slot].next;
  slots_[slot].next = kNone;
  return slot;
}

Fabric::Waiting Fabric::waiting(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
  Waiting result;
  const std::uint32_t head = states_.router(router).input(port, vc).head;
  if (head != kNone) result.since = slots_[head].since;
  for (std::uint32_t at = head; at != kNone; at = slots_[at].next) {
    ++result.packets;
    result.bytes += slots_[at].packet.bytes;
  }
  return result;
}

/// Marks a packet that is granted an output with a long backlog, other than itself.
void Fabric::mark(std::uint32_t port, Slot& slot) {
  const RouterStates::Router<> state = states_.router(engine_.router());
  const std::uint64_t own = state.requested(port) ? largest_ : 0;
  const std::uint64_t others = backlog(static_cast<std::uint16_t>(port)) - own;
  if (others <= marks_->mark_from.count) return;
  if (others < marks_->mark_all.count) {
    const double share = static_cast<double>(others - marks_->mark_from.count) /
                         static_cast<double>(marks_->mark_all.count - marks_->mark_from.count);
    const std::uint64_t drawn = random_bits(seed_ ^ 0x6d61726b, graph_.first_port[engine_.router()] + port,
                                            state.count(port).packets);
    if (std::ldexp(static_cast<double>(drawn >> 11), -53) >= share * marks_->mark_most) return;
  }
  slot.marked = true;
}

std::uint64_t Fabric::report_grant(std::uint32_t port, Slot& slot, std::uint64_t length) {
  const Packet& packet = slot.packet;
  if (marks_) [[unlikely]]
    mark(port, slot);
  std::uint64_t late = 0;
  if (errors_) [[unlikely]] {
    const RouterStates::Router<> state = states_.router(engine_.router());
    PortCount& count = state.count(port);
    const bool to_node = state.head(port).to_router == Channel::kNowhere;
    const std::uint64_t copies =
        errors_->bad_copies(graph_.first_port[engine_.router()] + port, count.packets, packet.bytes);
    late =
        errors_->delay(copies, length, to_node ? LinkErrors::kOfNode : static_cast<std::size_t>(count.cable));
    count.busy += late;
    if (!to_node) busy_.add(count.kind, engine_.now(), late);
    length += late;
    retries_.packets += copies;
    retries_.delay += late;
  }
  if (watch_ != nullptr)
    watch_->granted(engine_.router(), port, engine_.now(), length, packet.bytes, engine_.now() - slot.since);
  const std::uint32_t channel = graph_.first_port[engine_.router()] + port;
  if (history_ != nullptr)
    history_->granted(channel, engine_.now(), length, packet.node(), packet.owner(), packet.bytes);
  if (sleep_ != nullptr && sleep_->counts_owners()) sleep_->take(channel, engine_.now(), packet.owner());
  if (log_ != nullptr)
    log_->granted({.time = engine_.now(),
                   .channel = channel,
                   .source = packet.node(),
                   .message = packet.message,
                   .bytes = packet.bytes});
  if (hops_ != nullptr)
    hops_->hop({.source = packet.node(),
                .message = packet.message,
                .born = packet.born,
                .router = engine_.router(),
                .port = port,
                .arrival = slot.since,
                .departure = engine_.now(),
                .length = length});
  return late;
}

void Fabric::take_output(std::uint32_t port, Slot& slot, std::uint64_t since, std::uint64_t serial,
                         std::uint64_t& length, std::uint64_t& start, std::uint64_t& head) {
  LinkSleep::Waits waits;
  if (sleep_ != nullptr && sleep_->between_chunks())
    waits = sleep_->pass(sleep_->of_router(engine_.router(), port), since, engine_.now(), slot.packet.bytes,
                         slot.packet.owner());
  length = std::max(length, serial + waits.all);
  start += report_grant(port, slot, length);
  head = start + waits.first;
}

void Fabric::settle() {
  for (std::uint32_t router = engine_.first_router(); router < engine_.end_router(); ++router) {
    const RouterStates::Router<> state = states_.router(router);
    for (std::uint32_t port = 0; port < state.ports(); ++port)
      sleep_->settle(sleep_->of_router(router, port),
                     state.requested(port) ? LinkSleep::kBusy : state.head(port).busy_until);
  }
}

namespace {
/// The counters that processes add up.
template <class Stats>
auto counters(Stats& stats) {
  return std::array{&stats.packet_hops, &stats.waits, &stats.wait_ps, &stats.credit_stalls, &stats.stall_ps};
}
}  // namespace

void Fabric::write(Parcel& parcel) const {
  for (const statistics::Counter* counter : counters(stats_)) parcel.put(counter->count());
  parcel.put(retries_);
  parcel.put(busy_.shift());
  parcel.put_all(busy_.sums());
  for (std::uint32_t router = engine_.first_router(); router < engine_.end_router(); ++router) {
    const RouterStates::Router<> state = states_.router(router);
    for (std::uint32_t port = 0; port < state.ports(); ++port) parcel.put(state.count(port));
  }
}

void Fabric::read(Parcel& parcel, std::uint32_t process) {
  for (statistics::Counter* counter : counters(stats_)) *counter += parcel.take<std::uint64_t>();
  const auto retries = parcel.take<Retries>();
  retries_.packets += retries.packets;
  retries_.delay += retries.delay;
  const auto shift = parcel.take<std::uint32_t>();
  busy_.add(shift, parcel.take_all<std::uint64_t>());
  const Partition& partition = engine_.partition();
  for (std::uint32_t router = partition.first(process); router < partition.end(process); ++router) {
    const RouterStates::Router<> state = states_.router(router);
    for (std::uint32_t port = 0; port < state.ports(); ++port) state.count(port) = parcel.take<PortCount>();
  }
}

}  // namespace psim::net

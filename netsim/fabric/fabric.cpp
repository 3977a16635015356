// SPDX-License-Identifier: Apache-2.0
#include "netsim/fabric/fabric.h"

#include <algorithm>
#include <bit>

#include "netsim/random.h"

namespace psim::net {
namespace {

std::uint64_t ps(Picoseconds time) { return static_cast<std::uint64_t>(time.count()); }

std::uint64_t credit_delay(const NetworkConfig& config) {
  const RouterConfig& router = config.router;
  return router.credit_delay.count() != 0 ? ps(router.credit_delay) : ps(router.pass() + config.link.delay);
}

}  // namespace

std::uint64_t Fabric::lookahead(const NetworkConfig& config) {
  return std::min(ps(config.router.pass() + config.link.delay), credit_delay(config));
}

Fabric::Fabric(const NetworkConfig& config, const Graph& graph, const Routing& routing, Engine& engine,
               std::uint64_t seed)
    : graph_(graph),
      routing_(routing),
      engine_(engine),
      seed_(seed),
      vcs_(config.router.virtual_channels),
      speedup_(std::min(config.router.input_speedup, vcs_)),
      by_age_(config.router.arbitration == Arbitration::Age),
      adaptive_(routing.adaptive()),
      to_output_(ps(config.router.pass() - config.router.routing)),
      ejection_delay_(to_output_ + ps(config.nic.delay)),
      injection_credit_(ps(config.nic.delay)),
      ejection_(config.nic.bandwidth),
      buffer_(static_cast<std::uint32_t>(config.router.buffer.count)),
      busy_(static_cast<std::uint32_t>(graph.kinds.size())) {
  cable_.rate = Rate(config.link.bandwidth);
  cable_.delay = ps(config.router.pass() + config.link.delay);
  cable_.credit = credit_delay(config);
  ejection_common_ = ejection_ == cable_.rate;
  const std::size_t ports = graph.channels.size();
  outputs_.resize(ports);
  units_.resize(ports * speedup_);
  inputs_.resize(ports * vcs_);
  credits_.assign(ports * vcs_, buffer_);
  first_word_.resize(graph.places());
  std::size_t words = 0;
  for (std::uint32_t place = 0; place < graph.places(); ++place) {
    first_word_[place] = words;
    words += graph.ports(place) * ((graph.ports(place) * vcs_ + 63) / 64);
  }
  requests_.resize(words);
  for (std::size_t i = 0; i < ports; ++i) {
    outputs_[i].to_place = graph.channels[i].to_place;
    outputs_[i].to_port = graph.channels[i].to_port;
    outputs_[i].kind = graph.channels[i].kind;
  }
}

void Fabric::prefetch(std::uint32_t place) const {
  const std::size_t base = graph_.first_port[place], ports = graph_.first_port[place + 1] - base;
  constexpr std::size_t kLine = 64, kMost = 16;
  const auto lines = [](const auto* from, std::size_t bytes) {
    const char* at = reinterpret_cast<const char*>(from);
    for (std::size_t i = 0; i < std::min(bytes, kMost * kLine); i += kLine) __builtin_prefetch(at + i);
  };
  lines(&outputs_[base], ports * sizeof(Output));
  lines(&inputs_[base * vcs_], ports * vcs_ * sizeof(InputVc));
  lines(&credits_[base * vcs_], ports * vcs_ * sizeof(std::uint32_t));
  lines(&units_[base * speedup_], ports * speedup_ * sizeof(Unit));
  lines(&requests_[first_word_[place]], ports * sizeof(std::uint64_t));
}

void Fabric::enter(std::uint32_t place) {
  place_ = place;
  base_ = graph_.first_port[place];
  ports_ = graph_.ports(place);
  words_ = (ports_ * vcs_ + 63) / 64;
}

std::uint32_t Fabric::take_slot() {
  ++stored_;
  if (free_slot_ == kNone) {
    slots_.emplace_back();
    return static_cast<std::uint32_t>(slots_.size() - 1);
  }
  const std::uint32_t slot = free_slot_;
  free_slot_ = slots_[slot].next;
  return slot;
}

void Fabric::touch(std::uint16_t port) {
  Output& out = output(port);
  if (out.busy_until > engine_.now()) return wake_output(port);
  if (out.dirty) return;
  out.dirty = true;
  dirty_.push_back(port);
}

void Fabric::wake_output(std::uint16_t port) {
  Output& out = output(port);
  if (out.waking) return;
  out.waking = true;
  auto& event = engine_.schedule<ShortEvent>(out.busy_until, place_, EventKind::Freed);
  event.port = port;
  event.vc = 0;
}

void Fabric::wake_unit(std::uint16_t port, std::uint32_t unit) {
  if (units_[unit].waking) return;
  units_[unit].waking = true;
  auto& event = engine_.schedule<ShortEvent>(units_[unit].busy_until, place_, EventKind::Freed);
  event.port = port;
  event.vc = static_cast<std::uint8_t>(1 + unit % speedup_);
}

void Fabric::ask(std::uint16_t port, std::uint8_t vc) {
  InputVc& in = input(port, vc);
  Packet& packet = slots_[in.head].packet;
  const bool from_node = output(port).to_place == Channel::kNowhere;
  // No two packets of a node for one destination are born at one instant by one port.
  if (from_node)
    routing_.inject(packet, PlaceId{place_}, *this,
                    random_bits(seed_, std::uint64_t{packet.source} << 32 | packet.address, packet.born));
  const Route route = routing_.route(PlaceId{place_}, port, vc, packet, *this);
  in.port = route.port;
  in.vc = route.vc;
  in.asks = true;
  const std::uint32_t candidate = port * vcs_ + vc;
  requests(route.port)[candidate / 64] |= std::uint64_t{1} << candidate % 64;
  const std::uint32_t unit = unit_index(port, vc);
  if (units_[unit].busy_until > engine_.now()) return wake_unit(port, unit);
  touch(route.port);
}

void Fabric::arrive(const PacketEvent& event) {
  const std::uint32_t slot = take_slot();
  slots_[slot].packet = event.packet;
  slots_[slot].since = event.time;
  slots_[slot].next = kNone;
  InputVc& in = input(event.port, event.vc);
  if (in.head != kNone) {
    slots_[in.tail].next = slot;
    in.tail = slot;
    return;
  }
  in.head = in.tail = slot;
  const std::uint32_t unit = unit_index(event.port, event.vc);
  // Behind a packet that is still leaving: it asks when that is gone.
  if (units_[unit].busy_until > engine_.now()) return wake_unit(event.port, unit);
  ask(event.port, event.vc);
}

void Fabric::credit(const ShortEvent& event) {
  credits_[(base_ + event.port) * vcs_ + event.vc] += static_cast<std::uint32_t>(event.data);
  const std::uint64_t* bits = requests(event.port);
  for (std::uint32_t i = 0; i < words_; ++i)
    if (bits[i] != 0) return touch(event.port);
}

void Fabric::freed(const ShortEvent& event) {
  if (event.vc == 0) {
    output(event.port).waking = false;
    return touch(event.port);
  }
  const std::uint32_t unit = static_cast<std::uint32_t>((base_ + event.port) * speedup_ + (event.vc - 1u));
  units_[unit].waking = false;
  for (std::uint32_t vc = event.vc - 1u; vc < vcs_; vc += speedup_) {
    InputVc& in = input(event.port, static_cast<std::uint8_t>(vc));
    if (in.head == kNone) continue;
    if (in.asks)
      touch(in.port);
    else
      ask(event.port, static_cast<std::uint8_t>(vc));
  }
}

/// An adaptive packet that waits may go another way by now.
void Fabric::ask_again() {
  for (std::uint32_t candidate = 0; candidate < ports_ * vcs_; ++candidate) {
    InputVc& in = inputs_[base_ * vcs_ + candidate];
    if (!in.asks) continue;
    const auto port = static_cast<std::uint16_t>(candidate / vcs_);
    const auto vc = static_cast<std::uint8_t>(candidate % vcs_);
    const Route route = routing_.route(PlaceId{place_}, port, vc, slots_[in.head].packet, *this);
    if (route.port != in.port) {
      const std::uint64_t bit = std::uint64_t{1} << candidate % 64;
      requests(in.port)[candidate / 64] &= ~bit;
      requests(route.port)[candidate / 64] |= bit;
      in.port = route.port;
    }
    in.vc = route.vc;
    if (units_[unit_index(port, vc)].busy_until <= engine_.now()) touch(route.port);
  }
}

void Fabric::arbitrate(std::uint64_t) {
  if (adaptive_) ask_again();
  if (dirty_.size() > 1) std::sort(dirty_.begin(), dirty_.end());
  for (const std::uint16_t port : dirty_) {
    output(port).dirty = false;
    try_output(port);
  }
  dirty_.clear();
}

bool Fabric::grantable(const Output& out, std::uint16_t port, std::uint32_t candidate) const {
  const InputVc& in = inputs_[base_ * vcs_ + candidate];
  const std::uint32_t unit =
      unit_index(static_cast<std::uint16_t>(candidate / vcs_), static_cast<std::uint8_t>(candidate % vcs_));
  if (units_[unit].busy_until > engine_.now()) return false;
  return out.to_place == Channel::kNowhere ||  // a node always takes
         credits_[(base_ + port) * vcs_ + in.vc] >= slots_[in.head].packet.bytes;
}

std::uint32_t Fabric::choose(Output& out, std::uint16_t port) const {
  const std::uint64_t* bits = requests(port);
  const std::uint32_t count = ports_ * vcs_;
  std::uint32_t best = kNone;
  // From `turn` to the end, then from the start to `turn`.
  std::uint32_t at = out.turn;
  for (std::uint32_t pass = 0; pass < 2; ++pass) {
    const std::uint32_t end = pass == 0 ? count : out.turn;
    while (at < end) {
      const std::uint64_t word = bits[at / 64] >> at % 64;
      if (word == 0) {
        at = (at / 64 + 1) * 64;
        continue;
      }
      at += static_cast<std::uint32_t>(std::countr_zero(word));
      if (at >= end) break;
      if (grantable(out, port, at)) {
        if (!by_age_) return at;
        if (best == kNone || slots_[inputs_[base_ * vcs_ + at].head].packet.born <
                                 slots_[inputs_[base_ * vcs_ + best].head].packet.born)
          best = at;
      }
      ++at;
    }
    at = 0;
  }
  return best;
}

void Fabric::try_output(std::uint16_t port) {
  Output& out = output(port);
  const std::uint32_t candidate = choose(out, port);
  if (candidate != kNone) grant(port, candidate);
}

void Fabric::grant(std::uint16_t port, std::uint32_t candidate) {
  Output& out = output(port);
  const auto in_port = static_cast<std::uint16_t>(candidate / vcs_);
  const auto in_vc = static_cast<std::uint8_t>(candidate % vcs_);
  InputVc& in = input(in_port, in_vc);
  const std::uint32_t slot_index = in.head;
  Slot& slot = slots_[slot_index];
  const std::uint64_t now = engine_.now();
  const bool ejects = out.to_place == Channel::kNowhere;

  const std::uint64_t serial =
      ejects ? (ejection_common_ ? slot.packet.serial : ejection_.time(slot.packet.bytes))
             : slot.packet.serial;
  const std::uint64_t tail_behind =
      slot.since + slot.packet.lag - std::min(slot.since + slot.packet.lag, now);
  const std::uint64_t length = std::max(serial, tail_behind);

  requests(port)[candidate / 64] &= ~(std::uint64_t{1} << candidate % 64);
  in.asks = false;
  out.turn = static_cast<std::uint16_t>(candidate + 1 == ports_ * vcs_ ? 0 : candidate + 1);
  out.busy_until = now + length;
  out.busy += length;
  ++out.packets;
  const std::uint32_t unit = unit_index(in_port, in_vc);
  units_[unit].busy_until = now + length;

  const std::uint32_t bytes = slot.packet.bytes;
  if (ejects) {
    auto& event = engine_.schedule<PacketEvent>(now + ejection_delay_ + length, place_, EventKind::Ejected);
    event.port = port;
    event.packet = slot.packet;
  } else {
    ++packet_hops_;
    busy_.add(out.kind, now, length);
    auto& event = engine_.schedule<PacketEvent>(now + cable_.delay, out.to_place, EventKind::Arrival);
    event.port = out.to_port;
    event.vc = in.vc;
    event.packet = slot.packet;
    event.packet.lag = static_cast<std::uint32_t>(length);
    credits_[(base_ + port) * vcs_ + in.vc] -= bytes;
  }

  // The room it leaves, told to the sender.
  const Output& back = output(in_port);
  if (back.to_place == Channel::kNowhere) {
    auto& room = engine_.schedule<ShortEvent>(now + length + injection_credit_, place_, EventKind::Injected);
    room.port = in_port;
    room.vc = in_vc;
    room.data = bytes;
  } else {
    auto& room = engine_.schedule<ShortEvent>(now + length + cable_.credit, back.to_place, EventKind::Credit);
    room.port = back.to_port;
    room.vc = in_vc;
    room.data = bytes;
  }

  in.head = slot.next;
  slot.next = free_slot_;
  free_slot_ = slot_index;
  --stored_;
  // Whoever waits for the output or the input is looked at when they are free.
  bool others = in.head != kNone;
  for (std::uint32_t vc = in_vc % speedup_; !others && vc < vcs_; vc += speedup_)
    others = input(in_port, static_cast<std::uint8_t>(vc)).head != kNone;
  if (others) wake_unit(in_port, unit);
  const std::uint64_t* bits = requests(port);
  for (std::uint32_t i = 0; i < words_; ++i)
    if (bits[i] != 0) return wake_output(port);
}

Packet& Fabric::inject(std::uint64_t time, std::uint16_t port, std::uint8_t vc) {
  auto& event = engine_.schedule<PacketEvent>(time, place_, EventKind::Arrival);
  event.port = port;
  event.vc = vc;
  return event.packet;
}

std::uint64_t Fabric::credits(std::uint16_t port, std::uint8_t vc) const {
  return credits_[(base_ + port) * vcs_ + vc];
}

std::uint64_t Fabric::backlog(std::uint16_t port) const {
  std::uint64_t sum = 0;
  for (std::uint32_t vc = 0; vc < vcs_; ++vc) sum += buffer_ - credits_[(base_ + port) * vcs_ + vc];
  return sum;
}

OccupancyClasses Fabric::occupancy() const {
  OccupancyClasses classes{};
  const auto [first, end] = channels_here();
  for (std::size_t port = first; port < end; ++port) {
    if (outputs_[port].to_place == Channel::kNowhere) continue;
    for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
      const std::uint64_t taken = buffer_ - credits_[port * vcs_ + vc];
      ++classes[std::min<std::uint64_t>(9, taken * 10 / buffer_)];
    }
  }
  return classes;
}

void Fabric::write(Parcel& parcel) const {
  parcel.put(packet_hops_);
  parcel.put(busy_.shift());
  parcel.put_all(busy_.sums());
  const auto [first, end] = channels_here();
  for (std::size_t channel = first; channel < end; ++channel) parcel.put(count(channel));
}

void Fabric::read(Parcel& parcel, std::uint32_t process) {
  packet_hops_ += parcel.take<std::uint64_t>();
  const auto shift = parcel.take<std::uint32_t>();
  busy_.add(shift, parcel.take_all<std::uint64_t>());
  for (std::size_t channel = graph_.first_port[engine_.partition().first(process)];
       channel < graph_.first_port[engine_.partition().end(process)]; ++channel) {
    const auto count = parcel.take<ChannelCount>();
    outputs_[channel].busy = count.busy;
    outputs_[channel].packets = static_cast<std::uint32_t>(count.packets);
  }
}

}  // namespace psim::net

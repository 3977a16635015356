// SPDX-License-Identifier: Apache-2.0
// What a router does on an event: the definitions of Fabric's members that serve one. Nearly all of a run's
// time is here and in the engine, so both are compiled as one.
#pragma once

#include <algorithm>
#include <bit>

#include "netsim/fabric/fabric.h"
#include "netsim/random.h"

namespace psim::net {

/// For a Freed: the packets that may go then.
[[gnu::noinline]] inline void Fabric::prefetch_packets(const ShortEvent& event) const {
  const RouterStates::Router router = states_.router(event.place);
  if (event.vc != 0)
    for (std::uint32_t vc = event.vc - 1u; vc < vcs_; vc += speedup_) {
      const std::uint32_t head = router.input(event.port, vc).head;
      if (head != kNone) bring_near(&slots_[head]);
    }
  if (event.data == 0) return;
  const auto output = static_cast<std::uint32_t>(event.data - 1);
  const std::uint32_t turn = router.head(output).turn;
  const std::uint64_t bits = router.request(output, turn / 64);
  if (bits == 0) return;
  const std::uint64_t after = bits & ~std::uint64_t{0} << turn % 64;
  const std::uint32_t candidate =
      turn / 64 * 64 + static_cast<std::uint32_t>(std::countr_zero(after != 0 ? after : bits));
  bring_near(&slots_[router.input(port_of(candidate), vc_of(candidate)).head]);
}

inline std::uint32_t Fabric::take_slot() {
  ++stored_;
  if (free_slot_ == kNone) [[unlikely]] {
    slots_.emplace_back();
    return static_cast<std::uint32_t>(slots_.size() - 1);
  }
  const std::uint32_t slot = free_slot_;
  free_slot_ = slots_[slot].next;
  return slot;
}

/// A packet is about to ask for an output: if that sleeps, it is taken until it is awake.
inline void Fabric::rouse(std::uint32_t port, const Packet& packet) {
  PortHead& out = router_.head(port);
  const std::uint64_t now = engine_.now(), since = out.busy_until;
  if (since >= now || now - since < sleep_->least_idle() || asked(port)) return;
  out.busy_until = sleep_->ask(sleep_->of_router(place_, port), since, now, packet.owner());
}

/// LinkSleep::by_port(): what comes in by a port wakes what goes out, and counts as its use.
inline void Fabric::hear(const PacketEvent& event) {
  rouse(event.port, event.packet);
  sleep_->hear(sleep_->of_router(place_, event.port), event.time, event.time + event.packet.lag,
               event.packet.owner());
}

inline void Fabric::touch(std::uint32_t port) {
  if (router_.head(port).busy_until > engine_.now()) return wake_output(port);
  dirty_[port / 64] |= std::uint64_t{1} << port % 64;
  dirty_words_ = std::max(dirty_words_, port / 64 + 1);
}

inline void Fabric::wake_output(std::uint32_t port) {
  PortHead& out = router_.head(port);
  if (out.waking) return;
  out.waking = true;
  auto& event = engine_.schedule<ShortEvent>(out.busy_until, place_, EventKind::Freed);
  event.port = static_cast<std::uint16_t>(port);
  event.vc = 0;
  event.data = port + 1;
}

inline void Fabric::wake_unit(std::uint32_t port, std::uint32_t index) {
  Unit& unit = router_.unit(port, index);
  if (unit.waking) return;
  unit.waking = true;
  auto& event = engine_.schedule<ShortEvent>(unit.busy_until, place_, EventKind::Freed);
  event.port = static_cast<std::uint16_t>(port);
  event.vc = static_cast<std::uint8_t>(1 + index);
  event.data = 0;
}

inline Route Fabric::route(std::uint32_t port, std::uint32_t vc, Packet& packet) {
  const auto in_port = static_cast<std::uint16_t>(port);
  const auto in_vc = static_cast<std::uint8_t>(vc);
  if (dimension_order_ != nullptr)
    return dimension_order_->DimensionOrder::route(PlaceId{place_}, in_port, in_vc, packet, *this);
  return routing_.route(PlaceId{place_}, in_port, in_vc, packet, *this);
}

inline void Fabric::ask(std::uint32_t port, std::uint32_t vc) {
  InputVc& in = router_.input(port, vc);
  Slot& slot = slots_[in.head];
  Packet& packet = slot.packet;
  // No two packets of a node for one destination are born at one instant by one port.
  if (dimension_order_ == nullptr && router_.head(port).to_place == Channel::kNowhere)
    routing_.inject(packet, PlaceId{place_}, *this,
                    random_bits(seed_, std::uint64_t{packet.node()} << 32 | packet.address, packet.born));
  const Route way = dimension_order_ != nullptr ? packet.way : route(port, vc, packet);
  in.port = way.port;
  in.vc = way.vc;
  in.asks = true;
  in.enters = way.enters;
  if (sleep_ != nullptr) [[unlikely]]
    rouse(way.port, packet);
  const std::uint32_t candidate = port << vc_shift_ | vc;
  router_.request(way.port, candidate / 64) |= std::uint64_t{1} << candidate % 64;
  const std::uint32_t unit = unit_of(vc);
  if (router_.unit(port, unit).busy_until > engine_.now()) return wake_unit(port, unit);
  touch(way.port);
}

inline void Fabric::arrive(const PacketEvent& event) {
  const std::uint32_t index = take_slot();
  Slot& slot = slots_[index];
  slot.packet = event.packet;
  slot.since = event.time;
  slot.next = kNone;
  if (sleep_ != nullptr && sleep_->by_port()) [[unlikely]]
    hear(event);
  InputVc& in = router_.input(event.port, event.vc);
  if (in.head != kNone) {
    slots_[in.tail].next = index;
    in.tail = index;
    return;
  }
  in.head = in.tail = index;
  const std::uint32_t unit = unit_of(event.vc);
  // Behind a packet that is still leaving: it asks when that is gone.
  if (router_.unit(event.port, unit).busy_until > engine_.now()) return wake_unit(event.port, unit);
  ask(event.port, event.vc);
}

inline bool Fabric::asked(std::uint32_t port) const {
  if (router_.request(port, 0) != 0) return true;
  for (std::uint32_t i = 1; i < router_.words(); ++i)
    if (router_.request(port, i) != 0) return true;
  return false;
}

inline bool Fabric::absorb(const ShortEvent& event) {
  std::uint32_t& credits = states_.credits(event.place, event.port, event.vc);
  if (credits < plenty_) return false;
  const std::uint32_t before = credits;
  credits += static_cast<std::uint32_t>(event.data);
  count_room(before, credits);
  return true;
}

inline void Fabric::credit(const ShortEvent& event) {
  std::uint32_t& credits = router_.credits(event.port, event.vc);
  const std::uint32_t before = credits;
  credits += static_cast<std::uint32_t>(event.data);
  count_room(before, credits);
  if (asked(event.port)) touch(event.port);
}

inline void Fabric::freed_output(std::uint32_t port) {
  router_.head(port).waking = false;
  touch(port);
}

/// `vc` is 0 or an input's unit + 1, `data` 0 or an output + 1: often both are free at once.
inline void Fabric::freed(const ShortEvent& event) {
  if (event.vc != 0) {
    router_.unit(event.port, event.vc - 1u).waking = false;
    for (std::uint32_t vc = event.vc - 1u; vc < vcs_; vc += speedup_) {
      InputVc& in = router_.input(event.port, vc);
      if (in.head == kNone) continue;
      if (in.asks)
        touch(in.port);
      else
        ask(event.port, vc);
    }
  }
  if (event.data != 0) freed_output(static_cast<std::uint32_t>(event.data - 1));
}

inline void Fabric::arbitrate(std::uint64_t) {
  if (adaptive_) [[unlikely]]
    ask_again();
  for (std::uint32_t word = 0; word < dirty_words_; ++word) {
    std::uint64_t bits = dirty_[word];
    dirty_[word] = 0;
    for (; bits != 0; bits &= bits - 1) {
      const std::uint32_t port = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
      const std::uint32_t candidate = choose(port);
      if (candidate != kNone) grant(port, candidate);
    }
  }
  dirty_words_ = 0;
}

inline bool Fabric::grantable(const PortHead& out, std::uint32_t port, std::uint32_t candidate) const {
  const std::uint32_t in_port = port_of(candidate), in_vc = vc_of(candidate);
  if (router_.unit(in_port, unit_of(in_vc)).busy_until > engine_.now()) return false;
  const InputVc& in = router_.input(in_port, in_vc);
  if (out.to_place == Channel::kNowhere) return true;  // a node always takes
  const std::uint32_t credits = router_.credits(port, in.vc);
  // The packet is elsewhere in memory: its size is asked for only where it matters.
  if (credits >= largest_ << in.enters) return true;
  return credits != 0 && credits >= room_of(slots_[in.head].packet) << in.enters;
}

inline std::uint32_t Fabric::choose(std::uint32_t port) const {
  const PortHead& out = router_.head(port);
  if (router_.words() == 1 && !by_age_) [[likely]] {
    const std::uint64_t bits = router_.request(port, 0), from_turn = ~std::uint64_t{0} << out.turn;
    for (std::uint64_t left : {bits & from_turn, bits & ~from_turn})
      for (; left != 0; left &= left - 1) {
        const auto candidate = static_cast<std::uint32_t>(std::countr_zero(left));
        if (grantable(out, port, candidate)) return candidate;
      }
    return kNone;
  }
  const std::uint32_t words = router_.words(), first = out.turn / 64;
  const std::uint64_t from_turn = ~std::uint64_t{0} << out.turn % 64;
  std::uint32_t best = kNone;
  std::uint64_t oldest = ~std::uint64_t{0};
  // From `turn` to the end, then from the start to `turn`.
  for (std::uint32_t i = 0; i <= words; ++i) {
    const std::uint32_t word = first + i < words ? first + i : first + i - words;
    std::uint64_t left = router_.request(port, word);
    if (i == 0) left &= from_turn;
    if (i == words) left &= ~from_turn;
    for (; left != 0; left &= left - 1) {
      const std::uint32_t candidate = word * 64 + static_cast<std::uint32_t>(std::countr_zero(left));
      if (!grantable(out, port, candidate)) continue;
      if (!by_age_) return candidate;
      const std::uint64_t born = slots_[router_.input(port_of(candidate), vc_of(candidate)).head].packet.born;
      if (best != kNone && born >= oldest) continue;
      best = candidate;
      oldest = born;
    }
  }
  return best;
}

inline void Fabric::grant(std::uint32_t port, std::uint32_t candidate) {
  PortHead& out = router_.head(port);
  const std::uint32_t in_port = port_of(candidate), in_vc = vc_of(candidate);
  InputVc& in = router_.input(in_port, in_vc);
  const std::uint32_t slot_index = in.head;
  Slot& slot = slots_[slot_index];
  const std::uint64_t now = engine_.now();
  const bool ejects = out.to_place == Channel::kNowhere;

  const Cable& cable = cable_of(port);
  std::uint64_t length = slot.packet.serial;
  if (ejects ? !ejection_common_ : !cable.common) [[unlikely]]
    length = (ejects ? ejection_ : cable.rate).time(slot.packet.bytes);
  const std::uint64_t tail = slot.since + slot.packet.lag;
  if (tail > now + length) length = tail - now;

  if (tells_) [[unlikely]]
    tell_grant(port, slot.packet);

  router_.request(port, candidate / 64) &= ~(std::uint64_t{1} << candidate % 64);
  in.asks = false;
  out.turn = static_cast<std::uint16_t>(candidate + 1 == router_.words() * 64 ? 0 : candidate + 1);
  out.busy_until = now + length;
  PortCount& count = router_.count(port);
  count.busy += length;
  ++count.packets;
  const std::uint32_t unit_index = unit_of(in_vc);
  Unit& unit = router_.unit(in_port, unit_index);
  unit.busy_until = now + length;

  if (ejects) {
    auto& event = engine_.schedule<PacketEvent>(now + ejection_delay_ + length, place_, EventKind::Ejected);
    event.port = static_cast<std::uint16_t>(port);
    event.packet = slot.packet;
  } else {
    ++packet_hops_;
    busy_.add(count.kind, now, length);
    auto& event = engine_.schedule<PacketEvent>(now + cable.delay, out.to_place, EventKind::Arrival);
    event.port = out.to_port;
    event.vc = in.vc;
    event.packet = slot.packet;
    event.packet.lag = static_cast<std::uint32_t>(length);
    if (dimension_order_ != nullptr) [[likely]]
      event.packet.way = dimension_order_->DimensionOrder::route(PlaceId{out.to_place}, out.to_port, in.vc,
                                                                 event.packet, *this);
    std::uint32_t& credits = router_.credits(port, in.vc);
    const std::uint32_t before = credits;
    credits -= room_of(slot.packet);
    count_room(before, credits);
  }

  // The room it leaves, told to the sender.
  const PortHead& back = router_.head(in_port);
  const bool from_node = back.to_place == Channel::kNowhere;
  auto& room =
      from_node ? engine_.schedule<ShortEvent>(now + length + injection_credit_, place_, EventKind::Injected)
                : engine_.schedule<ShortEvent>(now + length + cable_of(in_port).credit, back.to_place,
                                               EventKind::Credit);
  room.port = from_node ? static_cast<std::uint16_t>(in_port) : back.to_port;
  room.vc = static_cast<std::uint8_t>(in_vc);
  room.data = from_node ? slot.packet.bytes : room_of(slot.packet);

  in.head = slot.next;
  slot.next = free_slot_;
  free_slot_ = slot_index;
  --stored_;
  // Whoever waits for the input or the output is looked at when they are free: by one event.
  bool others = in.head != kNone;
  if (!others) {
    const VcState* const inputs = router_.vcs(in_port);
    for (std::uint32_t vc = unit_index; !others && vc < vcs_; vc += speedup_)
      others = inputs[vc].input.head != kNone;
  }
  const bool wakes_unit = others && !unit.waking, wakes_output = !out.waking && asked(port);
  if (!wakes_unit && !wakes_output) return;
  auto& free = engine_.schedule<ShortEvent>(now + length, place_, EventKind::Freed);
  free.port = static_cast<std::uint16_t>(in_port);
  free.vc = static_cast<std::uint8_t>(wakes_unit ? 1 + unit_index : 0);
  free.data = wakes_output ? port + 1 : 0;
  unit.waking |= wakes_unit;
  out.waking |= wakes_output;
}

inline void Fabric::inject(std::uint64_t time, std::uint16_t port, std::uint8_t vc, const Packet& packet) {
  auto& event = engine_.schedule<PacketEvent>(time, place_, EventKind::Arrival);
  event.port = port;
  event.vc = vc;
  event.packet = packet;
  if (dimension_order_ != nullptr) event.packet.way = route(port, vc, event.packet);
}

}  // namespace psim::net

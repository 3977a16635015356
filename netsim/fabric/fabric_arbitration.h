// SPDX-License-Identifier: Apache-2.0
// Which packets go, and what comes of it: FabricService's arbitration.
#pragma once

#include "netsim/fabric/fabric_service.h"

namespace psim::net {

/// An adaptive packet that waits may go another way by now.
template <bool OneLine>
void FabricService<OneLine>::ask_again() {
  for (std::uint32_t port = 0; port < router_.ports(); ++port) {
    for (std::uint32_t vc = 0; vc < vcs(); ++vc) {
      InputVc& in = router_.input(port, vc);
      if (!in.asks) continue;
      const Route way = route(port, vc, slots_[in.head].packet);
      if (way.port != in.port) {
        const std::uint32_t candidate = port << vc_shift() | vc;
        router_.request(in.port, word_of(candidate)) &= ~bit_of(candidate);
        if (sleep_ != nullptr) {
          PortHead& left = router_.head(in.port);
          left.busy_until = std::max<std::uint64_t>(left.busy_until, engine_.now());  // asked for until now
          rouse(way.port, slots_[in.head].packet);
        }
        router_.request(way.port, word_of(candidate)) |= bit_of(candidate);
        in.port = way.port;
      }
      in.vc = way.vc;
      if (router_.unit(port, unit_of(vc)).busy_until <= engine_.now()) touch(way.port);
    }
  }
}

template <bool OneLine>
void FabricService<OneLine>::arbitrate() {
  if (adaptive_) [[unlikely]]
    ask_again();
  for (std::uint32_t word = 0; word < (OneLine ? 1 : dirty_words_); ++word) {
    std::uint64_t bits = dirty_[word];
    dirty_[word] = 0;
    for (; bits != 0; bits &= bits - 1) {
      const std::uint32_t port = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
      const std::uint32_t candidate = choose(port);
      if (candidate != kNone) grant(port, candidate);
    }
  }
  if constexpr (!OneLine) dirty_words_ = 1;
}

template <bool OneLine>
bool FabricService<OneLine>::grantable(const PortHead& out, std::uint32_t port,
                                       std::uint32_t candidate) const {
  const std::uint32_t in_port = port_of(candidate), in_vc = vc_of(candidate);
  if (router_.unit(in_port, unit_of(in_vc)).busy_until > engine_.now()) return false;
  const InputVc& in = router_.input(in_port, in_vc);
  if (out.to_place == Channel::kNowhere) return true;  // a node always takes
  const std::uint32_t credits = router_.credits(port, in.vc);
  // The packet is elsewhere in memory: its size is asked for only where it matters.
  if (credits >= largest_ << in.enters) return true;
  return credits != 0 && credits >= room_of(slots_[in.head].packet) << in.enters;
}

template <bool OneLine>
std::uint32_t FabricService<OneLine>::choose(std::uint32_t port) const {
  const PortHead& out = router_.head(port);
  if (!OneLine && (router_.words() != 1 || by_age_)) return choose_of_many(out, port);
  const std::uint32_t turn = out.turn;
  for (std::uint64_t left = std::rotr(router_.request(port, 0), static_cast<int>(turn)); left != 0;
       left &= left - 1) {
    const std::uint32_t candidate = (static_cast<std::uint32_t>(std::countr_zero(left)) + turn) % 64;
    if (grantable(out, port, candidate)) return candidate;
  }
  return kNone;
}

/// Of more than a word, or by age.
template <bool OneLine>
std::uint32_t FabricService<OneLine>::choose_of_many(const PortHead& out, std::uint32_t port) const {
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

/// Whether an input has packets for one of its units.
template <bool OneLine>
bool FabricService<OneLine>::others(std::uint32_t port, std::uint32_t unit) const {
  const VcState* const inputs = router_.vcs(port);
  static_assert(kNone == ~std::uint32_t{0});
  if constexpr (OneLine) return (inputs[0].input.head & inputs[1].input.head) != kNone;
  std::uint32_t heads = kNone;
  for (std::uint32_t vc = unit; vc < vcs(); vc += units()) heads &= inputs[vc].input.head;
  return heads != kNone;
}

template <bool OneLine>
void FabricService<OneLine>::grant(std::uint32_t port, std::uint32_t candidate) {
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

  router_.request(port, word_of(candidate)) &= ~bit_of(candidate);
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
    auto& event =
        engine_.schedule<PacketEvent>(now + ejection_delay_ + length, engine_.place(), EventKind::Ejected);
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
      event.packet.way = route(out.to_place, out.to_port, in.vc, event.packet);
    std::uint32_t& credits = router_.credits(port, in.vc);
    const std::uint32_t before = credits;
    credits -= room_of(slot.packet);
    count_room(before, credits);
  }

  // The room it leaves, told to the sender.
  const PortHead& back = router_.head(in_port);
  const bool from_node = back.to_place == Channel::kNowhere;
  auto& room = from_node ? engine_.schedule<ShortEvent>(now + length + injection_credit_, engine_.place(),
                                                        EventKind::Injected)
                         : engine_.schedule<ShortEvent>(now + length + cable_of(in_port).credit,
                                                        back.to_place, EventKind::Credit);
  room.port = from_node ? static_cast<std::uint16_t>(in_port) : back.to_port;
  room.vc = static_cast<std::uint8_t>(in_vc);
  room.data = from_node ? slot.packet.bytes : room_of(slot.packet);

  in.head = slot.next;
  slot.next = free_slot_;
  free_slot_ = slot_index;
  --stored_;
  // Whoever waits for the input or the output is looked at when they are free: by one event.
  const bool wakes_unit = !unit.waking && others(in_port, unit_index),
             wakes_output = !out.waking && router_.asked(port);
  if (!wakes_unit && !wakes_output) return;
  auto& free = engine_.schedule<ShortEvent>(now + length, engine_.place(), EventKind::Freed);
  free.port = static_cast<std::uint16_t>(in_port);
  free.vc = static_cast<std::uint8_t>(wakes_unit ? 1 + unit_index : 0);
  free.data = wakes_output ? port + 1 : 0;
  unit.waking |= wakes_unit;
  out.waking |= wakes_output;
}

}  // namespace psim::net

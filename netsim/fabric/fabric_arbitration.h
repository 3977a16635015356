// SPDX-License-Identifier: Apache-2.0
// FabricService's arbitration: the choice of packets, and the effects of a grant.
#pragma once

#include "netsim/fabric/fabric_service.h"

namespace psim::net {

/// Routes waiting packets again, as the best route of an adaptive packet may have changed. A packet's own
/// request does not count while it chooses.
template <bool OneLine>
void FabricService<OneLine>::request_again() {
  for (std::uint32_t port = 0; port < router_.ports(); ++port) {
    for (std::uint32_t vc = 0; vc < vcs(); ++vc) {
      InputVc& in = router_.input(port, vc);
      if (!in.requests) continue;
      const std::uint32_t candidate = port << vc_shift() | vc;
      router_.request(in.port, word_of(candidate)) &= ~bit_of(candidate);
      const Route wanted = route(port, vc, slots_[in.head].packet);
      router_.request(wanted.port, word_of(candidate)) |= bit_of(candidate);
      if (wanted.port != in.port) {
        if (sleep_ != nullptr) {
          PortHead& left = router_.head(in.port);
          left.busy_until = std::max<std::uint64_t>(left.busy_until, engine_.now());  // requested until now
          wake_link(wanted.port, slots_[in.head].packet);
        }
        in.port = wanted.port;
      }
      in.vc = wanted.vc;
      if (router_.unit(port, unit_of(vc)).busy_until <= engine_.now()) touch(wanted.port);
    }
  }
}

template <bool OneLine>
void FabricService<OneLine>::arbitrate() {
  choose_and_grant();
  may_stall_ = always_may_stall_;
}

/// Lets each output choose alone if no two outputs share an input; else calls allocate().
template <bool OneLine>
void FabricService<OneLine>::choose_and_grant() {
  if (adaptive_) [[unlikely]]
    request_again();
  if constexpr (OneLine) {
    const std::uint64_t outputs = dirty_[0];
    if ((outputs & (outputs - 1)) != 0 && contended(outputs)) return allocate();
  } else {
    int outputs = 0;
    for (std::uint32_t word = 0; word < dirty_words_; ++word) outputs += std::popcount(dirty_[word]);
    if (outputs > 1) return allocate();
  }
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
  if (out.to_router == Channel::kNowhere) return true;  // a node always accepts
  const std::uint32_t credits = router_.credits(port, in.vc);
  // The packet's size is on another cache line: it is read only where it matters.
  if (credits >= largest_ << in.enters) return true;
  return credits != 0 && credits >= room_of(slots_[in.head].packet) << in.enters;
}

/// Returns whether an input has packets for two of these outputs.
template <bool OneLine>
bool FabricService<OneLine>::contended(std::uint64_t outputs) const {
  constexpr std::uint64_t kFirstChannels = 0x5555'5555'5555'5555;
  std::uint64_t seen = 0;
  for (; outputs != 0; outputs &= outputs - 1) {
    const std::uint64_t requests = router_.request(static_cast<std::uint32_t>(std::countr_zero(outputs)), 0);
    const std::uint64_t inputs = (requests | requests >> 1) & kFirstChannels;
    if ((seen & inputs) != 0) return true;
    seen |= inputs;
  }
  return false;
}

/// Returns the candidate that an output grants if no other output competes, or kNone: by the turns of the
/// output's inputs, then by the turns of the input's virtual channels.
template <bool OneLine>
std::uint32_t FabricService<OneLine>::choose(std::uint32_t port) const {
  const PortHead& out = router_.head(port);
  if constexpr (!OneLine)
    return by_age_ || units() != 1 ? choose_of_all(out, port) : choose_of_words(out, port);
  const std::uint32_t turn = out.turn;
  for (std::uint64_t left = std::rotr(router_.request(port, 0), static_cast<int>(2 * turn)); left != 0;) {
    const std::uint32_t at = static_cast<std::uint32_t>(std::countr_zero(left)) & ~1u;
    const std::uint32_t in_port = (at / 2 + turn) % 32, requests = left >> at & 3;
    left &= ~(std::uint64_t{3} << at);
    std::uint32_t vc = requests >> 1;
    if (requests == 3) {
      vc = router_.input(in_port, 0).turn & 1;
      if (grantable(out, port, in_port << 1 | vc)) return in_port << 1 | vc;
      vc ^= 1;
    }
    if (grantable(out, port, in_port << 1 | vc)) return in_port << 1 | vc;
  }
  return kNone;
}

/// Chooses among inputs of one unit: from the one whose turn it is to the last, then from the first.
template <bool OneLine>
std::uint32_t FabricService<OneLine>::choose_of_words(const PortHead& out, std::uint32_t port) const {
  const std::uint32_t words = router_.words();
  std::uint32_t turn = first_candidate(out);
  if (turn >= 64 * words) turn = 0;
  const std::uint32_t first = turn / 64;
  const std::uint64_t from_turn = ~std::uint64_t{0} << turn % 64;
  for (std::uint32_t i = 0; i <= words; ++i) {
    const std::uint32_t word = first + i < words ? first + i : first + i - words;
    std::uint64_t left = router_.request(port, word);
    if (i == 0) left &= from_turn;
    if (i == words) left &= ~from_turn;
    while (left != 0) {
      const std::uint32_t in_port = port_of(word * 64 + static_cast<std::uint32_t>(std::countr_zero(left)));
      const std::uint32_t candidate = first_of_input(out, port, in_port);
      if (candidate != kNone) return candidate;
      const std::uint32_t past = (in_port + 1)
                                 << vc_shift();  // in this word: an input's channels never span two
      left = past % 64 == 0 ? 0 : left & ~std::uint64_t{0} << past % 64;
    }
  }
  return kNone;
}

/// Returns the first virtual channel in turn of an input that requests the output and is grantable, or kNone.
template <bool OneLine>
std::uint32_t FabricService<OneLine>::first_of_input(const PortHead& out, std::uint32_t port,
                                                     std::uint32_t in_port) const {
  const std::uint32_t base = in_port << vc_shift(), turn = router_.input(in_port, 0).turn;
  const std::uint64_t channels = router_.request(port, word_of(base)) >> base % 64;
  for (std::uint32_t i = 0; i < vcs(); ++i) {
    const std::uint32_t vc = (turn + i) % vcs();
    if ((channels >> vc & 1) != 0 && grantable(out, port, base | vc)) return base | vc;
  }
  return kNone;
}

/// Chooses by age, or among inputs with several units: examines all candidates.
template <bool OneLine>
std::uint32_t FabricService<OneLine>::choose_of_all(const PortHead& out, std::uint32_t port) const {
  std::uint32_t best = kNone, best_position = 0;
  for (std::uint32_t word = 0; word < router_.words(); ++word)
    for (std::uint64_t left = router_.request(port, word); left != 0; left &= left - 1) {
      const std::uint32_t candidate = word * 64 + static_cast<std::uint32_t>(std::countr_zero(left));
      if (!grantable(out, port, candidate)) continue;
      // The input's turn precedes the virtual channel's; inputs before the one whose turn it is come last.
      const std::uint32_t position =
          (crossbar_input(candidate) - out.turn) << 4 | position_in_unit(candidate);
      if (best != kNone && !before(candidate, best, position, best_position)) continue;
      best = candidate;
      best_position = position;
    }
  return best;
}

/// Returns whether `candidate` precedes `other`: by age if the arbitration is by age, then by position.
template <bool OneLine>
bool FabricService<OneLine>::before(std::uint32_t candidate, std::uint32_t other, std::uint32_t position,
                                    std::uint32_t other_position) const {
  if (!OneLine && by_age_) {
    const auto born = [&](std::uint32_t of) {
      return slots_[router_.input(port_of(of), vc_of(of)).head].packet.born;
    };
    if (born(candidate) != born(other)) return born(candidate) < born(other);
  }
  return position < other_position;
}

/// Separable allocation: every input nominates one of its virtual channels, and every output grants one of
/// the inputs that nominated for it, both by turns. Further rounds follow for the outputs that are left.
template <bool OneLine>
[[gnu::noinline]] void FabricService<OneLine>::allocate() {
  for (std::uint32_t word = 0; word < (OneLine ? 1 : dirty_words_); ++word) {
    for (std::uint64_t bits = dirty_[word]; bits != 0; bits &= bits - 1)
      outputs_.push_back(word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
    dirty_[word] = 0;
  }
  if constexpr (!OneLine) dirty_words_ = 1;
  while (!outputs_.empty()) {
    for (const std::uint32_t output : outputs_) nominate(output);
    if (nominated_.empty()) break;
    for (const std::uint32_t input : nominated_) {
      const std::uint32_t candidate = std::exchange(nominee_[input], kNone);
      const std::uint32_t output = router_.input(port_of(candidate), vc_of(candidate)).port;
      const std::uint32_t turn = router_.head(output).turn, best = winner_[output];
      if (best == kNone || before(candidate, best, input - turn, crossbar_input(best) - turn))
        winner_[output] = candidate;
    }
    nominated_.clear();
    std::erase_if(outputs_, [this](std::uint32_t output) {
      const std::uint32_t candidate = std::exchange(winner_[output], kNone);
      if (candidate != kNone) grant(output, candidate);
      return candidate != kNone;
    });
  }
  outputs_.clear();
}

/// Updates the inputs' nominees by the packets that request this output.
template <bool OneLine>
void FabricService<OneLine>::nominate(std::uint32_t output) {
  const PortHead& out = router_.head(output);
  for (std::uint32_t word = 0; word < router_.words(); ++word)
    for (std::uint64_t left = router_.request(output, word); left != 0; left &= left - 1) {
      const std::uint32_t candidate = word * 64 + static_cast<std::uint32_t>(std::countr_zero(left));
      if (!grantable(out, output, candidate)) continue;
      const std::uint32_t input = crossbar_input(candidate), best = nominee_[input];
      if (best == kNone)
        nominated_.push_back(input);
      else if (!before(candidate, best, position_in_unit(candidate), position_in_unit(best)))
        continue;
      nominee_[input] = candidate;
    }
}

/// Returns whether an input has packets for one of its units.
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
  const bool ejects = out.to_router == Channel::kNowhere;

  const Cable& cable = cable_of(port);
  std::uint64_t serial = slot.packet.serial;
  if (ejects ? !ejection_common_ : !cable.common) [[unlikely]]
    serial = (ejects ? ejection_ : cable.rate).time(slot.packet.bytes);
  std::uint64_t length = serial;
  const std::uint64_t tail = slot.since + slot.packet.lag;
  if (tail > now + length) length = tail - now;

  std::uint64_t start = now, head = now;
  if (reports_grants_) [[unlikely]]
    take_output(port, slot, out.busy_until, serial, length, start, head);

  router_.request(port, word_of(candidate)) &= ~bit_of(candidate);
  in.requests = false;
  const std::uint8_t out_vc = in.vc;
  const std::uint32_t unit_index = unit_of(in_vc);
  Unit& unit = router_.unit(in_port, unit_index);
  count_wait(slot.since, std::max(out.busy_until, unit.busy_until));
  // A turn past the last input is that of the first: turns are compared as differences.
  out.turn = static_cast<std::uint16_t>(crossbar_input(candidate) + 1);
  out.busy_until = start + length;
  PortCount& count = router_.count(port);
  count.busy += length;
  count.bytes += slot.packet.bytes;
  ++count.packets;
  router_.input(in_port, unit_index).turn = static_cast<std::uint8_t>((in_vc + 1) & 15);
  unit.busy_until = start + length;

  in.head = slot.next;
  slot.next = kNone;
  const std::uint32_t room = room_of(slot.packet);
  const bool away = !ejects && !engine_.is_here(out.to_router);
  if (ejects) {
    auto& event = engine_.schedule(start + ejection_delay_ + length, engine_.router(), EventKind::Ejected);
    event.port = static_cast<std::uint16_t>(port);
    event.data = data_of(slot_index, slot.packet.message);
  } else {
    ++stats_.packet_hops;
    busy_.add(count.kind, start, length);
    std::uint32_t& credits = router_.credits(port, out_vc);
    const std::uint32_t before = credits;
    credits -= room;
    count_room(before, credits);
    slot.since = head + cable.delay;
    slot.packet.lag = static_cast<std::uint32_t>(start + length - head);
    if (dimension_order_ != nullptr) [[likely]]
      slot.packet.route = route(out.to_router, out.to_port, out_vc, slot.packet);
    if (away) [[unlikely]]
      send_away(out, out_vc, slot_index);
    else
      schedule_arrival(out.to_router, out.to_port, out_vc, slot_index);
  }

  // Return the credits to the sender.
  const PortHead& back = router_.head(in_port);
  const bool from_node = back.to_router == Channel::kNowhere;
  const std::uint64_t due = start + length + (from_node ? injection_credit_ : cable_of(in_port).credit);
  auto& credit = from_node ? engine_.schedule(due, engine_.router(), EventKind::Injected)
                           : engine_.schedule(due, back.to_router, EventKind::Credit);
  credit.port = from_node ? static_cast<std::uint16_t>(in_port) : back.to_port;
  credit.vc = static_cast<std::uint8_t>(in_vc);
  credit.data = from_node ? slot.packet.bytes : room;

  // One event handles the packets that wait for the input or the output when these are free. An adaptive
  // packet that waits for another output may then take this one.
  const bool wakes_unit = !unit.waking && others(in_port, unit_index),
             wakes_output = !out.waking && (adaptive_ || router_.requested(port));
  if (wakes_unit || wakes_output) {
    auto& free = engine_.schedule(start + length, engine_.router(), EventKind::Freed);
    free.port = static_cast<std::uint16_t>(in_port);
    free.vc = static_cast<std::uint8_t>(wakes_unit ? 1 + unit_index : 0);
    free.data = wakes_output ? port + 1 : 0;
    unit.waking |= wakes_unit;
    out.waking |= wakes_output;
  }

  if (away) [[unlikely]]
    free_slot(slot_index);
}

}  // namespace psim::net

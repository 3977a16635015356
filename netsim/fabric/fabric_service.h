// SPDX-License-Identifier: Apache-2.0
// The routers' reactions to events, inlined into the engine: nearly all of a run's time is spent in both.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/random.h"
#include "netsim/fabric/fabric.h"

namespace psim::net {

/// The Fabric that the engine calls; with `OneLine` for networks for which Fabric::one_line() holds.
template <bool OneLine>
class FabricService final : public Fabric {
 public:
  /// As Fabric.
  FabricService(const NetworkConfig& config, const Graph& graph, const Routing& routing, Engine& engine,
                std::uint64_t seed, LinkSleep* sleep);

  // For the engine.
  void prefetch_port(const Event& event) const { states_.prefetch<OneLine>(event.router, event.port); }
  void prefetch(std::uint32_t router, std::uint32_t port, std::uint32_t output) const {
    states_.prefetch<OneLine>(router, port, output);
    if (sleep_ != nullptr) [[unlikely]]
      sleep_->prefetch(sleep_->of_router(router, output));
  }
  void prefetch_packets(const Event& event) const;
  void enter(std::uint32_t router) { router_ = states_.router<OneLine>(router); }
  /// Takes a credit ahead of its time, in its window, if that makes no difference: the channel has credits
  /// for all packets of the window, or no packet can be sent before the credit is due.
  bool absorb(const Event& event);
  [[gnu::hot]] void arrive(const Event& event);
  /// Serves an Arrival that is the only event of its instant: grants the packet its output without a request
  /// if nothing competes with it. Else returns false, and nothing has changed.
  bool pass_through(const Event& event);
  void credit(const Event& event);
  [[gnu::hot]] void freed(const Event& event);
  [[gnu::hot]] void arbitrate();

  std::uint64_t credits(std::uint16_t port, std::uint8_t vc) const override {
    return router_.credits(port, vc);
  }
  std::uint64_t backlog(std::uint16_t port) const override { return backlog_of(router_, port); }
  std::uint64_t backlog_at(RouterId router, std::uint16_t port) const override {
    return backlog_of(states_.router<OneLine>(index(router)), port);
  }
  bool idle(std::uint16_t port) const override {
    return router_.head(port).busy_until <= engine_.now() && !router_.requested(port);
  }

 private:
  std::uint64_t backlog_of(const RouterStates::Router<OneLine>& router, std::uint16_t port) const;
  bool store(InputVc& in, std::uint32_t slot);
  [[gnu::hot]] void request_output(std::uint32_t port, std::uint32_t vc);
  void choose_and_grant();
  void request_again();
  void wake_link(std::uint32_t output, const Packet& packet);
  void carry_reverse(const Event& event);
  void touch(std::uint32_t output);
  void wake_output(std::uint32_t output);
  void wake_unit(std::uint32_t port, std::uint32_t unit);
  bool grantable(const PortHead& out, std::uint32_t output, std::uint32_t candidate) const;
  [[gnu::hot]] std::uint32_t choose(std::uint32_t output) const;
  std::uint32_t choose_of_words(const PortHead& out, std::uint32_t output) const;
  std::uint32_t choose_of_all(const PortHead& out, std::uint32_t output) const;
  std::uint32_t first_of_input(const PortHead& out, std::uint32_t output, std::uint32_t in_port) const;
  bool contended(std::uint64_t outputs) const;
  void allocate();
  void nominate(std::uint32_t output);
  bool before(std::uint32_t candidate, std::uint32_t other, std::uint32_t position,
              std::uint32_t other_position) const;
  [[gnu::hot]] void grant(std::uint32_t output, std::uint32_t candidate);
  bool others(std::uint32_t port, std::uint32_t unit) const;

  /// Returns the number of virtual channels of an input.
  std::uint32_t vcs() const { return OneLine ? RouterStates::kVcsOfLine : vcs_; }
  std::uint32_t units() const { return OneLine ? 1 : speedup_; }
  std::uint32_t unit_of(std::uint32_t vc) const { return OneLine || speedup_ == 1 ? 0 : unit_of_vc_[vc]; }
  std::uint32_t vc_shift() const { return OneLine ? 1 : vc_shift_; }
  std::uint32_t port_of(std::uint32_t candidate) const { return candidate >> vc_shift(); }
  std::uint32_t vc_of(std::uint32_t candidate) const { return candidate & ((1u << vc_shift()) - 1); }
  static std::uint32_t word_of(std::uint32_t candidate) { return OneLine ? 0 : candidate / 64; }
  static std::uint64_t bit_of(std::uint32_t candidate) { return std::uint64_t{1} << candidate % 64; }
  /// Returns the first candidate of the port whose turn it is; past the last candidate if that is port 0.
  std::uint32_t first_candidate(const PortHead& out) const {
    return (units() == 1 ? out.turn : out.turn / units()) << vc_shift();
  }
  std::uint32_t crossbar_input(std::uint32_t candidate) const {
    return port_of(candidate) * units() + unit_of(vc_of(candidate));
  }
  /// Returns the number of a unit's virtual channels that precede this one: 0 for the one whose turn it is.
  /// Bits above the fourth are dropped, so that a turn past the last channel is that of the first.
  std::uint32_t position_in_unit(std::uint32_t candidate) const {
    const std::uint32_t vc = vc_of(candidate);
    return (vc - router_.input(port_of(candidate), unit_of(vc)).turn) & 15;
  }
  const Cable& cable_of(std::uint32_t port) const {
    return one_class_ ? cables_[0] : cables_[static_cast<std::size_t>(router_.count(port).cable)];
  }

  RouterStates::Router<OneLine> router_;  ///< the one being served
  /// A bit for each output that takes part in this round's arbitration.
  std::conditional_t<OneLine, std::array<std::uint64_t, 1>, std::vector<std::uint64_t>> dirty_{};
  std::uint32_t dirty_words_ = 1;  ///< words of dirty_ that may have a bit set
  std::uint32_t vc_shift_;
  std::array<std::uint8_t, 16> unit_of_vc_{};

  // State of allocate(), empty between its calls.
  std::vector<std::uint32_t> outputs_;    ///< not granted yet
  std::vector<std::uint32_t> nominated_;  ///< crossbar inputs that have a nominee
  std::vector<std::uint32_t> nominee_;    ///< by crossbar input: a candidate, or kNone
  std::vector<std::uint32_t> winner_;     ///< by output: a candidate, or kNone
};

template <bool OneLine>
FabricService<OneLine>::FabricService(const NetworkConfig& config, const Graph& graph, const Routing& routing,
                                      Engine& engine, std::uint64_t seed, LinkSleep* sleep)
    : Fabric(config, graph, routing, engine, seed, sleep), vc_shift_(states_.vc_shift()) {
  for (std::uint32_t vc = 0; vc < unit_of_vc_.size(); ++vc)
    unit_of_vc_[vc] = static_cast<std::uint8_t>(vc % speedup_);
  std::uint32_t most = 0;
  for (std::uint32_t router = 0; router < graph.routers(); ++router)
    most = std::max(most, graph.ports(router));
  if constexpr (!OneLine) dirty_.resize(most / 64 + 1);
  nominee_.resize(std::size_t{most} * units(), kNone);
  winner_.resize(most, kNone);
}

template <bool OneLine>
std::uint64_t FabricService<OneLine>::backlog_of(const RouterStates::Router<OneLine>& router,
                                                 std::uint16_t port) const {
  std::uint64_t sum = 0;
  for (std::uint32_t vc = 0; vc < vcs_; ++vc) sum += buffer_ - router.credits(port, vc);
  // Without the packets that wait here for the port, all packets that choose at one instant would choose the
  // same port.
  int waiting = 0;
  for (std::uint32_t word = 0; word < router.words(); ++word)
    waiting += std::popcount(router.request(port, word));
  return sum + static_cast<std::uint64_t>(waiting) * largest_;
}

/// Prefetches the packets that may be granted on a Freed.
template <bool OneLine>
[[gnu::noinline]] void FabricService<OneLine>::prefetch_packets(const Event& event) const {
  const auto router = states_.router<OneLine>(event.router);
  if (event.vc != 0)
    for (std::uint32_t vc = event.vc - 1u; vc < vcs(); vc += units())
      prefetch_slot(router.input(event.port, vc).head);
  if (event.data == 0) return;
  const auto output = static_cast<std::uint32_t>(event.data - 1);
  const std::uint32_t turn = first_candidate(router.head(output));
  const std::uint32_t word = word_of(turn) < router.words() ? word_of(turn) : 0;
  const std::uint64_t bits = router.request(output, word);
  if (bits == 0) return;
  const std::uint64_t after = bits & ~std::uint64_t{0} << turn % 64;
  const std::uint32_t candidate =
      word * 64 + static_cast<std::uint32_t>(std::countr_zero(after != 0 ? after : bits));
  prefetch_slot(router.input(port_of(candidate), vc_of(candidate)).head);
}

/// Called when a packet is about to request an output: a sleeping output is busy until it is awake.
template <bool OneLine>
void FabricService<OneLine>::wake_link(std::uint32_t port, const Packet& packet) {
  PortHead& out = router_.head(port);
  const std::uint64_t now = engine_.now(), since = out.busy_until;
  if (since >= now || now - since < sleep_->least_idle() || router_.requested(port)) return;
  out.busy_until = sleep_->request(sleep_->of_router(engine_.router(), port), since, now, packet.owner());
}

/// For LinkSleep::by_port(): an arrival at a port wakes the port's output and counts as its use.
template <bool OneLine>
void FabricService<OneLine>::carry_reverse(const Event& event) {
  const Packet& arrived = packet(event);
  wake_link(event.port, arrived);
  sleep_->carry_reverse(sleep_->of_router(engine_.router(), event.port), event.time, event.time + arrived.lag,
                        arrived.owner());
}

template <bool OneLine>
void FabricService<OneLine>::touch(std::uint32_t port) {
  if (router_.head(port).busy_until > engine_.now()) return wake_output(port);
  dirty_[word_of(port)] |= bit_of(port);
  if constexpr (!OneLine) dirty_words_ = std::max(dirty_words_, word_of(port) + 1);
}

template <bool OneLine>
void FabricService<OneLine>::wake_output(std::uint32_t port) {
  PortHead& out = router_.head(port);
  if (out.waking) return;
  out.waking = true;
  auto& event = engine_.schedule(out.busy_until, engine_.router(), EventKind::Freed);
  event.port = static_cast<std::uint16_t>(port);
  event.vc = 0;
  event.data = port + 1;
}

template <bool OneLine>
void FabricService<OneLine>::wake_unit(std::uint32_t port, std::uint32_t index) {
  Unit& unit = router_.unit(port, index);
  if (unit.waking) return;
  unit.waking = true;
  auto& event = engine_.schedule(unit.busy_until, engine_.router(), EventKind::Freed);
  event.port = static_cast<std::uint16_t>(port);
  event.vc = static_cast<std::uint8_t>(1 + index);
  event.data = 0;
}

template <bool OneLine>
void FabricService<OneLine>::request_output(std::uint32_t port, std::uint32_t vc) {
  InputVc& in = router_.input(port, vc);
  Slot& slot = slots_[in.head];
  Packet& packet = slot.packet;
  // (node, destination, birth) is unique, because a node's port starts one packet at a time.
  if (dimension_order_ == nullptr && router_.head(port).to_router == Channel::kNowhere)
    routing_.inject(packet, RouterId{engine_.router()}, static_cast<std::uint16_t>(port), *this,
                    random_bits(seed_, std::uint64_t{packet.node()} << 32 | packet.address, packet.born));
  const Route wanted = dimension_order_ != nullptr ? packet.route : route(port, vc, packet);
  in.port = wanted.port;
  in.vc = wanted.vc;
  in.requests = true;
  in.enters = wanted.enters;
  if (sleep_ != nullptr) [[unlikely]]
    wake_link(wanted.port, packet);
  const std::uint32_t candidate = port << vc_shift() | vc;
  router_.request(wanted.port, word_of(candidate)) |= bit_of(candidate);
  const std::uint32_t unit = unit_of(vc);
  if (router_.unit(port, unit).busy_until > engine_.now()) return wake_unit(port, unit);
  touch(wanted.port);
}

/// Stores a packet in its channel. Returns whether it is the first there.
template <bool OneLine>
bool FabricService<OneLine>::store(InputVc& in, std::uint32_t slot) {
  const bool first = in.head == kNone;
  (first ? in.head : slots_[in.tail].next) = slot;
  in.tail = slot;
  return first;
}

template <bool OneLine>
void FabricService<OneLine>::arrive(const Event& event) {
  if (by_port_) [[unlikely]]
    carry_reverse(event);
  if (!store(router_.input(event.port, event.vc), slot_of(event))) return;
  const std::uint32_t unit = unit_of(event.vc);
  // A packet is still leaving the input: this one requests its output when that has left.
  if (router_.unit(event.port, unit).busy_until > engine_.now()) return wake_unit(event.port, unit);
  request_output(event.port, event.vc);
}

template <bool OneLine>
bool FabricService<OneLine>::pass_through(const Event& event) {
  if (!shortens_ || dimension_order_ == nullptr || sleep_ != nullptr) return false;
  const std::uint64_t now = engine_.now();
  InputVc& in = router_.input(event.port, event.vc);
  const std::uint32_t slot = slot_of(event);
  const Route wanted = slots_[slot].packet.route;
  const PortHead& out = router_.head(wanted.port);
  if (in.head != kNone || router_.unit(event.port, unit_of(event.vc)).busy_until > now ||
      out.busy_until > now || router_.requested(wanted.port))
    return false;
  if (out.to_router != Channel::kNowhere &&
      router_.credits(wanted.port, wanted.vc) < room_of(slots_[slot].packet))
    return false;
  store(in, slot);
  in.vc = wanted.vc;
  grant(wanted.port, static_cast<std::uint32_t>(event.port) << vc_shift() | event.vc);
  return true;
}

/// Packets that wait for a busy output are handled when it is free: wake_output() was called for it.
template <bool OneLine>
bool FabricService<OneLine>::absorb(const Event& event) {
  if (!shortens_) return false;
  const auto router = states_.router<OneLine>(event.router);
  std::uint32_t& credits = router.credits(event.port, event.vc);
  if (credits < plenty_ && router.head(event.port).busy_until < event.time) return false;
  const std::uint32_t before = credits;
  credits += static_cast<std::uint32_t>(event.data);
  count_room(before, credits);
  return true;
}

template <bool OneLine>
void FabricService<OneLine>::credit(const Event& event) {
  std::uint32_t& credits = router_.credits(event.port, event.vc);
  const std::uint32_t before = credits;
  credits += static_cast<std::uint32_t>(event.data);
  count_room(before, credits);
  if (!router_.requested(event.port)) return;
  may_stall_ = true;
  touch(event.port);
}

/// `vc` is 0 or an input's unit + 1, `data` 0 or an output + 1: often both are free at once.
template <bool OneLine>
void FabricService<OneLine>::freed(const Event& event) {
  if (event.vc != 0) {
    router_.unit(event.port, event.vc - 1u).waking = false;
    for (std::uint32_t vc = event.vc - 1u; vc < vcs(); vc += units()) {
      InputVc& in = router_.input(event.port, vc);
      if (in.head == kNone) continue;
      if (in.requests)
        touch(in.port);
      else
        request_output(event.port, vc);
    }
  }
  if (event.data == 0) return;
  const auto output = static_cast<std::uint32_t>(event.data - 1);
  router_.head(output).waking = false;
  touch(output);
}

}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
// The event engine: conservative windows of the length of the lookahead. Routers affect each other only in
// later windows, so each router is served alone, with all its events of the window in order.
//
// The model, World, offers these functions and schedules events by Engine::schedule:
//   uint64 agree(number)
//     Returns the next window of all host processes, given the next one of this process.
//   void prefetch_port(const Event&)
//     Prefetches the port of a Credit before absorb().
//   bool absorb(const Event&)
//     Carries out a Credit of any router ahead of its time and returns true if the order makes no difference;
//     else returns false.
//   uint32 hint(const Event&)
//     Returns the hint about the event that prefetch() gets with its Item.
//   void prefetch(const Item&), void prefetch_target(const Event&)
//     Prefetch the state that an event needs soon; a little later, the state that this points to.
//   void enter(router)
//     Selects the router of the events that follow.
//   void fabric(const Event&)
//     Serves an event of Phase::Fabric.
//   void arbitrate(time)
//     Runs after the fabric's events of each round.
//   void fabric_alone(const Event&)
//     Serves the only event of a round, with arbitrate().
//   void deliver(const Event&), void resume(const Event&)
//     Serve events of Phase::Delivery and Phase::Ranks.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "netsim/engine/agenda.h"
#include "netsim/engine/event.h"
#include "netsim/engine/event_wheel.h"
#include "netsim/engine/partition.h"
#include "netsim/engine/router_order.h"

namespace psim::net {

// Events for routers of another host process, held until the end of the window.

struct Outbox {
  std::vector<Event> shorts;
  std::vector<PacketEvent> packets;

  /// Returns the time of the earliest event, ps; ~0 if there is none.
  std::uint64_t earliest() const {
    std::uint64_t time = ~std::uint64_t{0};
    for (const Event& event : shorts) time = std::min(time, event.time);
    for (const PacketEvent& event : packets) time = std::min(time, event.time);
    return time;
  }
  void clear() {
    shorts.clear();
    packets.clear();
  }
};

class Engine {
 public:
  /// Serves the routers of `process`. Events between routers take at least `lookahead` ps, > 0.
  Engine(Partition partition, std::uint32_t process, std::uint64_t lookahead)
      : partition_(std::move(partition)),
        first_(partition_.first(process)),
        count_(partition_.end(process) - first_),
        outboxes_(partition_.processes()),
        sequences_(count_),
        wheel_(std::min(lookahead, EventWheel::kLongest)),
        order_(first_, count_) {}

  std::uint64_t now() const { return now_; }
  std::uint32_t router() const { return router_; }
  /// Returns the round of the present instant: 0, and one more each time an earlier phase is opened again.
  std::uint32_t round() const { return round_; }
  /// Returns the end of the window that was served last: one past its last instant, ps.
  std::uint64_t served_until() const { return served_until_; }
  /// Sets the end of windows that count as served here, although they had no events here.
  void serve_until(std::uint64_t time) { served_until_ = time; }

  const Partition& partition() const { return partition_; }
  std::uint32_t first_router() const { return first_; }
  std::uint32_t end_router() const { return first_ + count_; }  ///< one past the last
  bool is_here(std::uint32_t router) const { return router - first_ < count_; }
  /// Returns the events scheduled for another process since its outbox was cleared.
  Outbox& outbox(std::uint32_t process) { return outboxes_[process]; }
  /// Returns the number of the window that holds `time`.
  std::uint64_t window(std::uint64_t time) const { return wheel_.number(time); }
  /// Takes an event that another process scheduled; between windows.
  void take(const Event& event) { wheel_.grow(event.time, event.kind) = event; }

  /// Schedules an event on behalf of the router being served and returns it with its head filled in. The
  /// caller fills in the rest (port, vc and data, all uninitialised) before the next call. `time` is not
  /// before now, and not in this window if `router` is another. Outside run(), set_router() sets the router
  /// that schedules.
  [[gnu::always_inline]] Event& schedule(std::uint64_t time, std::uint32_t router, EventKind kind) {
    return schedule(time, router, kind, router_);
  }
  /// Schedules a Resume: `source` is the rank, which orders the ranks of an instant.
  [[gnu::always_inline]] Event& schedule(std::uint64_t time, std::uint32_t router, EventKind kind,
                                         std::uint32_t source) {
    const std::uint32_t sequence = (*sequence_)++;
    Event* event;
    if (time >= end_ && is_here(router)) [[likely]]
      event = &wheel_.grow(time, kind);
    else
      event = &schedule_rest(time, router, kind, source, sequence);
    event->time = time;
    event->router = router;
    event->source = source;
    event->sequence = sequence;
    event->kind = kind;
    return *event;
  }
  /// Schedules the Arrival of a packet at a router of another process, and returns it likewise.
  PacketEvent& schedule_away(std::uint64_t time, std::uint32_t router) {
    PacketEvent& event = outboxes_[partition_.owner(router)].packets.emplace_back();
    event.time = time;
    event.router = router;
    event.source = router_;
    event.sequence = (*sequence_)++;
    event.kind = EventKind::Arrival;
    return event;
  }
  void set_router(std::uint32_t router) {
    router_ = router;
    sequence_ = &sequences_[router - first_];
  }

  /// Serves windows until no event is left anywhere or `more(start of the next window)` is false.
  template <class World, class More>
  void run(World& world, More more) {
    while (step(world, more)) {
    }
  }
  /// Serves the next window. Returns false if there is none or `more` returned false.
  template <class World, class More>
  bool step(World& world, More more) {
    return serve_window(world, world.agree(wheel_.next()), more);
  }
  /// Serves window `number`, on which all processes have agreed. Returns as step().
  template <class World, class More>
  bool serve_window(World& world, std::uint64_t number, More more) {
    if (number == EventWheel::kNever || !more(number * wheel_.window())) return false;
    const auto& sorted = sort(world, wheel_.open(number));
    const RouterOrder::Item* const items = sorted.data();
    const std::size_t count = sorted.size() - RouterOrder::kBeyond;
    end_ = (number + 1) * wheel_.window();
    prefetch_first(world, items, count);
    for (std::size_t i = 0; i < count;) {
      set_router(items[i].router);
      world.enter(router_);
      if (items[i + 1].router != router_) {  // the router's only event, which is common
        prefetch_ahead(world, items + i);
        serve(world, items[i++].event);
        continue;
      }
      for (; items[i].router == router_; ++i) {
        prefetch_ahead(world, items + i);
        agenda_.add(items[i].event);
      }
      agenda_.order();
      serve(world, nullptr);
    }
    wheel_.close();
    served_until_ = end_;
    end_ = 0;
    return true;
  }
  /// Returns the number of the next window with an event here; kNever if there is none.
  std::uint64_t next_window() { return wheel_.next(); }
  /// Returns its start, ps, likewise.
  std::uint64_t next_start() {
    const std::uint64_t number = wheel_.next();
    return number == EventWheel::kNever ? number : number * wheel_.window();
  }
  /// Returns the least time of an event between routers, ps; at most the constructor's `lookahead`.
  std::uint64_t lookahead() const { return wheel_.window(); }

 private:
  /// Schedules an event of another process, or of this window.
  [[gnu::noinline]] Event& schedule_rest(std::uint64_t time, std::uint32_t router, EventKind kind,
                                         std::uint32_t source, std::uint32_t sequence) {
    if (time >= end_) return outboxes_[partition_.owner(router)].shorts.emplace_back();
    assert(router == router_ && time >= now_);
    const bool again = time == now_ && phase(kind) < phase_;
    return agenda_.insert(time, time == now_ ? round_ + again : 0, kind, source, sequence);
  }
  /// Returns the window's events by router, without the events that the world absorbs.
  template <class World>
  const std::vector<RouterOrder::Item>& sort(World& world, const Bucket& bucket) {
    order_.clear();
    const auto ahead = [&](const Event& event) { world.prefetch_port(event); };
    const auto unless_absorbed = [&](const auto& event) {
      if (!world.absorb(event)) order_.add(event, world.hint(event));
    };
    bucket.credits.each(ahead, unless_absorbed);
    bucket.rest.each([&](const Event& event) { order_.add(event, world.hint(event)); });
    return order_.sort();
  }
  /// Prefetch distances in events, as memory takes as long as some events: first the event is prefetched,
  /// then its router's state, then the state that this points to.
  static constexpr std::size_t kEvent = RouterOrder::kBeyond, kRouter = 9, kTarget = 4;
  /// Prefetches for a window's first events, which themselves are in the cache since they were sorted.
  template <class World>
  [[gnu::always_inline]] static void prefetch_first(World& world, const RouterOrder::Item* items,
                                                    std::size_t count) {
    for (std::size_t i = 0; i < std::min(count, kRouter); ++i) world.prefetch(items[i]);
    for (std::size_t i = 0; i < std::min(count, kTarget); ++i) world.prefetch_target(*items[i].event);
  }
  template <class World>
  [[gnu::always_inline]] static void prefetch_ahead(World& world, const RouterOrder::Item* items) {
    __builtin_prefetch(items[kEvent].event);
    world.prefetch(items[kRouter]);
    world.prefetch_target(*items[kTarget].event);
  }
  /// Serves `alone` if not null, then the agenda, with all events that they schedule for this window.
  template <class World>
  void serve(World& world, const Event* alone) {
    now_ = ~std::uint64_t{0};
    bool open = false;  // fabric events of this round have been served, arbitration has not
    if (alone != nullptr) {
      if (phase(alone->kind) == Phase::Fabric) [[likely]] {
        now_ = alone->time;
        round_ = 0;
        phase_ = Phase::Fabric;
        world.fabric_alone(*alone);
        if (!agenda_.added()) return;
      } else {
        open = serve_one(world, *alone, alone->time, 0, phase(alone->kind));
      }
    }
    for (;;) {
      const Agenda::Entry& next = agenda_.top();
      if (open && !same_round_of_fabric(next)) {
        phase_ = Phase::Arbitration;
        world.arbitrate(now_);
        open = false;
        continue;  // a grant may have scheduled something sooner
      }
      if (next.time == Agenda::kNever) break;
      const std::uint64_t time = next.time;
      const std::uint32_t round_phase = next.round_phase();
      const Event& event = *next.event;
      agenda_.pop(next);
      open |= serve_one(world, event, time, round_phase / 4, static_cast<Phase>(round_phase & 3));
    }
    agenda_.clear();
  }
  /// Serves one event. Returns whether it belongs to the fabric.
  template <class World>
  [[gnu::always_inline]] bool serve_one(World& world, const Event& event, std::uint64_t time,
                                        std::uint32_t round, Phase phase) {
    now_ = time;
    round_ = round;
    phase_ = phase;
    if (phase == Phase::Fabric) [[likely]] {
      world.fabric(event);
      return true;
    }
    if (phase == Phase::Delivery)
      world.deliver(event);
    else
      world.resume(event);
    return false;
  }

  bool same_round_of_fabric(const Agenda::Entry& entry) const {
    return entry.time == now_ &&
           entry.round_phase() == round_ * 4 + static_cast<std::uint32_t>(Phase::Fabric);
  }

  Partition partition_;
  std::uint32_t first_, count_;  ///< its routers here
  std::vector<Outbox> outboxes_;
  std::uint32_t router_ = 0;
  std::uint64_t now_ = 0;
  std::uint64_t end_ = 0;  ///< of the present window; 0 outside
  std::uint64_t served_until_ = 0;
  std::uint32_t round_ = 0;
  Phase phase_ = Phase::Fabric;
  std::vector<std::uint32_t> sequences_;
  std::uint32_t* sequence_ = sequences_.data();  ///< of router_
  EventWheel wheel_;
  RouterOrder order_;
  Agenda agenda_;
};

}  // namespace psim::net

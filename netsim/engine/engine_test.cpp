// SPDX-License-Identifier: Apache-2.0
#include "netsim/engine/engine.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace psim::net {
namespace {

/// A World that notes each call as "router@time:kind" and calls the test's function.
struct Notes {
  Engine engine{Partition(8), 0, 100};
  std::string text;
  std::function<void(const Event&)> act = [](const Event&) {};

  void note(const Event& event, const char* what) {
    text += std::to_string(event.router) + "@" + std::to_string(event.time) + ":" + what + " ";
    act(event);
  }
  static std::uint64_t agree(std::uint64_t window) { return window; }
  void prefetch_port(const Event&) {}
  static std::uint32_t hint(const Event&) { return 0; }
  void prefetch(const RouterOrder::Item&) {}
  void prefetch_target(const Event&) {}
  void enter(std::uint32_t) {}
  std::function<bool(const Event&)> absorb = [](const Event&) { return false; };
  void fabric(const Event& event) { note(event, event.kind == EventKind::Credit ? "credit" : "freed"); }
  void fabric_alone(const Event& event) {
    fabric(event);
    arbitrate(event.time);
  }
  void arbitrate(std::uint64_t time) { text += "@" + std::to_string(time) + ":arbitrate "; }
  void deliver(const Event& event) { note(event, "deliver"); }
  void resume(const Event& event) { note(event, ("rank" + std::to_string(event.data)).c_str()); }

  void post(std::uint64_t time, std::uint32_t router, EventKind kind, std::uint64_t data = 0) {
    const std::uint32_t source =
        kind == EventKind::Resume ? static_cast<std::uint32_t>(data) : engine.router();
    engine.schedule(time, router, kind, source).data = data;
  }
  std::string run() {
    engine.run(*this, [](std::uint64_t) { return true; });
    return text;
  }
};

TEST(Engine, AnInstantGoesThroughItsPhasesWithOneArbitration) {
  Notes notes;
  notes.engine.set_router(3);
  notes.post(50, 3, EventKind::Resume, 9);
  notes.post(50, 3, EventKind::Timer);
  notes.post(50, 3, EventKind::Freed);
  notes.post(50, 3, EventKind::Credit);
  notes.post(50, 3, EventKind::Resume, 4);
  EXPECT_EQ(notes.run(), "3@50:freed 3@50:credit @50:arbitrate 3@50:deliver 3@50:rank4 3@50:rank9 ");
}

TEST(Engine, AnEarlierPhaseOfTheSameInstantOpensTheNextRound) {
  Notes notes;
  notes.act = [&](const Event& event) {
    if (event.kind == EventKind::Resume && event.source == 1) {
      notes.post(50, 3, EventKind::Timer);
      notes.post(50, 3, EventKind::Credit);
    }
  };
  notes.engine.set_router(3);
  notes.post(50, 3, EventKind::Resume, 1);
  notes.post(50, 3, EventKind::Resume, 2);
  EXPECT_EQ(notes.run(), "3@50:rank1 3@50:rank2 3@50:credit @50:arbitrate 3@50:deliver ");
}

TEST(Engine, RoutersOfAWindowAreServedOneAfterTheOther) {
  Notes notes;
  for (const std::uint32_t router : {5u, 2u}) {
    notes.engine.set_router(router);
    notes.post(10, router, EventKind::Timer);
    notes.post(90, router, EventKind::Timer);
    notes.post(110, router, EventKind::Timer);
  }
  EXPECT_EQ(notes.run(), "2@10:deliver 2@90:deliver 5@10:deliver 5@90:deliver 2@110:deliver 5@110:deliver ");
}

TEST(Engine, SourcesOrderSimultaneousEvents) {
  Notes notes;
  notes.act = [&](const Event& event) {
    if (event.time == 0) notes.post(200, 1, event.router == 6 ? EventKind::Freed : EventKind::Credit);
  };
  for (const std::uint32_t router : {6u, 4u}) {
    notes.engine.set_router(router);
    notes.post(0, router, EventKind::Timer);
  }
  EXPECT_EQ(notes.run(), "4@0:deliver 6@0:deliver 1@200:credit 1@200:freed @200:arbitrate ");
}

TEST(Engine, AbsorbedEventsAreTakenFirstAndNotServed) {
  Notes notes;
  notes.absorb = [&](const Event& event) {
    const auto& credit = event;
    if (credit.data == 0) return false;
    notes.text += "absorbed" + std::to_string(credit.data) + " ";
    return true;
  };
  notes.engine.set_router(1);
  notes.post(20, 1, EventKind::Freed);
  notes.post(60, 5, EventKind::Credit, 7);
  notes.post(50, 1, EventKind::Credit);
  notes.post(150, 1, EventKind::Credit, 8);
  EXPECT_EQ(notes.run(), "absorbed7 1@20:freed @20:arbitrate 1@50:credit @50:arbitrate absorbed8 ");
}

TEST(Engine, StopsBetweenWindows) {
  Notes notes;
  notes.engine.set_router(0);
  notes.post(50, 0, EventKind::Timer);
  notes.post(150, 0, EventKind::Timer);
  notes.engine.run(notes, [](std::uint64_t start) { return start < 100; });
  EXPECT_EQ(notes.text, "0@50:deliver ");
  EXPECT_FALSE(notes.engine.next_start() == EventWheel::kNever);
}

}  // namespace
}  // namespace psim::net

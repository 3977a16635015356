// SPDX-License-Identifier: Apache-2.0
#include "ranks/timeline/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace psim::net {
namespace {

using Kind = LogEvent::Kind;

/// A Host that has only a time.
struct Clock final : Host {
  std::int64_t time = 0;
  Picoseconds now() const override { return Picoseconds{time}; }
  RankId current() const override { return RankId{0}; }
  std::uint32_t ranks() const override { return 4; }
  NodeId node_of(RankId) const override { return NodeId{0}; }
  bool local(RankId) const override { return true; }
  void send(const Envelope&, std::uint64_t, const std::byte*, std::uint64_t) override {}
  void send_in_place(const Envelope&, std::uint64_t, const std::byte*, std::uint64_t) override {}
  void send_out_of_band(const Envelope&, const std::byte*, std::uint64_t, Picoseconds) override {}
  void block() override {}
  void sleep(Picoseconds) override {}
  void wake(RankId, Picoseconds) override {}
  void after(RankId, Picoseconds, std::uint64_t) override {}
  [[noreturn]] void abort_job(int, std::string_view) override { std::abort(); }
};

/// Returns "12+MPI_Send 13*5 20-": entered at 12, a send with serial 5 at 13, left at 20.
std::string text_of(const Timeline& timeline, std::uint32_t rank) {
  const std::vector<std::string> functions = timeline.functions();
  std::string text;
  timeline.events(rank, [&](const LogEvent& event) {
    text += (text.empty() ? "" : " ") + std::to_string(event.time);
    if (event.kind == Kind::Enter) text += "+" + functions[event.function];
    if (event.kind == Kind::Leave) text += "-";
    if (event.kind == Kind::Note) text += "*" + std::to_string(event.note.serial);
  });
  return text;
}

struct TimedProgram {
  explicit TimedProgram(Observation what = {}) : timeline(4, std::move(what)) { timeline.start(clock); }
  TimedProgram& at(std::int64_t time) {
    clock.time = time;
    return *this;
  }
  TimedProgram& enter(const char* function, std::uint32_t rank = 1) {
    timeline.enter(RankId{rank}, function);
    return *this;
  }
  TimedProgram& send(std::uint32_t serial) {
    timeline.note(RankId{1}, {.kind = CallNote::Kind::Send, .serial = serial});
    return *this;
  }
  TimedProgram& leave(std::uint32_t rank = 1) {
    timeline.leave(RankId{rank});
    return *this;
  }
  Clock clock;
  Timeline timeline;
};

TEST(RankLog, ReadsTheWrittenEvents) {
  RankLog log;
  CallNote note{.peer = 70'000,
                .peer_rank = 3,
                .context = 1u << 31,
                .tag = 0x7fffffff,
                .bytes = std::uint64_t{1} << 60,
                .received = 17,
                .serial = 0xffffffff,
                .number = 129};
  for (int kind = 0; kind <= static_cast<int>(CallNote::Kind::CollectiveEnd); ++kind) {
    note.kind = static_cast<CallNote::Kind>(kind);
    log.note(1'000'000'000'000 + kind, note);
  }
  RankLog::Reader reader(log);
  std::vector<LogEvent> events;
  for (LogEvent event; reader.next(event);) events.push_back(event);
  ASSERT_EQ(events.size(), 7u);
  EXPECT_EQ(events[6].time, 1'000'000'000'006u);
  for (const std::size_t which : {0u, 3u}) {  // a send, a receive
    const CallNote& read = events[which].note;
    EXPECT_EQ(read.peer, note.peer);
    EXPECT_EQ(read.peer_rank, note.peer_rank);
    EXPECT_EQ(read.context, note.context);
    EXPECT_EQ(read.tag, note.tag);
    EXPECT_EQ(read.bytes, note.bytes);
    EXPECT_EQ(read.serial, note.serial);
  }
  EXPECT_EQ(events[1].note.serial, note.serial);
  EXPECT_EQ(events[3].note.number, note.number);
  EXPECT_EQ(events[6].note.received, 17u);
  EXPECT_EQ(events[6].note.peer, 70'000u);
}

TEST(RankLog, TakesAFewBytesPerCall) {
  RankLog log;
  for (std::uint64_t i = 0; i < 1'000; ++i) log.enter(i * 100'000, 3), log.leave(i * 100'000 + 70'000);
  EXPECT_LE(log.bytes().size(), 8'000u);
  EXPECT_EQ(log.calls(), 1'000u);
}

TEST(Timeline, KeepsTheOutermostCalls) {
  TimedProgram p;
  p.at(5).enter("MPI_Win_fence").at(6).enter("MPI_Barrier").at(7).leave().at(9).leave();
  p.timeline.finish(10);
  EXPECT_EQ(text_of(p.timeline, 1), "5+MPI_Win_fence 9-");
  EXPECT_EQ(text_of(p.timeline, 0), "");
}

TEST(Timeline, CutsCallsAtItsBordersAndLeavesOutTheRest) {
  TimedProgram p({.from = 100, .to = 200, .ranks = {}});
  p.at(10).enter("a").send(1).at(90).leave();
  p.at(95).enter("b").send(2).at(100).send(3).at(110).leave();
  p.at(190).enter("c").at(200).send(4).at(201).send(5).at(300).leave();
  p.at(301).enter("d").leave();
  p.timeline.finish(400);
  EXPECT_EQ(text_of(p.timeline, 1), "100+b 100*3 110- 190+c 200*4 200-");
  EXPECT_THAT(p.timeline.functions(), ::testing::Not(::testing::Contains("d")));
}

TEST(Timeline, ACallThatNeverEndsEndsWithTheRun) {
  TimedProgram p;
  p.at(7).enter("MPI_Recv");
  p.timeline.finish(50);
  EXPECT_EQ(text_of(p.timeline, 1), "7+MPI_Recv 50-");
}

TEST(Timeline, ObservesTheRequestedRanks) {
  TimedProgram p({.from = 0, .to = 1000, .ranks = {{0, 0}, {2, 3}}});
  for (std::uint32_t rank = 0; rank < 4; ++rank) p.at(1).enter("f", rank).at(2).leave(rank);
  EXPECT_THAT(p.timeline.observed(), ::testing::ElementsAre(0, 2, 3));
  EXPECT_EQ(p.timeline.calls(), 3u);
}

TEST(Timeline, PutsRanksOfHostProcessesTogether) {
  // Each process numbers functions in the order of their first call.
  TimedProgram one, two;
  one.at(1).enter("zeta", 0).at(2).leave(0).at(3).enter("alpha", 0).at(4).leave(0);
  two.at(1).enter("alpha", 2).at(2).leave(2).at(3).enter("zeta", 2);
  const std::uint32_t members[] = {0, 2};
  two.timeline.communicator(8, members, {});
  one.timeline.finish(9);
  two.timeline.finish(5);
  Parcel parcel;
  two.timeline.write(parcel);
  one.timeline.read(parcel);
  EXPECT_TRUE(parcel.empty());
  EXPECT_EQ(text_of(one.timeline, 0), "1+zeta 2- 3+alpha 4-");
  EXPECT_EQ(text_of(one.timeline, 2), "1+alpha 2- 3+zeta 9-");
  EXPECT_THAT(one.timeline.functions(), ::testing::ElementsAre("alpha", "zeta"));
  EXPECT_THAT(one.timeline.communicators().at(8).members, ::testing::ElementsAre(0, 2));
}

}  // namespace
}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
// The messages of each operation, and its completion. The host delivers at the test's command.
#include "netsim/rdma/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <deque>

namespace psim::net::rdma {
namespace {

using ::testing::ElementsAre;

struct Sent {
  Envelope envelope;
  std::uint64_t wire = 0;
  std::vector<std::byte> data;
  bool control = false, in_place = false;
};

class Bench : public Host, public Client {
 public:
  static constexpr std::uint32_t kRanks = 4;
  RdmaConfig config;
  Engine engine{*this, config, *this, 7};
  std::deque<Sent> sent;
  std::vector<std::string> log;
  std::uint64_t memory[kRanks][8] = {};
  bool moves = true;

  /// Delivers the next message.
  Sent deliver() {
    const Sent message = sent.front();
    sent.pop_front();
    if (message.in_place) engine.departed(message.envelope);
    engine.arrived(message.envelope, message.data.empty() ? nullptr : message.data.data(),
                   message.data.size());
    return message;
  }
  /// Delivers all messages and returns "0>1 c8" for each: source, destination, c (control) or d (data),
  /// bytes.
  std::vector<std::string> path() {
    std::vector<std::string> all;
    while (!sent.empty()) {
      const Sent m = deliver();
      all.push_back(std::to_string(index(m.envelope.source)) + ">" +
                    std::to_string(index(m.envelope.destination)) + (m.control ? " c" : " d") +
                    std::to_string(m.wire));
    }
    return all;
  }

  Picoseconds now() const override { return Picoseconds{0}; }
  RankId current() const override { return RankId{0}; }
  std::uint32_t ranks() const override { return kRanks; }
  NodeId node_of(RankId rank) const override { return NodeId{index(rank)}; }
  bool local(RankId) const override { return true; }
  void send(const Envelope& e, std::uint64_t wire, const std::byte* data, std::uint64_t bytes) override {
    sent.push_back({e, wire, copy(data, bytes)});
  }
  void send_in_place(const Envelope& e, std::uint64_t wire, const std::byte* data,
                     std::uint64_t bytes) override {
    sent.push_back({e, wire, copy(data, bytes), false, true});
  }
  void send_control(const Envelope& e, std::uint64_t wire, const std::byte* data,
                    std::uint64_t bytes) override {
    sent.push_back({e, wire, copy(data, bytes), true});
  }
  void send_out_of_band(const Envelope&, const std::byte*, std::uint64_t, Picoseconds) override {}
  void block() override {}
  void sleep(Picoseconds) override {}
  void wake(RankId, Picoseconds) override {}
  void after(RankId, Picoseconds, std::uint64_t) override {}
  [[noreturn]] void abort_job(int, std::string_view why) override {
    throw std::runtime_error(std::string(why));
  }

  bool carries(std::uint64_t) const override { return moves; }
  std::byte* find(std::uint32_t rank, std::uint64_t address, std::uint64_t) override {
    return reinterpret_cast<std::byte*>(&memory[rank][address]);
  }
  void arrived(const Arrival& a) override {
    log.push_back("came " + std::to_string(a.source) + ">" + std::to_string(a.destination));
  }
  void completed(std::uint32_t rank, Handle handle) override {
    log.push_back("over " + std::to_string(rank) + ":" + std::to_string(handle));
  }
  Answer perform(const Envelope& e, const std::byte* data, std::uint64_t bytes) override {
    return e.context == 1 ? Answer{} : Answer{bytes, copy(data, bytes)};
  }
  void replied(std::uint32_t token, const Envelope&, const std::byte*, std::uint64_t bytes) override {
    log.push_back("answer " + std::to_string(token) + " of " + std::to_string(bytes));
  }

 private:
  static std::vector<std::byte> copy(const std::byte* data, std::uint64_t bytes) {
    return data != nullptr ? std::vector<std::byte>(data, data + bytes) : std::vector<std::byte>();
  }
};

Operation copy_of(std::uint32_t source, std::uint32_t destination) {
  return {.addressed = true, .source = source, .destination = destination, .from = 1, .to = 2, .bytes = 8};
}

TEST(RdmaEngine, APutIsDataAndAControlPacketBack) {
  Bench bench;
  bench.memory[0][1] = 42;
  bench.engine.start(0, copy_of(0, 1), {});
  EXPECT_THAT(bench.path(), ElementsAre("0>1 d8", "1>0 c0"));
  EXPECT_THAT(bench.log, ElementsAre("came 0>1", "over 0:1"));
  EXPECT_EQ(bench.memory[1][2], 42u);
}

TEST(RdmaEngine, AGetIsAControlPacketAndData) {
  Bench bench;
  bench.memory[3][1] = 42;
  bench.engine.start(0, copy_of(3, 0), {});
  EXPECT_THAT(bench.path(), ElementsAre("0>3 c0", "3>0 d8"));
  EXPECT_THAT(bench.log, ElementsAre("over 0:1"));
  EXPECT_EQ(bench.memory[0][2], 42u);
}

TEST(RdmaEngine, ACopyBetweenTwoOthersIsRequestedAndAcknowledged) {
  Bench bench;
  bench.config.control = Bytes{16};
  bench.memory[1][1] = 42;
  bench.engine.start(0, copy_of(1, 2), {});
  EXPECT_THAT(bench.path(), ElementsAre("0>1 c16", "1>2 d8", "2>0 c16"));
  EXPECT_EQ(bench.memory[2][2], 42u);
}

TEST(RdmaEngine, ReadsTheBytesAtTheTimeOfTheRequest) {
  Bench bench;
  bench.memory[3][1] = 1;
  bench.engine.start(0, copy_of(3, 0), {});
  bench.memory[3][1] = 2;
  bench.deliver();
  bench.memory[3][1] = 3;
  bench.deliver();
  EXPECT_EQ(bench.memory[0][2], 2u);
}

TEST(RdmaEngine, WithoutDataTheSameMessagesCrossTheNetwork) {
  Bench bench;
  bench.moves = false;
  bench.memory[0][1] = 42;
  bench.engine.start(0, copy_of(0, 1), {});
  EXPECT_THAT(bench.path(), ElementsAre("0>1 d8", "1>0 c0"));
  EXPECT_EQ(bench.memory[1][2], 0u);
}

TEST(RdmaEngine, AtomicsHappenInTheOrderOfArrival) {
  Bench bench;
  Operation add{
      .action = Action::Add, .addressed = true, .source = 0, .from = 5, .to = 6, .bytes = 8, .operand = 10};
  for (const std::uint32_t rank : {1u, 2u}) {
    add.destination = rank;
    bench.engine.start(rank, add, {});
  }
  std::swap(bench.sent[0], bench.sent[1]);
  EXPECT_THAT(bench.path(), ElementsAre("2>0 c8", "1>0 c8", "0>2 d8", "0>1 d8"));
  EXPECT_EQ(bench.memory[0][5], 20u);
  EXPECT_EQ(bench.memory[2][6], 0u);
  EXPECT_EQ(bench.memory[1][6], 10u);
}

TEST(RdmaEngine, AProgramsAcknowledgementEndsTheOldestPutToItsRank) {
  Bench bench;
  Operation put{.program_acknowledges = true, .source = 0, .destination = 1, .bytes = 8};
  bench.engine.start(0, put, {});
  put.destination = 2;
  bench.engine.start(0, put, {});
  EXPECT_THAT(bench.path(), ElementsAre("0>1 d8", "0>2 d8"));
  bench.engine.acknowledge(2, 0);
  EXPECT_THAT(bench.path(), ElementsAre("2>0 c0"));
  EXPECT_THAT(bench.log, ElementsAre("came 0>1", "came 0>2", "over 0:2"));
  bench.engine.acknowledge(2, 0);
  EXPECT_THROW(bench.deliver(), std::runtime_error);
}

TEST(RdmaEngine, AHeldOperationStartsWhenAnotherCompletes) {
  Bench bench;
  bench.engine.start(0, copy_of(0, 1), {});
  bench.engine.start(0, copy_of(0, 2), {Order::Kind::AfterAll});
  EXPECT_THAT(bench.path(), ElementsAre("0>1 d8", "1>0 c0", "0>2 d8", "2>0 c0"));
}

TEST(RdmaEngine, TheLibrarysOwnOperationsAreAnsweredByDataOrAControlPacket) {
  Bench bench;
  Operation own{.source = 3, .destination = 0, .bytes = 5};
  own.token = 77;
  bench.engine.perform(0, own, std::vector<std::byte>(6));
  EXPECT_THAT(bench.path(), ElementsAre("0>3 d5", "3>0 d6"));
  own.context = 1;
  own.by_control = true;
  bench.engine.perform(0, own, std::vector<std::byte>(6));
  EXPECT_THAT(bench.path(), ElementsAre("0>3 c0", "3>0 c0"));
  EXPECT_THAT(bench.log, ElementsAre("over 0:1", "answer 77 of 6", "over 0:2", "answer 77 of 0"));
}

TEST(RdmaEngine, CountsOperationsByKindAndTheirMessages) {
  Bench bench;
  bench.config.control = Bytes{16};
  bench.engine.start(0, copy_of(0, 1), {});                       // put: data, control back
  bench.engine.start(0, copy_of(3, 0), {});                       // get: control there, data
  bench.engine.start(0, copy_of(1, 2), {});                       // third: control, data, control
  bench.engine.start(0, copy_of(0, 0), {});                       // own: data
  bench.engine.start(0, copy_of(0, 2), {Order::Kind::AfterAll});  // waits for the four
  const Operation swap{.action = Action::Swap, .addressed = true, .source = 2, .destination = 1, .bytes = 4};
  bench.engine.start(1, swap, {});  // control with an operand, data
  const Counts begun = bench.engine.counts();
  EXPECT_EQ(begun.most_under_way, 4u);
  EXPECT_EQ(begun.most_open, 5u);
  bench.path();
  const Counts& counts = bench.engine.counts();
  EXPECT_EQ(counts.puts, 2u);
  EXPECT_EQ(counts.gets, 1u);
  EXPECT_EQ(counts.copies, 1u);
  EXPECT_EQ(counts.own, 1u);
  EXPECT_EQ(counts.atomics, 1u);
  EXPECT_EQ(counts.bytes, 5u * 8 + 4);
  EXPECT_EQ(counts.control_packets, 2u + 1 + 2 + 1);
  EXPECT_EQ(counts.control_bytes, 6u * 16 + 4);
  EXPECT_EQ(counts.data_messages, 6u);
  EXPECT_EQ(counts.data_bytes, 5u * 8 + 4);
  Counts both = counts;
  both.add(begun);
  EXPECT_EQ(both.puts, 4u);
  EXPECT_EQ(both.most_under_way, 4u);
}

}  // namespace
}  // namespace psim::net::rdma

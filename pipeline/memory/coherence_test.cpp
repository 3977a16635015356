// SPDX-License-Identifier: Apache-2.0
// Private first levels over a coherent L2: cycles derived by hand. 2 GHz: a cycle is 500 ps. L1 takes 4
// cycles, L2 adds 20, memory 120, and a copy in another L1 adds 16.
#include <gtest/gtest.h>

#include <memory>

#include "pipeline/memory/memory_system.h"
#include "pipeline/testing/protocol_checker.h"
#include "pipeline/testing/systemc_test.h"
#include "pipeline/testing/textbook_memory.h"

namespace psim::pipeline {
namespace {

using testing::ProtocolChecker;

class Coherence : public testing::SystemCTest {};

sc_core::sc_time coherence_period() { return {500, sc_core::SC_PS}; }

L2Config coherent_l2() {
  L2Config config;
  config.coherent = true;
  return config;
}

/// Three data caches over one L2, with a protocol checker on every link.
struct Chips {
  struct Level1 {
    explicit Level1(int number, const L1Config& config)
        : port(("port" + std::to_string(number)).c_str(), 64, coherence_period()),
          checker(("checker" + std::to_string(number)).c_str()),
          cache(config, port) {
      port.serve(cache);
      port.out_lines.bind(checker.in);
    }
    L1Port port;
    ProtocolChecker checker;
    L1Cache cache;
  };

  explicit Chips(const L2Config& l2_config = coherent_l2())
      : l2("l2", l2_config, coherence_period()),
        memory("memory", MemoryConfig{}, coherence_period()),
        memory_checker("memory_checker") {
    L1Config config;
    config.tlb.enabled = false;
    for (int n = 0; n < 3; ++n) {
      caches.push_back(std::make_unique<Level1>(n, config));
      caches.back()->checker.out.bind(l2.in_requests);
      l2.out_back_invalidate(caches.back()->port);
    }
    l2.out_lines.bind(memory_checker.in);
    memory_checker.out.bind(memory.in_requests);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  ~Chips() {
    for (const auto& level : caches) {
      for (const auto& violation : level->checker.violations) ADD_FAILURE() << violation;
      EXPECT_EQ(level->checker.in_flight(), 0u);
      EXPECT_EQ(level->port.pool().in_use(), 0u);
    }
    for (const auto& violation : memory_checker.violations) ADD_FAILURE() << violation;
  }
  Access begin(int which, std::uint64_t address, AccessKind kind, std::uint64_t at) {
    return cache(which).access(address, 8, kind, at, 0);
  }
  L1Cache& cache(int which) { return caches[static_cast<std::size_t>(which)]->cache; }
  /// Returns the cycle in which the data of the last access are usable.
  std::uint64_t end(int which) {
    std::uint64_t usable = 0;
    while (cache(which).next_event_cycle() != kNever)
      cache(which).drain(cache(which).next_event_cycle(),
                         [&](const Completion& completion) { usable = completion.cycle; });
    return usable;
  }
  /// Makes one access when nothing is under way. Returns its cycles.
  std::uint64_t timed(int which, std::uint64_t address, AccessKind kind = AccessKind::Load) {
    cycle += 1000;
    const Access access = begin(which, address, kind, cycle);
    return (access.outcome == Outcome::Hit ? access.cycle : end(which)) - cycle;
  }

  std::vector<std::unique_ptr<Level1>> caches;
  L2Cache l2;
  MemoryController memory;
  ProtocolChecker memory_checker;
  std::uint64_t cycle = 0;
};

constexpr std::uint64_t kLine = 0x4000;

TEST_F(Coherence, ALineReadByOneCacheIsWrittenThereWithoutAMessage) {
  Chips chips;
  EXPECT_EQ(chips.timed(0, kLine), 4u + 20 + 120);
  EXPECT_EQ(chips.timed(0, kLine, AccessKind::Store), 4u);
  EXPECT_EQ(chips.caches[0]->checker.transactions, 1u);
}

TEST_F(Coherence, ADirtyLineComesThroughL2AndIsSharedThen) {
  Chips chips;
  chips.timed(0, kLine, AccessKind::Store);
  EXPECT_EQ(chips.timed(1, kLine), 4u + 20 + 16);  // from the other cache
  EXPECT_EQ(chips.timed(0, kLine), 4u);            // which keeps it
  EXPECT_EQ(chips.timed(2, kLine), 4u + 20);       // L2 has the data by now
  EXPECT_EQ(chips.l2.coherence_stats().forwards, 1u);
  EXPECT_EQ(chips.l2.coherence_stats().downgrades, 1u);
  EXPECT_EQ(chips.memory.stats().writes, 0u);
}

TEST_F(Coherence, AWriteOfASharedLineInvalidatesTheOtherCopies) {
  Chips chips;
  EXPECT_EQ(chips.timed(0, kLine), 4u + 20 + 120);
  EXPECT_EQ(chips.timed(1, kLine), 4u + 20 + 16);  // cache 0 may have written it
  EXPECT_EQ(chips.timed(2, kLine), 4u + 20);
  EXPECT_EQ(chips.timed(1, kLine, AccessKind::Store), 4u + 20 + 16);
  EXPECT_EQ(chips.l2.coherence_stats().upgrades, 1u);
  EXPECT_EQ(chips.l2.coherence_stats().invalidations, 2u);
  EXPECT_EQ(chips.timed(1, kLine, AccessKind::Store), 4u);
  EXPECT_EQ(chips.timed(0, kLine), 4u + 20 + 16);
  EXPECT_EQ(chips.timed(2, kLine), 4u + 20);
}

TEST_F(Coherence, TwoWritesAtOnceFollowOneAnother) {
  Chips chips;
  chips.begin(0, kLine, AccessKind::Store, 100);
  chips.begin(1, kLine, AccessKind::Store, 101);
  EXPECT_EQ(chips.end(0), 100u + 4 + 20 + 120);
  // The line goes on when cache 0 has it, and takes cache 0's store along.
  EXPECT_EQ(chips.end(1), 100u + 4 + 20 + 120 + 16);
  EXPECT_EQ(chips.l2.coherence_stats().waits, 1u);
  chips.cycle = 1000;
  EXPECT_EQ(chips.timed(1, kLine, AccessKind::Store), 4u);
  EXPECT_EQ(chips.timed(0, kLine), 4u + 20 + 16);
}

TEST_F(Coherence, AStoreThatJoinsAReadOfASharedLineRequestsTheLineAgain) {
  Chips chips;
  chips.timed(0, kLine);
  chips.begin(1, kLine, AccessKind::Load, 2000);
  chips.begin(1, kLine, AccessKind::Store, 2001);
  // The line is shared when it comes, at 2000 + 40. It is known 2 cycles before; the request leaves L1 4
  // cycles later, and cache 0's copy is invalidated.
  EXPECT_EQ(chips.end(1), 2000u + 40 - 2 + 4 + 20 + 16);
  chips.cycle = 3000;
  EXPECT_EQ(chips.timed(1, kLine, AccessKind::Store), 4u);
  EXPECT_EQ(chips.timed(0, kLine), 4u + 20 + 16);
}

TEST_F(Coherence, FalseSharingCostsATransferPerWriteAndPaddingNone) {
  Chips chips;
  for (const bool padded : {false, true}) {
    const std::uint64_t address = padded ? kLine + 0x1000 : kLine, distance = padded ? 64 : 8;
    chips.timed(0, address, AccessKind::Store);
    chips.timed(1, address + distance, AccessKind::Store);
    for (int n = 0; n < 3; ++n)
      for (int which = 0; which < 2; ++which)
        EXPECT_EQ(
            chips.timed(which, address + static_cast<std::uint64_t>(which) * distance, AccessKind::Store),
            padded ? 4u : 4u + 20 + 16);
  }
}

TEST_F(Coherence, ALineThatLeavesL2LeavesTheFirstLevelsWithItsData) {
  L2Config config = coherent_l2();
  config.ways = 2;
  config.bytes = 128;  // two lines, one set
  Chips chips(config);
  chips.timed(0, 0x1000, AccessKind::Store);
  chips.timed(1, 0x2000);
  chips.timed(2, 0x3000);  // takes the place of 0x1000
  EXPECT_EQ(chips.memory.stats().writes, 1u);
  EXPECT_EQ(chips.l2.stats().back_invalidates, 1u);
  EXPECT_EQ(chips.timed(0, 0x1000), 4u + 20 + 120);
  EXPECT_EQ(chips.timed(1, 0x2000), 4u + 20 + 120);
}

TEST_F(Coherence, InstructionsAreNeverHeldForWriting) {
  Chips chips;
  chips.timed(0, kLine, AccessKind::Fetch);
  EXPECT_EQ(chips.timed(1, kLine), 4u + 20);
  EXPECT_EQ(chips.timed(0, kLine, AccessKind::Store), 4u + 20 + 16);
  EXPECT_EQ(chips.l2.coherence_stats().downgrades, 0u);
}

}  // namespace
}  // namespace psim::pipeline

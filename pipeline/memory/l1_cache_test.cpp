// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memory/l1_cache.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "pipeline/testing/recording_level.h"

namespace psim::pipeline {
namespace {

using testing::RecordingLevel;
using Request = RecordingLevel::Request;

L1Config small() {
  L1Config config;
  config.bytes = 512;  // 4 sets of 2 lines of 64 bytes
  config.latency = 4;
  config.miss_registers = 2;
  config.targets_per_miss = 3;
  config.notice = 2;
  config.tlb.enabled = false;
  return config;
}

struct CacheBench {
  explicit CacheBench(const L1Config& config = small(), bool answer = true)
      : below(20, answer), cache(config, below) {
    below.serve(cache);
  }
  /// Runs to the announcement of the next completion and returns it.
  std::vector<Completion> drain(std::uint64_t cycle) {
    std::vector<Completion> got;
    cache.drain(cycle, [&](const Completion& completion) { got.push_back(completion); });
    return got;
  }
  /// Fetches a line and waits for it; returns the first free cycle.
  std::uint64_t fetch(std::uint64_t address, std::uint64_t cycle, AccessKind kind = AccessKind::Load) {
    EXPECT_EQ(cache.access(address, 8, kind, cycle, 99).outcome, Outcome::Miss);
    const std::uint64_t event = cache.next_event_cycle();
    drain(event);
    return event + 1;
  }
  Access load(std::uint64_t address, std::uint64_t cycle, std::uint64_t token = 0) {
    return cache.access(address, 8, AccessKind::Load, cycle, token);
  }
  RecordingLevel below;
  L1Cache cache;
};

TEST(L1Cache, AHitIsUsableAfterItsLatency) {
  CacheBench bench;
  const std::uint64_t c = bench.fetch(0x1000, 0);
  const Access access = bench.load(0x1038, c);
  EXPECT_EQ(access.outcome, Outcome::Hit);
  EXPECT_EQ(access.cycle, c + 4);
}

TEST(L1Cache, AnEmptyCacheHoldsNoLineNotEvenThatOfAddressZero) {
  CacheBench bench;
  const std::uint64_t c = bench.fetch(0, 0, AccessKind::Store);
  EXPECT_EQ(bench.load(0, c).outcome, Outcome::Hit);
  EXPECT_EQ(bench.cache.stats().evictions, 0u);
}

// Lines of one set, 0x1000, 0x1100, 0x1200, in a cache of 2 ways: the third evicts the first, which is dirty.
// Each fill is usable 4 + 20 cycles after its access; one access joins a miss 1 cycle after it.
TEST(L1Cache, StatisticsOfAKnownSequence) {
  CacheBench bench;
  std::uint64_t c = bench.fetch(0x1000, 0, AccessKind::Store);
  EXPECT_EQ(bench.load(0x1008, c).outcome, Outcome::Hit);
  bench.load(0x1100, c, 1);
  EXPECT_TRUE(bench.load(0x1110, c + 1, 2).merged);
  bench.load(0x1200, c + 1, 3);
  EXPECT_EQ(bench.load(0x1300, c + 1, 4).outcome, Outcome::Refused) << "two ports";
  EXPECT_EQ(bench.load(0x1300, c + 2, 4).refusal, Refusal::MissRegister) << "two registers";
  while (bench.cache.next_event_cycle() != kNever) bench.drain(bench.cache.next_event_cycle());
  const L1Stats& stats = bench.cache.stats();
  EXPECT_EQ(stats.hits, 1u);
  EXPECT_EQ(stats.misses, 3u);
  EXPECT_EQ(stats.merges, 1u);
  EXPECT_EQ(stats.requests, 3u);
  EXPECT_EQ(stats.evictions, 1u);
  EXPECT_EQ(stats.write_backs, 1u);
  EXPECT_EQ(stats.port_refusals, 1u);
  EXPECT_EQ(stats.miss_register_refusals, 1u);
  EXPECT_EQ(stats.miss_latency.samples(), 3u);
  EXPECT_EQ(stats.miss_latency.sum(), 3u * 24);
  EXPECT_EQ(stats.outstanding.count(1), 2u) << "0x1000 alone, 0x1100 alone";
  EXPECT_EQ(stats.outstanding.count(2), 1u) << "0x1200 beside 0x1100";
}

// A page that the access has waited for is translated although others have taken the only entry.
TEST(L1Cache, AnAccessThatWaitedForItsTranslationNeedsNoEntryOfTheMicroTlb) {
  L1Config config = small();
  config.tlb.enabled = true;
  config.tlb.micro_entries = 1;
  CacheBench bench(config);
  const Access first = bench.load(0x10000, 0);
  EXPECT_EQ(first.refusal, Refusal::Tlb);
  EXPECT_EQ(bench.load(0x20000, 1).refusal, Refusal::Tlb);
  EXPECT_EQ(bench.load(0x10000, first.cycle).refusal, Refusal::Tlb);
  EXPECT_EQ(bench.cache.access(0x10000, 8, AccessKind::Load, first.cycle, 0, true).outcome, Outcome::Miss);
}

TEST(L1Cache, AMissIsUsableAfterL1AndTheLevelBelowAndAnnouncedTwoCyclesAhead) {
  CacheBench bench;
  EXPECT_EQ(bench.load(0x1008, 10, 7).outcome, Outcome::Miss);
  EXPECT_EQ(bench.below.requests,
            (std::vector<Request>{{false, 0x1000, 14}}));  // 10 + 4: tags known not to match
  EXPECT_EQ(bench.cache.next_event_cycle(), 32u);          // 14 + 20 - 2
  EXPECT_TRUE(bench.drain(31).empty());
  const auto got = bench.drain(32);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(got[0].token, 7u);
  EXPECT_EQ(got[0].cycle, 34u);
  EXPECT_EQ(got[0].level, Level::L2);
  EXPECT_EQ(bench.cache.next_event_cycle(), kNever);
}

TEST(L1Cache, AccessesToALineUnderWayMergeAndCompleteInOrder) {
  CacheBench bench;
  bench.load(0x1000, 0, 1);
  EXPECT_TRUE(bench.load(0x1010, 1, 2).merged);
  EXPECT_TRUE(bench.cache.access(0x1020, 8, AccessKind::Store, 2, 3).merged);
  EXPECT_EQ(bench.below.requests.size(), 1u);
  const auto got = bench.drain(22);
  ASSERT_EQ(got.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(got[i].token, i + 1);
    EXPECT_EQ(got[i].cycle, 24u);
  }
  EXPECT_TRUE(bench.cache.invalidate(0x1000)) << "the merged store made the line dirty";
}

TEST(L1Cache, AFourthWaitingAccessIsRefusedUntilTheFill) {
  CacheBench bench;  // three accesses may wait on a line
  for (std::uint64_t i = 0; i < 3; ++i) bench.load(0x1000, i, i);
  const Access refused = bench.load(0x1000, 3, 3);
  EXPECT_EQ(refused.outcome, Outcome::Refused);
  EXPECT_EQ(refused.refusal, Refusal::MissRegister);
  EXPECT_EQ(refused.cycle, 22u);
  bench.drain(22);
  EXPECT_EQ(bench.load(0x1000, 22, 3).outcome, Outcome::Hit);
}

TEST(L1Cache, AMissWithoutAFreeMissRegisterIsRefusedAndAHitUnderMissesIsNot) {
  CacheBench bench;
  const std::uint64_t c = bench.fetch(0x2000, 0);
  bench.load(0x1000, c);
  bench.load(0x1040, c);
  const Access refused = bench.load(0x1080, c + 1);
  EXPECT_EQ(refused.refusal, Refusal::MissRegister);
  EXPECT_EQ(refused.cycle, c + 22);
  EXPECT_FALSE(bench.cache.miss_register_free());
  EXPECT_EQ(bench.load(0x2000, c + 1).outcome, Outcome::Hit);
  bench.drain(c + 22);
  EXPECT_EQ(bench.load(0x1080, c + 22).outcome, Outcome::Miss);
}

TEST(L1Cache, PortsLimitTheAccessesOfOneCycle) {
  CacheBench bench;
  const std::uint64_t c = bench.fetch(0x1000, 0);
  EXPECT_EQ(bench.load(0x1000, c).outcome, Outcome::Hit);
  EXPECT_EQ(bench.load(0x1000, c).outcome, Outcome::Hit);
  const Access third = bench.load(0x1000, c);
  EXPECT_EQ(third.refusal, Refusal::Port);
  EXPECT_EQ(third.cycle, c + 1);
  EXPECT_EQ(bench.load(0x1000, c + 1).outcome, Outcome::Hit);
}

TEST(L1Cache, TwoAccessesToOneBankConflict) {
  L1Config config = small();
  config.banks = 2;
  CacheBench bench(config);
  const std::uint64_t c = bench.fetch(0x1000, 0);
  EXPECT_EQ(bench.load(0x1000, c).outcome, Outcome::Hit);
  EXPECT_EQ(bench.load(0x1010, c).refusal, Refusal::Port);  // banks are 8 bytes wide: 0x1010 is bank 0 again
  EXPECT_EQ(bench.load(0x1008, c).outcome, Outcome::Hit);
}

TEST(L1Cache, TheLeastRecentlyUsedLineLeavesAndIsWrittenBackIfDirty) {
  CacheBench bench;  // lines 0x100 apart share a set
  std::uint64_t c = bench.fetch(0x1000, 0, AccessKind::Store);
  c = bench.fetch(0x1100, c);
  bench.load(0x1000, c);  // 0x1100 is now the older
  c = bench.fetch(0x1200, c + 1);
  EXPECT_EQ(bench.load(0x1000, c).outcome, Outcome::Hit);
  EXPECT_EQ(bench.cache.stats().write_backs, 0u);
  c = bench.fetch(0x1300, c);  // 0x1000 was used after 0x1200 was fetched: 0x1200 leaves
  c = bench.fetch(0x1400, c);  // now 0x1000 leaves
  EXPECT_EQ(bench.cache.stats().write_backs, 1u);
  EXPECT_EQ(bench.below.requests.back(), (Request{true, 0x1000, c - 1 + 4}));
}

TEST(L1Cache, APrefetchFetchesTheLineWithoutNotification) {
  CacheBench bench;
  bench.cache.access(0x1000, 8, AccessKind::PrefetchWrite, 0, 5);
  EXPECT_TRUE(bench.drain(22).empty());
  EXPECT_EQ(bench.load(0x1000, 22).outcome, Outcome::Hit);
  EXPECT_FALSE(bench.cache.invalidate(0x1000)) << "ownership without a store leaves the line clean";
}

TEST(L1Cache, AnAccessToTwoLinesIsCompleteWithTheLaterOne) {
  L1Config config = small();
  config.line_bytes = 32;
  CacheBench bench(config);
  bench.load(0x1000, 0, 1);  // its first line is due at 24
  EXPECT_EQ(bench.cache.access(0x1000, 64, AccessKind::Load, 5, 2).outcome, Outcome::Miss);
  auto got = bench.drain(22);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(got[0].token, 1u);
  got = bench.drain(27);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(got[0].token, 2u);
  EXPECT_EQ(got[0].cycle, 29u);
}

TEST(L1Cache, AnAccessToTwoLinesThatFindsOneMissRegisterLeavesNoTrace) {
  L1Config config = small();
  config.line_bytes = 32;
  CacheBench bench(config);
  bench.load(0x2000, 0);
  EXPECT_EQ(bench.cache.access(0x1000, 64, AccessKind::Load, 1, 2).refusal, Refusal::MissRegister);
  EXPECT_EQ(bench.below.requests.size(), 1u);
}

TEST(L1Cache, ALineThatL2TakesBackOnItsWayIsUsedOnceAndNotKept) {
  CacheBench bench;
  bench.load(0x1000, 0, 1);
  EXPECT_FALSE(bench.cache.invalidate(0x1000));
  EXPECT_EQ(bench.drain(22).size(), 1u);
  EXPECT_EQ(bench.load(0x1000, 23, 2).outcome, Outcome::Miss);
}

TEST(L1Cache, AStoreInALineTakenBackOnItsWayIsWrittenBack) {
  CacheBench bench;
  bench.cache.access(0x1000, 8, AccessKind::Store, 0, 1);
  bench.cache.invalidate(0x1000);
  bench.drain(22);
  EXPECT_EQ(bench.below.requests.back(), (Request{true, 0x1000, 26}));
}

TEST(L1Cache, AnAnswerWithoutWarningIsUsableAfterTheNotice) {
  CacheBench bench(small(), false);
  bench.load(0x1000, 0, 1);
  EXPECT_EQ(bench.cache.next_event_cycle(), kNever);
  EXPECT_TRUE(bench.cache.miss_outstanding());
  bench.below.answer_all(51);
  EXPECT_EQ(bench.cache.next_event_cycle(), 51u);
  EXPECT_EQ(bench.drain(51).at(0).cycle, 53u);
}

TEST(L1Cache, APerfectCacheHitsAlwaysAndRequestsNothing) {
  L1Config config = small();
  config.prefetch = Prefetch::Perfect;
  config.tlb.enabled = true;
  CacheBench bench(config);
  for (std::uint64_t i = 0; i < 1000; ++i) EXPECT_EQ(bench.load(i * 8192 * 7, i).outcome, Outcome::Hit);
  EXPECT_TRUE(bench.below.requests.empty());
}

TEST(L1Cache, ATlbMissIsServedBeforeTheAccess) {
  L1Config config = small();
  config.tlb = {};
  CacheBench bench(config);
  const Access refused = bench.load(0x1000, 10);
  EXPECT_EQ(refused.refusal, Refusal::Tlb);
  EXPECT_EQ(refused.cycle, 10u + 4 + 60);
  EXPECT_EQ(bench.load(0x1000, 73).refusal, Refusal::Tlb);  // one cycle early
  EXPECT_EQ(bench.load(0x1000, 74).outcome, Outcome::Miss);
}

// A reference cache that searches lists: the expected contents of each set, in order of use.
struct ReferenceCache {
  std::map<std::uint64_t, std::vector<std::pair<std::uint64_t, bool>>>
      sets;  // most recent first: line, dirty
  bool access(std::uint64_t line, bool write, std::vector<std::uint64_t>& written_back) {
    auto& set = sets[line % 4];
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (set[i].first != line) continue;
      auto entry = set[i];
      entry.second |= write;
      set.erase(set.begin() + static_cast<std::ptrdiff_t>(i));
      set.insert(set.begin(), entry);
      return true;
    }
    set.insert(set.begin(), {line, write});
    if (set.size() > 2) {
      if (set.back().second) written_back.push_back(set.back().first * 64);
      set.pop_back();
    }
    return false;
  }
};

TEST(L1Cache, OneAccessAtATimeItBehavesAsASequentialCache) {
  CacheBench bench;
  ReferenceCache reference;
  std::mt19937_64 random(12345);
  std::vector<std::uint64_t> expected;
  std::uint64_t cycle = 0;
  for (int i = 0; i < 50'000; ++i) {
    const std::uint64_t address = random() % 24 * 64 + random() % 8 * 8;
    const bool write = random() % 3 == 0;
    const Access access =
        bench.cache.access(address, 8, write ? AccessKind::Store : AccessKind::Load, cycle, 0);
    ASSERT_EQ(access.outcome == Outcome::Hit, reference.access(address / 64, write, expected))
        << "access " << i;
    if (access.outcome == Outcome::Miss) {
      cycle = bench.cache.next_event_cycle();
      ASSERT_EQ(bench.drain(cycle).size(), 1u);
    }
    ++cycle;
  }
  std::vector<std::uint64_t> written;
  for (const Request& requests : bench.below.requests)
    if (requests.write) written.push_back(requests.address);
  EXPECT_EQ(written, expected);
}

TEST(L1Cache, UnderRandomTrafficEveryAcceptedAccessCompletesExactlyOnce) {
  CacheBench bench;
  std::mt19937_64 random(99);
  std::map<std::uint64_t, int> waiting;
  std::uint64_t token = 0;
  std::uint64_t completed = 0;
  for (std::uint64_t cycle = 0; cycle < 100'000; ++cycle) {
    for (const Completion& completion : bench.drain(cycle)) {
      ASSERT_EQ(waiting.erase(completion.token), 1u);
      ASSERT_EQ(completion.cycle, cycle + 2);
      ++completed;
    }
    for (int i = 0; i < 2; ++i) {
      const std::uint64_t address = random() % 16 * 64;
      const auto kind = random() % 2 == 0 ? AccessKind::Load : AccessKind::Store;
      if (bench.cache.access(address, 8, kind, cycle, token).outcome == Outcome::Miss) waiting[token] = 1;
      ++token;
    }
  }
  bench.drain(200'000);
  EXPECT_GT(completed, 1000u);
  EXPECT_LE(waiting.size(), 6u);
  EXPECT_FALSE(bench.cache.miss_outstanding());
}

// Four miss registers, of which one is kept for the program.
TEST(L1Cache, APrefetchOfTheHardwareLeavesMissRegistersFree) {
  L1Config config = small();
  config.miss_registers = 4;
  CacheBench bench(config);
  for (std::uint64_t line = 0; line < 3; ++line)
    EXPECT_EQ(bench.cache.prefetch(0x1000 + 64 * line, AccessKind::PrefetchRead, line), PrefetchAnswer::Sent);
  EXPECT_EQ(bench.cache.prefetch(0x1000, AccessKind::PrefetchRead, 3), PrefetchAnswer::Present);
  EXPECT_EQ(bench.cache.prefetch(0x10c0, AccessKind::PrefetchRead, 3), PrefetchAnswer::NoRegister);
  EXPECT_EQ(bench.load(0x2000, 3).outcome, Outcome::Miss);
  EXPECT_EQ(bench.cache.stats().prefetch_lookups, 4u);
  EXPECT_EQ(bench.cache.stats().hardware_prefetches, 3u);
}

TEST(L1Cache, PrefetchedLinesAreUsedLateOrNeverAndCountedOnce) {
  CacheBench bench;
  bench.cache.prefetch(0x1000, AccessKind::PrefetchRead, 0);
  EXPECT_TRUE(bench.load(0x1000, 1, 5).merged);
  EXPECT_EQ(bench.cache.stats().late_prefetches, 1u);
  const auto got = bench.drain(22);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(got[0].cycle, 24u);  // 0 + 4 + 20: from the prefetch on
  bench.cache.prefetch(0x1040, AccessKind::PrefetchRead, 30);
  bench.drain(60);
  EXPECT_EQ(bench.load(0x1040, 60).outcome, Outcome::Hit);
  EXPECT_EQ(bench.load(0x1040, 61).outcome, Outcome::Hit);
  EXPECT_EQ(bench.cache.stats().used_prefetches, 2u);
  EXPECT_EQ(bench.cache.stats().late_prefetches, 1u);
  bench.cache.prefetch(0x1080, AccessKind::PrefetchRead, 70);
  bench.drain(100);
  EXPECT_FALSE(bench.cache.invalidate(0x1080));
  EXPECT_EQ(bench.cache.stats().unused_prefetches, 1u);
  EXPECT_EQ(bench.cache.stats().requests, 3u);
}

// A store's first use of a prefetched line makes it dirty; it is written back when it leaves.
TEST(L1Cache, APrefetchedLineBecomesDirtyByAStore) {
  CacheBench bench;
  bench.cache.prefetch(0x1000, AccessKind::PrefetchWrite, 0);
  bench.drain(30);
  EXPECT_EQ(bench.cache.access(0x1008, 8, AccessKind::Store, 30, 1).outcome, Outcome::Hit);
  EXPECT_TRUE(bench.cache.invalidate(0x1000));
}

// An access to two lines, of which one was prefetched and the other misses.
TEST(L1Cache, AnAccessToAPrefetchedLineAndAMissingOneWaitsForTheLatter) {
  CacheBench bench;
  bench.cache.prefetch(0x1000, AccessKind::PrefetchRead, 0);
  bench.drain(30);
  const Access access = bench.cache.access(0x1020, 64, AccessKind::Load, 30, 9);
  EXPECT_EQ(access.outcome, Outcome::Miss);
  const auto got = bench.drain(60);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(got[0].token, 9u);
}

// Lines 126 and 127 are the last of their page of 8 KiB.
TEST(L1Cache, AStreamStopsAtThePageUntilTheProgramTranslatesTheNext) {
  L1Config config = small();
  config.miss_registers = 16;
  config.prefetch = Prefetch::Stream;
  config.prefetch_lines = 4;
  config.tlb.enabled = true;
  CacheBench bench(config);
  std::uint64_t cycle = bench.load(126 * 64, 0).cycle;
  bench.load(126 * 64, cycle);
  bench.load(127 * 64, cycle);
  EXPECT_TRUE(bench.cache.prefetch_streams(cycle));      // both ports are taken
  EXPECT_TRUE(bench.cache.prefetch_streams(cycle + 1));  // there is no translation
  for (std::uint64_t c = cycle + 2; c < cycle + 40; ++c) EXPECT_FALSE(bench.cache.prefetch_streams(c));
  EXPECT_EQ(bench.below.requests.size(), 2u);
  EXPECT_EQ(bench.cache.tlb().stats().micro_misses, 1u);
  bench.drain(cycle + 40);
  cycle = bench.load(128 * 64, cycle + 40).cycle;
  bench.load(128 * 64, cycle);
  while (bench.cache.prefetch_streams(cycle++)) {
  }
  EXPECT_EQ(bench.below.requests.size(), 3u + 4);
  EXPECT_EQ(bench.below.requests.back().address, 132 * 64u);
}

}  // namespace
}  // namespace psim::pipeline

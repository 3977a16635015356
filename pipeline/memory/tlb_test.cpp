// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memory/tlb.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "base/statistics/print.h"
#include "pipeline/memory/memory_level.h"

namespace psim::pipeline {
namespace {

TlbConfig config() {
  TlbConfig tlb;
  tlb.micro_entries = 2;
  tlb.main_entries = 4;
  tlb.main_ways = 2;
  return tlb;  // 4 cycles for a micro miss, 60 more for a main miss, pages of 8192 bytes
}
constexpr std::uint64_t page(std::uint64_t n) { return n * 8192; }

TEST(Tlb, AFirstUseOfAPageCostsBothMisses) {
  Tlb tlb(config());
  EXPECT_EQ(tlb.lookup(page(5), 100), 164u);
  EXPECT_EQ(tlb.lookup(page(5) + 8191, 164), 164u);
  EXPECT_EQ(tlb.stats().micro_misses, 1u);
  EXPECT_EQ(tlb.stats().main_misses, 1u);
}

TEST(Tlb, AccessesToAPageUnderWayWaitForTheSameCycle) {
  Tlb tlb(config());
  tlb.lookup(page(5), 100);
  EXPECT_EQ(tlb.lookup(page(5), 130), 164u);
  EXPECT_EQ(tlb.stats().micro_misses, 1u);
}

// Pages 0, 1, 2 in a micro-TLB of two: page 0 again while its refill is under way, and twice after it; page 0
// leaves for page 2 and comes back from the main TLB. A prefetch of page 9 finds no translation.
TEST(Tlb, StatisticsOfAKnownSequence) {
  Tlb tlb(config());
  tlb.lookup(page(0), 0);           // misses both
  tlb.lookup(page(0), 10);          // merges
  tlb.lookup(page(0), 100);         // hits
  tlb.lookup(page(0), 101);         // hits
  tlb.lookup(page(1), 200);         // misses both
  tlb.lookup(page(2), 300);         // misses both; page 0 leaves the micro-TLB
  tlb.lookup(page(1), 400);         // hits
  tlb.lookup(page(2), 500);         // hits
  tlb.lookup(page(0), 600);         // misses the micro-TLB
  tlb.lookup(page(9), 700, false);  // dropped
  const TlbStats& stats = tlb.stats();
  EXPECT_EQ(stats.lookups, 10u);
  EXPECT_EQ(stats.micro_misses, 4u);
  EXPECT_EQ(stats.main_misses, 3u);
  EXPECT_EQ(stats.merges, 1u);
  EXPECT_EQ(stats.dropped, 1u);
  statistics::Registry registry;
  registry.add("tlb", "TLBs", stats);
  const auto json = statistics::to_json(registry.read(registry.snapshot()))["tlb"];
  EXPECT_EQ(json["micro_hits"], 4u);
  EXPECT_EQ(json["main_hits"], 1u);
}

TEST(Tlb, TheMicroTlbEvictsTheLeastRecentlyUsedPageAndTheMainTlbKeepsIt) {
  Tlb tlb(config());
  tlb.lookup(page(0), 0);
  tlb.lookup(page(1), 100);
  tlb.lookup(page(0), 200);  // page 1 is now the older
  tlb.lookup(page(2), 300);
  EXPECT_EQ(tlb.lookup(page(0), 400), 400u);
  EXPECT_EQ(tlb.lookup(page(1), 500), 504u);
}

// Any sequence of uses evicts the same pages as a list of pages by their last use.
TEST(Tlb, TheMicroTlbEvictsByLastUseInAnySequence) {
  TlbConfig many = config();
  many.micro_entries = 32;
  many.main_entries = 256;  // keeps all pages
  Tlb tlb(many);
  std::vector<std::uint64_t> recent;  // the latest use last
  std::mt19937 random{1};
  std::uint64_t cycle = 0, misses = 0;
  for (unsigned use = 0; use < 20'000; ++use) {
    const std::uint64_t number = random() % (use / 4'000 % 2 == 0 ? 40 : 64);
    const auto known = std::find(recent.begin(), recent.end(), number);
    const bool held = known != recent.end();
    if (held) recent.erase(known);
    if (recent.size() == 32) recent.erase(recent.begin());
    recent.push_back(number);
    misses += !held;
    if (use % 5 == 0)
      tlb.warm(page(number));
    else
      tlb.lookup(page(number), cycle += 100);
    ASSERT_TRUE(tlb.translates(page(number), cycle + 100)) << use;
    for (std::uint64_t n = 0; n < 64; ++n)
      ASSERT_EQ(tlb.translates(page(n), cycle + 100),
                std::find(recent.begin(), recent.end(), n) != recent.end())
          << use << ", page " << n;
  }
  EXPECT_GT(misses, 1'000u);
}

TEST(Tlb, TheMainTlbForgetsTheLeastRecentlyUsedOfItsSet) {
  Tlb tlb(config());  // 2 sets of 2: even pages share a set
  for (std::uint64_t i = 0; i < 3; ++i) tlb.lookup(page(2 * i), 100 * i);
  EXPECT_EQ(tlb.lookup(page(2), 1000), 1000u);
  EXPECT_EQ(tlb.lookup(page(0), 2000), 2064u);
}

TEST(Tlb, WithoutAWalkAPageThatTheMainTlbDoesNotHoldIsNotBroughtIn) {
  Tlb tlb(config());
  EXPECT_EQ(tlb.lookup(page(5), 100, false), kNever);
  EXPECT_EQ(tlb.stats().micro_misses, 0u);
  EXPECT_EQ(tlb.lookup(page(5), 200), 264u);  // as the first use
  tlb.lookup(page(6), 300);
  tlb.lookup(page(7), 400);                            // page 5 has left the micro-TLB
  EXPECT_EQ(tlb.lookup(page(5), 1000, false), 1004u);  // the main TLB holds it: no walk is needed
}

TEST(Tlb, APageThatIsUsedWithATranslationOfTheAccessIsTheMostRecent) {
  Tlb tlb(config());
  tlb.lookup(page(0), 0);
  tlb.lookup(page(1), 100);
  tlb.used(page(0));
  tlb.used(page(3));         // not there: nothing happens
  tlb.lookup(page(2), 300);  // over page 1
  EXPECT_EQ(tlb.lookup(page(0), 400), 400u);
  EXPECT_EQ(tlb.lookup(page(1), 500), 504u);
}

TEST(Tlb, TurnedOffItCostsNothing) {
  TlbConfig off = config();
  off.enabled = false;
  Tlb tlb(off);
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(tlb.lookup(page(i), i), i);
}

}  // namespace
}  // namespace psim::pipeline

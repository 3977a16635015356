// SPDX-License-Identifier: Apache-2.0
#include "predict/loop_states.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace psim::predict {
namespace {

constexpr LoopId kHead{0x1000};

/// A loop with `low` units of cost about 2.0 and `high` units of `other`, which have `waits`, too, in random
/// order, and `third` units of cost 3.5.
LoopStates loop(unsigned low, unsigned high, double other, double spread, double waits = 0,
                unsigned third = 0) {
  std::mt19937_64 random{1};
  std::normal_distribution<double> noise{0, spread};
  std::vector<unsigned> kinds(low, 0);
  kinds.insert(kinds.end(), high, 1);
  kinds.insert(kinds.end(), third, 2);
  std::shuffle(kinds.begin(), kinds.end(), random);
  LoopStates states;
  for (const unsigned kind : kinds)
    states.add(kHead, 10, (kind == 0 ? 2.0 : kind == 1 ? other : 3.5) + noise(random), kind == 1 ? waits : 0);
  return states;
}

TEST(LoopStates, FindsTwoSeparateGroupsOfCosts) {
  const auto loops = loop(60, 40, 2.5, 0.05).unsteady();
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].id, kHead);
  ASSERT_EQ(loops[0].states.size(), 2u);
  EXPECT_NEAR(loops[0].states[0].cost, 2.0, 0.02);
  EXPECT_NEAR(loops[0].states[1].cost, 2.5, 0.02);
  EXPECT_EQ(loops[0].states[0].units, 60u);
  EXPECT_DOUBLE_EQ(loops[0].states[1].weight, 400);
  EXPECT_NEAR(loops[0].cost(), 0.6 * 2.0 + 0.4 * 2.5, 0.02);
  // All units in the high state cost (2.5 - 2.2) more each, in the low state 0.2 less; their spread, and the
  // allowance for a state that no unit has, 1.5 % of 2.2.
  EXPECT_NEAR(loops[0].lack(), 0.3 + 0.05 + 0.033, 0.02);
  EXPECT_NEAR(loops[0].excess(), 0.2 + 0.05 + 0.033, 0.02);
}

TEST(LoopStates, AllowsForAStateAsNearAsTheOthers) {
  const auto loops = loop(60, 40, 2.021, 0).unsteady();
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_NEAR(loops[0].lack(), 0.6 * 0.021 + 0.021, 1e-9);
  EXPECT_NEAR(loops[0].excess(), 0.4 * 0.021 + 0.021, 1e-9);
}

TEST(LoopStates, DoesNotCountPhases) {
  LoopStates phases, alternating;
  for (unsigned unit = 0; unit < 60; ++unit) {
    phases.add(kHead, 10, unit < 20 ? 2.5 : 2, 0);
    alternating.add(kHead, 10, unit % 3 == 0 ? 2.5 : 2, 0);
  }
  EXPECT_TRUE(phases.unsteady().empty());
  EXPECT_FALSE(alternating.unsteady().empty());
}

TEST(LoopStates, FindsThreeGroups) {
  const LoopStates states = loop(20, 20, 2.5, 0.02, 0, 20);
  ASSERT_EQ(states.unsteady().size(), 1u);
  EXPECT_EQ(states.unsteady()[0].states.size(), 3u);
}

TEST(LoopStates, NeedsSeparateGroups) {
  EXPECT_FALSE(loop(60, 40, 2.2, 0.02).unsteady().empty());
  EXPECT_TRUE(loop(60, 40, 2.2, 0.08).unsteady().empty());
}

TEST(LoopStates, NeedsADifferenceThatMatters) {
  EXPECT_FALSE(loop(60, 40, 2.021, 0).unsteady().empty());
  EXPECT_TRUE(loop(60, 40, 2.019, 0).unsteady().empty());
}

TEST(LoopStates, NeedsSeveralUnitsOfEachGroup) {
  EXPECT_TRUE(loop(60, 4, 2.5, 0.01).unsteady().empty());
  EXPECT_FALSE(loop(60, 5, 2.5, 0.01).unsteady().empty());
  EXPECT_TRUE(loop(1000, 40, 2.5, 0.01).unsteady().empty());
  EXPECT_FALSE(loop(1000, 60, 2.5, 0.01).unsteady().empty());
}

TEST(LoopStates, DoesNotCountGroupsThatOtherWaitsExplain) {
  // Waits of 0.25 in two units of five have a standard deviation of 0.122, a quarter of 0.49.
  EXPECT_FALSE(loop(60, 40, 2.5, 0, 0.25).unsteady().empty());
  EXPECT_TRUE(loop(60, 40, 2.48, 0, 0.25).unsteady().empty());
}

TEST(LoopStates, FindsNoGroupsInOneDistribution) {
  std::mt19937_64 random{1};
  unsigned found = 0;
  for (unsigned trial = 0; trial < 300; ++trial) {
    LoopStates normal, uniform, exponential;
    for (unsigned unit = 0; unit < 20 + trial; ++unit) {
      normal.add(kHead, 1, std::normal_distribution<double>(2, 0.2)(random), 0);
      uniform.add(kHead, 1, std::uniform_real_distribution<double>(2, 3)(random), 0);
      exponential.add(kHead, 1, 2 + std::exponential_distribution<double>(5)(random), 0);
    }
    found += normal.unsteady().size() + uniform.unsteady().size() + exponential.unsteady().size();
  }
  EXPECT_LE(found, 9u);  // 1 %
}

TEST(LoopStates, TakesTheStatesToWhichEntriesLed) {
  LoopStates states = loop(60, 40, 2.5, 0);
  states.enter(kHead, 2.48);
  states.enter(kHead, 2.6);
  states.enter({0x2000}, 2.0);
  const auto loops = states.unsteady();
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].states[0].entries, 0u);
  EXPECT_EQ(loops[0].states[1].entries, 2u);
  EXPECT_NEAR(loops[0].cost(), 2.2, 1e-9);
  EXPECT_NEAR(loops[0].entered_cost(), 2.5, 1e-9);
  EXPECT_NEAR(loops[0].excess(), 0.5 + 0.033, 1e-9);
  EXPECT_NEAR(loops[0].lack(), 0.033, 1e-9);
}

/// Units of one loop with costs from 2.0 - `spread` to 2.0 + `spread`, of which `alone` in 20 have no other
/// code.
LoopStates one_state(double spread, unsigned alone = 20, double waits = 0, unsigned count = 20) {
  LoopStates states;
  for (unsigned unit = 0; unit < count; ++unit)
    states.add(kHead, 10, 2.0 + spread * (2.0 * (unit % 20) / 19 - 1), waits, unit % 20 < alone);
  return states;
}

TEST(LoopStates, TakesAStateThatNoUnitHasFromAnEntry) {
  LoopStates states = one_state(0.012);
  states.enter(kHead, 1.9);
  const auto loops = states.unsteady();
  ASSERT_EQ(loops.size(), 1u);
  ASSERT_EQ(loops[0].states.size(), 2u);
  EXPECT_EQ(loops[0].states[0].units, 0u);
  EXPECT_EQ(loops[0].states[0].entries, 1u);
  EXPECT_NEAR(loops[0].cost(), 2.0, 1e-9);
  EXPECT_NEAR(loops[0].entered_cost(), 1.9, 1e-9);
  EXPECT_NEAR(loops[0].lack(), 0.1 + 0.0073 + 0.03, 1e-4);
  // Further entries count for the states that there are.
  states.enter(kHead, 1.905), states.enter(kHead, 2.0);
  const auto more = states.unsteady();
  ASSERT_EQ(more[0].states.size(), 2u);
  EXPECT_EQ(more[0].states[0].entries, 2u);
  EXPECT_EQ(more[0].states[1].entries, 1u);
}

TEST(LoopStates, TakesNoStateFromAnEntryThatMayDifferForOtherReasons) {
  const auto unsteady = [](LoopStates states, double inside, double waits = 0) {
    states.enter(kHead, inside, waits);
    return states.unsteady().size();
  };
  EXPECT_EQ(unsteady(one_state(0.012), 1.9), 1u);
  EXPECT_EQ(unsteady(one_state(0.012), 1.985), 0u);          // a difference of less than 1 %
  EXPECT_EQ(unsteady(one_state(0.02), 1.9), 0u);             // units that differ
  EXPECT_EQ(unsteady(one_state(0.012, 17), 1.9), 0u);        // units with other code
  EXPECT_EQ(unsteady(one_state(0.012, 20, 0.03), 1.9), 0u);  // units that wait
  EXPECT_EQ(unsteady(one_state(0.012), 1.9, 0.03), 0u);      // an entry that waits
  EXPECT_EQ(unsteady(one_state(0.012, 20, 0, 4), 1.9), 0u);  // few units
  LoopStates two = loop(60, 40, 2.5, 0.001);
  two.enter(kHead, 3.0);
  EXPECT_EQ(two.unsteady()[0].states.size(), 2u);  // units show the states
}

TEST(LoopStates, PutsTheLoopWithMostInstructionsFirst) {
  LoopStates states = loop(10, 10, 2.5, 0.01);
  for (unsigned unit = 0; unit < 20; ++unit) states.add({0x2000}, 100, unit % 2 == 0 ? 1 : 2, 0);
  ASSERT_EQ(states.unsteady().size(), 2u);
  EXPECT_EQ(states.unsteady()[0].id.head, 0x2000u);
}

/// Units of a loop that do the same work, of which each has its state; `within` is the difference of a unit's
/// halves.
LoopStates same_work(double least, double most, double within, double work = 0, LoopId id = kHead,
                     bool phases = false) {
  std::mt19937_64 random{1};
  std::uniform_real_distribution<double> state{least, most}, one{-1, 1};
  LoopStates states;
  for (unsigned unit = 0; unit < 60; ++unit) {
    const double cost = phases ? least + (most - least) * unit / 60 : state(random),
                 half = within * one(random);
    states.add(id, 10, cost - 0.1, 0.1);
    states.add_work(id, cost,
                    {.counts = {0.2 + work * one(random)},
                     .events = {0.03},
                     .first_half = cost + half,
                     .second_half = cost - half});
  }
  return states;
}

TEST(LoopStates, FindsUnitsThatDifferThoughTheyDoTheSameWork) {
  const auto loops = same_work(1.1, 1.9, 0.05).unsteady();
  ASSERT_EQ(loops.size(), 1u);
  ASSERT_EQ(loops[0].states.size(), 3u);
  EXPECT_EQ(loops[0].states[1].units, 58u);
  EXPECT_NEAR(loops[0].cost() - loops[0].excess(), 1.1, 0.05);
  EXPECT_NEAR(loops[0].cost() + loops[0].lack(), 1.9, 0.05);
  EXPECT_DOUBLE_EQ(loops[0].entered_cost(), loops[0].cost());
  EXPECT_EQ(same_work(1.1, 1.9, 0.05, 0, {0x1000, true}).unsteady().size(), 1u);  // with the loops inside
}

TEST(LoopStates, KnowsOtherCausesOfDifferentCosts) {
  EXPECT_TRUE(same_work(1.1, 1.9, 0.05, 0.02).unsteady().empty());         // other work
  EXPECT_TRUE(same_work(1.1, 1.9, 1).unsteady().empty());                  // halves differ as much
  EXPECT_TRUE(same_work(1.49, 1.51, 0).unsteady().empty());                // less than matters
  EXPECT_TRUE(same_work(1.1, 1.9, 0, 0, kHead, true).unsteady().empty());  // phases
  LoopStates unknown;
  for (unsigned unit = 0; unit < 60; ++unit) unknown.add({0x1000, true}, 10, unit % 2 ? 2 : 3, 0);
  EXPECT_TRUE(unknown.unsteady().empty());
}

TEST(LoopStates, LeavesOutEntriesWithMoreMissesThanUnits) {
  const auto entered = [](double misses) {
    LoopStates states = loop(60, 40, 2.5, 0.01);
    states.enter(kHead, 2.5, 0, misses);
    return states.unsteady().at(0).states.at(1).entries;
  };
  EXPECT_EQ(entered(LoopStates::kFewMisses), 1u);
  EXPECT_EQ(entered(0.01), 0u);
}

}  // namespace
}  // namespace psim::predict

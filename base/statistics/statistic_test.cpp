// SPDX-License-Identifier: Apache-2.0
#include "base/statistics/statistic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/statistics/print.h"

namespace psim::statistics {
namespace {

using ::testing::ElementsAre;
using testing::Pair;

struct DoorStats : Group {
  Counter opened{*this, "opened", "times", "the door was opened, \"pulled\" or pushed"};
  Counter closed{*this, "closed", "times", "the door was closed"};
  Counter jammed{*this};
  CounterArray<2> sides{*this, "persons", {{{"in", "persons who came in"}, {"out", "persons who went out"}}}};
  Ratio jams{*this, "jams", "jams/opening", "share of openings that jammed", {jammed}, {opened}};
  Ratio open_now{*this, "open_now", "times", "openings without a closing", {opened, minus(closed)}};
  Ratio per_second{*this, "per_second", "openings/second", "openings per second", {opened}, {Run::Seconds}};
  Distribution queue{*this, "queue", "persons", "persons who wait", 4};
  LogDistribution wait{*this, "wait", "seconds", "time that a person waits"};
};

struct ClockStats : Group {
  Counter cycles{*this, "cycles", "cycles", "cycles simulated"};
  Counter instructions{*this, "instructions", "instructions", "instructions committed"};
};

struct House {
  House() {
    registry.add("clock", "The clock", clock);
    registry.add("door", "The door", door);
    registry.set_run(clock.cycles.count(), 0.5, clock.instructions.count());
  }
  ClockStats clock;
  DoorStats door;
  Registry registry;
};

TEST(Statistics, ANameIsDeclaredOnce) {
  struct Twice : Group {
    Counter a{*this, "hits", "accesses", "accesses that hit"};
    Counter b{*this, "hits", "accesses", "accesses that hit again"};
  };
  EXPECT_THROW(Twice(), std::logic_error);
}

TEST(Statistics, ANameIsLowerCaseAndUnitAndMeaningAreGiven) {
  struct One : Group {
    One(const char* name, const char* unit, const char* meaning) : counter(*this, name, unit, meaning) {}
    Counter counter;
  };
  EXPECT_NO_THROW(One("l2_hits", "accesses", "accesses that hit"));
  for (const char* name : {"", "Hits", "l2.hits", "l2 hits", "l2-hits"})
    EXPECT_THROW(One(name, "accesses", "accesses that hit"), std::logic_error) << name;
  EXPECT_THROW(One("hits", "", "accesses that hit"), std::logic_error);
  EXPECT_THROW(One("hits", "accesses", ""), std::logic_error);
}

TEST(Statistics, AComponentIsRegisteredOnce) {
  House house;
  EXPECT_THROW(house.registry.add("door", "Another door", house.door), std::logic_error);
  EXPECT_THROW(house.registry.add("Door", "Another door", house.door), std::logic_error);
}

TEST(Statistics, ARatioOfAnUnregisteredCountIsAnError) {
  struct Alone : Group {
    Ratio ratio;
    explicit Alone(const Counter& counter)
        : ratio(*this, "ratio", "1", "of another group", {counter}, {counter}) {}
  };
  ClockStats clock;
  const Alone alone(clock.cycles);
  Registry registry;
  registry.add("alone", "A group", alone);
  EXPECT_THROW(registry.read(registry.snapshot()), std::logic_error);
  registry.add("clock", "The clock", clock);
  EXPECT_NO_THROW(registry.read(registry.snapshot()));
}

TEST(Statistics, TheWalkIsInOrderOfRegistrationAndDeclaration) {
  House house;
  EXPECT_EQ(
      csv_names(house.registry.read(house.registry.snapshot())),
      "clock.cycles,clock.instructions,door.opened,door.closed,door.in,door.out,door.jams,door.open_now,"
      "door.per_second,door.queue,door.wait");
}

TEST(Statistics, TheIncrementedCounterIsTheOneRead) {
  House house;
  for (int i = 0; i < 8; ++i) ++house.door.opened;
  house.door.closed += 6;
  ++house.door.jammed;
  house.door.sides[1] += 3;
  house.clock.cycles += 32;  // 16 s
  for (const std::uint64_t persons : {0, 2, 2, 9}) house.door.queue.add(persons);
  house.door.queue.add(1, 4);
  for (const std::uint64_t seconds : {0, 1, 3, 2, 6}) house.door.wait.add(seconds);
  const auto json = to_json(house.registry.read(house.registry.snapshot(Registry::Detail::Buckets)));
  EXPECT_EQ(json.dump(),
            R"({"clock":{"cycles":32,"instructions":0},"door":{"opened":8,"closed":6,"in":0,"out":3,)"
            R"("jams":0.125,"open_now":2,"per_second":0.5,)"
            // (0 + 4 x 1 + 2 x 2 + 4) / 8: larger values count as the greatest
            R"("queue":{"samples":8,"mean":1.5,"buckets":{"0":1,"1":4,"2":2,"4":1}},)"
            R"("wait":{"samples":5,"mean":2.4,"buckets":{"0":1,"1":1,"2":2,"4":1}}}})");
}

TEST(Statistics, RatiosAndMeansOfAnIntervalFollowFromItsCounts) {
  House house;
  house.door.opened += 100;
  house.door.queue.add(4, 100);
  const Snapshot begin = house.registry.snapshot();
  house.door.opened += 4;
  ++house.door.jammed;
  house.clock.cycles += 4;
  house.door.queue.add(1);
  house.door.queue.add(2);
  Snapshot inside = house.registry.snapshot();
  inside -= begin;
  Snapshot twice;
  twice += inside;
  twice += inside;
  for (const auto& [snapshot, opened] : {std::pair{&inside, 4}, {&twice, 8}}) {
    const auto json = to_json(house.registry.read(*snapshot))["door"];
    EXPECT_EQ(json["opened"], opened);
    EXPECT_EQ(json["jams"], 0.25);
    EXPECT_EQ(json["per_second"], 2.0);
    EXPECT_EQ(json["queue"].dump(),
              opened == 4 ? R"({"samples":2,"mean":1.5})" : R"({"samples":4,"mean":1.5})");
  }
}

TEST(Statistics, ARatioToNothingIsZero) {
  House house;
  ++house.door.jammed;
  const auto json = to_json(house.registry.read(house.registry.snapshot()))["door"];
  EXPECT_EQ(json["jams"], 0.0);
  EXPECT_EQ(json["queue"]["mean"], 0.0);
}

TEST(Statistics, CsvHasALineForEachValue) {
  House house;
  ++house.door.opened;
  house.door.queue.add(3, 2);
  const std::string csv = to_csv(house.registry.read(house.registry.snapshot(Registry::Detail::Buckets)));
  EXPECT_THAT(csv, ::testing::StartsWith(
                       "component,statistic,value,unit,meaning\nclock,cycles,0,cycles,cycles simulated\n"));
  EXPECT_THAT(
      csv, ::testing::HasSubstr("door,opened,1,times,\"the door was opened, \"\"pulled\"\" or pushed\"\n"));
  EXPECT_THAT(csv, ::testing::HasSubstr("door,queue.mean,3.0,persons,persons who wait\n"
                                        "door,queue.samples,2,samples,persons who wait\n"
                                        "door,queue.3,2,samples,persons who wait\n"));
}

TEST(Statistics, TheTableForPeopleHasUnitsAndMeanings) {
  struct Small : Group {
    Counter hits{*this, "hits", "accesses", "accesses that hit"};
    Distribution used{*this, "used", "entries", "entries in use", 9};
  } small;
  small.hits += 12345;
  for (const std::uint64_t used : {0, 1, 1, 1, 1, 1, 1, 2, 2, 5}) small.used.add(used);
  Registry registry;
  registry.add("cache", "A cache", small);
  EXPECT_EQ(to_text(registry.read(registry.snapshot(Registry::Detail::Buckets))),
            "cache: A cache\n"
            "  hits  12345  accesses  accesses that hit\n"
            "  used    1.5  entries   entries in use; mean of 10, least 0, median 1, 90 % up to 2, most 5\n");
}

TEST(Statistics, AreFoundByWordsOfNameUnitAndMeaning) {
  House house;
  const auto all = house.registry.read(house.registry.snapshot());
  const auto names = [&](const std::vector<std::string>& words) { return csv_names(matching(all, words)); };
  EXPECT_EQ(names({"CAME"}), "door.in");
  EXPECT_EQ(names({"door.o"}), "door.opened,door.out,door.open_now");
  EXPECT_EQ(names({"door", "second"}), "door.per_second,door.wait");
  EXPECT_EQ(names({"window"}), "");
  EXPECT_EQ(matching(all, {}).size(), all.size());
}

}  // namespace
}  // namespace psim::statistics

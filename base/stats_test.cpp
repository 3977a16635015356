// SPDX-License-Identifier: Apache-2.0
#include "base/stats.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace psim {
namespace {

struct RobStats : StatGroup {
  using StatGroup::StatGroup;
  Counter& retired = counter("retired", "instructions", "committed, in program order");
  Counter& cycles = counter("cycles", "cycles", "simulated");
  Ratio& rate = ratio("rate", "instructions/cycle", "committed a cycle", retired, cycles);
};

TEST(Stats, TheCounterThatIsIncrementedIsTheOneThatIsPrinted) {
  StatGroup core("core", "one core");
  RobStats rob(core, "rob", "reorder buffer");
  EXPECT_EQ(rob.rate.value(), 0.0) << "no cycles yet";
  ++rob.retired;
  rob.retired += 2;
  rob.cycles += 4;
  EXPECT_EQ(stats_json(core).dump(), R"({"core":{"rob":{"retired":3,"cycles":4,"rate":0.75}}})");
  EXPECT_EQ(stats_csv(core),
            "name,value,unit,description\n"
            "core.rob.retired,3,instructions,\"committed, in program order\"\n"
            "core.rob.cycles,4,cycles,simulated\n"
            "core.rob.rate,0.75,instructions/cycle,committed a cycle\n");
  EXPECT_NE(stats_text(core).find("core.rob.retired               3 instructions"), std::string::npos);
}

TEST(Stats, ANameIsUsedOnce) {
  StatGroup core("core", "one core");
  core.counter("x", "cycles", "");
  EXPECT_THROW(core.counter("x", "cycles", ""), std::logic_error);
}

TEST(Stats, AGroupThatEndsLeavesTheTree) {
  StatGroup core("core", "one core");
  { RobStats rob(core, "rob", "reorder buffer"); }
  EXPECT_TRUE(core.walk().empty());
}

}  // namespace
}  // namespace psim

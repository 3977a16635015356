// SPDX-License-Identifier: Apache-2.0
#include "papers/result_path.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace psim::reproduce {
namespace {

using Numbers = std::vector<double>;

const auto kResult = nlohmann::ordered_json::parse(R"({
  "times": [{"name": "a", "by": "put", "n": 1, "run": 10, "so": true}, {"name": "a", "by": "get", "n": 2, "run": null},
            {"name": "b = c", "n": 3, "run": 30}],
  "networks": {"fat tree": {"a2a": [0.5, 0.25]}}, "host": {"cpu_seconds": 7}})");

Numbers numbers(const char* path) { return ResultPath(path).numbers(kResult); }

std::string refusal_of_path(const char* path) {
  try {
    ResultPath{path};
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST(ResultPath, KeysFiltersAndPlacesLeadToNumbers) {
  EXPECT_EQ(numbers("times[name=a][by=put].run"), Numbers{10});
  EXPECT_EQ(numbers("times[name=b = c].run"), Numbers{30}) << "only the first = separates";
  EXPECT_EQ(numbers("times[n=3].run"), Numbers{30});
  EXPECT_EQ(numbers("times[].n"), (Numbers{1, 2, 3}));
  EXPECT_EQ(numbers("times[1].n"), Numbers{2});
  EXPECT_EQ(numbers("networks.fat tree.a2a[1]"), Numbers{0.25});
  EXPECT_EQ(numbers("times[name=a].so"), Numbers{1}) << "true is 1";
}

TEST(ResultPath, AnotherWayIsTakenIfTheFirstHasNoNumber) {
  EXPECT_EQ(numbers("times[by=get].run | times[by=get].n"), Numbers{2});
  EXPECT_EQ(numbers("times[by=put].run | times[by=put].n"), Numbers{10});
  EXPECT_EQ(numbers("nothing | times[9].n"), Numbers{});
}

TEST(ResultPath, ValuesOfTheHostAreKnownFromThePath) {
  EXPECT_TRUE(ResultPath("host.cpu_seconds").of_host());
  EXPECT_FALSE(ResultPath("host.cpu_seconds | times[0].n").of_host());
}

TEST(ResultPath, AWrongPathIsRefusedWithTheReason) {
  EXPECT_EQ(refusal_of_path(""), "is empty; expected keys with dots between them");
  EXPECT_EQ(refusal_of_path("a[1"), "[ without ]");
  EXPECT_EQ(refusal_of_path("a[x]"), "[x]: expected [], [NUMBER] or [KEY=VALUE]");
  EXPECT_EQ(refusal_of_path("a..b"), "expected a key before . and [");
  EXPECT_EQ(refusal_of_path("a."), "expected . and a key");
}

}  // namespace
}  // namespace psim::reproduce

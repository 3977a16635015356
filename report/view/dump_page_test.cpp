// SPDX-License-Identifier: Apache-2.0
#include "report/view/dump_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "report/dump/kanata_reader.h"

namespace psim::view {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

struct Read {
  explicit Read(std::string_view kanata, ViewOptions chosen = {}) : options(chosen), rows(options, names) {
    pipeline::dump::LineReader lines(kanata, "t");
    pipeline::dump::read_kanata(lines, {}, names, rows);
  }
  ViewOptions options;
  pipeline::dump::StageNames names;
  PageRows rows;
};

// Two instructions of another tool; the second wakes the first, and only the second retires.
constexpr std::string_view kForeign =
    "Kanata\t0004\nC=\t10\n"
    "I\t0\t7\t0\nL\t0\t0\t10: </script><b>\nL\t0\t1\tnote\nS\t0\t0\tFetch\nI\t1\t8\t0\nL\t1\t0\t10: "
    "</script><b>\n"
    "C\t2\nS\t1\t0\tFetch\nS\t1\t1\tbusy\nW\t0\t1\t0\nC\t1\nR\t0\t0\t1\nC\t1\nR\t1\t5\t0\n";

TEST(DumpPage, PacksDifferencesAndEachTextOnce) {
  const Read read(kForeign);
  const auto packed = read.rows.pack().json();
  EXPECT_EQ(packed["rows"], 2);
  EXPECT_EQ(packed["texts"], nlohmann::ordered_json::array({"10: </script><b>"}));
  EXPECT_EQ(packed["details"], nlohmann::ordered_json::array({"note"}));
  EXPECT_EQ(packed["stages"].back(), "Fetch");
  EXPECT_EQ(packed["causes"].back(), "busy");
  // Row 0: flushed 1, number +7 → 14, begin +10 → 20, 3 cycles, text 0, details 1, one stage: 19, +0, 3; no
  // stall. Row 1: retired 0, as +5 → 10, number +1 → 2, begin +0, 4 cycles, text 0, no details, one stage 19,
  // +2 → 4, 2 cycles; one stall 20, +2 → 4, 2 cycles.
  EXPECT_EQ(packed["row_bytes"], "AQ4UAwABARMAAwAACgIABAAAARMEAgEUBAI=");
  // Row 0, woken by the row 1 after it: -1 → 1, at cycle 2 of it → 4.
  EXPECT_EQ(packed["wakeup_bytes"], "AAEE");
}

TEST(DumpPage, EscapesWhateverComesFromOutside) {
  const Read read(kForeign);
  const std::string page = page_of(read.rows, "<i>.kanata", {});
  EXPECT_THAT(page, HasSubstr("&lt;i&gt;.kanata"));
  EXPECT_THAT(page, Not(HasSubstr("</script><b>")));
  EXPECT_THAT(page, HasSubstr("\\u003c/script>\\u003cb>"));
}

TEST(DumpPage, HoldsOnlyTheChosenInstructions) {
  const Read read(kForeign, {.from = 13});
  EXPECT_EQ(read.rows.pack().rows(), 1U);
  EXPECT_EQ(read.rows.seen(), 2U);
  EXPECT_EQ(read.rows.pack().json()["details"], nlohmann::ordered_json::array());
  EXPECT_EQ(Read(kForeign, {.count = 1}).rows.pack().json()["wakeups"], 0)
      << "its producer is not in the page";
}

TEST(DumpPage, RefusesACycleThatAScriptCannotCount) {
  const auto at = [](std::string_view cycle) {
    return "Kanata\t0004\nC=\t" + std::string(cycle) + "\nI\t0\t0\t0\nS\t0\t0\tF\nC\t1\nR\t0\t0\t0\n";
  };
  EXPECT_NO_THROW(Read(at("4503599627370494")));  // it leaves at 2^52 - 1
  EXPECT_THROW(Read(at("4503599627370495")), UserError);
}

std::string refused(const json& result, std::uint64_t last_cycle = 100) {
  try {
    energy_over_time(result, last_cycle);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(EnergyOverTime, IsThatOfTheRunOrRefused) {
  json result =
      json::parse(R"({"cycles": 100, "seconds": 5e-8, "energy": {"over_time": {"end_cycle": [60, 100],
      "stages": [1, 2], "structures": [3, 4], "execution": [5, 6], "leakage": [7, 8],
      "by_stage": {"PE X": [1, 1], "X": [0, 1]}}}})");
  const auto made = energy_over_time(result, 100);
  EXPECT_EQ(made["leakage"], nlohmann::ordered_json::array({7, 8}));
  EXPECT_EQ(made["by_stage"].dump(), R"({"X":[0,1],"PE X":[1,1]})");
  EXPECT_DOUBLE_EQ(made["seconds_per_cycle"].get<double>(), 0.5e-9);
  EXPECT_THAT(refused(result, 101), HasSubstr("belong to different runs"));
  json broken = result;
  broken["energy"]["over_time"]["execution"] = {5};
  EXPECT_THAT(refused(broken), HasSubstr("energy.over_time.execution: expected a list of 2 numbers"));
  broken["energy"]["over_time"]["execution"] = {5, "6"};
  EXPECT_THAT(refused(broken), HasSubstr("energy.over_time.execution: expected numbers"));
  broken = result;
  broken["energy"]["over_time"]["by_stage"]["X"] = {5};
  EXPECT_THAT(refused(broken), HasSubstr("energy.over_time.by_stage.X: expected a list of 2 numbers"));
  result.erase("energy");
  EXPECT_THAT(refused(result), HasSubstr("psim run --energy --json"));
}

}  // namespace
}  // namespace psim::view

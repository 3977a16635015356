// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/sanitized.h"
#include "base/statistics/print.h"
#include "report/dump/stage_dump.h"
#include "report/dump/testing/synthetic_run.h"
#include "report/html.h"
#include "report/pages.h"
#include "report/run_history.h"
#include "report/sections.h"
#include "report/terminal_text.h"

namespace psim::report {
namespace {

using pipeline::CpiPart;
using pipeline::Interval;
using pipeline::dump::SyntheticRun;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kResult = R"({
  "schema": 2, "version": "0.1.0", "command": "run",
  "machine": {"name": "sparc64v", "clock": "2 GHz", "simd": {"pes": 16}, "core": {"commit_width": 4, "l1d": {"size": "128 KiB"}}},
  "inputs": {"program": {"sha256": "abc123", "bytes": 918273}}, "seed": 1,
  "instructions": 7654321, "cycles": 9876543, "seconds": 0.0049382715, "ipc": 0.77500002, "exit_status": 0,
  "cpi_stack": {"base": 3000000, "front_end": 876543, "memory": 6000000},
  "energy": {"total_joules": 0.123456, "average_watts": 25.0, "gating": "ideal",
    "stages": {"IA": 0.01, "X": 0.05, "C": 0.0}, "structures": {"data_cache": 0.02, "l2": 0.003456},
    "execution": {"fp": 0.02}, "leakage": {"core": 0.02},
    "classes": {"fp_multiply_add": 0.08, "load": 0.023456, "leakage": 0.02},
    "over_time": {"end_cycle": [5000000, 9876543], "joules": [0.06, 0.063456], "stages": [0.03, 0.03],
      "structures": [0.01, 0.013456], "execution": [0.01, 0.01], "leakage": [0.01, 0.01],
      "by_stage": {"IA": [0.01, 0.0], "X": [0.02, 0.03]}}},
  "regions": [{"name": "<dgemm & co>", "args": [256], "cycles": 4444444, "instructions": 3333333, "flops": 22222222,
    "cpi_stack": {"transfer": 1111111, "memory": 3333333, "l2": 0},
    "statistics": {"simd": {"instructions": 3000000, "operations": 35555552},
      "transfers": {"busy_cycles": 2222222, "bytes_read": 65536, "bytes_written": 32768}, "l1d": {"misses": 98765, "merges": 0, "miss_latency": {"samples": 3}}}}],
  "profile": {"functions_in_all": 3, "lines_in_all": 1,
    "functions": [{"name": "f<int>",
                     "file" : "/src/f.cpp",
                     "line" : 8,
                     "calls" : 3,
                     "inclusive_cycles" : 7654321,
                     "cycles" : 6543210,
                     "instructions" : 5432100,
                     "l1d_misses" : 43210,
                     "cpi_stack" : {
  "base" : 3000000, "memory" : 3543210
}
},
      {"name": "main", "cycles": 3333333, "instructions": 2222221}],
    "lines": [{"file": "/src/f.cpp", "line": 9, "cycles": 6543210, "instructions": 5432100}],
    "listings": [{"function": "f<int>", "instructions": [{"pc": "0x100800", "text": "ldx [ %o0 ], %o1", "cycles": 6543210}]}]
}
, "result_hash" : "feedbeef", "host" : {
  "inputs" : {"program" : "/tmp/a<b"}, "instructions_per_second" : 9100000.0, "wall_seconds" : 1.5
}
})";

struct CacheStats : statistics::Group {
  Counter hits{*this, "hits", "accesses", "accesses that hit <or> miss"};
  Ratio rate{*this, "rate", "1", "a quotient of these", {hits}, {hits}};
  Distribution latency{*this, "latency", "cycles", "time that a hit takes", 9};
};

struct Page {
  explicit Page(std::size_t instructions = 3000) : intervals(Detail::Page), regions(Detail::Page) {
    SyntheticRun run(instructions, 9);
    pipeline::dump::StageDump dump;
    dump.add_output(pipeline::dump::CycleWindow{},
                    std::make_unique<StageCollector>(view, SyntheticRun::disassemble));
    run.announce_to(dump);
    dump.finish();
    view.window = "cycles=0:";
    for (const auto& [cycle, begin] : {std::pair(200'000, true), std::pair(700'000, false),
                                       std::pair(900'000, true), std::pair(905'000, false)})
      regions.on_region({0, static_cast<std::uint64_t>(cycle), "dgemm <b>", begin});
    std::uint64_t at = 0;
    for (std::uint64_t i = 0; i < 200; ++i) {
      Interval interval{at, at + 10'000, 4'000 + 60 * i, {}};
      interval.cpi[static_cast<std::size_t>(CpiPart::Base)] = 2'000 + 30 * i;
      interval.cpi[static_cast<std::size_t>(CpiPart::Branch)] = 500;
      interval.cpi[static_cast<std::size_t>(CpiPart::Memory)] = 7'500 - 30 * i;
      intervals.on_interval(interval);
      at += 10'000;
    }
  }
  std::string html(const std::string& result = kResult) {
    CacheStats cache;
    cache.hits += 1234567;
    cache.latency.add(3, 75);
    cache.latency.add(5, 25);
    statistics::Registry registry;
    registry.add("l1d", "First level", cache);
    const auto readings = registry.read(registry.snapshot(statistics::Registry::Detail::Buckets));
    auto document = nlohmann::ordered_json::parse(result);
    document["statistics"] = statistics::to_json(readings);
    document["page"] = {{"title", "dgemm 256 <script>alert(1)</script>"},
                        {"intervals", intervals.json()},
                        {"regions", regions.json()},
                        {"stages", view.json()}};
    return result_page(document, readings);
  }
  IntervalCollector intervals;
  RegionCollector regions;
  StageView view;
};

TEST(Report, ShowsTheNumbersOfTheResultExactly) {
  const std::string html = Page(10).html();
  for (const char* number :
       {"<data value=\"7654321\">7,654,321</data>", "<data value=\"9876543\">9,876,543</data>",
        "<data value=\"876543\">876,543</data>", ">0.775<", "4.938 ms", "feedbeef", "abc123",
        "<data value=\"918273\">", "core.l1d.size", "128 KiB", "22,222,222", "9.10 M/s", ">123.5 mJ<",
        ">25 W<",
        "<td>Data cache</td><td class=\"n\"><data value=\"0.02\">20 mJ</data></td><td class=\"n\">16.20 "
        "%</td>",
        "<td>X</td><td class=\"n\"><data value=\"0.05\">50 mJ</data></td><td class=\"n\">40.50 %</td>"})
    EXPECT_THAT(html, HasSubstr(number));
}

TEST(Report, HasATableOfAllStatistics) {
  const std::string html = Page(10).html();
  for (const char* part :
       {"l1d: First level", "<td class=\"mono\">l1d.hits</td>", "<data value=\"1234567\">1,234,567</data>",
        "<td>accesses</td>", "accesses that hit &lt;or&gt; miss", "<data value=\"1.0\">1</data>",
        "<data value=\"3.5\">3.5</data>", "title=\"3: 75 samples, 75.0 %\"",
        "title=\"5: 25 samples, 25.0 %\""})
    EXPECT_THAT(html, HasSubstr(part));
}

TEST(Report, HasTheHotSpotsOfAProfile) {
  const std::string html = Page(10).html();
  for (const char* part :
       {"<code>f&lt;int&gt;</code>", "title=\"/src/f.cpp:8\">f.cpp:8<",
        "<data value=\"6543210\">66.25 %</data>", "title=\"Memory: 3,543,210 cycles, 54.15 %\"",
        "1 more functions are not shown", "<code>ldx [ %o0 ], %o1</code>"})
    EXPECT_THAT(html, HasSubstr(part));
}

TEST(Report, HasTheCpiStackAndStatisticsOfEachRegion) {
  const std::string html = Page(10).html();
  for (const char* part : {"CPI stack and statistics of region &lt;dgemm &amp; co&gt; [256]",
                           "title=\"Memory: 3,333,333 cycles, 75.00 %\"",
                           "<code>l1d.misses</code></td><td class=\"n\"><data value=\"98765\">98,765</data>"})
    EXPECT_THAT(html, HasSubstr(part));
  EXPECT_THAT(html, Not(HasSubstr("l1d.merges")));
}

TEST(Report, HasTheOccupancyOfThePesAndTheirTransfersByRegion) {
  const std::string html = Page(10).html();
  for (const char* part : {"SIMD-PEs by region", "<td class=\"n\">50.0 %</td>",
                           "<data value=\"1111111\">1,111,111</data> (25.0 %)",
                           "<data value=\"2222222\">2,222,222</data> (50.0 %)", "<data value=\"65536\">"})
    EXPECT_THAT(html, HasSubstr(part));
}

TEST(Report, EscapesWhateverComesFromOutside) {
  const std::string html = Page(10).html();
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(html, HasSubstr("dgemm 256 &lt;script&gt;alert(1)&lt;/script&gt;"));
  EXPECT_THAT(html, HasSubstr("&lt;dgemm &amp; co&gt;"));
  EXPECT_EQ(escape("a\"'<>&\xff"), "a&quot;&#39;&lt;&gt;&amp;\xEF\xBF\xBD");
  EXPECT_EQ(script_json({{"</script>", "<!--"}}), R"({"\u003c/script>":"\u003c!--"})");
}

TEST(TerminalText, HasTheFactsOfThePageOnOneScreen) {
  const std::string text = terminal_text(Page(10).html(), {.columns = 90, .lines = 40});
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 60);
  for (const char* part :
       {"dgemm 256 <script>alert(1)</script>\n", "Instructions 7,654,321 · Cycles 9,876,543",
        "Simulated time 4.938 ms", "  Front end", "876,543", "<dgemm & co>", "f<int>"})
    EXPECT_THAT(text, HasSubstr(part));
  for (const char* part : {"&lt;", "Effective configuration", "l1d.hits", "<td"})
    EXPECT_THAT(text, Not(HasSubstr(part)));
}

TEST(Report, LeavesOutSectionsThatAResultDoesNotHave) {
  const std::string html =
      result_page(nlohmann::ordered_json::parse(R"({"version":"0.1.0","command":"run"})"), {});
  for (const char* part :
       {"psim run</h1>", "Not in this result", "<li>charts over time: run with --json or --report</li>"})
    EXPECT_THAT(html, HasSubstr(part));
  EXPECT_THAT(html, HasSubstr("</html>"));
  EXPECT_THAT(html, Not(HasSubstr("id=\"regions\"")));
  EXPECT_THAT(html, Not(HasSubstr("id=\"stages\"")));
  EXPECT_THAT(html, Not(HasSubstr("id=\"energy\"")));
}

TEST(Report, QuantitiesHaveFourDigitsAndAPrefix) {
  const auto text = [](double value, const char* unit) {
    const std::string html = quantity(value, unit);
    return html.substr(html.find('>') + 1, html.rfind('<') - html.find('>') - 1);
  };
  EXPECT_EQ(text(0.000012345678, "J"), "12.35 &micro;J");
  EXPECT_EQ(text(1234567.0, "W"), "1.235 MW");
  EXPECT_EQ(text(0.9999999, "s"), "1 s");
  EXPECT_EQ(text(1234567.8, "s"), "1,234,568 s");
  EXPECT_EQ(text(0, "J"), "0 J");
  EXPECT_EQ(text(4e-15, "J"), "0.004 pJ");
  EXPECT_EQ(text(-0.5, "W"), "-500 mW");
}

TEST(Report, LabelsPartsOfTheCpiStack) {
  EXPECT_EQ(label_of("front_end"), "Front end");
  EXPECT_EQ(label_of("fp_latency"), "FP latency");
  // Cycles of these two need no miss of the cache that they are named after.
  EXPECT_EQ(label_of("l1"), "L1");
  EXPECT_EQ(label_of("l2"), "L2");
  EXPECT_EQ(label_of("sbm"), "SBM");
  EXPECT_EQ(label_of("c_w1"), "C, W1");
}

TEST(Report, HasThePointsOfAFitInOrderAndNoErrorOfRounding) {
  const auto fit = nlohmann::ordered_json::parse(
      R"({"regions": [{"name": "sweep", "cycles": "5 * n", "points": [
        {"args": [16], "cycles": 80, "fitted": 79.99999999999999}, {"args": [64], "cycles": 320, "fitted": 316.8},
        {"args": [24], "cycles": 120, "fitted": 120}]}]})");
  const std::string html = fit_page(fit).html;
  const std::size_t first = html.find(">16<"), second = html.find(">24<"), third = html.find(">64<");
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
  ASSERT_NE(third, std::string::npos);
  EXPECT_THAT(html, Not(HasSubstr("-0.00 %")));
  EXPECT_THAT(html, HasSubstr("-1.00 %"));
}

TEST(RegionCollector, KeepsSpansOfEveryNameAndJoinsNeighbours) {
  RegionCollector collector(Detail::Page);
  collector.on_region({0, 10, "outer", true});
  collector.on_region({0, 20, "inner", true});
  collector.on_region({0, 30, "inner", false});
  collector.on_region({0, 50, "outer", false});
  collector.on_region({0, 60, "never begun", false});
  EXPECT_EQ(collector.json().dump(),
            R"([{"name":"outer","spans":[[10,50,1]]},{"name":"inner","spans":[[20,30,1]]}])");
  RegionCollector many(Detail::Kept);
  const std::uint64_t executions = 3 * RegionCollector::most_spans(Detail::Kept);
  for (std::uint64_t i = 0; i < executions; ++i)
    many.on_region({0, 10 * i, "r", true}), many.on_region({0, 10 * i + 5, "r", false});
  const auto spans = many.json()[0]["spans"];
  EXPECT_LE(spans.size(), RegionCollector::most_spans(Detail::Kept));
  std::uint64_t sum = 0;
  for (const auto& span : spans) sum += span[2].get<std::uint64_t>();
  EXPECT_EQ(sum, executions);
  EXPECT_EQ(spans.back()[1], 10 * (executions - 1) + 5);
}

TEST(IntervalCollector, JoinsNeighboursAndLosesNoCycle) {
  IntervalCollector collector(Detail::Page);
  constexpr std::uint64_t kIntervals = 3 * IntervalCollector::most(Detail::Page) + 7;
  for (std::uint64_t i = 0; i < kIntervals; ++i) collector.on_interval({100 * i, 100 * (i + 1), i, {i, 1}});
  EXPECT_LE(collector.intervals().size(), IntervalCollector::most(Detail::Page));
  std::uint64_t instructions = 0, cycle = 0, branch = 0;
  for (const Interval& interval : collector.intervals()) {
    EXPECT_EQ(interval.begin_cycle, cycle);
    cycle = interval.end_cycle;
    instructions += interval.instructions;
    branch += interval.cpi[1];
  }
  EXPECT_EQ(cycle, 100 * kIntervals);
  EXPECT_EQ(instructions, kIntervals * (kIntervals - 1) / 2);
  EXPECT_EQ(branch, kIntervals);
}

TEST(StageCollector, ReportsTheNumberOfOmittedInstructions) {
  StageView view;
  StageCollector collector(view, SyntheticRun::disassemble);
  for (std::uint64_t i = 0; i < StageCollector::kMost + 5; ++i)
    collector.add({i, i, 0x1000, 0, nullptr, {}, {}, {}, i, false});
  EXPECT_EQ(view.shown, StageCollector::kMost);
  EXPECT_EQ(view.left_out, 5U);
  EXPECT_EQ(view.pack.rows(), StageCollector::kMost);
  EXPECT_EQ(view.pack.json()["texts"].size(), 1U);
}

TEST(StageCollector, PrintsARemarkAfterTheAddress) {
  StageView view;
  StageCollector collector(view, SyntheticRun::disassemble, [](const auto&) { return "energy 5 nJ"; });
  collector.add({0, 0, 0x1000, 0xf8, nullptr, {}, {}, {}, 1, false});
  collector.add({1, 1, 0x1004, 0, nullptr, {}, {}, {}, 2, false});
  EXPECT_EQ(view.pack.json()["details"].dump(), R"(["address 0xf8, energy 5 nJ","energy 5 nJ"])");
}

TEST(Report, OpensInABrowserWithItsNumbersChartsAndStages) {
  if (kSanitized) GTEST_SKIP() << "the browser has no sanitizers; the release build opens the page";
  const char* const chromium = PSIM_CHROMIUM;
  if (!std::filesystem::exists(chromium))
    GTEST_SKIP() << "chromium is not installed: the page is not looked at";
  std::string made = std::filesystem::path(::testing::TempDir()) / "psim_report_browser_XXXXXX";
  ASSERT_NE(::mkdtemp(made.data()), nullptr);  // of its own, since another run may be at work
  const std::filesystem::path directory = made;
  const std::string page = directory / "report.html", picture = directory / "report.png";
  std::ofstream(page) << Page().html();
  for (const char* theme : {"", " --dark"}) {
    const std::string command =
        "python3 " PSIM_BROWSER_CHECK " " + std::string(chromium) + " '" + page + "#statistics=HIT+l1d' " +
        picture + theme +
        " 7,654,321 9,876,543 'Front end' 3,333,333 'Where the cycles go' 'Where the "
        "energy goes' 'Pipeline stages' 'region dgemm &lt;b&gt;, 2 executions' 'data-regions=\"2\"' '2 of 3' "
        "'class=\"head\">L1D misses'";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
  }
  if (std::getenv("PSIM_KEEP_PICTURES") == nullptr) std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace psim::report

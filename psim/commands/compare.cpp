// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/output_file.h"
#include "base/read_file.h"
#include "base/result_document.h"
#include "base/sha256.h"
#include "psim/commands/command.h"
#include "psim/commands/result_file.h"
#include "psim/compare/comparison.h"
#include "psim/compare/core_difference.h"
#include "psim/compare/net_difference.h"
#include "psim/statistics_manual.h"

namespace psim::commands {
namespace {

using compare::Difference;
using compare::RankDifference;
using compare::shown_time;
using compare::Side;
using nlohmann::ordered_json;

constexpr std::size_t kRows = 3;  ///< of each table on the terminal: the largest differences
constexpr std::size_t kKeys = 6;  ///< of machines that differ, which are named

struct CompareOptions {
  CommonOptions common;
  std::vector<std::string> files, folders;
};

/// Returns sentences on results that are not of the same work: parts of runs, other programs, other commands.
std::vector<std::string> doubts(const ordered_json& first, const ordered_json& second, const Side& a,
                                const Side& b) {
  std::vector<std::string> lines;
  for (const auto& [result, side] : {std::pair(&first, &a), std::pair(&second, &b)})
    if (result->contains("partial"))
      lines.push_back(
          fmt::format("{} is of a part of a run ({})", side->label, result->value("partial", "")));
  const std::string one = first.value("command", ""), two = second.value("command", "");
  const auto cores = [](const std::string& command) { return command == "run" || command == "replay"; };
  // The same program for nodes and for ranks is two files.
  const ordered_json::json_pointer program("/inputs/program/sha256");
  if (cores(one) != cores(two))
    lines.push_back(fmt::format("{} is of psim {}, {} of psim {}: only their regions can be compared",
                                a.label, one, b.label, two));
  else if (one == two && first.contains(program) && second.contains(program) &&
           first.at(program) != second.at(program))
    lines.push_back(
        fmt::format("{} and {} are of two program files, which may do other work", a.label, b.label));
  // A result of psim replay has none: the arguments are a property of the trace.
  if (cores(one) == cores(two) && first.contains("arguments") && second.contains("arguments") &&
      first["arguments"] != second["arguments"])
    lines.push_back(fmt::format("{} has the arguments {}, {} {}", a.label, first["arguments"].dump(), b.label,
                                second["arguments"].dump()));
  return lines;
}

/// Returns a sentence on the keys that both machines have and in which they differ; empty if there are none.
std::string differing_keys(const ordered_json& first, const ordered_json& second) {
  if (!first.contains("machine") || !second.contains("machine")) return "";
  const ordered_json one = first["machine"].flatten(), two = second["machine"].flatten();
  const auto shown = [](const ordered_json& value) {
    return !value.is_string() ? value.dump() : value == "" ? "\"\"" : value.get<std::string>();
  };
  std::vector<std::string> keys;
  for (const auto& [pointer, value] : one.items()) {
    if (!two.contains(pointer) || two[pointer] == value || pointer == "/name" || pointer == "/description")
      continue;
    std::string key = pointer.substr(1);
    std::ranges::replace(key, '/', '.');
    keys.push_back(fmt::format("{} is {} and {}", key, shown(value), shown(two[pointer])));
  }
  if (keys.empty()) return "";
  const std::size_t listed = std::min(keys.size(), kKeys);
  return fmt::format("the machines differ: {}{}",
                     fmt::join(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(listed), ", "),
                     listed == keys.size() ? "" : fmt::format(", and {} more keys", keys.size() - listed));
}

/// Returns sentences on times that are estimates with an interval.
std::vector<std::string> estimates(const Side& first, const Side& second) {
  std::vector<std::string> lines;
  for (const Side* side : {&first, &second})
    if (side->interval && (*side->interval)[0] < (*side->interval)[1])
      lines.push_back(fmt::format("the time of {} is an estimate, from {} to {}", side->label,
                                  shown_time((*side->interval)[0]), shown_time((*side->interval)[1])));
  const auto interval = [](const Side& side) {
    return side.interval.value_or(std::array{side.seconds, side.seconds});
  };
  if (!lines.empty() && interval(first)[0] <= interval(second)[1] &&
      interval(second)[0] <= interval(first)[1])
    lines.emplace_back("the difference is within the intervals, so the runs may take the same time");
  return lines;
}

/// Returns sentences on why two results differ, or may not be compared as they stand.
std::vector<std::string> reasons(const Side& first, const Side& second, const std::vector<Difference>& all) {
  std::vector<std::string> lines = estimates(first, second);
  if (first.ranks != second.ranks)
    lines.push_back(
        fmt::format("{} ranks and {} ranks: times are of the mean rank", first.ranks, second.ranks));
  for (const Difference& one : all)
    if (one.region != compare::kOutside && one.first.count != one.second.count)
      lines.push_back(fmt::format("region {}: executed {:.6g} and {:.6g} times per rank", one.region,
                                  one.first.count, one.second.count));
  for (const Side* side : {&first, &second})
    for (const auto& [name, region] : side->regions)
      if (region.extrapolated != 0)
        lines.push_back(fmt::format("region {}: {:.0f} of {:.0f} times are extrapolated in {}", name,
                                    region.extrapolated, region.sum.count, side->label));
  if (!all.empty() && all.front().seconds() != 0) {
    const Difference& most = all.front();
    const double share = most.part_seconds / most.seconds();  // others may differ in the other direction
    const std::string part = shown_time(most.part_seconds);
    lines.push_back(
        fmt::format("the largest difference is in {}: {} per rank, {:.0f} % of all differences; {}",
                    most.region, shown_time(most.seconds()), 100 * most.share,
                    share > 0 && share < 1.0001 ? fmt::format("of it, {} is {}", part, most.part)
                                                : fmt::format("{} alone differs by {}", most.part, part)));
  }
  return lines;
}

ordered_json times_json(const compare::Times& times) {
  ordered_json parts{{"count", times.count}, {"seconds", times.seconds}};
  for (std::size_t part = 0; part < compare::kParts.size(); ++part)
    parts[std::string(compare::kParts[part])] = times.parts[part];
  return parts;
}

ordered_json side_json(const Side& side) {
  ordered_json one{{"source", side.source}, {"ranks", side.ranks}, {"seconds", side.seconds}};
  if (side.interval) one["seconds_interval"] = *side.interval;
  for (const auto& [name, region] : side.regions) {
    one["regions"][name] = times_json(region.sum.divided_by(side.ranks));
    one["regions"][name]["least"] = region.least;
    one["regions"][name]["most"] = region.most;
  }
  one["assumptions"] = side.assumptions;
  return one;
}

ordered_json pair_json(const Side& first, const Side& second, const std::vector<std::string>& doubtful,
                       const std::optional<compare::CoreDifference>& core,
                       const std::optional<compare::NetDifference>& net) {
  ordered_json pair;
  const std::vector<Difference> all = compare::differences(first, second);
  for (const Difference& one : all)
    pair["regions"].push_back({{"name", one.region},
                               {"seconds", one.seconds()},
                               {"share", one.share},
                               {"part", one.part},
                               {"part_seconds", one.part_seconds}});
  for (const RankDifference& one : compare::rank_differences(first, second))
    pair["ranks"].push_back({{"rank", one.rank},
                             {"seconds", one.seconds},
                             {"region", one.region},
                             {"region_seconds", one.region_seconds},
                             {"part", one.part}});
  pair["reasons"] = doubtful;
  for (const std::string& line : reasons(first, second, all)) pair["reasons"].push_back(line);
  if (core) {
    pair["reasons"].push_back(core->sentence());
    pair["core"] = {{"parts", compare::changes_of(core->parts)},
                    {"functions", compare::changes_of(core->functions)},
                    {"lines", compare::changes_of(core->lines)},
                    {"statistics", compare::changes_of(core->statistics)},
                    {"energy", compare::changes_of(core->energy, "joules")},
                    {"occupancy", ordered_json::array()}};
    for (const compare::Occupancy& one : core->occupancy)
      pair["core"]["occupancy"].push_back({{"name", one.name},
                                           {"meaning", one.meaning},
                                           {"unit", one.unit},
                                           {"first", one.first},
                                           {"second", one.second}});
  }
  if (net) {
    pair["reasons"].push_back(net->sentence());
    pair["net"] = compare::json_of(*net);
  }
  return pair;
}

/// Reads the times by rank of --ranks. Results of psim cosim have them in themselves.
void read_folders(const CompareOptions& options, std::vector<Side>& sides, ResultDocument& result) {
  if (options.folders.empty()) return;
  std::vector<Side*> without;
  for (Side& side : sides)
    if (side.by_rank.empty()) without.push_back(&side);
  if (options.folders.size() != without.size())
    throw UserError(fmt::format("--ranks: {} folders for {} results; expected one for each, in their order{}",
                                options.folders.size(), without.size(),
                                without.size() < sides.size() ? ", but none for those of psim cosim" : ""));
  for (std::size_t i = 0; i < without.size(); ++i) {
    const std::string table = options.folders[i] + "/regions.csv";
    const FileBytes file = read_file(table);
    if (!file.problem.empty())
      throw UserError(
          fmt::format("--ranks: {}: cannot be read: {} (--csv writes it for programs with marked regions)",
                      table, file.problem));
    without[i]->by_rank = compare::read_rank_times(file.bytes, table);
    result.body()["inputs"]["ranks"].push_back(sha256(file.bytes));
  }
}

/// Returns the picture of the machine of two pages with the loads of both; null if a page has none, or if
/// they are of different machines.
ordered_json same_machine(const ordered_json& first, const ordered_json& second) {
  for (const ordered_json* page : {&first, &second})
    if (!page->contains("machine") || !page->contains("loads") || !page->at("loads").is_object())
      return nullptr;
  if (first.at("machine") != second.at("machine")) return nullptr;
  return {{"machine", first.at("machine")},
          {"loads", ordered_json::array({first.at("loads"), second.at("loads")})}};
}

int compare_results(const CompareOptions& options) {
  if (options.files.size() < 2)
    throw UserError("expected at least two results, `psim compare A.json B.json`");
  refuse_page_over_results(options.common.report, "--report", options.files);
  ResultDocument result("compare", options.common.json);
  std::optional<OutputFile> page;
  if (!options.common.report.empty()) page.emplace(options.common.report, "--report");
  std::vector<Side> sides;
  std::vector<ordered_json> documents, pages;
  for (const std::string& name : options.files) {
    documents.push_back(read_ordered_result(name));
    pages.push_back(documents.back().value("page", ordered_json::object()));
    documents.back().erase("page");
    sides.push_back(compare::side_of(documents.back(), name));
    result.body()["inputs"]["results"].push_back(documents.back().value("result_hash", ""));
    result.page()["labels"].push_back(name);
  }
  read_folders(options, sides, result);
  const std::vector<statistics::Reading> described = all_statistics();  // builds a core: only once
  for (std::size_t i = 0; i < sides.size(); ++i) {
    result.body()["results"].push_back(side_json(sides[i]));
    std::optional<compare::CoreDifference> core;
    std::optional<compare::NetDifference> net;
    try {
      core = compare::core_difference(documents[0], documents[i], described);
      if (i != 0) net = compare::net_difference(documents[0], pages[0], documents[i], pages[i]);
    } catch (const nlohmann::json::exception& error) {
      throw UserError(fmt::format("{} or {}: not as this version of psim writes it: {}", options.files[0],
                                  options.files[i], error.what()));
    }
    if (core) result.body()["results"].back()["cpi_stack"] = documents[i]["cpi_stack"];
    if (i == 0) continue;
    std::vector<std::string> doubtful = doubts(documents[0], documents[i], sides[0], sides[i]);
    if (std::string keys = differing_keys(documents[0], documents[i]); !keys.empty())
      doubtful.push_back(std::move(keys));
    result.body()["differences"].push_back(pair_json(sides[0], sides[i], doubtful, core, net));
    result.page()["machines"].push_back(same_machine(pages[0], pages[i]));
  }
  result.page()["title"] = fmt::format("{}", fmt::join(options.files, " and "));
  result.finish();
  write_page(page, result);
  if (!options.common.quiet) show_page(result, std::max(kRows, options.files.size()));
  return 0;
}

std::function<int()> set_up_compare(CLI::App& app) {
  auto options = std::make_shared<CompareOptions>();
  app.add_option("FILE…", options->files,
                 "results of `psim net`, `psim cosim` or `psim run`; the others are compared with the first")
      ->required();
  app.add_option(
         "--ranks", options->folders,
         "folder that `psim net --csv` wrote with a result, for differences by rank; once for each result of "
         "`psim net`")
      ->type_name("FOLDER");
  add_common(app, options->common, kJson | kReport | kQuiet);
  return [options] { return compare_results(*options); };
}

}  // namespace

const Command kCompare{
    .name = "compare",
    .usage = "FILE…",
    .summary = "lay results of one program side by side, by region and rank, with where they differ most",
    .examples =
        "  psim compare measured.json model.json\n"
        "  psim compare --report compare.html measured.json skeleton.json packets.json\n"
        "  psim compare --ranks measured --ranks model measured.json model.json\n"
        "  psim compare nodes.json model.json            # psim cosim against psim net\n",
    .setup = set_up_compare,
};

}  // namespace psim::commands

// SPDX-License-Identifier: Apache-2.0
#include "base/statistics/print.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "base/console.h"
#include "base/error.h"
#include "psim/commands/command.h"
#include "psim/statistics_manual.h"

namespace psim::commands {
namespace {

struct StatisticsOptions {
  std::vector<std::string> words;
  bool manual = false;
};

int list(const StatisticsOptions& options) {
  if (options.manual) {
    console::print("{}", statistics_manual());
    return 0;
  }
  const std::vector<statistics::Reading> found = statistics::matching(all_statistics(), options.words);
  if (found.empty()) {
    for (const std::string& word : options.words)
      if (std::error_code none; std::filesystem::exists(word, none))
        throw UserError(
            fmt::format("{}: is a file; this command lists what statistics there are, by words such as miss; "
                        "`psim show` prints a result, and `psim run --statistics FILE` writes its statistics",
                        word));
    throw UserError(
        fmt::format("{}: no statistic has these words in its name, unit or meaning; "
                    "`psim statistics` lists all",
                    fmt::join(options.words, " ")));
  }
  std::size_t names = 0, units = 0;
  for (const statistics::Reading& reading : found) {
    names = std::max(names, reading.component.size() + 1 + reading.statistic.name.size());
    units = std::max(units, reading.statistic.unit.size());
  }
  for (const statistics::Reading& reading : found)
    console::print("{:<{}}  {:<{}}  {}\n", reading.component + "." + reading.statistic.name, names,
                   reading.statistic.unit, units, reading.statistic.meaning);
  return 0;
}

std::function<int()> set_up_statistics(CLI::App& app) {
  auto options = std::make_shared<StatisticsOptions>();
  app.add_option("WORD…", options->words,
                 "list only statistics that have each of these words [all statistics]");
  app.add_flag("--markdown", options->manual, "print the manual of all statistics, docs/statistics.md");
  return [options] { return list(*options); };
}

}  // namespace

const Command kStatistics{
    .name = "statistics",
    .usage = "[WORD…]",
    .summary = "list the statistics of results, with unit and meaning",
    .examples =
        "  psim statistics\n"
        "  psim statistics miss latency\n"
        "  psim statistics l1d.\n",
    .setup = set_up_statistics,
};

}  // namespace psim::commands

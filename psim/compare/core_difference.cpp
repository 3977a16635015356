// SPDX-License-Identifier: Apache-2.0
#include "psim/compare/core_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "report/sections.h"

namespace psim::compare {
namespace {

using nlohmann::json;

bool has_stack(const json& result) {
  const std::string command = result.value("command", "");
  return (command == "run" || command == "replay") && result.contains("cpi_stack") &&
         result.contains("cycles") && result["cycles"].is_number() && result["cycles"] != 0 &&
         result.contains("seconds");
}

/// Returns the seconds of the parts of a stack. Of a chip, the sum of its cores' cycles.
Values parts_of(const json& stack, double period) {
  Values values;
  for (const auto& [part, cycles] : stack.items())
    if (cycles.is_number()) values[part] = cycles.get<double>() * period;
  return values;
}

/// Returns the seconds of the rows of a profile by name: all their cycles, or those of a part of the stack.
Values rows_of(const json& result, const char* rows, double period, const std::string& part) {
  Values values;
  if (!result.contains("profile") || !result["profile"].contains(rows)) return values;
  for (const json& row : result["profile"][rows]) {
    std::string name = row.value("name", "");
    if (name.empty()) {
      const std::string file = row.value("file", "");
      name = fmt::format("{}:{}", file.substr(file.rfind('/') + 1), row.value("line", 0));
    }
    const double cycles = part.empty()                ? row.value("cycles", 0.0)
                          : row.contains("cpi_stack") ? row["cpi_stack"].value(part, 0.0)
                                                      : 0.0;
    values[name] += cycles * period;
  }
  return values;
}

bool is_latency(const std::string& statistic) { return statistic.find("latency") != std::string::npos; }

constexpr const char* kMispredictions = "branch.mispredictions";

/// Returns the mean seconds that the core waits for a misprediction.
double misprediction_cost(const json& result, double period) {
  const double count = result.value(json::json_pointer("/statistics/branch/mispredictions"), 0.0);
  return count == 0 ? 0 : result["cpi_stack"].value("branch", 0.0) * period / count;
}

/// Returns seconds that statistics stand for: sums of latencies, counts of cycles, and mispredictions times
/// their cost in one run.
Values effects_of(const json& result, double period, double misprediction) {
  Values values;
  if (!result.contains("statistics")) return values;
  for (const auto& [component, statistics] : result["statistics"].items())
    for (const auto& [name, value] : statistics.items()) {
      const std::string full = component + "." + name;
      if (value.is_object() && is_latency(name))
        values[full] = value.value("samples", 0.0) * value.value("mean", 0.0) * period;
      else if (value.is_number() && name.find("cycles") != std::string::npos && full != "core.cycles")
        values[full] = value.get<double>() * period;
      else if (full == kMispredictions)
        values[full] = value.get<double>() * misprediction;
    }
  return values;
}

/// Returns the seconds of the parts of the stack whose cycles a latency, or mispredictions, can explain.
/// Latencies of misses that overlap have a larger sum than the cycles in which the core waited for them.
double waits_for(const std::string& statistic, const Values& parts) {
  double sum = 0;
  const auto add = [&](const char* part) {
    if (const auto found = parts.find(part); found != parts.end()) sum += found->second;
  };
  if (statistic == kMispredictions) {
    add("branch");
  } else if (statistic.starts_with("l1i")) {
    add("front_end");
  } else {
    for (const char* part : {"l1", "l2", "memory", "store_queue"}) add(part);
  }
  return sum;
}

/// Bounds the effects of statistics, and orders them by what is left.
void bound_effects(std::vector<Change>& statistics, const Values& first, const Values& second,
                   double seconds) {
  for (Change& one : statistics) {
    double most = std::abs(seconds);
    if (is_latency(one.name) || one.name == kMispredictions) {
      const double waited = waits_for(one.name, second) - waits_for(one.name, first);
      most = (waited < 0) == (one.weight < 0) ? std::min(most, std::abs(waited)) : 0;
    }
    one.weight = std::clamp(one.weight, -most, most);
  }
  std::erase_if(statistics, [](const Change& one) { return one.weight == 0; });
  std::ranges::stable_sort(statistics, std::greater{},
                           [](const Change& one) { return std::abs(one.weight); });
}

std::vector<Occupancy> occupancy_changes(const json& first, const json& second,
                                         const std::vector<statistics::Reading>& described) {
  std::vector<Occupancy> all;
  constexpr std::string_view kSampled = "; sampled";  // ends the meaning of each queue's statistic
  for (const statistics::Reading& reading : described) {
    const std::string_view meaning = reading.statistic.meaning;
    const json::json_pointer mean(
        fmt::format("/statistics/{}/{}/mean", reading.component, reading.statistic.name));
    if (!meaning.ends_with(kSampled) || !first.contains(mean) || !second.contains(mean)) continue;
    Occupancy one{.name = fmt::format("{}.{}", reading.component, reading.statistic.name),
                  .meaning = std::string(meaning.substr(0, meaning.size() - kSampled.size())),
                  .unit = std::string(reading.statistic.unit),
                  .first = first[mean].get<double>(),
                  .second = second[mean].get<double>()};
    if (one.first != one.second) all.push_back(std::move(one));
  }
  std::ranges::stable_sort(all, std::greater{}, [](const Occupancy& one) {
    return std::abs(one.second - one.first) / std::max(one.first, one.second);
  });
  return all;
}

/// Returns the number that a result has for a statistic: a count, or the mean of a distribution.
double shown_statistic(const json& result, const std::string& full) {
  const std::size_t dot = full.find('.');
  const json::json_pointer at(fmt::format("/statistics/{}/{}", full.substr(0, dot), full.substr(dot + 1)));
  if (!result.contains(at)) return 0;
  return result[at].is_object() ? result[at].value("mean", 0.0) : result[at].get<double>();
}

std::string more_text(double seconds) {
  return fmt::format("{} {}", shown_time(std::abs(seconds)), seconds < 0 ? "less" : "more");
}

}  // namespace

std::vector<Change> changes(const Values& first, const Values& second) {
  std::map<std::string, Change> all;
  for (const auto& [name, value] : first) all[name].first = value;
  for (const auto& [name, value] : second) all[name].second = value;
  std::vector<Change> list;
  for (auto& [name, change] : all) {
    change.name = name, change.weight = change.seconds();
    // Products with the length of a cycle have an error of rounding.
    if (std::abs(change.weight) > 1e-9 * std::max(change.first, change.second)) list.push_back(change);
  }
  std::ranges::stable_sort(
      list, [](const Change& a, const Change& b) { return std::abs(a.weight) > std::abs(b.weight); });
  return list;
}

std::string shown_quantity(double value, const char* unit) {
  const double size = std::abs(value);
  const auto [factor, prefix] = size >= 1      ? std::pair{1.0, ""}
                                : size >= 1e-3 ? std::pair{1e-3, "m"}
                                : size >= 1e-6 ? std::pair{1e-6, "µ"}
                                               : std::pair{1e-9, "n"};
  return fmt::format("{:.4g} {}{}", value / factor, prefix, unit);
}

std::vector<Change> energy_changes(const json& first, const json& second) {
  const auto joules_of = [](const json& result) {
    Values joules;
    const json none = json::object(), &energy = result.contains("energy") ? result["energy"] : none;
    if (energy.contains("parts")) {  // of nodes
      for (const auto& [part, value] : energy["parts"].items())
        joules[part] = value.at("joules").get<double>();
      return joules;
    }
    for (const char* group : {"stages", "structures", "execution", "leakage"})
      if (energy.contains(group))
        for (const auto& [name, value] : energy[group].items())
          joules[fmt::format("{}.{}", group, name)] = value.get<double>();
    return joules;
  };
  const Values a = joules_of(first), b = joules_of(second);
  return a.empty() || b.empty() ? std::vector<Change>() : changes(a, b);
}

std::string CoreDifference::sentence() const {
  if (parts.empty()) return "the runs take the same cycles, for the same causes";
  std::string text = seconds == 0 ? "the runs take the same time, but"
                                  : fmt::format("the run takes {}:", more_text(seconds));
  const Change& part = parts[cause];
  text += fmt::format(" {} {}", report::label_of(part.name), more_text(part.seconds()));
  if (!lines_of_part.empty() && lines_of_part.front().seconds() / part.seconds() > 0) {
    const double share = lines_of_part.front().seconds() / part.seconds();
    if (share > 0.2)
      text += fmt::format(", {} in {}",
                          share > 0.8   ? "nearly all"
                          : share > 0.5 ? "mostly"
                                        : "a part of it",
                          lines_of_part.front().name);
  } else if (functions.empty()) {
    text += " (--profile shows in which lines)";
  }
  const std::size_t other = cause == 0 ? 1 : 0;  // the largest of the others
  if (parts.size() > other && std::abs(parts[other].seconds()) > 0.1 * std::abs(part.seconds()))
    text += fmt::format("{} {} {}", (parts[other].seconds() < 0) == (part.seconds() < 0) ? ";" : ", but",
                        report::label_of(parts[other].name), more_text(parts[other].seconds()));
  return text;
}

std::optional<CoreDifference> core_difference(const json& first, const json& second,
                                              const std::vector<statistics::Reading>& described) {
  if (!has_stack(first) || !has_stack(second)) return std::nullopt;
  const auto period = [](const json& result) {
    return result["seconds"].get<double>() / result["cycles"].get<double>();
  };
  const double a = period(first), b = period(second);
  CoreDifference difference;
  difference.seconds = second["seconds"].get<double>() - first["seconds"].get<double>();
  difference.parts = changes(parts_of(first["cpi_stack"], a), parts_of(second["cpi_stack"], b));
  const auto rows = [&](const char* kind, const std::string& part) {
    // Without a profile in both, every function would seem new.
    const Values one = rows_of(first, kind, a, part), two = rows_of(second, kind, b, part);
    return one.empty() || two.empty() ? std::vector<Change>() : changes(one, two);
  };
  difference.functions = rows("functions", "");
  difference.lines = rows("lines", "");
  // The largest part that explains why the run takes more, or less.
  const auto agrees = std::ranges::find_if(
      difference.parts, [&](const Change& part) { return (part.seconds() < 0) == (difference.seconds < 0); });
  if (agrees != difference.parts.end())
    difference.cause = static_cast<std::size_t>(agrees - difference.parts.begin());
  if (!difference.parts.empty())
    difference.lines_of_part = rows("lines", difference.parts[difference.cause].name);
  // A sampled run has none.
  if (first.contains("statistics") && second.contains("statistics")) {
    const double one = misprediction_cost(first, a);
    const double cost = one != 0 ? one : misprediction_cost(second, b);
    difference.statistics = changes(effects_of(first, a, cost), effects_of(second, b, cost));
  }
  bound_effects(difference.statistics, parts_of(first["cpi_stack"], a), parts_of(second["cpi_stack"], b),
                difference.seconds);
  constexpr std::size_t kStatistics = 12;
  if (difference.statistics.size() > kStatistics) difference.statistics.resize(kStatistics);
  for (Change& one : difference.statistics)
    one.first = shown_statistic(first, one.name), one.second = shown_statistic(second, one.name);
  difference.energy = energy_changes(first, second);
  difference.occupancy = occupancy_changes(first, second, described);
  return difference;
}

}  // namespace psim::compare

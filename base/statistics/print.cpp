// SPDX-License-Identifier: Apache-2.0
#include "base/statistics/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "base/csv_field.h"

namespace psim::statistics {

using nlohmann::ordered_json;

namespace {

ordered_json json_of(const Histogram& histogram) {
  ordered_json json{{"samples", histogram.samples}, {"mean", histogram.mean}};
  if (histogram.buckets.empty()) return json;
  for (const auto& [least, count] : histogram.buckets) json["buckets"][std::to_string(least)] = count;
  return json;
}

/// Returns the smallest bucket that, together with the lower ones, has this share of the samples.
std::uint64_t quantile(const Histogram& histogram, double share) {
  std::uint64_t below = 0;
  for (const auto& [least, count] : histogram.buckets) {
    below += count;
    if (static_cast<double>(below) >= share * static_cast<double>(histogram.samples)) return least;
  }
  return 0;
}

std::string spread_of(const Histogram& histogram) {
  std::string text = fmt::format("; mean of {}", histogram.samples);
  if (histogram.buckets.empty()) return text;
  return text + fmt::format(", least {}, median {}, 90 % up to {}, most {}", histogram.buckets.front().first,
                            quantile(histogram, 0.5), quantile(histogram, 0.9),
                            histogram.buckets.back().first);
}

/// Returns a number with all its digits.
std::string exact(double value) { return ordered_json(value).dump(); }

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string joined(const std::vector<Reading>& readings, std::string (*part)(const Reading&)) {
  std::string line;
  for (const Reading& reading : readings) line += (line.empty() ? "" : ",") + part(reading);
  return line;
}

}  // namespace

std::string exact_value(const Reading& reading) {
  if (const auto* count = std::get_if<std::uint64_t>(&reading.value)) return std::to_string(*count);
  if (const auto* ratio = std::get_if<double>(&reading.value)) return exact(*ratio);
  return exact(std::get<Histogram>(reading.value).mean);
}

ordered_json to_json(const std::vector<Reading>& readings) {
  ordered_json json = ordered_json::object();
  for (const Reading& reading : readings) {
    ordered_json& entry = json[reading.component][reading.statistic.name];
    if (const auto* histogram = std::get_if<Histogram>(&reading.value))
      entry = json_of(*histogram);
    else if (const auto* count = std::get_if<std::uint64_t>(&reading.value))
      entry = *count;
    else
      entry = std::get<double>(reading.value);
  }
  return json;
}

std::string_view kind_of(const Reading& reading) {
  constexpr std::string_view kKinds[]{"Counter", "Ratio", "Distribution"};
  return kKinds[reading.value.index()];
}

std::string value_text(const Reading& reading) {
  if (const auto* count = std::get_if<std::uint64_t>(&reading.value)) return std::to_string(*count);
  if (const auto* ratio = std::get_if<double>(&reading.value)) return fmt::format("{:.6g}", *ratio);
  return fmt::format("{:.6g}", std::get<Histogram>(reading.value).mean);
}

std::string to_text(const std::vector<Reading>& readings) {
  std::size_t names = 0, values = 0, units = 0;
  for (const Reading& reading : readings) {
    names = std::max(names, reading.statistic.name.size());
    values = std::max(values, value_text(reading).size());
    units = std::max(units, reading.statistic.unit.size());
  }
  std::string text;
  std::string_view component;
  for (const Reading& reading : readings) {
    if (reading.component != component) {
      component = reading.component;
      text += fmt::format("{}{}: {}\n", text.empty() ? "" : "\n", component, reading.component_meaning);
    }
    const auto* histogram = std::get_if<Histogram>(&reading.value);
    text += fmt::format("  {:<{}}  {:>{}}  {:<{}}  {}{}\n", reading.statistic.name, names,
                        value_text(reading), values, reading.statistic.unit, units, reading.statistic.meaning,
                        histogram && histogram->samples != 0 ? spread_of(*histogram) : "");
  }
  return text;
}

std::string to_csv(const std::vector<Reading>& readings) {
  std::string csv = "component,statistic,value,unit,meaning\n";
  const auto line = [&](const Reading& reading, const std::string& name, const std::string& value,
                        const std::string& unit) {
    csv += fmt::format("{},{},{},{},{}\n", reading.component, name, value, csv_field(unit),
                       csv_field(reading.statistic.meaning));
  };
  for (const Reading& reading : readings) {
    const Description& statistic = reading.statistic;
    const auto* histogram = std::get_if<Histogram>(&reading.value);
    if (!histogram) {
      line(reading, statistic.name, exact_value(reading), statistic.unit);
      continue;
    }
    line(reading, statistic.name + ".mean", exact(histogram->mean), statistic.unit);
    line(reading, statistic.name + ".samples", std::to_string(histogram->samples), "samples");
    for (const auto& [least, count] : histogram->buckets)
      line(reading, fmt::format("{}.{}", statistic.name, least), std::to_string(count), "samples");
  }
  return csv;
}

std::string csv_names(const std::vector<Reading>& readings) {
  return joined(readings, [](const Reading& r) { return r.component + "." + r.statistic.name; });
}
std::string csv_values(const std::vector<Reading>& readings) { return joined(readings, exact_value); }

std::string to_markdown(const std::vector<Reading>& readings) {
  std::string text;
  std::string_view component;
  for (const Reading& reading : readings) {
    if (reading.component != component) {
      component = reading.component;
      text += fmt::format("\n## {}\n\n{}\n\n| statistic | kind | unit | meaning |\n|---|---|---|---|\n",
                          component, reading.component_meaning);
    }
    text +=
        fmt::format("| `{}` | {} | {} | {} |\n", reading.statistic.name, lower(std::string(kind_of(reading))),
                    reading.statistic.unit, reading.statistic.meaning);
  }
  return text;
}

std::vector<Reading> matching(const std::vector<Reading>& readings, const std::vector<std::string>& words) {
  std::vector<Reading> found;
  std::copy_if(readings.begin(), readings.end(), std::back_inserter(found), [&](const Reading& reading) {
    const std::string all =
        lower(reading.component + "." + reading.statistic.name + "\n" + reading.statistic.unit + "\n" +
              reading.statistic.meaning + "\n" + reading.component_meaning);
    return std::all_of(words.begin(), words.end(),
                       [&](const std::string& word) { return all.find(lower(word)) != std::string::npos; });
  });
  return found;
}

}  // namespace psim::statistics

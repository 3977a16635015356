// SPDX-License-Identifier: Apache-2.0
#include "report/statistics_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/parse_number.h"
#include "base/statistics/print.h"
#include "report/html.h"

namespace psim::report {

using statistics::Histogram;
using statistics::Reading;

namespace {

std::string shown_value(const Reading& reading) {
  if (const auto* number = std::get_if<std::uint64_t>(&reading.value)) return count(*number);
  const auto* ratio = std::get_if<double>(&reading.value);
  return number(ratio ? *ratio : std::get<Histogram>(reading.value).mean, statistics::exact_value(reading));
}

/// Returns a bar for each bucket, whose height is its share of the fullest.
std::string bars(const Histogram& histogram) {
  if (histogram.buckets.empty()) return "";
  std::uint64_t most = 0;
  for (const auto& bucket : histogram.buckets) most = std::max(most, bucket.second);
  std::string text =
      fmt::format("<div class=\"bars\" role=\"img\" aria-label=\"distribution of {} samples from {} to {}\">",
                  histogram.samples, histogram.buckets.front().first, histogram.buckets.back().first);
  for (const auto& [least, samples] : histogram.buckets) {
    const double height = 100.0 * static_cast<double>(samples) / static_cast<double>(most);
    const double share = 100.0 * static_cast<double>(samples) / static_cast<double>(histogram.samples);
    text += fmt::format("<i style=\"height:{:.1f}%\" title=\"{}: {} samples, {:.1f} %\"></i>",
                        std::max(height, 2.0), least, samples, share);
  }
  return text + fmt::format("</div><span class=\"dim\">{} &hellip; {}, mean of {} samples</span>",
                            histogram.buckets.front().first, histogram.buckets.back().first,
                            histogram.samples);
}

using Json = nlohmann::ordered_json;

Histogram histogram_of(const Json& json) {
  Histogram histogram;
  histogram.samples = json.at("samples").get<std::uint64_t>();
  histogram.mean = json.value("mean", 0.0);
  if (json.contains("buckets"))
    for (const auto& [least, samples] : json["buckets"].items())
      histogram.buckets.emplace_back(parse_number<std::uint64_t>(least).value_or(0),
                                     samples.get<std::uint64_t>());
  return histogram;
}

/// Returns the statistics of a result. Statistics by MPI function need no meaning, and `described`
/// has only examples of them.
std::vector<Reading> readings_of(const Json& result, const std::vector<Reading>& described) {
  std::map<std::string, const Reading*> known;
  for (const Reading& reading : described) {
    known.emplace(reading.component, &reading);
    known[reading.component + "." + reading.statistic.name] = &reading;
  }
  std::vector<Reading> readings;
  if (!result.contains("statistics")) return readings;
  for (const auto& [component, values] : result["statistics"].items())
    for (const auto& [name, value] : values.items()) {
      Reading& reading = readings.emplace_back();
      const auto found = known.find(component + "." + name), group = known.find(component);
      if (group != known.end()) reading.component_meaning = group->second->component_meaning;
      if (group != known.end() && component.starts_with("mpi_"))
        reading.statistic.unit = group->second->statistic.unit;
      else if (found != known.end())
        reading.statistic = found->second->statistic;
      reading.component = component, reading.statistic.name = name;
      if (value.is_object())
        reading.value = histogram_of(value);
      else if (value.is_number_unsigned())
        reading.value = value.get<std::uint64_t>();
      else
        reading.value = value.get<double>();
    }
  return readings;
}

}  // namespace

std::string statistics_section(const Json& result, const std::vector<Reading>& described) {
  const std::vector<Reading> readings = readings_of(result, described);
  if (readings.empty()) return "";
  std::string rows, component;
  for (const Reading& reading : readings) {
    const bool first = reading.component != component;
    component = reading.component;
    if (first)
      rows += fmt::format(
          "{}<tbody>\n<tr class=\"component\"><th colspan=\"4\" scope=\"rowgroup\">{}: {}</th></tr>\n",
          rows.empty() ? "" : "</tbody>\n", escape(component), escape(reading.component_meaning));
    const auto* histogram = std::get_if<Histogram>(&reading.value);
    rows += fmt::format(
        "<tr><td class=\"mono\">{}.{}</td><td class=\"n\">{}</td><td>{}</td><td>{}{}</td></tr>\n",
        escape(component), escape(reading.statistic.name), shown_value(reading),
        escape(reading.statistic.unit), escape(reading.statistic.meaning), histogram ? bars(*histogram) : "");
  }
  return "<section aria-labelledby=\"statistics\"><h2 id=\"statistics\">Statistics</h2>\n"
         "<p class=\"bar\" id=\"statistics-bar\" hidden><label>Search <input type=\"text\" "
         "id=\"statistics-search\" "
         "placeholder=\"miss latency\"></label> <span id=\"statistics-count\" class=\"dim\" "
         "role=\"status\"></span></p>\n"
         "<div class=\"scroll\"><table id=\"statistics-table\"><caption>Statistics of all "
         "components</caption><thead><tr>"
         "<th scope=\"col\">Statistic</th><th class=\"n\" scope=\"col\">Value</th><th scope=\"col\">Unit</th>"
         "<th scope=\"col\">Meaning</th></tr></thead>\n" +
         rows + "</tbody></table></div></section>\n";
}

}  // namespace psim::report

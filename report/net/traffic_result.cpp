// SPDX-License-Identifier: Apache-2.0
#include "report/net/traffic_result.h"

#include <fmt/format.h>

#include "base/statistics/print.h"

namespace psim {
namespace {

using nlohmann::ordered_json;

double traffic_microseconds(double ps) { return ps * 1e-6; }
double traffic_microseconds(std::uint64_t ps) { return traffic_microseconds(static_cast<double>(ps)); }
double traffic_seconds(std::uint64_t ps) { return static_cast<double>(ps) * 1e-12; }

}  // namespace

ordered_json json_of(const LoadPoint& of) {
  const net::TrafficPoint& point = of.point;
  ordered_json json;
  json["load"] = of.load;
  json["offered"] = point.offered;
  json["accepted"] = point.accepted;
  json["saturated"] = point.saturated;
  json["starved"] = point.starved;
  json["messages"] = point.messages;
  json["latency"] = {{"mean", point.mean * 1e-12},
                     {"min", traffic_seconds(point.least)},
                     {"median", traffic_seconds(point.median)},
                     {"p99", traffic_seconds(point.p99)},
                     {"max", traffic_seconds(point.most)}};
  if (!of.energy.is_null()) json["link_energy"] = of.energy;
  return json;
}

std::string csv_head(bool energy) {
  return std::string(
             "load,offered,accepted,saturated,messages,latency_mean_s,latency_min_s,latency_median_s,"
             "latency_p99_s,latency_max_s") +
         (energy ? ",links_j,links_w,links_always_on_w,links_low_share,links_wakes\n" : "\n");
}

std::string csv_row(const LoadPoint& of) {
  const net::TrafficPoint& point = of.point;
  std::string row =
      fmt::format("{},{},{},{},{},{},{},{},{},{}", of.load, point.offered, point.accepted,
                  point.saturated ? 1 : 0, point.messages, point.mean * 1e-12, traffic_seconds(point.least),
                  traffic_seconds(point.median), traffic_seconds(point.p99), traffic_seconds(point.most));
  if (!of.energy.is_null())
    for (const char* key : {"joules", "watts", "always_on_watts", "low_share", "wakes"})
      row += "," + of.energy[key].dump();
  return row + "\n";
}

std::string statistics_of_loads(const std::vector<LoadPoint>& points, bool csv) {
  std::string out;
  for (const LoadPoint& point : points) {
    if (!csv) {
      out += fmt::format("{}load {:.12g}\n{}", out.empty() ? "" : "\n", point.load,
                         statistics::to_text(point.statistics));
      continue;
    }
    if (out.empty()) out = "load," + statistics::csv_names(point.statistics) + "\n";
    out += fmt::format("{:.12g},{}\n", point.load, statistics::csv_values(point.statistics));
  }
  return out;
}

std::string text_head(bool energy) {
  return fmt::format("{:>6} {:>9} {:>9} {:>11} {:>11} {:>11} {:>11}{}\n", "load", "offered", "accepted",
                     "mean us", "median us", "p99 us", "max us",
                     energy ? fmt::format(" {:>11} {:>8}", "links W", "low %") : "");
}

std::string text_row(const LoadPoint& of) {
  const net::TrafficPoint& point = of.point;
  std::string row = fmt::format("{:>6.3f} {:>9.4f} {:>9.4f} {:>11.3f} {:>11.3f} {:>11.3f} {:>11.3f}", of.load,
                                point.offered, point.accepted, traffic_microseconds(point.mean),
                                traffic_microseconds(point.median), traffic_microseconds(point.p99),
                                traffic_microseconds(point.most));
  if (!of.energy.is_null())
    row += fmt::format(" {:>11.4g} {:>8.2f}", of.energy["watts"].get<double>(),
                       100 * of.energy["low_share"].get<double>());
  return row + (point.saturated ? "  saturated\n" : "\n");
}

}  // namespace psim

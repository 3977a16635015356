// SPDX-License-Identifier: Apache-2.0
#include "report/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/cpi_bar.h"
#include "report/figure.h"
#include "report/html.h"
#include "report/sections.h"
#include "report/table.h"
#include "report/web_files.h"

namespace psim::report {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Table::Kind;

constexpr std::size_t kMostRanks = 20;
constexpr std::size_t kBars = 6;  ///< of a chart; its table has all

std::string time_at(const Json& json, const char* key) { return time_of(json.at(key).get<double>()); }
std::string name_at(const Json& json, const char* key) { return escape(json.at(key).get<std::string>()); }

std::string change_of(double first, double second) {
  if (first == 0) return second == 0 ? "equal" : "new";
  return second == 0 ? "absent" : fmt::format("{:+.1f} %", 100 * (second / first - 1));
}

std::string whole_runs(const Json& results, const std::vector<std::string>& labels) {
  Table table("Whole runs", {{"Result", Kind::Text},
                             {"Computing time", Kind::Text},
                             {"Ranks"},
                             {"Time"},
                             {"Interval", Kind::Text}});
  std::string bars;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Json& one = results[i];
    table.add({labels[i], name_at(one, "source"), fmt::format("{:g}", one.at("ranks").get<double>()),
               time_at(one, "seconds"),
               one.contains("seconds_interval")
                   ? fmt::format("{} to {}", time_of(one.at("seconds_interval").at(0).get<double>()),
                                 time_of(one.at("seconds_interval").at(1).get<double>()))
                   : ""});
    if (one.contains("cpi_stack"))
      bars += fmt::format("<h3>{}</h3>\n{}", labels[i], cpi_bar(one.at("cpi_stack"), false));
  }
  return "<section aria-labelledby=\"whole\"><h2 id=\"whole\">Results side by side</h2>\n" + table.html() +
         bars + "</section>\n";
}

std::string regions_table(const Json& pair, const Json& first, const Json& second, const std::string& a,
                          const std::string& b) {
  Table table("Time of regions, per rank", {{"Region", Kind::Text},
                                            {"Executed"},
                                            {a},
                                            {b},
                                            {"Change"},
                                            {"Share of differences"},
                                            {"Mostly", Kind::Text}});
  const auto value = [](const Json& side, const std::string& region, const char* key) {
    const Json none = Json::object();
    const Json& regions = side.contains("regions") ? side.at("regions") : none;
    return regions.contains(region) ? regions.at(region).at(key).get<double>() : 0.0;
  };
  for (const Json& one : pair.value("regions", Json::array())) {
    const std::string region = one.at("name").get<std::string>();
    const double x = value(first, region, "seconds"), y = value(second, region, "seconds");
    const double share = one.at("share").get<double>();
    table.add({escape(region), fmt::format("{:.6g}", value(first, region, "count")), time_of(x), time_of(y),
               change_of(x, y), fmt::format("{:.1f} %", 100 * share),
               share == 0 ? "" : name_at(one, "part")});
  }
  return table.html();
}

/// How a table of changes shows its names and numbers.
struct Shown {
  bool labels = false;     ///< names are keys; otherwise code
  const char* unit = "s";  ///< of both numbers; empty: as the results have them
};

/// Returns "Structures: data cache" for "structures.data_cache".
std::string label_of_path(const std::string& key) {
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos) return label_of(key);
  return label_of(key.substr(0, dot)) + ": " + key.substr(dot + 1);
}

std::string changes_table(const char* title, const char* name, const Json& changes, Shown shown_as,
                          const std::string& a, const std::string& b) {
  if (changes.empty()) return "";
  Table table(title, {{name, Kind::Text}, {a}, {b}, {"Difference"}});
  for (const Json& one : changes) {
    const auto shown = [&](const char* key) {
      const double number = one.at(key).get<double>();
      return *shown_as.unit != 0 ? quantity(number, shown_as.unit)
                                 : report::number(number, one.at(key).dump());
    };
    const std::string key = one.at("name").get<std::string>();
    table.add({shown_as.labels ? escape(one.contains("joules") ? label_of_path(key) : label_of(key))
                               : "<code>" + name_at(one, "name") + "</code>",
               shown("first"), shown("second"),
               one.contains("joules") ? joules_of(one.at("joules").get<double>()) : time_at(one, "seconds")});
  }
  return table.html();
}

/// Returns the joules that differ, as a chart and a table.
std::string energy_of(const Json& pair, const char* title, const std::string& a, const std::string& b) {
  Chart chart("Difference of energy", {"part"}, {"energy", "J"}, Chart::Kind::Bars);
  chart.series({.name = "second less first"});
  const Json& energy = pair.at("energy");
  for (std::size_t i = 0; i < std::min(kBars, energy.size()); ++i)
    chart.add({0, energy[i].at("joules"), label_of_path(energy[i].at("name").get<std::string>())});
  return chart.html() + changes_table(title, "Part", energy, {.labels = true, .unit = "J"}, a, b);
}

std::string occupancy(const Json& rows, const std::string& a, const std::string& b) {
  if (rows.empty()) return "";
  Table table("Mean occupancy of structures",
              {{"Structure", Kind::Text}, {"Counts", Kind::Text}, {a}, {b}, {"Change"}});
  for (const Json& one : rows) {
    const auto first = one.at("first").get<double>(), second = one.at("second").get<double>();
    table.add({"<code>" + name_at(one, "name") + "</code>", name_at(one, "meaning"),
               number(first, one.at("first").dump()), number(second, one.at("second").dump()),
               change_of(first, second)});
  }
  return table.html();
}

std::string core_part(const Json& core, const std::string& a, const std::string& b) {
  Chart chart("Difference by cause", {"cause"}, {"time", "s"}, Chart::Kind::Bars);
  chart.series({.name = "second less first"});
  for (std::size_t i = 0; i < std::min(kBars, core.at("parts").size()); ++i) {
    const Json& one = core.at("parts")[i];
    chart.add({0, one.at("seconds"), label_of(one.at("name").get<std::string>())});
  }
  return chart.html() + changes_table("Cycles by cause", "Cause", core.at("parts"), {.labels = true}, a, b) +
         changes_table("Functions", "Function", core.at("functions"), {}, a, b) +
         changes_table("Source lines", "Line", core.at("lines"), {}, a, b) +
         changes_table("Statistics, by their effect on time", "Statistic", core.at("statistics"),
                       {.unit = ""}, a, b) +
         energy_of(core, "Energy by structure", a, b) + occupancy(core.at("occupancy"), a, b);
}

/// Returns the changes of the loads of links as a map, and a table of the largest.
std::string link_changes(const Json& links) {
  if (links.empty()) return "";
  Chart map("Change of the load of links", {"router"}, {"share of time"}, Chart::Kind::Map);
  struct Change {
    double share;
    std::string direction;
    std::uint64_t router, group;
  };
  std::vector<Change> changes;
  for (const Json& link : links) {
    map.series({.name = link.at("direction").get<std::string>()});
    const auto group = link.at("routers_a_column").get<std::uint64_t>();
    std::uint64_t router = 0;
    for (const Json& share : link.at("change")) {
      map.add({router, share, group});
      if (share != 0.0)
        changes.push_back({share.get<double>(), map.json()["series"].back()["name"], router, group});
      router += group;
    }
  }
  std::ranges::stable_sort(
      changes, [](const Change& a, const Change& b) { return std::abs(a.share) > std::abs(b.share); });
  Table table("Links whose load changes most",
              {{"Direction", Kind::Text}, {"Routers", Kind::Text}, {"Change, points"}});
  for (std::size_t i = 0; i < std::min<std::size_t>(8, changes.size()); ++i) {
    const Change& one = changes[i];
    table.add({escape(one.direction),
               one.group == 1 ? count(one.router)
                              : fmt::format("{} to {}", count(one.router), count(one.router + one.group - 1)),
               fmt::format("{:+.2f}", 100 * one.share)});
  }
  return map.html() + (changes.empty() ? "" : table.html());
}

std::string net_part(const Json& net, const std::string& a, const std::string& b) {
  Chart chart("Difference of a mean rank by state", {"state"}, {"time", "s"}, Chart::Kind::Bars);
  chart.series({.name = "second less first"});
  for (const Json& one : net.at("states")) chart.add({0, one.at("seconds"), one.at("name")});
  std::string html =
      chart.html() + changes_table("Mean rank by state", "State", net.at("states"), {.labels = true}, a, b) +
      changes_table("Cycles of a mean rank by cause", "Cause", net.at("parts"), {.labels = true}, a, b) +
      changes_table("Mean rank by function", "Function", net.at("functions"), {}, a, b) +
      changes_table("Critical path by cause", "Cause", net.at("path"), {.labels = true}, a, b);
  Table ranks("Ranks whose time changes most",
              {{"Rank", Kind::Text}, {"Difference"}, {"Mostly", Kind::Text}, {"Of it"}});
  for (const Json& one : net.at("ranks")) {
    const auto first = one.at("first_rank").get<std::uint64_t>(),
               last = one.at("last_rank").get<std::uint64_t>();
    ranks.add({first == last ? count(first) : fmt::format("{} to {}", count(first), count(last)),
               time_at(one, "seconds"), name_at(one, "state"), time_at(one, "state_seconds")});
  }
  if (!net.at("ranks").empty()) html += ranks.html();
  Table messages(net.at("nodes") == true ? "Messages whose time from doorbell to completion changes most"
                                         : "Messages whose waits for others change most",
                 {{"From rank"}, {"To rank"}, {"Messages"}, {a}, {b}, {"Difference"}});
  for (const Json& one : net.at("messages"))
    messages.add({count(one.at("from").get<std::uint64_t>()), count(one.at("to").get<std::uint64_t>()),
                  count(static_cast<std::uint64_t>(one.at("messages").get<double>())), time_at(one, "first"),
                  time_at(one, "second"), time_at(one, "seconds")});
  if (!net.at("messages").empty()) html += messages.html();
  html += energy_of(net, "Energy by part of the nodes", a, b);
  html += link_changes(net.at("links"));
  for (const Json& what : net.at("missing"))
    html += "<p>Not compared: " + escape(what.get<std::string>()) + ".</p>\n";
  return html;
}

std::string ranks_table(const Json& ranks) {
  if (ranks.empty()) return "";
  Table table("Ranks with the largest differences",
              {{"Rank"}, {"Difference"}, {"Region", Kind::Text}, {"Mostly", Kind::Text}});
  for (std::size_t i = 0; i < std::min(kMostRanks, ranks.size()); ++i)
    table.add({escape(ranks[i].at("rank").dump()), time_at(ranks[i], "seconds"), name_at(ranks[i], "region"),
               name_at(ranks[i], "part")});
  return table.html();
}

}  // namespace

PageBody compare_page(const Json& result) {
  PageBody body;
  const Json& results = result.at("results");
  const Json names = result.value("page", Json::object()).value("labels", Json::array());
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < results.size(); ++i)
    labels.push_back(i < names.size() ? escape(names[i].get<std::string>())
                                      : fmt::format("result {}", i + 1));
  body.html = whole_runs(results, labels);
  const Json machines = result.value("page", Json::object()).value("machines", Json::array());
  std::size_t number = 0;
  for (const Json& pair : result.value("differences", Json::array())) {
    ++number;
    body.html += fmt::format("<section aria-labelledby=\"pair-{0}\"><h2 id=\"pair-{0}\">{1} and {2}</h2>\n",
                             number, labels[0], labels.at(number));
    for (const Json& line : pair.value("reasons", Json::array()))
      body.html += "<p>" + escape(line.get<std::string>()) + ".</p>\n";
    if (pair.contains("net")) body.html += net_part(pair.at("net"), labels[0], labels[number]);
    if (number <= machines.size() && !machines[number - 1].is_null())
      body.html += fmt::format(
          "<h3>The machine</h3><p class=\"note\">Each line is one direction of a link and begins at its "
          "router; "
          "the more its load changes, the thicker it is. Choose a link by a click or the arrow "
          "keys.</p>\n<div "
          "data-machine=\"{}\"></div>\n",
          number - 1);
    if (pair.contains("core")) body.html += core_part(pair.at("core"), labels[0], labels[number]);
    body.html += regions_table(pair, results.at(0), results.at(number), labels[0], labels[number]) +
                 ranks_table(pair.value("ranks", Json::array())) + "</section>\n";
  }
  body.scripts = {web::report_js};
  if (std::ranges::any_of(machines, [](const Json& one) { return !one.is_null(); })) {
    body.data["machines"] = machines;
    body.scripts.push_back(web::machine_map_js);
  }
  for (const std::string_view script : chart_scripts()) body.scripts.push_back(script);
  return body;
}

}  // namespace psim::report

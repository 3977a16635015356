// SPDX-License-Identifier: Apache-2.0
// The key `efficiency` for readers: lines of a terminal, and a section of the page.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/figure.h"
#include "report/html.h"
#include "report/net/efficiency_result.h"
#include "report/sections.h"
#include "report/table.h"

namespace psim {
namespace {

using Json = nlohmann::ordered_json;
using report::Table;

std::string micros(const Json& seconds) { return fmt::format("{:.3f} µs", 1e6 * seconds.get<double>()); }
/// The names of efficiencies, on pages and in the terminal.
constexpr std::pair<const char*, const char*> kEfficiencies[] = {{"parallel", "Parallel"},
                                                                 {"load_balance", "Load balance"},
                                                                 {"serialisation", "Serialisation"},
                                                                 {"transfer", "Transfer"},
                                                                 {"communication", "Communication"}};

std::string hundredths(const Json& share) { return fmt::format("{:.1f} %", 100 * share.get<double>()); }

/// Returns "computing of product", or "latency".
std::string named_cause(const Json& cause) {
  const std::string name = cause.at("cause").get<std::string>();
  if (name != "computing") return name;
  return cause.contains("region") ? "computing in " + cause["region"].get<std::string>() : name;
}

/// Returns the change in words, with the model that stands for it.
std::string named_change(const Json& row) {
  const std::string change = row.at("change").get<std::string>();
  return change == "no contention" ? change + " (analytic network)" : change;
}

std::string no_computing() {
  return "the ranks compute in no simulated time, so that there are no efficiencies; see --compute and "
         "MGEN_Comp";
}

std::string job_lines(const Json& job) {
  std::string text;
  const auto line = [&](const char* name, const char* key, const std::string& why) {
    text += fmt::format("  {:<13} {:.4f}  {}\n", name, job.at(key).get<double>(), why);
  };
  text += job.contains("name") ? fmt::format("efficiency of job {}\n", job["name"].get<std::string>())
                               : "efficiency\n";
  if (job.contains("parallel")) {
    line("parallel", "parallel", "load balance x serialisation x transfer");
    line("load balance", "load_balance",
         fmt::format("mean computing {} / most {}", micros(job["compute_mean"]), micros(job["compute_max"])));
    line("serialisation", "serialisation",
         fmt::format("most computing / {} on an ideal network", micros(job["ideal_seconds"])));
    line("transfer", "transfer", fmt::format("ideal network / {} of this run", micros(job["seconds"])));
    line("communication", "communication", "serialisation x transfer");
  } else {
    text += "  " + no_computing() + "\n";
  }
  const Json& path = job.at("critical_path");
  std::string causes;
  for (const Json& cause : path.at("causes"))
    causes +=
        fmt::format("{}{} {}", causes.empty() ? "" : ", ", named_cause(cause), hundredths(cause["share"]));
  text += fmt::format("critical path to the end of rank {}, over {} messages: {}\n",
                      path.at("last_rank").get<std::uint64_t>(), path.at("messages").get<std::uint64_t>(),
                      causes);
  for (const Json& row : job.value("what_if", Json::array()))
    text += fmt::format(
        "what if: {}: {}{}\n", named_change(row), micros(row.at("seconds")),
        row.contains("speedup") ? fmt::format(", {:.3f} times as fast", row["speedup"].get<double>()) : "");
  return text;
}

std::string efficiencies_table(const Json& job) {
  Table table("Efficiencies", {{"Efficiency", Table::Kind::Text}, {"Value"}, {"From", Table::Kind::Text}});
  const auto add = [&](std::string_view key, const std::string& from) {
    const auto* const named =
        std::ranges::find(kEfficiencies, key, [](const auto& one) { return std::string_view(one.first); });
    table.add({named->second, fmt::format("{:.4f}", job.at(named->first).get<double>()), from});
  };
  const auto time = [&](const char* key) { return report::time_of(job.at(key).get<double>()); };
  add("parallel", "load balance × serialisation × transfer");
  add("load_balance",
      fmt::format("mean computing {} / most computing {}", time("compute_mean"), time("compute_max")));
  add("serialisation", fmt::format("most computing / {} on an ideal network", time("ideal_seconds")));
  add("transfer", fmt::format("time on an ideal network / {} of this run", time("seconds")));
  add("communication", "serialisation × transfer");
  return table.html();
}

/// The colours that the rows of ranks have for the same things; empty: another one.
std::string colour_of(const std::string& cause) {
  if (cause == "computing") return "rank-0";
  if (cause == "MPI library" || cause == "other calls") return "rank-4";
  if (cause == "network") return "rank-2";
  return "";
}

std::string path_part(const Json& job, const Json& steps) {
  const Json& path = job.at("critical_path");
  Table causes("The critical path by cause", {{"Cause", Table::Kind::Text}, {"Time"}, {"Share"}});
  for (const Json& cause : path.at("causes"))
    causes.add({report::escape(named_cause(cause)), report::time_of(cause.at("seconds").get<double>()),
                hundredths(cause.at("share"))});
  Table ranks("Ranks on the critical path", {{"Rank"}, {"Time"}, {"Computing"}});
  for (const Json& rank : path.at("ranks"))
    ranks.add({report::count(rank.at("rank").get<std::uint64_t>()),
               report::time_of(rank.at("seconds").get<double>()),
               report::time_of(rank.at("compute_seconds").get<double>())});
  Table pairs("Messages on the critical path", {{"From rank"}, {"To rank"}, {"Messages"}, {"Time"}});
  for (const Json& pair : path.at("pairs"))
    pairs.add({report::count(pair.at("from").get<std::uint64_t>()),
               report::count(pair.at("to").get<std::uint64_t>()),
               report::count(pair.at("messages").get<std::uint64_t>()),
               report::time_of(pair.at("seconds").get<double>())});
  std::string html = fmt::format(
      "<p>The path{} leads to the end of rank {}, over {} messages. Work that is not on it can become faster "
      "without an effect on the run's time.</p>\n",
      job.contains("name") ? " of job " + report::escape(job["name"].get<std::string>()) : "",
      path.at("last_rank").get<std::uint64_t>(), report::count(path.at("messages").get<std::uint64_t>()));
  report::Chart chart("The critical path through the ranks", {"time", "s"}, {"rank"},
                      report::Chart::Kind::Path);
  std::vector<std::string> names;
  for (const Json& step : steps)
    if (const std::string name = step.at(4).get<std::string>(); !std::ranges::count(names, name))
      names.push_back(name);
  for (const std::string& name : names) {
    chart.series({.name = name, .colour = colour_of(name)});
    for (const Json& step : steps)
      if (step.at(4) == name) chart.add({step[0], step[2], step[1], step[3], step[5]});
  }
  html += chart.html() + causes.html() + ranks.html();
  return path.at("pairs").empty() ? html : html + pairs.html();
}

std::string what_if_part(const Json& job) {
  if (!job.contains("what_if")) return "";
  Table table("What if", {{"Change", Table::Kind::Text}, {"Time"}, {"Times as fast"}});
  for (const Json& row : job.at("what_if"))
    table.add({report::escape(named_change(row)), report::time_of(row.at("seconds").get<double>()),
               row.contains("speedup") ? fmt::format("{:.3f}", row["speedup"].get<double>()) : ""});
  return table.html();
}

}  // namespace

std::string efficiency_lines(const Json& body) {
  std::string text;
  if (body.contains("efficiency"))
    for (const Json& job : body["efficiency"].at("jobs")) text += job_lines(job);
  return text;
}

std::string efficiency_section(const Json& result) {
  if (!result.contains("efficiency")) return "";
  const Json paths = result.value("page", Json::object()).value("critical_paths", Json::array());
  std::string html =
      "<section aria-labelledby=\"efficiency\"><h2 id=\"efficiency\">Why it takes this long</h2>\n";
  std::size_t number = 0;
  for (const Json& job : result.at("efficiency").at("jobs")) {
    if (job.contains("name")) html += "<h3>Job " + report::escape(job["name"].get<std::string>()) + "</h3>\n";
    if (job.contains("parallel")) {
      report::Chart chart("Efficiencies", {"efficiency"}, {"of 1"}, report::Chart::Kind::Bars);
      chart.series({.name = "this run"});
      for (const auto& [key, name] : kEfficiencies) chart.add({0, job.at(key), name});
      html += chart.html() + efficiencies_table(job);
    } else {
      html += "<p>" + no_computing() + ".</p>\n";
    }
    html += what_if_part(job) + path_part(job, number < paths.size() ? paths[number] : Json::array());
    ++number;
  }
  return html + "</section>\n";
}

}  // namespace psim

// SPDX-License-Identifier: Apache-2.0
#include "report/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/figure.h"
#include "report/html.h"
#include "report/table.h"
#include "report/web_files.h"

namespace psim::report {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Table::Kind;

std::string text_at(const Json& json, const char* key) { return escape(json.at(key).get<std::string>()); }

/// Returns the class of a status: agrees, explained, differs or other.
const char* class_of(std::string_view status) {
  if (status == "agrees") return "agrees";
  if (status == "differs, explained" || status == "explained by a run") return "explained";
  return status == "differs" || status == "failed" || status == "not explained" ? "differs" : "other";
}

std::string status_text(const Json& row, const std::string& decisions) {
  const std::string status = row.at("status").get<std::string>(), decision = text_at(row, "decision");
  std::string text = escape(status);
  if (!decision.empty())
    text = decisions.empty() ? fmt::format("{}: {}", text, decision)
                             : fmt::format("<a href=\"file://{0}/{1}\" title=\"{1}\">{2}</a>",
                                           escape(decisions), decision, text);
  const std::string tried = row.contains("tried") ? text_at(row, "tried") : "";
  if (!tried.empty()) text += fmt::format("<br><code>{}</code>", tried);
  return fmt::format("<span class=\"{}\">{}</span>", class_of(status), text);
}

std::string summary_of_experiments(const Json& experiments) {
  Table table("Experiments", {{"Experiment", Kind::Text},
                              {"Of", Kind::Text},
                              {"Agree"},
                              {"Explained by a run"},
                              {"Differ, explained"},
                              {"Not explained, differ"},
                              {"Not run"},
                              {"CPU time"}});
  for (const Json& experiment : experiments) {
    const auto with = [&](std::string_view status) {
      return std::ranges::count_if(experiment.at("rows"),
                                   [&](const Json& row) { return row.at("status") == status; });
    };
    table.add({fmt::format("<a href=\"#{0}\">{0}</a>", text_at(experiment, "name")),
               text_at(experiment, "source"), std::to_string(with("agrees")),
               std::to_string(with("explained by a run")), std::to_string(with("differs, explained")),
               std::to_string(with("not explained") + with("differs") + with("failed")),
               std::to_string(with("not run")), quantity(experiment.at("cpu_seconds").get<double>(), "s")});
  }
  return table.html();
}

/// Returns the relative differences from the paper's numbers as bars, by status, over the tolerances.
std::string differences(const Json& rows) {
  constexpr std::size_t kMostRows = 60;
  std::vector<std::pair<std::string, const Json*>> shown;  // with the name in the chart
  std::size_t equal = 0, number = 0;
  for (const Json& row : rows) {
    ++number;
    if (!row.contains("difference") || !row.at("difference").is_number()) continue;
    if (row.at("difference") == 0.0) ++equal;
    shown.emplace_back(fmt::format("{}. {}", number, row.at("text").get<std::string>()), &row);
  }
  if (shown.empty()) return "";
  if (equal == shown.size())
    return fmt::format("<p>{} equal{} the paper's.</p>\n",
                       equal == 1 ? std::string("One number") : fmt::format("All {} numbers", equal),
                       equal == 1 ? "s" : "");
  const std::size_t all = shown.size();
  if (all > kMostRows) {
    const auto size = [](const auto& one) {
      return std::abs(one.second->at("difference").template get<double>());
    };
    std::ranges::stable_sort(shown, [&](const auto& a, const auto& b) { return size(a) > size(b); });
    shown.resize(kMostRows);
  }
  Chart chart("Difference from the paper's numbers", {"psim / paper - 1", "%"}, {"quantity"},
              Chart::Kind::Parts);
  std::vector<std::string> names;
  for (const auto& [name, row] : shown) names.push_back(name);
  chart.rows(names);
  const auto add = [&](const std::string& name, const Json& row, double from, double to, double opacity) {
    chart.add({from, to, name,
               fmt::format("paper {}, psim {}, {}{}{}", row.at("paper").get<std::string>(),
                           row.at("ours").get<std::string>(), row.at("error").get<std::string>(),
                           row.at("goal") == "" ? "" : ", goal " + row.at("goal").get<std::string>(),
                           "; " + row.at("status").get<std::string>()),
               opacity});
  };
  chart.series({.name = "goal", .colour = "dim"});
  for (const auto& [name, row] : shown)
    if (row->at("tolerance").is_number()) {
      const double goal = 100 * row->at("tolerance").get<double>();
      add(name, *row, -goal, goal, 0.25);
    }
  for (const auto& [status, colour] : {std::pair("agrees", "good"),
                                       {"explained by a run", "fair"},
                                       {"differs, explained", "fair"},
                                       {"not explained", "flag"},
                                       {"differs", "flag"},
                                       {"shown", "accent"}}) {
    if (std::ranges::none_of(
            shown, [&, status = status](const auto& one) { return one.second->at("status") == status; }))
      continue;
    chart.series({.name = status, .colour = colour});
    for (const auto& [name, row] : shown)
      if (row->at("status") == status) {
        const double percent = 100 * row->at("difference").get<double>();
        add(name, *row, std::min(0.0, percent), std::max(0.0, percent), 1);
      }
  }
  return chart.html() +
         (all > kMostRows
              ? fmt::format("<p class=\"note\">The {} largest of {} differences.</p>\n", kMostRows, all)
              : "");
}

std::string experiment_section(const Json& experiment, const std::string& decisions) {
  const std::string name = text_at(experiment, "name");
  Table table("Values of " + name, {{"", Kind::Number},
                                    {"Quantity", Kind::Text},
                                    {"Paper"},
                                    {"psim"},
                                    {"Error"},
                                    {"Goal"},
                                    {"Status", Kind::Text},
                                    {"Source", Kind::Text}});
  std::size_t number = 0;
  for (const Json& row : experiment.at("rows"))
    table.add({std::to_string(++number), text_at(row, "text"), text_at(row, "paper"), text_at(row, "ours"),
               text_at(row, "error"), text_at(row, "goal"), status_text(row, decisions),
               text_at(row, "source")});
  std::string out =
      fmt::format("<section id=\"{0}\"><h2>{0}: {1}</h2>\n<p class=\"dim\">{2}; <code>{3}</code></p>\n{4}",
                  name, text_at(experiment, "title"), text_at(experiment, "source"),
                  text_at(experiment, "command"), differences(experiment.at("rows")) + table.html());
  for (const Json& chart : experiment.at("charts")) out += Chart(chart).html();
  const std::string output = text_at(experiment, "output");
  if (output.empty()) return out + "</section>\n";
  return out + fmt::format("<details><summary>Output</summary><pre>{}</pre></details>\n</section>\n", output);
}

}  // namespace

PageBody reproduction_page(const Json& result) {
  PageBody body;
  const Json page = result.value("page", Json::object()),
             experiments = page.value("experiments", Json::array());
  if (experiments.size() > 1) body.html = "<section>" + summary_of_experiments(experiments) + "</section>\n";
  for (const Json& experiment : experiments)
    body.html += experiment_section(experiment, page.value("decisions", ""));
  body.scripts = {web::report_js};
  for (const std::string_view script : chart_scripts()) body.scripts.push_back(script);
  return body;
}

}  // namespace psim::report

// SPDX-License-Identifier: Apache-2.0
#include "report/reproduction_page.h"

#include <fmt/format.h>

#include <algorithm>
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
  if (status == "differs, explained") return "explained";
  return status == "differs" || status == "failed" ? "differs" : "other";
}

std::string status_text(const Json& row, const std::string& decisions) {
  const std::string status = row.at("status").get<std::string>(), decision = text_at(row, "decision");
  std::string text = escape(status);
  if (!decision.empty())
    text = decisions.empty() ? fmt::format("{}: {}", text, decision)
                             : fmt::format("<a href=\"file://{0}/{1}\" title=\"{1}\">{2}</a>",
                                           escape(decisions), decision, text);
  return fmt::format("<span class=\"{}\">{}</span>", class_of(status), text);
}

std::string summary_of_experiments(const Json& experiments) {
  Table table("Experiments", {{"Experiment", Kind::Text},
                              {"Of", Kind::Text},
                              {"Agree"},
                              {"Differ, explained"},
                              {"Differ"},
                              {"Not run"},
                              {"CPU time"}});
  for (const Json& experiment : experiments) {
    const auto with = [&](std::string_view status) {
      return std::ranges::count_if(experiment.at("rows"),
                                   [&](const Json& row) { return row.at("status") == status; });
    };
    table.add({fmt::format("<a href=\"#{0}\">{0}</a>", text_at(experiment, "name")),
               text_at(experiment, "source"), std::to_string(with("agrees")),
               std::to_string(with("differs, explained")), std::to_string(with("differs") + with("failed")),
               std::to_string(with("not run")), quantity(experiment.at("cpu_seconds").get<double>(), "s")});
  }
  return table.html();
}

std::string experiment_section(const Json& experiment, const std::string& decisions) {
  const std::string name = text_at(experiment, "name");
  Table table("Values of " + name, {{"Quantity", Kind::Text},
                                    {"Source", Kind::Text},
                                    {"Paper"},
                                    {"psim"},
                                    {"Error"},
                                    {"Goal", Kind::Text},
                                    {"Status", Kind::Text}});
  for (const Json& row : experiment.at("rows"))
    table.add({text_at(row, "text"), text_at(row, "source"), text_at(row, "paper"), text_at(row, "ours"),
               text_at(row, "error"), text_at(row, "goal"), status_text(row, decisions)});
  std::string out =
      fmt::format("<section id=\"{0}\"><h2>{0}: {1}</h2>\n<p class=\"dim\">{2}; <code>{3}</code></p>\n{4}",
                  name, text_at(experiment, "title"), text_at(experiment, "source"),
                  text_at(experiment, "command"), table.html());
  for (const Json& chart : experiment.at("charts")) out += Chart(chart).html();
  return out + fmt::format("<details><summary>Output</summary><pre>{}</pre></details>\n</section>\n",
                           text_at(experiment, "output"));
}

}  // namespace

PageBody reproduction_page(const Json& result) {
  PageBody body;
  const Json page = result.value("page", Json::object()),
             experiments = page.value("experiments", Json::array());
  body.html = "<section>" + summary_of_experiments(experiments) + "</section>\n";
  for (const Json& experiment : experiments)
    body.html += experiment_section(experiment, page.value("decisions", ""));
  if (experiments.empty()) body.missing.emplace_back("the values, charts and outputs of the experiments");
  body.scripts = {web::report_js};
  for (const std::string_view script : chart_scripts()) body.scripts.push_back(script);
  return body;
}

}  // namespace psim::report

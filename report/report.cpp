// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/cosim/cosim_report.h"
#include "report/html.h"
#include "report/net/net_report.h"
#include "report/pages.h"
#include "report/sections.h"
#include "report/summary.h"

namespace psim::report {

using Json = nlohmann::ordered_json;

namespace {

PageBody body_of(const Json& result, const std::vector<statistics::Reading>& described) {
  const std::string command = result.value("command", "");
  if (command == "run" || command == "replay") return core_page(result, described);
  if (command == "net" && result.contains("traffic")) return traffic_page(result);
  if (command == "net") return net_page(result, described);
  if (command == "cosim") return cosim_page(result, described);
  if (command == "fit") return fit_page(result);
  if (command == "roofline") return roofline_page(result);
  if (command == "predict") return predict_page(result);
  if (command == "reproduce" && result.contains(Json::json_pointer("/page/experiments")))
    return reproduction_page(result);
  if (command == "compare") return compare_page(result);
  return other_page(result);
}

std::string flag(const Json& result, const char* key, const char* text) {
  return result.contains(key)
             ? fmt::format("<p class=\"flag\">{}: {}</p>", text, escape(result[key].get<std::string>()))
             : "";
}

/// Says why the run ended early, or how far it had come when the result was written.
std::string partial_flag(const Json& result) {
  if (!result.contains("partial")) return "";
  constexpr const char* kOnlyThis = ". All numbers are of this part of the run.</p>";
  if (result.at("partial") != "running") {
    std::string text = flag(result, "partial", "Ended early");
    return text.replace(text.size() - 4, 4, kOnlyThis);
  }
  const Json progress = result.value("progress", Json::object());
  std::string text = "<p class=\"flag\">Partial result, written while the run went on: ";
  if (progress.contains("seconds"))
    text += time_of(progress["seconds"].get<double>()) + " of simulated time, ";
  return text +
         (progress.contains("fraction")
              ? fmt::format("{:.3g} % of the {}", 100 * progress["fraction"].get<double>(),
                            escape(progress.at("of").get<std::string>()))
              : std::string("its share of the whole run is unknown")) +
         kOnlyThis;
}

std::string missing_section(const std::vector<std::string>& missing) {
  if (missing.empty()) return "";
  std::string items;
  for (const std::string& one : missing) items += "<li>" + escape(one) + "</li>\n";
  return "<section aria-labelledby=\"missing\"><h2 id=\"missing\">Not in this result</h2>\n<ul>\n" + items +
         "</ul></section>\n";
}

}  // namespace

std::string title_of_result(const Json& result) {
  const Json none = Json::object();
  const Json& page = result.contains("page") ? result["page"] : none;
  if (page.contains("title")) return page["title"].get<std::string>();
  std::string title;
  if (result.contains("host") && result["host"].contains("inputs"))
    for (const auto& [role, path] : result["host"]["inputs"].items())
      if (title.empty() && path.is_string()) title = path.get<std::string>();
  if (result.contains("arguments"))
    for (const Json& argument : result["arguments"])
      if (argument.is_string()) title += " " + argument.get<std::string>();
  return title.empty() ? "psim " + result.value("command", "result") : title;
}

std::string result_page(const Json& result, const std::vector<statistics::Reading>& described) {
  const std::string title = escape(title_of_result(result));
  PageBody body = body_of(result, described);
  std::string page = page_begin(title, body.css);
  page += "<header><div><h1>" + title + "</h1>\n<p class=\"dim\">psim " +
          escape(result.value("command", "")) + (result.contains("traffic") ? " --traffic" : "") + "</p>" +
          flag(result, "not_repeatable", "Not repeatable") + partial_flag(result) + "</div>" +
          theme_button() + "</header>\n<main>\n" + summary_section(result) + body.html +
          missing_section(body.missing) + machine_section(result) + identity_section(result);
  page += fmt::format(
      "</main>\n<footer>psim {}. This file is self-contained. Charts: uPlot, MIT licence, &copy; 2022 Leon "
      "Sorokin; Observable Plot and D3, ISC licence, &copy; 2020 Observable, 2010 Mike Bostock.</footer>\n",
      escape(result.value("version", "")));
  return page + page_end(body.data, body.scripts);
}

}  // namespace psim::report

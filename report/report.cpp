// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "report/cosim/cosim_report.h"
#include "report/html.h"
#include "report/net/net_report.h"
#include "report/pages.h"
#include "report/sections.h"

namespace psim::report {

using Json = nlohmann::ordered_json;

namespace {

enum class Form { Count, Ratio, Seconds, Joules, Watts, Text, Instructions, Hops };

struct Fact {
  const char *name, *at;
  Form form;
};

// In the order of the page. A result has some of them.
constexpr Fact kFacts[] = {{"Instructions", "/instructions", Form::Count},
                           {"Cycles", "/cycles", Form::Count},
                           {"IPC", "/ipc", Form::Ratio},
                           {"Simulated time", "/seconds", Form::Seconds},
                           {"Energy", "/energy/total_joules", Form::Joules},
                           {"Average power", "/energy/average_watts", Form::Watts},
                           {"Ranks", "/ranks", Form::Count},
                           {"Messages", "/messages", Form::Count},
                           {"Packets", "/packets", Form::Count},
                           {"Packet-hops", "/packet_hops", Form::Count},
                           {"Nodes", "/topology/nodes", Form::Count},
                           {"Topology", "/machine/topology/kind", Form::Text},
                           {"Network", "/topology/shape", Form::Text},
                           {"Routing", "/topology/routing", Form::Text},
                           {"Message", "/message", Form::Text},
                           {"Largest load carried", "/saturation/load", Form::Ratio},
                           {"Ending", "/ending", Form::Text},
                           {"Machine", "/machine/name", Form::Text},
                           {"FMA", "/fma", Form::Text},
                           {"Nodes measured", "/measured_nodes", Form::Count},
                           {"of these cycle by cycle", "/detailed_nodes", Form::Text},
                           {"Exit status", "/exit_status", Form::Count},
                           {"Simulation speed", "/host/instructions_per_second", Form::Instructions},
                           {"Simulation speed", "/host/packet_hops_per_second", Form::Hops}};

std::string shown_fact(const Json& value, Form form) {
  if (form == Form::Text) return value.is_string() ? escape(value.get<std::string>()) : "";
  if (!value.is_number()) return "";
  const auto number = value.get<double>();
  switch (form) {
    case Form::Count:
      return value.is_number_unsigned() ? count(value.get<std::uint64_t>()) : escape(value.dump());
    case Form::Ratio:
      return fmt::format("<data value=\"{}\">{:.3f}</data>", value.dump(), number);
    case Form::Seconds:
      return time_of(number);
    case Form::Joules:
      return joules_of(number);
    case Form::Watts:
      return quantity(number, "W");
    case Form::Instructions:
      return fmt::format("{:.2f} M/s", number / 1e6);
    default:
      return fmt::format("{:.2f} M hops/s", number / 1e6);
  }
}

/// Returns the largest of the nodes' cycles and the sum of their instructions.
std::string node_cards(const Json& nodes) {
  std::uint64_t instructions = 0, cycles = 0;
  for (const Json& node : nodes) {
    instructions += node.at("instructions").get<std::uint64_t>();
    cycles = std::max(cycles, node.at("cycles").get<std::uint64_t>());
  }
  return card("Nodes", count(nodes.size())) + card("Cycles of the longest", count(cycles)) +
         card("Instructions", count(instructions));
}

std::string status_cards(const Json& experiments) {
  std::map<std::string, std::size_t> statuses;
  for (const Json& experiment : experiments)
    for (const Json& row : experiment.at("rows")) ++statuses[row.at("status").get<std::string>()];
  std::string out;
  for (const auto& [status, number] : statuses) out += card(label_of(escape(status)), count(number));
  return out;
}

/// Returns the cards of the figures that the result has: instructions, cycles, simulated time, messages, …
std::string summary_section(const Json& result) {
  const std::string command = result.value("command", "");
  std::string out;
  if (command == "cosim") out += node_cards(result.at("nodes"));
  if (command == "fit") out += card("Regions", count(result.at("regions").size()));
  if (command == "roofline") out += card("Points", count(result.at("points").size()));
  if (const Json::json_pointer experiments("/page/experiments");
      command == "reproduce" && result.contains(experiments))
    out += status_cards(result.at(experiments));
  for (const Fact& fact : kFacts) {
    const Json::json_pointer at(fact.at);
    if (!result.contains(at)) continue;
    std::string text = shown_fact(result[at], fact.form);
    if (std::string_view(fact.name) == "Cycles" && result.contains("cycles_interval"))
      text += fmt::format("<br><small>{} to {}</small>",
                          count(result.at("cycles_interval")[0].get<std::uint64_t>()),
                          count(result.at("cycles_interval")[1].get<std::uint64_t>()));
    if (!text.empty()) out += card(fact.name, text);
  }
  return out.empty() ? "" : "<dl class=\"cards\" aria-label=\"summary\">\n" + out + "</dl>\n";
}

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

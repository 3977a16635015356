// SPDX-License-Identifier: Apache-2.0
#include "report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "report/html.h"
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

}  // namespace

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

}  // namespace psim::report

// SPDX-License-Identifier: Apache-2.0
#include "report/profile/profile_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace psim::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostNames = 50;            // functions, and lines
constexpr std::size_t kMostListed = 10;           // functions with their instructions,
constexpr std::size_t kMostInstructions = 1'000;  // together at most these

/// Adds a cost; `brief`, without the keys whose value is 0, for the many rows of instructions.
void add_cost(Json& to, const NamedProfile::Cost& cost, bool brief = false) {
  const pipeline::ProfileCounts& c = cost.counts;
  const auto add = [&](const char* key, std::uint64_t count) {
    if (count != 0 || !brief) to[key] = count;
  };
  add("cycles", c.cycles);
  add("instructions", c.instructions);
  add("l1i_misses", c.l1i_misses);
  add("l1d_misses", c.l1d_misses);
  add("l2_misses", c.l2_misses);
  add("mispredictions", c.mispredictions);
  add("store_l1d_misses", c.store_l1d_misses);
  add("store_l2_misses", c.store_l2_misses);
  Json stack = Json::object();
  for (std::size_t part = 0; part < cost.cpi.size(); ++part)
    if (cost.cpi[part] != 0)
      stack[std::string(pipeline::name(static_cast<pipeline::CpiPart>(part)))] = cost.cpi[part];
  if (!stack.empty() || !brief) to["cpi_stack"] = std::move(stack);
}

void add_line(Json& to, const CodeNames::Line& line) {
  if (line.file.empty()) return;
  to["file"] = line.file;
  to["line"] = line.number;
}

}  // namespace

Json profile_json(const NamedProfile& profile) {
  Json functions = Json::array(), lines = Json::array(), listed = Json::array();
  for (const std::size_t i : profile.hottest) {
    if (functions.size() == kMostNames) break;
    const NamedProfile::Function& f = profile.functions[i];
    Json one{{"name", f.name}, {"address", fmt::format("{:#x}", f.address)}};
    add_line(one, f.line);
    one["calls"] = f.calls;
    one["inclusive_cycles"] = f.inclusive.cycles;
    add_cost(one, f.cost);
    functions.push_back(std::move(one));
  }
  for (const NamedProfile::Line& line : profile.lines) {
    if (lines.size() == kMostNames) break;
    Json one = Json::object();
    add_line(one, line.line);
    add_cost(one, line.cost);
    lines.push_back(std::move(one));
  }
  std::size_t room = kMostInstructions;
  for (const std::size_t i : profile.hottest) {
    if (listed.size() == kMostListed) break;
    const NamedProfile::Function& f = profile.functions[i];
    if (f.end - f.first > room || f.cost.counts.cycles == 0) continue;
    room -= f.end - f.first;
    Json instructions = Json::array();
    for (std::size_t k = f.first; k < f.end; ++k) {
      const NamedProfile::Instruction& one = profile.instructions[k];
      Json row{{"pc", fmt::format("{:#x}", one.pc)}, {"text", one.text}};
      add_line(row, one.line);
      add_cost(row, one.cost, true);
      instructions.push_back(std::move(row));
    }
    listed.push_back({{"function", f.name}, {"instructions", std::move(instructions)}});
  }
  return {{"functions_in_all", profile.functions.size()},
          {"lines_in_all", profile.lines.size()},
          {"functions", std::move(functions)},
          {"lines", std::move(lines)},
          {"listings", std::move(listed)}};
}

}  // namespace psim::report

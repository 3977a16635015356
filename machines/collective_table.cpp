// SPDX-License-Identifier: Apache-2.0
#include "machines/collective_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "base/config/setting.h"
#include "base/error.h"
#include "mpi/collective/collective_times.h"
#include "mpi/collective/selection.h"

namespace psim {
namespace {

constexpr std::string_view kNoLimits = "else";

std::string limits_of(const net::mpi::SelectionRule& rule) {
  std::string limits;
  if (rule.ranks != net::mpi::kAnyRanks) limits = fmt::format("ranks<={}", rule.ranks);
  if (rule.bytes != net::mpi::kAnyBytes)
    limits += fmt::format("{}bytes<={}", limits.empty() ? "" : ",", rule.bytes);
  return limits.empty() ? std::string(kNoLimits) : limits;
}

}  // namespace

std::string collective_rules(std::string_view text, const std::string& name) {
  Problems problems;
  std::string rules;
  for (const Setting& row : read_toml(text, name, problems)) {
    const std::size_t dot = row.key.find('.');
    const auto bad = [&](std::string_view why) {
      problems.add(row.origin.text(), fmt::format("{} = {}: {}", row.key, row.value, why));
    };
    if (dot == std::string::npos || row.kind != Setting::Kind::String) {
      bad("expected a row [collective] \"limits\" = \"algorithm\"");
      continue;
    }
    const std::string collective = row.key.substr(0, dot), limits = row.key.substr(dot + 1);
    const std::string rule = collective + (limits == kNoLimits ? "" : ":" + limits) + "=" + row.value;
    try {
      // A row must become exactly one rule.
      if (rule.find(';') != std::string::npos) throw std::invalid_argument("';' is not allowed here");
      net::mpi::selection_rules(rule);
      rules += (rules.empty() ? "" : "; ") + rule;
    } catch (const std::invalid_argument& error) {
      bad(error.what());
    }
  }
  problems.throw_if_any();
  return rules;
}

std::string hardware_rules(const net::HardwareConfig& hardware) {
  switch (hardware.kind) {
    case net::HardwareCollectives::None:
      break;
    case net::HardwareCollectives::Barrier:
      return "; barrier=hardware";
    case net::HardwareCollectives::Tree:
      return "; barrier=hardware; bcast=hardware; reduce=hardware; allreduce=hardware";
    case net::HardwareCollectives::Switches:
      return fmt::format(
          "; barrier=hardware; bcast:bytes<={0}=hardware; reduce:bytes<={0}=hardware; "
          "allreduce:bytes<={0}=hardware",
          hardware.switch_vector.count);
  }
  return "";
}

std::string table_rules(std::string_view csv, const std::string& name) try {
  const net::mpi::CollectiveTimes times(csv);
  std::string rules;
  const auto& names = net::mpi::collective_names();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (times.has(static_cast<net::mpi::CollectiveKind>(i)))
      rules += fmt::format("; {}=table", names[i].collective);
  if (rules.empty())
    throw UserError(
        fmt::format("{}: no rows; expected collective,ranks,bytes,seconds and a row for each time", name));
  return rules;
} catch (const std::invalid_argument& error) {
  throw UserError(fmt::format("{}:{}", name, error.what()));
}

void check_table_rules(std::string_view rules, std::string_view csv) {
  const net::mpi::CollectiveTimes times(csv);
  const auto& names = net::mpi::collective_names();
  for (const net::mpi::SelectionRule& rule : net::mpi::selection_rules(rules)) {
    const auto& row = names[static_cast<std::size_t>(rule.collective)];
    if (row.algorithms[rule.algorithm] == "table" && !times.has(rule.collective))
      throw UserError(fmt::format("{0}=table: collective.table has no times of {0}", row.collective));
  }
}

void check_table_times(std::string_view csv, const std::string& name, std::uint64_t lookahead) {
  const std::uint64_t least = net::mpi::CollectiveTimes(csv).least();
  if (least == 0 || least >= 2 * lookahead) return;
  throw UserError(fmt::format(
      "{}: its shortest time is {} ps; expected at least {} ps, the time in which one node of this "
      "network reaches another (analytic.latency, or the delays of a hop)",
      name, least, 2 * lookahead));
}

void check_hardware_rules(std::string_view rules, net::HardwareCollectives kind) {
  using net::HardwareCollectives;
  const auto& names = net::mpi::collective_names();
  for (const net::mpi::SelectionRule& rule : net::mpi::selection_rules(rules)) {
    const auto& row = names[static_cast<std::size_t>(rule.collective)];
    if (row.algorithms[rule.algorithm] != "hardware" || kind == HardwareCollectives::Tree ||
        kind == HardwareCollectives::Switches)
      continue;
    if (kind == HardwareCollectives::Barrier && rule.collective == net::mpi::CollectiveKind::Barrier)
      continue;
    throw UserError(
        fmt::format("{}=hardware: collective.hardware is {}, which has none; expected {}", row.collective,
                    kind == HardwareCollectives::None ? "none" : "barrier",
                    row.collective == "barrier" ? "barrier, tree or switches" : "tree or switches"));
  }
}

std::string collective_table(std::string_view rules) {
  const std::vector<net::mpi::SelectionRule> all_rules = net::mpi::selection_rules(rules);
  std::string text;
  const auto& names = net::mpi::collective_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string all;
    for (const std::string_view algorithm : names[i].algorithms)
      all += fmt::format("{}{}", all.empty() ? "" : ", ", algorithm);
    text += fmt::format("{}[{}]  # {}\n", text.empty() ? "" : "\n", names[i].collective, all);
    std::vector<std::string> seen;
    for (const net::mpi::SelectionRule& rule : all_rules) {
      if (rule.collective != static_cast<net::mpi::CollectiveKind>(i)) continue;
      const std::string limits = limits_of(rule);
      if (std::find(seen.begin(), seen.end(), limits) != seen.end()) continue;  // never reached
      seen.push_back(limits);
      text += fmt::format("\"{}\" = \"{}\"\n", limits, names[i].algorithms[rule.algorithm]);
      if (limits == kNoLimits) break;
    }
  }
  return text;
}

}  // namespace psim

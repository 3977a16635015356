// SPDX-License-Identifier: Apache-2.0
#include "psim/net/efficiency.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "psim/net/reruns.h"
#include "report/net/efficiency_result.h"

namespace psim {
namespace {

/// Returns the region that is assumed twice as fast; empty: all computing is.
std::string faster_region(const ProgramOptions& options, const net::RankLoad& load,
                          const nlohmann::ordered_json& body) {
  if (options.faster.empty()) return critical_region(body);
  std::set<std::string> names;
  for (const auto& job : load.jobs())
    for (const net::Regions::Row* row : job->regions.rows()) names.insert(row->name);
  if (names.contains(options.faster)) return options.faster;
  throw UserError(fmt::format("--faster {}: the program marks no such region; expected {}", options.faster,
                              names.empty() ? "PSIM_REGION_BEGIN in its source (docs/predict.md)"
                                            : fmt::format("one of {}", fmt::join(names, ", "))));
}

}  // namespace

void add_efficiency(const ProgramOptions& options, const net::RankLoad& load, const net::CriticalPath& path,
                    bool analytic, ResultDocument& result) {
  nlohmann::ordered_json& body = result.body();
  add_paths(body, result.page(), load, path);
  WhatIf change{.record = options.compute.starts_with("measured") ? load.record().text() : ""};
  const std::string region = faster_region(options, load, body);
  change.network = ChangedNetwork::Ideal;
  add_ideal(body, options.reruns->times(change));
  const auto what_if = [&] {
    add_what_if(body, change.text(), options.reruns->times(change));
    change.network = ChangedNetwork::None;
  };
  change.network = ChangedNetwork::TwiceAsFast;
  what_if();
  change.network = ChangedNetwork::Uncontended;
  if (!analytic) what_if();
  change.network = ChangedNetwork::None;
  change.halves = true;
  change.region = region;
  what_if();
}

}  // namespace psim

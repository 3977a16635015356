// SPDX-License-Identifier: Apache-2.0
#include "report/stage_pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "pipeline/observer.h"
#include "report/base64.h"

namespace psim::report {

namespace {

constexpr std::uint64_t kBeyond = std::uint64_t{1} << 52;  // doubled by zigzag(), still exact in a script

void put(std::string& to, std::uint64_t value) {
  for (; value >= 128; value >>= 7) to.push_back(static_cast<char>(value | 128));
  to.push_back(static_cast<char>(value));
}

/// Maps 0, -1, 1, -2 … to 0, 1, 2, 3 …
std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
std::uint64_t difference(std::uint64_t value, std::uint64_t from) {
  return zigzag(static_cast<std::int64_t>(value - from));
}

/// Returns the colour of a stage, a variable of report.css; empty: the page chooses.
std::string_view group_of(std::string_view name) {
  using pipeline::Stage;
  const auto& names = pipeline::kStageNames;
  const auto known = std::find(names.begin(), names.end(), name);
  if (known == names.end()) {
    // gem5's O3PipeView
    if (name == "fetch") return "fetch";
    if (name == "decode" || name == "rename" || name == "dispatch") return "issue";
    if (name == "issue") return "execute";
    if (name == "complete" || name == "retire") return "complete";
    return "";
  }
  const auto stage = static_cast<Stage>(known - names.begin());
  if (stage <= Stage::IR) return "fetch";
  if (stage <= Stage::D) return "issue";
  if (stage <= Stage::X) return "execute";
  if (stage <= Stage::Rs) return "cache";
  return "complete";
}

}  // namespace

std::uint32_t StagePack::Table::number(std::string_view text) {
  const auto [known, is_new] =
      numbers_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
  if (is_new) texts_.push_back(known->first);
  return known->second;
}

StagePack::StagePack() {
  for (const std::string_view name : pipeline::kStageNames) stages_.number(name);
  for (std::size_t i = 0; i < pipeline::kStallCauses; ++i)
    causes_.number(pipeline::name(static_cast<pipeline::StallCause>(i)));
}

std::uint32_t StagePack::stage(std::string_view name) { return stages_.number(name); }
std::uint32_t StagePack::cause(std::string_view name) { return causes_.number(name); }

void StagePack::add(const StageRow& row) {
  if (row.end >= kBeyond)
    throw UserError(fmt::format("cycle {}: a page counts cycles below 2^52 only", row.end));
  const std::uint64_t number = row.number < kBeyond ? row.number : ids_.size();
  const std::uint64_t retired = row.retired < kBeyond ? row.retired : 0;
  begin_ = ids_.empty() ? row.begin : std::min(begin_, row.begin);
  end_ = std::max(end_, row.end);
  put(bytes_, static_cast<std::uint64_t>(row.fate));
  if (row.fate == Fate::Retired) {
    put(bytes_, difference(retired, last_retired_));
    last_retired_ = retired;
  }
  put(bytes_, difference(number, last_number_));
  put(bytes_, difference(row.begin, last_begin_));
  put(bytes_, row.end - row.begin);
  last_number_ = number;
  last_begin_ = row.begin;
  put(bytes_, texts_.number(row.text));
  put(bytes_, row.details.empty() ? 0 : details_.number(row.details) + 1);
  for (const auto spans : {row.stages, row.stalls}) {
    put(bytes_, spans.size());
    std::uint64_t at = row.begin;
    for (const PackedSpan& span : spans) {
      put(bytes_, span.name);
      put(bytes_, difference(span.begin, at));
      put(bytes_, span.end - span.begin);
      at = span.end;
    }
  }
  for (const PackedWakeup& wakeup : row.wakeups)
    wakeups_.push_back({ids_.size(), wakeup.producer, static_cast<std::int64_t>(wakeup.cycle - row.begin)});
  ids_.push_back(row.id);
}

nlohmann::ordered_json StagePack::json() const {
  using Json = nlohmann::ordered_json;
  Json groups = Json::array();
  for (const std::string& name : stages_.texts()) groups.push_back(group_of(name));
  std::string wakeups;
  std::uint64_t count = 0, last = 0;
  for (const Wakeup& wakeup : wakeups_) {
    const auto producer = std::lower_bound(ids_.begin(), ids_.end(), wakeup.producer);
    if (producer == ids_.end() || *producer != wakeup.producer) continue;  // not in this page
    put(wakeups, wakeup.row - last);
    put(wakeups, difference(wakeup.row, static_cast<std::uint64_t>(producer - ids_.begin())));
    put(wakeups, zigzag(wakeup.cycle));
    last = wakeup.row;
    ++count;
  }
  return {{"rows", rows()},
          {"wakeups", count},
          {"stages", stages_.texts()},
          {"groups", std::move(groups)},
          {"causes", causes_.texts()},
          {"texts", texts_.texts()},
          {"details", details_.texts()},
          {"row_bytes", base64(bytes_)},
          {"wakeup_bytes", base64(wakeups)}};
}

}  // namespace psim::report

// SPDX-License-Identifier: Apache-2.0
#include "pipeline/region_account.h"

#include <algorithm>

namespace psim::pipeline {

std::size_t RegionAccount::region_of(const isa::RegionMarker& marker) {
  std::string key = marker.name + '\0';
  key.append(reinterpret_cast<const char*>(marker.arguments.data()),
             marker.arguments.size() * sizeof(std::int64_t));
  if (const auto found = rows_.find(key); found != rows_.end()) return found->second;
  if (rows_.size() == most_rows_) {
    if (regions_.size() == most_rows_) regions_.push_back({kFurther, {}, 0, {}, {}, {}});
    return most_rows_;
  }
  regions_.push_back({marker.name, marker.arguments, 0, {}, {}, {}});
  return rows_[std::move(key)] = regions_.size() - 1;
}

void RegionAccount::begin(const isa::RegionMarker& marker, const Totals& totals) {
  if (open_.size() == most_open_) {
    ++not_opened_;
    return;
  }
  const std::size_t region = region_of(marker);
  open_.push_back({region, marker.name, marker.thread, totals,
                   sample_ ? PackedActivity(sample_()) : PackedActivity{},
                   snapshot_ && region < kDetailedRows ? snapshot_() : statistics::Snapshot{}});
}

void RegionAccount::end(const isa::RegionMarker& marker, const Totals& totals) {
  // The innermost open region of this name: regions may overlap, not only nest. A thread ends its own, except
  // one that was begun before the program had threads.
  const auto open = std::find_if(open_.rbegin(), open_.rend(), [&](const Open& candidate) {
    return candidate.name == marker.name &&
           (candidate.thread == marker.thread || (candidate.thread == 0 && marker.first_thread));
  });
  if (open == open_.rend()) {
    constexpr std::size_t kMostNotes = 100;
    if (stray_ends_.size() < kMostNotes &&
        std::find(stray_ends_.begin(), stray_ends_.end(), marker.name) == stray_ends_.end())
      stray_ends_.push_back(marker.name);
    return;
  }
  MeasuredRegion& region = regions_[open->region];
  ++region.executions;
  region.totals.add(open->start, totals);
  if (sample_) {
    Activity inside = sample_();
    inside -= open->activity.unpack();
    region.activity += inside;
  }
  if (!open->statistics.empty()) {
    statistics::Snapshot inside = snapshot_();
    inside -= open->statistics;
    region.statistics += inside;
  }
  open_.erase(std::next(open).base());
}

RegionMark RegionAccount::on_region_marker(const Totals& totals) {
  const isa::RegionMarker marker = next_marker_();
  marked_ = marker.name;
  if (marker.begin)
    begin(marker, totals);
  else
    end(marker, totals);
  return {0, totals.cycles, marked_, marker.begin};
}

std::vector<std::string> RegionAccount::notes() const {
  std::vector<std::string> notes;
  std::vector<std::string> named;
  for (const Open& open : open_) {
    if (std::find(named.begin(), named.end(), open.name) != named.end()) continue;
    named.push_back(open.name);
    notes.push_back("region " + open.name + " began but never ended: that execution is not measured");
  }
  if (not_opened_)
    notes.push_back(std::to_string(not_opened_) +
                    " executions of regions are not measured: they began while " +
                    std::to_string(most_open_) + " others had begun and not ended");
  for (const std::string& name : stray_ends_)
    notes.push_back("region " + name + " ended without having begun");
  if (regions_.size() > most_rows_)
    notes.push_back("regions: the first " + std::to_string(most_rows_) +
                    " pairs of name and arguments have a row each; " +
                    std::to_string(regions_.back().executions) +
                    " executions of others are summed in the row " + kFurther);
  return notes;
}

}  // namespace psim::pipeline

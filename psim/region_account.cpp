// SPDX-License-Identifier: Apache-2.0
#include "psim/region_account.h"

#include <algorithm>

namespace psim {

using pipeline::Totals;

namespace {
void add_difference(Totals& sum, const Totals& from, const Totals& to) {
  sum.cycles += to.cycles - from.cycles;
  sum.instructions += to.instructions - from.instructions;
  sum.flops += to.flops - from.flops;
  const pipeline::CpiAccount::Stack cpi = pipeline::CpiAccount::between(from.cpi, to.cpi);
  for (std::size_t part = 0; part < sum.cpi.size(); ++part) sum.cpi[part] += cpi[part];
}
}  // namespace

std::size_t RegionAccount::region_of(const isa::RegionMarker& marker) {
  for (std::size_t i = 0; i < regions_.size(); ++i)
    if (regions_[i].name == marker.name && regions_[i].arguments == marker.arguments) return i;
  regions_.push_back({marker.name, marker.arguments, 0, {}, {}});
  return regions_.size() - 1;
}

pipeline::RegionMark RegionAccount::on_region_marker(const Totals& totals) {
  const isa::RegionMarker marker = next_marker_();
  marked_ = marker.name;
  if (marker.begin) {
    open_.push_back({region_of(marker), totals, sample_ ? sample_() : pipeline::Activity{}});
  } else {
    // The innermost open region of this name: regions may overlap, not only nest.
    const auto open = std::find_if(open_.rbegin(), open_.rend(), [&](const Open& candidate) {
      return regions_[candidate.region].name == marker.name;
    });
    if (open == open_.rend()) {
      if (std::find(stray_ends_.begin(), stray_ends_.end(), marker.name) == stray_ends_.end())
        stray_ends_.push_back(marker.name);
    } else {
      MeasuredRegion& region = regions_[open->region];
      ++region.executions;
      add_difference(region.totals, open->start, totals);
      if (sample_) {
        region.activity += sample_();
        region.activity -= open->activity;
      }
      open_.erase(std::next(open).base());
    }
  }
  return {0, totals.cycles, marked_, marker.begin};
}

std::vector<std::string> RegionAccount::notes() const {
  std::vector<std::string> notes;
  for (const Open& open : open_)
    notes.push_back("region " + regions_[open.region].name +
                    " began but never ended: that execution is not measured");
  for (const std::string& name : stray_ends_)
    notes.push_back("region " + name + " ended without having begun");
  return notes;
}

}  // namespace psim

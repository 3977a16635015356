// SPDX-License-Identifier: Apache-2.0
#include "cosim/rank_account.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "pipeline/region_account.h"

namespace psim::cosim {

RankUse& RankUse::operator+=(const RankUse& other) {
  counts += other.counts;
  overhead += other.overhead;
  wait += other.wait;
  return *this;
}

void Steps::add(const std::vector<Place>& execution, bool first) {
  if (first) places.resize(execution.size());
  alike &= execution.size() == places.size() && execution.size() <= kMost;
  if (!alike) return places.clear();
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i].cycles += execution[i].cycles;
    places[i].instructions += execution[i].instructions;
  }
}

RankUse RankTime::total() const {
  RankUse sum = outside;
  for (const RankRegion& region : regions) sum += region.own;
  return sum;
}

void RankTime::write(net::Parcel& parcel) const {
  parcel.put(outside);
  parcel.put(outside_steps.alike);
  parcel.put_all(outside_steps.places);
  parcel.put(std::uint64_t{regions.size()});
  for (const RankRegion& region : regions) {
    parcel.put_text(region.name);
    parcel.put(region.count);
    parcel.put(region.arguments);
    parcel.put(region.least);
    parcel.put(region.most);
    parcel.put(region.own);
    parcel.put(region.inclusive);
    parcel.put(region.inclusive_wait);
    parcel.put(region.steps.alike);
    parcel.put_all(region.steps.places);
  }
  parcel.put(left);
  parcel.put(std::uint64_t{notes.size()});
  for (const std::string& note : notes) parcel.put_text(note);
}

RankTime RankTime::read(net::Parcel& parcel) {
  RankTime time;
  time.outside = parcel.take<RankUse>();
  time.outside_steps.alike = parcel.take<bool>();
  time.outside_steps.places = parcel.take_all<Steps::Place>();
  time.regions.resize(parcel.take<std::uint64_t>());
  for (RankRegion& region : time.regions) {
    region.name = parcel.take_text();
    region.count = parcel.take<std::uint64_t>();
    region.arguments = parcel.take<std::uint32_t>();
    region.least = parcel.take<decltype(region.least)>();
    region.most = parcel.take<decltype(region.most)>();
    region.own = parcel.take<RankUse>();
    region.inclusive = parcel.take<RankCounts>();
    region.inclusive_wait = parcel.take<std::uint64_t>();
    region.steps.alike = parcel.take<bool>();
    region.steps.places = parcel.take_all<Steps::Place>();
  }
  time.left = parcel.take<bool>();
  time.notes.resize(parcel.take<std::uint64_t>());
  for (std::string& note : time.notes) note = parcel.take_text();
  return time;
}

void RankAccount::on_mark(const isa::RegionMarker& mark, const pipeline::Totals&) {
  if (!mark.first_thread) {
    if (!mark.call) ++other_marks_;
    return;
  }
  charge();
  if (mark.call) {
    const bool inside = call_.any();
    call_.follow(mark);
    if (call_.name() == "MPI_Init" || call_.name() == "MPI_Init_thread") initialized_ = true;
    if (call_.name() == "MPI_Finalize") initialized_ = false;
    if (!inside && call_.any()) add_step();
  } else if (mark.begin)
    begin(mark);
  else
    end(mark.name);
}

void RankAccount::charge() {
  const RankCounts now = sample_();
  RankUse use{.counts = RankCounts::between(charged_, now)};
  if (call_.any()) {
    use.wait = use.counts.asleep;
    use.overhead = use.counts.cycles - use.wait;
    waited_ += use.wait;
  }
  charged_ = now;
  (open_.empty() ? time_.outside : time_.regions[open_.back().region].own) += use;
}

void RankAccount::add_step() {
  std::vector<Steps::Place>& steps = open_.empty() ? outside_steps_ : open_.back().steps;
  if (steps.size() > Steps::kMost) return;
  if (open_.empty()) {
    const RankUse& use = time_.outside;
    steps.push_back({use.counts.cycles - use.wait, use.counts.instructions});
  } else {
    const Open& open = open_.back();
    steps.push_back({charged_.cycles - open.start.cycles - (waited_ - open.waited),
                     charged_.instructions - open.start.instructions});
  }
}

std::size_t RankAccount::region_of(const std::string& name) {
  if (const auto found = rows_.find(name); found != rows_.end()) return found->second;
  const bool full = rows_.size() == kMostRegions;
  if (!full || time_.regions.size() == kMostRegions)
    time_.regions.push_back({.name = full ? pipeline::RegionAccount::kFurther : name});
  if (full) return kMostRegions;
  return rows_[name] = time_.regions.size() - 1;
}

void RankAccount::begin(const isa::RegionMarker& mark) {
  add_step();
  if (open_.size() == kMostOpen) {
    ++not_opened_;
    return;
  }
  RankRegion& region = time_.regions[region_of(mark.name)];
  for (std::uint32_t i = 0; i < mark.arguments.size(); ++i) {
    const bool first = i >= region.arguments;
    region.least[i] = first ? mark.arguments[i] : std::min(region.least[i], mark.arguments[i]);
    region.most[i] = first ? mark.arguments[i] : std::max(region.most[i], mark.arguments[i]);
  }
  region.arguments = std::max(region.arguments, static_cast<std::uint32_t>(mark.arguments.size()));
  open_.push_back(
      {static_cast<std::size_t>(&region - time_.regions.data()), mark.name, charged_, waited_, {}});
}

void RankAccount::end(const std::string& name) {
  const auto open = innermost(open_, name, [](const Open& one) -> const std::string& { return one.name; });
  if (open == open_.end()) return note(fmt::format("region {} ended without having begun", name));
  RankRegion& region = time_.regions[open->region];
  ++region.count;
  // Of a region that contains itself, the outer execution has the time of both.
  const bool outer = std::ranges::count(open_, open->region, &Open::region) == 1;
  if (outer) {
    region.inclusive += RankCounts::between(open->start, charged_);
    region.inclusive_wait += waited_ - open->waited;
  }
  region.steps.add(open->steps, region.count == 1);
  open_.erase(open);
}

void RankAccount::note(std::string text) {
  if (time_.notes.size() < kMostNotes && std::ranges::find(time_.notes, text) == time_.notes.end())
    time_.notes.push_back(std::move(text));
}

RankTime RankAccount::finish() {
  charge();
  time_.outside_steps.add(outside_steps_, true);
  for (const Open& open : open_)
    note(fmt::format("region {} began but never ended: its time counts, but no execution", open.name));
  if (not_opened_ != 0)
    note(
        fmt::format("{} executions of regions are not measured: they began while {} others had begun and "
                    "not ended",
                    not_opened_, kMostOpen));
  if (time_.regions.size() > kMostRegions)
    note(fmt::format("regions: the first {} have a row each; others are summed in the row {}", kMostRegions,
                     pipeline::RegionAccount::kFurther));
  if (other_marks_ != 0)
    note(fmt::format("{} marks of regions by threads other than a rank's first were left out", other_marks_));
  return std::move(time_);
}

}  // namespace psim::cosim

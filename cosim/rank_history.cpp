// SPDX-License-Identifier: Apache-2.0
#include "cosim/rank_history.h"

#include "pipeline/region_account.h"

namespace psim::cosim {

void RankHistory::on_mark(const isa::RegionMarker& mark, const pipeline::Totals&) {
  if (!mark.first_thread) return;
  add();
  place_.follow(mark);
}

/// Adds the counts since the last call to the present place.
void RankHistory::add() {
  const RankCounts now = sample_();
  const std::uint64_t cycles = now.cycles - added_.cycles;
  if (cycles == 0) return;
  std::pair<std::string, std::string> place = place_.names();
  if (places_.size() >= kMostPlaces && !places_.contains(place))
    place = {pipeline::RegionAccount::kFurther, ""};
  const auto number = static_cast<std::uint32_t>(places_.size());
  series_.add({.begin = added_.cycles,
               .end = now.cycles,
               .place = places_.emplace(std::move(place), number).first->second,
               .there = cycles,
               .counts = RankCounts::between(added_, now)});
  added_ = now;
}

RankStretches RankHistory::finish() {
  add();
  RankStretches all{.places = {}, .stretches = series_.pieces()};
  all.places.resize(places_.size());
  for (const auto& [place, number] : places_) all.places[number] = place;
  return all;
}

}  // namespace psim::cosim

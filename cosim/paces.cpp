// SPDX-License-Identifier: Apache-2.0
#include "cosim/paces.h"

#include <algorithm>
#include <cmath>

#include "pipeline/functional_core.h"

namespace psim::cosim {

using pipeline::FunctionalCore;

namespace {

PacedPlace place_of(const MarkedPlace& place) { return {place.names().first, place.in_call()}; }

PaceHistory::Sums operator+(const PaceHistory::Sums& a, const PaceHistory::Sums& b) {
  return {a.cycles + b.cycles, a.instructions + b.instructions};
}

std::uint64_t pace_of(double cycles_per_instruction) {
  const double pace = std::round(cycles_per_instruction * static_cast<double>(FunctionalCore::kCycle));
  return std::clamp(static_cast<std::uint64_t>(pace), FunctionalCore::kLeastPace, FunctionalCore::kMostPace);
}

}  // namespace

void PaceHistory::add(std::uint64_t now, const Sums& more, std::uint64_t from) {
  while (entries_.size() > 1 && entries_[1].time <= from) entries_.pop_front();
  entries_.push_back({now, entries_.empty() ? more : entries_.back().sums + more});
}

PaceHistory::Sums PaceHistory::until(std::uint64_t time) const {
  const auto after = std::ranges::upper_bound(entries_, time, {}, &Entry::time);
  return after == entries_.begin() ? Sums{} : std::prev(after)->sums;
}

PaceMeter::PaceMeter(Paces& paces, std::function<std::uint64_t()> asleep)
    : notice_(paces.notice_), asleep_(std::move(asleep)) {
  paces.meters_.push_back(this);
}

void PaceMeter::on_mark(const isa::RegionMarker& mark, const pipeline::Totals& totals) {
  if (!mark.first_thread) return;
  const PaceHistory::Sums now{totals.cycles - asleep_(), totals.instructions};
  const PaceHistory::Sums more{now.cycles - charged_.cycles, now.instructions - charged_.instructions};
  // Another node's clock is at most a notice behind this one, and it needs sums of a notice earlier.
  const std::uint64_t from = totals.cycles - std::min(totals.cycles, 2 * notice_);
  all_.add(totals.cycles, more, from);
  places_[place_of(place_)].add(totals.cycles, more, from);
  charged_ = now;
  place_.follow(mark);
}

PaceHistory::Sums PaceMeter::until(const PacedPlace* place, std::uint64_t time) const {
  if (place == nullptr) return all_.until(time);
  const auto found = places_.find(*place);
  return found == places_.end() ? PaceHistory::Sums{} : found->second.until(time);
}

std::uint64_t Paces::first() const { return pace_of(measured() ? 1 : cpi_); }

std::uint64_t Paces::at(const PacedPlace& place, std::uint64_t now) const {
  if (now >= notice_)
    for (const PacedPlace* const of : {&place, static_cast<const PacedPlace*>(nullptr)}) {
      PaceHistory::Sums sums;
      for (const PaceMeter* const meter : meters_) sums = sums + meter->until(of, now - notice_);
      if (sums.instructions >= kEnough)
        return pace_of(static_cast<double>(sums.cycles) / static_cast<double>(sums.instructions));
    }
  return first();
}

void PaceFollower::on_mark(const isa::RegionMarker& mark, const pipeline::Totals& totals) {
  if (!mark.first_thread) return;
  place_.follow(mark);
  pace_ = paces_.at(place_of(place_), totals.cycles);
}

}  // namespace psim::cosim

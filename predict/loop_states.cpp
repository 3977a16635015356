// SPDX-License-Identifier: Apache-2.0
#include "predict/loop_states.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace psim::predict {

namespace {

struct Moments {
  double mean = 0, variance = 0;
};

template <class Units, class Value>
Moments moments(const Units& units, Value value) {
  Moments result;
  const auto count = static_cast<double>(units.size());
  for (const auto& unit : units) result.mean += value(unit) / count;
  for (const auto& unit : units) {
    const double off = value(unit) - result.mean;
    result.variance += off * off / count;
  }
  return result;
}

template <class Unit>
double weight_of(std::span<const Unit> units) {
  double sum = 0;
  for (const Unit& unit : units) sum += unit.weight;
  return sum;
}

/// Returns true if the first `at` units alternate with the others, in the order of the program, as often as
/// chance would have it.
template <typename Unit>
bool alternate(std::span<const Unit> units, std::size_t at) {
  std::vector<std::pair<std::size_t, bool>> order;
  for (std::size_t n = 0; n < units.size(); ++n) order.emplace_back(units[n].number, n < at);
  std::sort(order.begin(), order.end());
  double runs = 1;
  for (std::size_t n = 1; n < order.size(); ++n) runs += order[n].second != order[n - 1].second;
  const auto all = static_cast<double>(units.size()), first = static_cast<double>(at);
  const double expected = 2 * first * (all - first) / all + 1;
  const double variance = (expected - 1) * (expected - 2) / (all - 1);
  return runs - expected >= LoopStates::kFewestRuns * std::sqrt(variance);
}

/// Returns the size of the first group if the sorted units are two groups; else 0.
template <class Unit>
std::size_t first_group(std::span<const Unit> units) {
  const std::size_t fewest = LoopStates::kFewestUnits;
  if (units.size() < 2 * fewest) return 0;
  std::size_t at = fewest;
  const auto gap = [&units](std::size_t first) { return units[first].inside - units[first - 1].inside; };
  for (std::size_t first = fewest; first <= units.size() - fewest; ++first)
    if (gap(first) > gap(at)) at = first;
  const auto inside = [](const Unit& unit) { return unit.inside; };
  const auto waits = [](const Unit& unit) { return unit.waits; };
  const auto low = units.first(at), high = units.subspan(at);
  const Moments a = moments(low, inside), b = moments(high, inside);
  const double apart = b.mean - a.mean;
  const Moments waiting = moments(units, waits);
  const bool separate =
      2 * apart * apart >= LoopStates::kSeparation * LoopStates::kSeparation * (a.variance + b.variance);
  const double rare = LoopStates::kLeastShare * weight_of(units);
  return separate && gap(at) >= apart / 2 && weight_of(low) >= rare && weight_of(high) >= rare &&
                 apart >= LoopStates::kLeastDifference * (a.mean + waiting.mean) &&
                 16 * waiting.variance <= apart * apart && alternate(units, at)
             ? at
             : 0;
}

template <class Unit>
void divide(std::span<const Unit> units, std::vector<LoopState>& states) {
  if (const std::size_t first = first_group(units); first != 0) {
    divide(units.first(first), states);
    divide(units.subspan(first), states);
    return;
  }
  const Moments all = moments(units, [](const Unit& unit) { return unit.cost(); });
  LoopState state;
  state.cost = all.mean, state.spread = std::sqrt(all.variance), state.units = units.size();
  state.inside = moments(units, [](const Unit& unit) { return unit.inside; }).mean;
  state.weight = weight_of(units);
  states.push_back(state);
}

/// Returns true if units of one state lie in long runs of their loop, whose cost hardly varies.
template <class Units>
bool is_steady(const Units& units) {
  const Moments inside = moments(units, [](const auto& unit) { return unit.inside; });
  const double waits = moments(units, [](const auto& unit) { return unit.waits; }).mean;
  const double alone = moments(units, [](const auto& unit) { return unit.alone ? 1.0 : 0.0; }).mean;
  const double cost = inside.mean + waits;
  return units.size() >= LoopStates::kFewestUnits && alone >= LoopStates::kAlone &&
         waits <= LoopStates::kFewWaits * cost && std::sqrt(inside.variance) <= LoopStates::kSteady * cost;
}

/// Counts an entry for the state with the nearest cost, or for a further one if `may_be_further`.
void count_entry(std::vector<LoopState>& states, double inside, bool may_be_further) {
  LoopState& nearest =
      *std::min_element(states.begin(), states.end(), [inside](const auto& a, const auto& b) {
        return std::abs(a.inside - inside) < std::abs(b.inside - inside);
      });
  const double apart = std::abs(nearest.inside - inside);
  if (!may_be_further || apart < LoopStates::kLeastDifference * nearest.cost) {
    ++nearest.entries;
    return;
  }
  const LoopState further{.cost = inside + nearest.cost - nearest.inside, .entries = 1, .inside = inside};
  states.insert(std::upper_bound(states.begin(), states.end(), further,
                                 [](const auto& a, const auto& b) { return a.cost < b.cost; }),
                further);
}

}  // namespace

double UnsteadyLoop::weight() const {
  double sum = 0;
  for (const LoopState& state : states) sum += state.weight;
  return sum;
}

double UnsteadyLoop::cost() const {
  double sum = 0;
  for (const LoopState& state : states) sum += state.weight * state.cost;
  return sum / weight();
}

double UnsteadyLoop::entered_cost() const {
  double sum = 0, entries = 0;
  for (const LoopState& state : states) {
    sum += static_cast<double>(state.entries) * state.cost;
    entries += static_cast<double>(state.entries);
  }
  return entries == 0 ? cost() : sum / entries;
}

double UnsteadyLoop::further() const {
  double least = kFurther * cost();
  for (std::size_t n = 1; n < states.size(); ++n)
    least = std::min(least, states[n].cost - states[n - 1].cost);
  return std::max(0.0, least);
}

double UnsteadyLoop::excess() const {
  return std::max(0.0, entered_cost() - (states.front().cost - states.front().spread)) + further();
}

double UnsteadyLoop::lack() const {
  return std::max(0.0, states.back().cost + states.back().spread - entered_cost()) + further();
}

void LoopStates::add(LoopId id, double weight, double inside, double waits, bool alone, double misses) {
  std::vector<Unit>& units = loops_[id];
  units.push_back({inside, waits, weight, misses, units.size(), alone});
}

void LoopStates::add_work(LoopId id, double cost, const Work& work) {
  SameWork& sums = work_[id];
  for (std::size_t n = 0; n < kWorkCounts; ++n) sums.counts[n].add(work.counts[n]);
  for (std::size_t n = 0; n < kEventCounts; ++n) sums.events[n].add(work.events[n]);
  sums.cost.add(cost);
  sums.halves.add(work.first_half - work.second_half);
}

double LoopStates::Spread::variance() const {
  return count == 0 ? 0 : std::max(0.0, squares / count - mean() * mean());
}

/// Returns true if units do the same work at different costs, in states that last for more than a unit.
bool LoopStates::SameWork::differs_in_cost_only() const {
  if (cost.count < static_cast<double>(kFewestOfSameWork)) return false;
  const auto within = [](double most) {
    return [most](const Spread& spread) { return spread.variance() <= most * most; };
  };
  if (!std::ranges::all_of(counts, within(kSameWork)) || !std::ranges::all_of(events, within(kSameEvents)))
    return false;
  // The mean of two halves has a quarter of the variance of their difference.
  const double between = cost.variance() - halves.variance() / 4, least = kLeastDifference * cost.mean();
  return between >= kOfUnits * cost.variance() && between >= least * least;
}

/// Returns true if several of the sorted units are cheaper, and several more expensive than others, at any
/// time of the program.
bool LoopStates::differ_by_chance(const std::vector<Unit>& sorted) {
  const std::span<const Unit> all(sorted);
  const double apart = all[all.size() - kFewestUnits].cost() - all[kFewestUnits - 1].cost();
  return apart >= kLeastDifference * all[all.size() / 2].cost() && alternate(all, all.size() / 2);
}

/// Returns the states of the first and the last of the sorted units, and the others as one between them.
std::vector<LoopState> LoopStates::ends(const std::vector<Unit>& sorted) {
  const std::span<const Unit> all(sorted);
  std::vector<LoopState> states;
  for (const std::span<const Unit> part : {all.first(1), all.subspan(1, all.size() - 2), all.last(1)}) {
    LoopState state{.units = part.size()};
    state.cost = moments(part, [](const Unit& unit) { return unit.cost(); }).mean;
    state.inside = moments(part, [](const Unit& unit) { return unit.inside; }).mean;
    state.weight = weight_of(part);
    states.push_back(state);
  }
  return states;
}

/// Returns the misses per instruction of an entry beyond which it differs from the units by its data.
double LoopStates::most_misses_of(const std::vector<Unit>& units) {
  return kMoreMisses * moments(units, [](const Unit& unit) { return unit.misses; }).mean + kFewMisses;
}

std::vector<UnsteadyLoop> LoopStates::unsteady() const {
  std::vector<UnsteadyLoop> all;
  for (const auto& [id, units] : loops_) {
    const auto work = work_.find(id);
    const bool same_work = work != work_.end() && work->second.differs_in_cost_only();
    if (id.nest && !same_work) continue;
    std::vector<Unit> sorted = units;
    std::sort(sorted.begin(), sorted.end(), [](const Unit& a, const Unit& b) { return a.inside < b.inside; });
    UnsteadyLoop loop{id, {}};
    if (!id.nest) divide(std::span<const Unit>(sorted), loop.states);
    if (same_work)
      std::sort(sorted.begin(), sorted.end(),
                [](const Unit& a, const Unit& b) { return a.cost() < b.cost(); });
    if (same_work && loop.states.size() < 2 && differ_by_chance(sorted)) {
      loop.states = ends(sorted);
    } else if (const auto entries = entries_.find(id); entries != entries_.end()) {
      const bool steady = loop.states.size() == 1 && is_steady(units);
      const double most_waits = kFewWaits * loop.states.front().cost, most_misses = most_misses_of(units);
      for (const Entry& entry : entries->second)
        if (entry.misses <= most_misses)
          count_entry(loop.states, entry.inside, steady && entry.waits <= most_waits);
    }
    if (loop.states.size() < 2) continue;
    all.push_back(std::move(loop));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const UnsteadyLoop& a, const UnsteadyLoop& b) { return a.weight() > b.weight(); });
  return all;
}

}  // namespace psim::predict

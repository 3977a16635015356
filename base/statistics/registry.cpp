// SPDX-License-Identifier: Apache-2.0
#include "base/statistics/registry.h"

#include <functional>
#include <stdexcept>

namespace psim::statistics {

namespace {

template <class Combine>
void combine(std::vector<std::uint64_t>& into, const std::vector<std::uint64_t>& other, Combine each) {
  if (into.size() != other.size()) throw std::logic_error("snapshots of different statistics are combined");
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = each(into[i], other[i]);
}

Histogram histogram_of(const Buckets& buckets, const Snapshot& snapshot, std::size_t total,
                       std::size_t first) {
  Histogram histogram;
  histogram.samples = snapshot.totals[total];
  if (histogram.samples != 0)
    histogram.mean = static_cast<double>(snapshot.totals[total + 1]) / static_cast<double>(histogram.samples);
  if (snapshot.buckets.empty()) return histogram;
  for (std::size_t i = 0; i < buckets.size(); ++i)
    if (snapshot.buckets[first + i] != 0)
      histogram.buckets.emplace_back(buckets.least(i), snapshot.buckets[first + i]);
  return histogram;
}

}  // namespace

Snapshot& Snapshot::operator+=(const Snapshot& other) {
  if (empty()) return *this = other;
  combine(totals, other.totals, std::plus<>{});
  combine(buckets, other.buckets, std::plus<>{});
  return *this;
}

Snapshot& Snapshot::operator-=(const Snapshot& other) {
  combine(totals, other.totals, std::minus<>{});
  combine(buckets, other.buckets, std::minus<>{});
  return *this;
}

void Registry::add(std::string component, std::string meaning, const Group& group) {
  for (const Component& other : components_)
    if (other.name == component) throw std::logic_error("statistics of " + component + ": registered twice");
  if (component.empty() ||
      component.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos)
    throw std::logic_error("statistics of \"" + component + "\": malformed name");
  for (const Statistic& statistic : group.statistics()) {
    if (const auto* count = std::get_if<const std::uint64_t*>(&statistic.source)) {
      indices_[*count] = totals_++;
    } else if (const auto* computed = std::get_if<const Computed*>(&statistic.source)) {
      indices_[*computed] = totals_++;
    } else if (const auto* buckets = std::get_if<const Buckets*>(&statistic.source)) {
      totals_ += 2;
      buckets_ += (*buckets)->size();
    }
  }
  components_.push_back({std::move(component), std::move(meaning), &group});
}

Snapshot Registry::snapshot(Detail detail) const {
  Snapshot snapshot;
  snapshot.totals.reserve(totals_);
  if (detail == Detail::Buckets) snapshot.buckets.reserve(buckets_);
  for (const Component& component : components_)
    for (const Statistic& statistic : component.group->statistics()) {
      if (const auto* count = std::get_if<const std::uint64_t*>(&statistic.source)) {
        snapshot.totals.push_back(**count);
      } else if (const auto* computed = std::get_if<const Computed*>(&statistic.source)) {
        snapshot.totals.push_back((*computed)->count());
      } else if (const auto* source = std::get_if<const Buckets*>(&statistic.source)) {
        const Buckets& buckets = **source;
        snapshot.totals.push_back(buckets.samples());
        snapshot.totals.push_back(buckets.sum());
        if (detail == Detail::Buckets)
          for (std::size_t i = 0; i < buckets.size(); ++i) snapshot.buckets.push_back(buckets.count(i));
      }
    }
  return snapshot;
}

void Registry::set_run(const std::uint64_t& cycles, double seconds_per_cycle,
                       const std::uint64_t& instructions) {
  cycles_ = &cycles;
  seconds_per_cycle_ = seconds_per_cycle;
  instructions_ = &instructions;
}

void Registry::set_clock(const std::uint64_t& cycles, double seconds_per_cycle) {
  cycles_ = &cycles;
  seconds_per_cycle_ = seconds_per_cycle;
}

std::int64_t Registry::at(const void* count, const Snapshot& snapshot) const {
  const auto found = indices_.find(count);
  if (found == indices_.end()) throw std::logic_error("a ratio has a term that is not registered");
  return static_cast<std::int64_t>(snapshot.totals[found->second]);
}

Registry::Value Registry::evaluate(const Sum& sum, const Snapshot& snapshot) const {
  Value value;
  for (const Sum::Term& term : sum.terms()) {
    const void* count = term.count;
    if (!count) count = term.run == Run::Instructions ? instructions_ : cycles_;
    if (!count) continue;
    const std::int64_t number = at(count, snapshot);
    if (!term.count && term.run == Run::Seconds)
      value.seconds += static_cast<double>(number) * seconds_per_cycle_;
    else
      value.count += term.subtracted ? -number : number;
  }
  return value;
}

double Registry::evaluate(const Ratio& ratio, const Snapshot& snapshot) const {
  const double numerator = evaluate(ratio.numerator(), snapshot).number() * ratio.scale();
  if (ratio.denominator().terms().empty()) return numerator;
  const double denominator = evaluate(ratio.denominator(), snapshot).number();
  return denominator == 0 ? 0.0 : numerator / denominator;
}

std::vector<Reading> Registry::read(const Snapshot& snapshot) const {
  std::vector<Reading> readings;
  std::size_t total = 0, bucket = 0;
  for (const Component& component : components_)
    for (const Statistic& statistic : component.group->statistics()) {
      Reading reading{component.name, component.meaning, statistic.description, {}};
      if (std::holds_alternative<const std::uint64_t*>(statistic.source) ||
          std::holds_alternative<const Computed*>(statistic.source)) {
        reading.value = snapshot.totals[total++];
      } else if (const auto* source = std::get_if<const Buckets*>(&statistic.source)) {
        reading.value = histogram_of(**source, snapshot, total, bucket);
        total += 2;
        bucket += (*source)->size();
      } else {
        const Ratio& ratio = *std::get<const Ratio*>(statistic.source);
        if (ratio.denominator().terms().empty() && ratio.scale() == 1)
          reading.value = static_cast<std::uint64_t>(evaluate(ratio.numerator(), snapshot).count);
        else
          reading.value = evaluate(ratio, snapshot);
      }
      if (!statistic.description.name.empty()) readings.push_back(std::move(reading));
    }
  return readings;
}

}  // namespace psim::statistics

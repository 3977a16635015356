// SPDX-License-Identifier: Apache-2.0
#include "base/statistics/statistic.h"

#include <numeric>
#include <stdexcept>

namespace psim::statistics {

namespace {

bool well_formed(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

Description described(std::string_view name, std::string_view unit, std::string_view meaning) {
  return {std::string(name), std::string(unit), std::string(meaning)};
}

}  // namespace

void Group::declare(Statistic statistic) {
  const Description& d = statistic.description;
  if (!well_formed(d.name)) throw std::logic_error("statistic \"" + d.name + "\": malformed name");
  if (d.unit.empty() || d.meaning.empty())
    throw std::logic_error("statistic " + d.name + ": unit or meaning is missing");
  for (const Statistic& other : statistics_)
    if (other.description.name == d.name) throw std::logic_error("statistic " + d.name + ": declared twice");
  statistics_.push_back(std::move(statistic));
}

Counter::Counter(Group& group, std::string_view name, std::string_view unit, std::string_view meaning) {
  group.declare({described(name, unit, meaning), &count_});
}

Counter::Counter(Group& group) { group.declare_part(count_); }

Watched::Watched(Group& group, std::string_view name, std::string_view unit, std::string_view meaning,
                 const std::uint64_t& count)
    : count_(count) {
  group.declare({described(name, unit, meaning), &count_});
}

Computed::Computed(Group& group, std::string_view name, std::string_view unit, std::string_view meaning,
                   std::function<std::uint64_t()> compute)
    : compute_(std::move(compute)) {
  group.declare({described(name, unit, meaning), this});
}

Computed::Computed(Group& group, std::function<std::uint64_t()> compute) : compute_(std::move(compute)) {
  group.declare_part(*this);
}

std::uint64_t Buckets::samples() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
}

std::uint64_t Buckets::sum() const {
  if (powers_) return sum_;
  std::uint64_t sum = 0;
  for (std::size_t value = 0; value < counts_.size(); ++value) sum += value * counts_[value];
  return sum;
}

Distribution::Distribution(Group& group, std::string_view name, std::string_view unit,
                           std::string_view meaning, std::uint64_t most)
    : Buckets(most + 1, false), most_(most), first_(counts_.data()) {
  group.declare({described(name, unit, meaning), static_cast<const Buckets*>(this)});
}

LogDistribution::LogDistribution(Group& group, std::string_view name, std::string_view unit,
                                 std::string_view meaning)
    : Buckets(65, true) {
  group.declare({described(name, unit, meaning), static_cast<const Buckets*>(this)});
}

Ratio::Ratio(Group& group, std::string_view name, std::string_view unit, std::string_view meaning,
             Sum numerator, Sum denominator, double scale)
    : numerator_(std::move(numerator)), denominator_(std::move(denominator)), scale_(scale) {
  group.declare({described(name, unit, meaning), this});
}

}  // namespace psim::statistics

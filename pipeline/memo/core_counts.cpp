// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memo/core_counts.h"

#include <algorithm>
#include <unordered_set>
#include <variant>

#include "pipeline/core.h"

namespace psim::pipeline {

void CoreCounts::find() {
  Core& c = core_;
  std::vector<const void*> sampled;
  c.occupancies([&](statistics::Distribution& d, std::uint64_t) { sampled.push_back(&d); });
  std::unordered_set<const std::uint64_t*> seen{&c.now_};
  const auto add = [&](const std::uint64_t& word) {
    if (seen.insert(&word).second) words_.push_back(const_cast<std::uint64_t*>(&word));
  };
  const auto add_all = [&](const statistics::Group& group) {
    for (const statistics::Statistic& statistic : group.statistics()) {
      if (const auto* const count = std::get_if<const std::uint64_t*>(&statistic.source)) {
        add(**count);
      } else if (const auto* const buckets = std::get_if<const statistics::Buckets*>(&statistic.source)) {
        if (std::find(sampled.begin(), sampled.end(), *buckets) != sampled.end()) continue;
        for (const std::uint64_t& word : const_cast<statistics::Buckets*>(*buckets)->counts()) add(word);
      }
    }
  };
  add_all(c.stats_), add_all(c.fetch_.branch_stats()), add_all(c.decode_.stats());
  add_all(c.dispatch_.stats()), add_all(c.pipes_.stats()), add_all(c.operands_.stats());
  add_all(c.commit_.stats()), add_all(c.commit_.simd_stats());
  for (const std::uint64_t& word : c.commit_.cpi_words()) add(word);
  add(c.stepped_);
  if (c.activity_) {
    const auto* const first = reinterpret_cast<const std::uint64_t*>(&c.activity_->counts);
    for (std::size_t i = 0; i < sizeof(Activity) / sizeof(std::uint64_t); ++i) add(first[i]);
  }
  noted_.resize(words_.size());
}

void CoreCounts::note() {
  if (words_.empty()) find();
  for (std::size_t i = 0; i < words_.size(); ++i) noted_[i] = *words_[i];
}

CountDeltas CoreCounts::since() const {
  CountDeltas deltas;
  for (std::size_t i = 0; i < words_.size(); ++i)
    if (*words_[i] != noted_[i]) deltas.emplace_back(static_cast<std::uint32_t>(i), *words_[i] - noted_[i]);
  return deltas;
}

void CoreCounts::add(const CountDeltas& deltas, std::uint64_t times) {
  if (words_.empty()) find();
  for (const auto& [word, delta] : deltas) *words_[word] += delta * times;
}

}  // namespace psim::pipeline

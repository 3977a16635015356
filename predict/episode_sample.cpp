// SPDX-License-Identifier: Apache-2.0
#include "predict/episode_sample.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace psim::predict {

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
std::uint64_t EpisodeSample::random(std::uint64_t below) {
  std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(z ^ (z >> 31)) * below >> 64);
}

bool EpisodeSample::passes(std::uint64_t kind) {
  Kind& known = kinds_[kind];
  if (known.all || known.cycles.units() < kFewest) return false;
  if (known.instructions < kSmallest * static_cast<double>(known.cycles.units())) return false;
  const auto draw = [&] {
    const SampledTotal one = known.cycles.total(0, 1);
    const bool close = one.high - one.value - one.bias > error_ / 2 * one.value;
    known.left = random(2 * (close ? kCloseSpacing : kSpacing));
  };
  if (!known.drawn) draw();
  known.drawn = true;
  if (known.left == 0) {
    draw();
    return false;
  }
  --known.left;
  return true;
}

bool EpisodeSample::add(std::uint64_t kind, bool typical, double instructions, double cycles) {
  Kind& known = kinds_[kind];
  if (!std::exchange(known.first, true) || !typical) return false;
  known.instructions += instructions;
  known.cycles.add(known.cycles.units(), 1, instructions, cycles);
  return true;
}

double EpisodeSample::passed() const {
  double sum = 0;
  for (const auto& [kind, known] : kinds_) sum += known.passed;
  return sum;
}

double EpisodeSample::cycles() const {
  double sum = 0;
  for (const auto& [kind, known] : kinds_) sum += known.cycles.value(0, known.instructions + known.passed);
  return sum;
}

SampledTotal EpisodeSample::total() const {
  SampledTotal sum;
  double squares = 0;
  for (const auto& [kind, known] : kinds_) {
    if (known.passed == 0) continue;
    const SampledTotal one = known.cycles.total(0, known.passed);
    const double random = one.high - one.value - one.bias;
    sum.value += one.value;
    sum.bias += kAllowance * one.value;
    squares += random * random;
  }
  const double half = std::sqrt(squares) + sum.bias;
  sum.low = std::max(0.0, sum.value - half), sum.high = sum.value + half;
  return sum;
}

double EpisodeSample::scale(std::uint64_t kind) const {
  const auto found = kinds_.find(kind);
  return found == kinds_.end() || found->second.instructions == 0
             ? 0
             : found->second.passed / found->second.instructions;
}

}  // namespace psim::predict

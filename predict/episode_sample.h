// SPDX-License-Identifier: Apache-2.0
// A sample of episodes: stretches of a program from its first block transfer to the wait after which none is
// under way, such as a target loop. Episodes of one kind begin at one place with transfers of one shape, and
// mostly cost the same. The first of a kind and the two after it are measured. Of the others, one in some
// kSpacing is, at random places; more of them while those that were measured differ.
//
// The first one stands for itself only, since its data and code may be cold. The others stand for all of
// their kind that are not measured, in proportion to their instructions, as units do (RatioSum).
#pragma once

#include <cstdint>
#include <map>

#include "predict/sample_estimate.h"

namespace psim::predict {

class EpisodeSample {
 public:
  static constexpr std::uint64_t kFewest = 2, kSpacing = 24, kCloseSpacing = 6;
  /// Shorter episodes are all measured: most of their cycles are waits, which differ, and little is to be
  /// gained.
  static constexpr double kSmallest = 2'000;
  /// Allowance for errors that no number of episodes removes, on each side.
  static constexpr double kAllowance = 2 * kBias;

  /// `error`: relative half width of the interval that is requested of the whole program.
  EpisodeSample(std::uint64_t seed, double error) : state_(seed), error_(error) {}

  /// Returns true if the next episode of a kind is to be executed without being measured.
  bool passes(std::uint64_t kind);
  /// Adds an episode that was measured. Returns true if it stands for others. `typical` false: it had code
  /// that ran for the first time.
  bool add(std::uint64_t kind, bool typical, double instructions, double cycles);
  /// Makes passes() false for a kind from now on.
  void measure_all(std::uint64_t kind) { kinds_[kind].all = true; }
  /// Adds episodes that were not measured.
  void passed(std::uint64_t kind, double instructions) { kinds_[kind].passed += instructions; }

  /// Returns the instructions of episodes that were not measured.
  double passed() const;
  /// Returns the cycles of these.
  SampledTotal total() const;
  /// Returns the cycles of all episodes of kinds that stand for others, measured or not, but the first of
  /// each.
  double cycles() const;
  /// Returns the instructions that were not measured for each one of a kind that was, and stands for others.
  double scale(std::uint64_t kind) const;

 private:
  struct Kind {
    bool all = false, first = false;  // are measured, was measured
    bool drawn = false;
    std::uint64_t left = 0;  // that are not measured before the next one is
    double instructions = 0, passed = 0;
    RatioSum cycles;
  };
  std::uint64_t random(std::uint64_t below);
  std::uint64_t state_;
  double error_;
  std::map<std::uint64_t, Kind> kinds_;
};

}  // namespace psim::predict

// SPDX-License-Identifier: Apache-2.0
#include "predict/episode_sample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace psim::predict {
namespace {

struct Outcome {
  double exact = 0, truth = 0;
  unsigned measured = 0;
};

/// Runs episodes of kind 1, whose instructions and cycles depend on their number.
Outcome run(EpisodeSample& sample, unsigned episodes, const std::function<double(unsigned)>& instructions,
            const std::function<double(unsigned)>& cycles) {
  Outcome run;
  for (unsigned n = 0; n < episodes; ++n) {
    run.truth += cycles(n);
    if (sample.passes(1)) {
      sample.passed(1, instructions(n));
    } else {
      sample.add(1, true, instructions(n), cycles(n));
      run.exact += cycles(n);
      ++run.measured;
    }
  }
  return run;
}

TEST(EpisodeSample, MeasuresFewOfEqualEpisodesAndLeavesTheFirstOut) {
  EpisodeSample sample(1, 0.02);
  const Outcome done = run(
      sample, 1'000, [](unsigned) { return 5'000; }, [](unsigned n) { return n == 0 ? 90'000 : 20'000; });
  EXPECT_LT(done.measured, 80U);
  EXPECT_GT(done.measured, 20U);
  EXPECT_DOUBLE_EQ(done.exact + sample.total().value, done.truth);
  EXPECT_NEAR(sample.total().high / sample.total().value, 1 + EpisodeSample::kAllowance, 1e-9);
  EXPECT_DOUBLE_EQ(sample.passed(), 5'000.0 * (1'000 - done.measured));
}

TEST(EpisodeSample, MeasuresMoreOfEpisodesThatDiffer) {
  const auto cycles = [](unsigned n) { return 20'000 * (1 + 0.5 * std::sin(n * n)); };
  unsigned held = 0;
  constexpr unsigned kTrials = 200;
  for (unsigned trial = 0; trial < kTrials; ++trial) {
    EpisodeSample sample(trial, 0.02);
    const Outcome done = run(
        sample, 1'000, [](unsigned) { return 5'000; }, cycles);
    EXPECT_GT(done.measured, 100U);
    const SampledTotal total = sample.total();
    held += total.low + done.exact <= done.truth && done.truth <= total.high + done.exact;
  }
  EXPECT_GE(held, 0.93 * kTrials);
}

TEST(EpisodeSample, EstimatesInProportionToInstructions) {
  EpisodeSample sample(3, 0.02);
  const auto instructions = [](unsigned n) { return 1'000.0 + 500 * (n % 7); };
  const Outcome done = run(sample, 400, instructions, [&](unsigned n) { return 3 * instructions(n); });
  EXPECT_NEAR(done.exact + sample.total().value, done.truth, 1e-6 * done.truth);
}

TEST(EpisodeSample, CountsTheCyclesOfAllEpisodesButTheFirst) {
  EpisodeSample sample(3, 0.02);
  EXPECT_EQ(sample.cycles(), 0);
  const Outcome done = run(
      sample, 100, [](unsigned) { return 5'000; }, [](unsigned n) { return n == 0 ? 90'000 : 20'000; });
  EXPECT_NEAR(sample.cycles(), done.truth - 90'000, 1e-6 * done.truth);
}

TEST(EpisodeSample, MeasuresAllShortEpisodes) {
  EpisodeSample sample(1, 0.02);
  const auto short_one = [](unsigned) { return EpisodeSample::kSmallest - 1; };
  EXPECT_EQ(run(sample, 100, short_one, short_one).measured, 100U);
}

TEST(EpisodeSample, MeasuresAllOfAKindThatDoesNotEnd) {
  EpisodeSample sample(1, 0.02);
  sample.measure_all(1);
  for (unsigned n = 0; n < 100; ++n) {
    EXPECT_FALSE(sample.passes(1));
    sample.add(1, true, 100, 100);
  }
}

}  // namespace
}  // namespace psim::predict

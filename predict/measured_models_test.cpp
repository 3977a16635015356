// SPDX-License-Identifier: Apache-2.0
#include "predict/measured_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "predict/model_file.h"

namespace psim::predict {
namespace {

/// The estimate that the file of models gives for a region.
Estimate estimate_of(const std::vector<RegionFit>& fits, const std::string& name,
                     std::vector<std::int64_t> arguments) {
  const ModelFile file = ModelFile::parse(model_file_text(fits), "models");
  return file.find(name, arguments.size()).seconds(arguments);
}

double relative_half_width(const Estimate& estimate) {
  return (estimate.high - estimate.low) / 2 / estimate.value;
}

TEST(MeasuredModels, OfOneRunAreItsTimes) {
  const std::vector<MeasuredRun> runs{{"4 nodes", "", {{"halo", {{}, 2e-6, 0, 0}}}, 5e-6, 0}};
  const auto fits = models_at(runs, 0, 4, 4);
  ASSERT_EQ(fits.size(), 2u);
  const Estimate halo = estimate_of(fits, "halo", {});
  EXPECT_DOUBLE_EQ(halo.value, 2e-6);
  EXPECT_NEAR(relative_half_width(halo), kNormal95 * kRankError, 2e-4);
  EXPECT_DOUBLE_EQ(estimate_of(fits, kOutside, {}).value, 5e-6);
}

TEST(MeasuredModels, IntervalsGrowWithTheDistanceFromTheMeasuredRanks) {
  const std::vector<MeasuredRun> runs{{"1 node", "", {{"halo", {{}, 2e-6, 0, 0.4}}}, 5e-6, 0}};
  const double far = relative_half_width(estimate_of(models_at(runs, 0, 1, 8), "halo", {}));
  const double error = std::hypot(std::hypot(kRankError, kRankGrowth * std::log(8.0)), kCallError * 0.4);
  EXPECT_NEAR(far, kNormal95 * error, 0.01 * kNormal95 * error);
}

TEST(MeasuredModels, RanksThatWereMeasuredHaveFactorsInsteadOfASpread) {
  MeasuredRun run{"2 nodes", "", {{"halo", {{}, 2e-6, 0.3, 0.5}}}, 5e-6, 0};
  run.regions["halo"].of_ranks = {1.5, 0.5};
  run.outside_of_ranks = {1.25, 0.75};
  run.regions["halo"].at_steps = {{0.25, 0.5}}, run.outside_at_steps = {{0, 1}};
  run.functional_partners = true;
  const auto same = models_at({run}, 0, 2, 2), more = models_at({run}, 0, 2, 4);
  const ModelFile file = ModelFile::parse(model_file_text(same), "models");
  EXPECT_EQ(file.find("halo")->fit().of_ranks, (std::vector<double>{1.5, 0.5}));
  EXPECT_EQ(file.find(kOutside)->fit().of_ranks, (std::vector<double>{1.25, 0.75}));
  EXPECT_EQ(file.find("halo")->fit().at_steps, (std::vector<std::vector<double>>{{0.25, 0.5}}));
  EXPECT_EQ(file.find(kOutside)->fit().at_steps, (std::vector<std::vector<double>>{{0, 1}}));
  const double error = std::hypot(kRankError, 0.5 * kPartnerError);
  EXPECT_NEAR(relative_half_width(estimate_of(same, "halo", {})), kNormal95 * error,
              0.01 * kNormal95 * error);
  EXPECT_GT(relative_half_width(estimate_of(more, "halo", {})), kNormal95 * 0.3) << "the spread counts again";
}

TEST(MeasuredModels, OfSeveralRunsAreFittedByArgumentsOrSize) {
  std::vector<MeasuredRun> runs;
  for (const double n : {10.0, 20.0, 40.0, 80.0, 160.0})
    runs.push_back({"",
                    std::to_string(static_cast<int>(n)),
                    {{"sweep", {{{n, n}}, 1e-9 * n * n, 0, 0}}, {"setup", {{}, 1e-6 * n, 0, 0}}},
                    2e-6 * n,
                    0});
  const auto fits = models_at(runs, 100, 1, 1);
  EXPECT_NEAR(estimate_of(fits, "sweep", {100}).value, 1e-5, 1e-8);
  EXPECT_NEAR(estimate_of(fits, "setup", {}).value, 1e-4, 1e-7);
  EXPECT_NEAR(estimate_of(fits, kOutside, {}).value, 2e-4, 2e-7);
}

TEST(MeasuredModels, RefuseArgumentsThatDifferWithinARun) {
  const MeasuredRun run{"n=8", "8", {{"sweep", {{{8, 9}}, 1, 0, 0}}}, 1, 0};
  try {
    models_at({run, run}, 8, 1, 1);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("region sweep: its arguments differ within the run n=8, from 8 to 9"));
  }
}

TEST(MeasuredModels, RefuseSizesThatAreNoNumbers) {
  const MeasuredRun run{"big", "big", {{"sweep", {{}, 1, 0, 0}}}, 1, 0};
  EXPECT_THROW(models_at({run, run}, 8, 1, 1), UserError);
}

}  // namespace
}  // namespace psim::predict

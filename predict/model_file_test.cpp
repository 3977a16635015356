// SPDX-License-Identifier: Apache-2.0
#include "predict/model_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace psim::predict {
namespace {

using ::testing::HasSubstr;

const std::string kTwoTerms = R"(format = 1
[region.zgemm]
parameters = "n"
cycles = "2 * n^3 + 100 * n"
clock = "2 GHz"
ranges = "64..256"
machine = "simd16"
points = 5
terms = "n^3; n"
coefficients = "2 100"
covariance = "1e-4 -0.01 4"
residual_variance = 0.0004
degrees_of_freedom = 3
)";

std::string problems_of(const std::string& text) {
  try {
    ModelFile::parse(text, "fits.toml");
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

std::vector<RegionFit> fits_of(const std::string& text) {
  const ModelFile file = ModelFile::parse(text, "fits.toml");
  std::vector<RegionFit> fits;
  for (const Model& model : file.models()) fits.push_back(model.fit());
  return fits;
}

template <class Work>
std::string thrown_by(Work work) {
  try {
    work();
  } catch (const UserError& error) {
    return error.what();
  }
  return "nothing";
}

Estimate seconds(const ModelFile& file, std::string_view region, std::int64_t n) {
  return file.find(region, 1).seconds(std::array{n});
}

TEST(ModelFile, AnEstimateCarriesTheCovarianceAndTheResidualVariance) {
  const ModelFile file = ModelFile::parse(kTwoTerms, "fits.toml");
  const Estimate time = seconds(file, "zgemm", 100);
  const double cycles = 2e6 + 1e4;
  const double variance = 1e-4 * 1e12 + 2 * -0.01 * 1e6 * 100 + 4 * 1e4;
  EXPECT_DOUBLE_EQ(time.value, cycles / 2e9);
  EXPECT_DOUBLE_EQ(time.standard_error, std::sqrt(variance) / 2e9);
  const double half =
      3.182446305284263 * std::sqrt(variance + 0.0004 * cycles * cycles) / 2e9;  // t, 3 degrees
  EXPECT_NEAR(time.high - time.value, half, 1e-9 * half);
  EXPECT_NEAR(time.value - time.low, half, 1e-9 * half);
  EXPECT_TRUE(time.has_interval);
  EXPECT_DOUBLE_EQ(file.find("zgemm")->mean_seconds(std::array{std::int64_t{100}}), time.value);
}

TEST(ModelFile, ValuesBeyondTheFittedRangeAreExtrapolated) {
  const ModelFile file = ModelFile::parse(kTwoTerms, "fits.toml");
  EXPECT_FALSE(seconds(file, "zgemm", 64).extrapolated);
  EXPECT_FALSE(seconds(file, "zgemm", 256).extrapolated);
  EXPECT_TRUE(seconds(file, "zgemm", 63).extrapolated);
  EXPECT_TRUE(seconds(file, "zgemm", 257).extrapolated);
}

TEST(ModelFile, AlternativesWidenTheInterval) {
  const ModelFile file =
      ModelFile::parse(kTwoTerms + "alternatives = \"2.1 * n^3; n^3\"\nweights = \"0.3 0.1\"\n", "fits.toml");
  const double variance = 1e-4 * 1e12 - 2 * 0.01 * 1e8 + 4e4 + 0.3 * std::pow(2.1e6 - 2.01e6, 2) +
                          0.1 * std::pow(1e6 - 2.01e6, 2);
  EXPECT_DOUBLE_EQ(seconds(file, "zgemm", 100).standard_error, std::sqrt(variance) / 2e9);
}

TEST(ModelFile, AFormulaByHandNeedsNoErrors) {
  const ModelFile file = ModelFile::parse(
      "format = 1\n[region.\"my region.1\"]\nparameters = \"n m\"\nseconds = \"1e-9 * n * ceil(m / 32)\"\n",
      "hand.toml");
  const Estimate time = file.find("my region.1", 2).seconds(std::array<std::int64_t, 2>{10, 33});
  EXPECT_DOUBLE_EQ(time.value, 2e-8);
  EXPECT_FALSE(time.has_interval);
  EXPECT_FALSE(time.extrapolated);
}

TEST(ModelFile, AFileIsWrittenAsItReads) {
  const std::string text = kTwoTerms +
                           "joules = \"3e-9 * n^3\"\njoules_points = 5\njoules_terms = \"n^3\"\n"
                           "joules_coefficients = \"3e-9\"\njoules_covariance = \"1e-24\"\n"
                           "joules_residual_variance = 1e-6\njoules_degrees_of_freedom = 4\n"
                           "[region.\"a b\"]\nparameters = \"\"\nseconds = \"1e-6\"\nprogram = \"a\\\\b\"\n";
  const std::vector<RegionFit> fits = fits_of(text);
  ASSERT_EQ(fits.size(), 2u);
  const std::string written = model_file_text(fits);
  const std::vector<RegionFit> again = fits_of(written);
  EXPECT_EQ(model_file_text(again), written);
  EXPECT_EQ(again[1].program, "a\\b");
  EXPECT_EQ(again[0].joules_errors->coefficients, std::vector<double>{3e-9});
  EXPECT_EQ(again[0].time_errors->covariance, (std::vector<double>{1e-4, -0.01, 4}));
}

TEST(ModelFile, FactorsOfRanksAreNumbersOfAtLeastZero) {
  const std::string text = "format = 1\n[region.a]\nparameters = \"\"\nseconds = \"1\"\nof_ranks = ";
  EXPECT_EQ(fits_of(text + "\"1.5 0\"\n")[0].of_ranks, (std::vector<double>{1.5, 0}));
  EXPECT_THAT(problems_of(text + "\"1 -1\"\n"),
              HasSubstr("fits.toml:5: region.a.of_ranks = \"1 -1\": -1: expected a factor of at least 0"));
}

TEST(ModelFile, SharesAtStepsAscendToOne) {
  const std::string text = "format = 1\n[region.a]\nparameters = \"\"\nseconds = \"1\"\nat_steps = ";
  const std::vector<RegionFit> fits = fits_of(text + "\"0 0.25 1; 0.5\"\n");
  EXPECT_EQ(fits[0].at_steps, (std::vector<std::vector<double>>{{0, 0.25, 1}, {0.5}}));
  EXPECT_EQ(fits_of(model_file_text(fits))[0].at_steps, fits[0].at_steps);
  EXPECT_THAT(
      problems_of(text + "\"0.5 0.25\"\n"),
      HasSubstr("fits.toml:5: region.a.at_steps = \"0.5 0.25\": 0.25: expected a share from 0.5 to 1"));
  EXPECT_THAT(problems_of(text + "\"0.5 1.25\"\n"), HasSubstr("1.25: expected a share from 0.5 to 1"));
}

TEST(ModelFile, EveryProblemIsReportedWithItsLine) {
  const std::string problems = problems_of(
      "format = 1\n[region.a]\nparameters = \"n\"\ncycels = \"n\"\nclock = \"2 GHz\"\n"
      "[region.b]\nparameters = \"n\"\nseconds = \"2 * m\"\nranges = \"64\"\n");
  EXPECT_THAT(problems, HasSubstr("fits.toml:4: region.a.cycels = n: unknown key; did you mean cycles?"));
  EXPECT_THAT(problems, HasSubstr("region.a.cycles: missing; expected cycles or seconds"));
  EXPECT_THAT(
      problems,
      HasSubstr("fits.toml:8: region.b.seconds = \"2 * m\": column 5: unknown parameter m; expected n"));
  EXPECT_THAT(problems, HasSubstr("fits.toml:9: region.b.ranges = \"64\": 64: expected LOW..HIGH"));
}

TEST(ModelFile, WhatIsMissingOrContradictsIsRefused) {
  EXPECT_EQ(problems_of("format = 1\n"),
            "fits.toml: no models; expected a table [region.NAME] for each region");
  EXPECT_THAT(problems_of("[region.a]\nparameters = \"\"\nseconds = \"1\"\n"),
              HasSubstr("format: missing; expected format = 1"));
  const auto replaced = [](const std::string& from, const std::string& to) {
    std::string text = kTwoTerms;
    return problems_of(text.replace(text.find(from), from.size(), to));
  };
  EXPECT_THAT(replaced("2 * n^3 +", "3 * n^3 +"), HasSubstr("is not the sum of coefficients × terms"));
  EXPECT_THAT(replaced("covariance = \"1e-4 -0.01 4\"\n", ""), HasSubstr("region.zgemm.covariance: missing"));
  EXPECT_THAT(replaced("-0.01 4", "-0.01"), HasSubstr("2 numbers; expected 3"));
  EXPECT_THAT(replaced("-0.01 4", "-0.01 -4"), HasSubstr("the variance of coefficient 2 is negative"));
  EXPECT_THAT(replaced("clock = \"2 GHz\"\n", ""), HasSubstr("region.zgemm.clock: missing"));
  EXPECT_THAT(replaced("parameters = \"n\"", "parameters = \"n n\""), HasSubstr("n stands twice"));
  EXPECT_THAT(replaced("parameters = \"n\"", "parameters = \"log2\""),
              HasSubstr("not the name of a function"));
}

TEST(ModelFile, UnknownRegionsAndArgumentCountsAreErrors) {
  const ModelFile file = ModelFile::parse(kTwoTerms, "fits.toml");
  EXPECT_EQ(file.find("dgemm"), nullptr);
  EXPECT_EQ(thrown_by([&] { file.find("zgem", 1); }),
            "fits.toml: region zgem: no model; did you mean zgemm?");
  EXPECT_EQ(thrown_by([&] { file.find("zgemm", 2); }),
            "fits.toml: region zgemm: 2 arguments; the model has 1 (n)");
}

TEST(ModelFile, ValuesThatDoNotExistNameRegionAndArguments) {
  const ModelFile file =
      ModelFile::parse("format = 1\n[region.a]\nparameters = \"n\"\nseconds = \"1 / n - 1\"\n", "fits.toml");
  EXPECT_EQ(thrown_by([&] { seconds(file, "a", 0); }),
            "fits.toml:3: region a(0): division by zero in \"1 / n - 1\"");
  EXPECT_EQ(thrown_by([&] { file.find("a")->mean_seconds(std::array{std::int64_t{2}}); }),
            "fits.toml:3: region a(2): negative: -0.5 in \"1 / n - 1\"");
}

TEST(ModelFile, DataBeyondTheCacheRaiseTheUpperEnd) {
  const std::string text =
      std::string(kTwoTerms) + "data_bytes = \"24 * n^2\"\ncache_bytes = 240000\nmemory_wait = 3\n";
  const ModelFile file = ModelFile::parse(text, "fits.toml"),
                  plain = ModelFile::parse(kTwoTerms, "fits.toml");
  EXPECT_FALSE(seconds(file, "zgemm", 100).beyond_cache);  // 240,000 bytes fit
  EXPECT_EQ(seconds(file, "zgemm", 100).high, seconds(plain, "zgemm", 100).high);
  const Estimate beyond = seconds(file, "zgemm", 101);
  EXPECT_TRUE(beyond.beyond_cache);
  EXPECT_DOUBLE_EQ(beyond.high, seconds(plain, "zgemm", 101).high + 3 * beyond.value);
  EXPECT_EQ(beyond.low, seconds(plain, "zgemm", 101).low);
  EXPECT_EQ(beyond.value, seconds(plain, "zgemm", 101).value);
  const ModelFile again = ModelFile::parse(model_file_text({file.models()[0].fit()}), "again.toml");
  EXPECT_EQ(seconds(again, "zgemm", 101).high, beyond.high);
  EXPECT_THROW(ModelFile::parse(std::string(kTwoTerms) + "cache_bytes = 1\n", "fits.toml"), UserError);
}

}  // namespace
}  // namespace psim::predict

// SPDX-License-Identifier: Apache-2.0
#include "papers/hpl_models.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "papers/phase_models.h"
#include "predict/model_file.h"

namespace psim::reproduce {
namespace {

TEST(HplModels, GiveEachRegionTheTimeOfItsMultiplyAdds) {
  const RegionModels models(hpl_models(1e-9, 10), "");
  const auto file = predict::ModelFile::read(models.path());
  const auto seconds = [&](const char* region, const auto& arguments) {
    return file.find(region, arguments.size()).mean_seconds(arguments);
  };
  EXPECT_DOUBLE_EQ(seconds("dgemm", std::array<std::int64_t, 3>{2, 3, 4}), 24e-9);
  EXPECT_DOUBLE_EQ(seconds("dtrsm", std::array<std::int64_t, 2>{4, 3}), 24e-9);
  EXPECT_DOUBLE_EQ(seconds("panel", std::array<std::int64_t, 2>{3, 4}), 240e-9);
  EXPECT_DOUBLE_EQ(seconds("rows", std::array<std::int64_t, 2>{3, 4}), 0);
  EXPECT_DOUBLE_EQ(seconds("dgemv", std::array<std::int64_t, 2>{3, 4}), 12e-9);
}

TEST(RegionModels, RemoveATemporaryFileAndKeepOneInAFolder) {
  std::string path;
  {
    const RegionModels models(hpl_models(1e-9, 10), "");
    path = models.path();
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  const TemporaryFolder folder = temporary_folder();
  const std::string kept = RegionModels(hpl_models(1e-9, 10), folder.path()).path();
  EXPECT_TRUE(std::filesystem::exists(kept));
  EXPECT_EQ(RegionModels(hpl_models(1e-9, 10), folder.path()).path(), kept) << "named after its contents";
}

TEST(PhaseModels, GiveProductsAndTransformsTheirTimes) {
  const RegionModels models(phase_models(1e-9, 0.25), "");
  const auto file = predict::ModelFile::read(models.path());
  const std::array<std::int64_t, 3> product{2, 5, 3};
  EXPECT_DOUBLE_EQ(file.find("zgemm", 3).mean_seconds(product), 60e-9);
  EXPECT_DOUBLE_EQ(file.find("fft", 1).mean_seconds(std::array<std::int64_t, 1>{1000}), 0.25);
  EXPECT_EQ((PhaseSystem{4096, 1024, 32, 32}.transforms()), 8);
}

TEST(PhaseModels, CoresShareWholeGroupsOfColumns) {
  EXPECT_EQ(shared_columns(64, 1), 1);
  EXPECT_EQ(shared_columns(64, 256), 4) << "two of eight cores compute";
  EXPECT_EQ(shared_columns(256, 256), 1);
  EXPECT_EQ(shared_columns(320, 256), 1.6);
}

TEST(HplModels, TheRunHasTheFormsOfTheSystem) {
  const RegionModels models(hpl_models(1e-9, 10), "");
  HplSystem system{100, 10, 1, 1};
  EXPECT_EQ(hpl_run(system, models, "pq580", {}).arguments.back(), "swap=collective");
  system.forms = {"swap=mix", "depth=0"};
  EXPECT_EQ(hpl_run(system, models, "pq580", {}).arguments.back(), "depth=0");
}

TEST(HplSystem, HasTheOperationsOfHpl) {
  EXPECT_DOUBLE_EQ((HplSystem{30, 10, 1, 1}.operations()), 2.0 / 3 * 27'000 + 1.5 * 900);
}

}  // namespace
}  // namespace psim::reproduce

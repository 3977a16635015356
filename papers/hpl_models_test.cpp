// SPDX-License-Identifier: Apache-2.0
#include "papers/hpl_models.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "predict/model_file.h"

namespace psim::reproduce {
namespace {

TEST(HplModels, GiveEachRegionTheTimeOfItsMultiplyAdds) {
  std::string path;
  {
    const HplModels models(1e-9, 10);
    path = models.path();
    const auto file = predict::ModelFile::read(path);
    const auto seconds = [&](const char* region, const auto& arguments) {
      return file.find(region, arguments.size()).mean_seconds(arguments);
    };
    EXPECT_DOUBLE_EQ(seconds("dgemm", std::array<std::int64_t, 3>{2, 3, 4}), 24e-9);
    EXPECT_DOUBLE_EQ(seconds("dtrsm", std::array<std::int64_t, 2>{4, 3}), 24e-9);
    EXPECT_DOUBLE_EQ(seconds("panel", std::array<std::int64_t, 2>{3, 4}), 240e-9);
    EXPECT_DOUBLE_EQ(seconds("rows", std::array<std::int64_t, 2>{3, 4}), 0);
    EXPECT_DOUBLE_EQ(seconds("dgemv", std::array<std::int64_t, 2>{3, 4}), 12e-9);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(HplSystem, HasTheOperationsOfHpl) {
  EXPECT_DOUBLE_EQ((HplSystem{30, 10, 1, 1}.operations()), 2.0 / 3 * 27'000 + 1.5 * 900);
  EXPECT_EQ((HplSystem{30, 10, 1, 2}.label()), "N 30, NB 10, 1 x 2");
}

}  // namespace
}  // namespace psim::reproduce

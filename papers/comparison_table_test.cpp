// SPDX-License-Identifier: Apache-2.0
#include "papers/comparison_table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace psim::reproduce {
namespace {

const std::vector<Comparison> kRows{{"dgemm scalar", "ms", 368.9, 354.2, 353.6, 0.10},
                                    {"zgemm scalar", "ms", 1114.6, {}, 1310.9, 0.10},
                                    {"fft ratio", "", 2.6, 3.09, {}, 0.05}};

TEST(ComparisonTable, ShowsRunAndFitEachWithItsErrorAndNamesMisses) {
  EXPECT_EQ(table_of("time", kRows),
            "time                       paper ours: run    error       fit    error    goal\n"
            "dgemm scalar, ms           368.9     354.2   -4.0 %     353.6   -4.1 %    10 %\n"
            "zgemm scalar, ms          1114.6         -               1311  +17.6 %    10 %  miss\n"
            "fft ratio                    2.6      3.09  +18.8 %         -              5 %  miss\n");
}

TEST(ComparisonTable, JsonHasNullWhereThereIsNoNumber) {
  const nlohmann::ordered_json rows = json_of(kRows);
  EXPECT_EQ(rows[0]["run"], 354.2);
  EXPECT_EQ(rows[0]["within"], true);
  EXPECT_TRUE(rows[1]["run"].is_null() && rows[1]["error_run"].is_null());
  EXPECT_NEAR(rows[1]["error_fit"].get<double>(), 0.1761, 1e-4);
  EXPECT_EQ(rows[1]["within"], false);
  EXPECT_TRUE(rows[2]["fit"].is_null());
}

}  // namespace
}  // namespace psim::reproduce

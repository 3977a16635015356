// SPDX-License-Identifier: Apache-2.0
#include "predict/model_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace psim::predict {
namespace {

using ::testing::HasSubstr;

TEST(ModelSource, FunctionsDivideCyclesByTheClockAndNamesAreIdentifiers) {
  const ModelFile file = ModelFile::parse(
      "format = 1\n[region.\"a-b\"]\nparameters = \"n\"\ncycles = \"3 * ceil(n / 32)\"\nclock = \"2 GHz\"\n"
      "joules = \"1e-9 * n\"\n",
      "fits.toml");
  const std::string c = c_header(file.models());
  EXPECT_THAT(c, HasSubstr("double psim_seconds_a_b(double arg_n) {\n  return (3.0 * ceil((arg_n / 32.0))) / "
                           "2000000000.0;"));
  EXPECT_THAT(c, HasSubstr("double psim_joules_a_b(double arg_n)"));
  const std::string fortran = fortran_module(file.models(), "out/my-model.f90");
  EXPECT_THAT(fortran, HasSubstr("module my_model\n"));
  EXPECT_THAT(fortran, HasSubstr("value_ = (3d0 * (-psim_floor((-(arg_n / 32d0))))) / 2000000000d0"));
}

}  // namespace
}  // namespace psim::predict

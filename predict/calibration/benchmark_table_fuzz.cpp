// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as the output of benchmarks, and calibrates with what is accepted.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/error.h"
#include "predict/calibration/calibration.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace psim::predict;
  if (size > 4096) return 0;  // the fit takes time for each size of a message
  try {
    const BenchmarkFile file = read_benchmarks({reinterpret_cast<const char*>(data), size}, "fuzz");
    for (const BenchmarkTable& table : file.tables)
      for (const BenchmarkRow& row : table.rows)
        if (!(row.value > 0) || !std::isfinite(row.value)) std::abort();
    calibrate(file.tables, {});
  } catch (const psim::UserError&) {
  }
  return 0;
}

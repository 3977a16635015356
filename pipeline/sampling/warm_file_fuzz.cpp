// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes are either refused with a UserError or a file whose points can be read. Checksums are
// not compared, so that the search passes them.
#include <algorithm>
#include <cstdint>

#include "base/error.h"
#include "pipeline/sampling/warm_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    psim::pipeline::WarmFile file("fuzz", std::string(reinterpret_cast<const char*>(data), size), false);
    for (std::size_t n = 0; n < std::min<std::size_t>(file.points(), 16); ++n) file.next_state();
  } catch (const psim::UserError&) {
  }
  return 0;
}

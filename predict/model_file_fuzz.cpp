// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as a file of models and evaluates the models. Files that are accepted are written and
// reread.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "predict/model_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace psim::predict;
  try {
    const ModelFile file = ModelFile::parse({reinterpret_cast<const char*>(data), size}, "fuzz");
    std::vector<RegionFit> fits;
    for (const Model& model : file.models()) {
      fits.push_back(model.fit());
      const std::vector<std::int64_t> arguments(model.arguments(), 64);
      try {
        model.seconds(arguments);
        model.joules(arguments);
      } catch (const psim::UserError&) {
      }
    }
    const std::string text = model_file_text(fits);
    try {
      if (model_file_text({ModelFile::parse(text, "again").models().front().fit()}) !=
          model_file_text({fits.front()}))
        std::abort();
    } catch (const psim::UserError&) {
      std::abort();
    }
  } catch (const psim::UserError&) {
  }
  return 0;
}

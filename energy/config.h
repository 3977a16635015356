// SPDX-License-Identifier: Apache-2.0
// [energy] of a machine file: gating and coefficients.
#pragma once

#include "base/config/schema.h"
#include "energy/coefficients.h"

namespace psim::energy {

/// Which latches are clocked in a cycle.
enum class Gating : std::uint8_t {
  None,   ///< all, always
  Stage,  ///< all places of a stage in which anything moves; entries of a structure that are written
  Ideal,  ///< those into which something moves (paper 003: ideal clock gating)
};

struct Config {
  Gating gating = Gating::Ideal;
  Coefficients coefficients;
};

/// Adds every key of `config`, which must outlive `schema`.
void describe(Schema& schema, Config& config);

}  // namespace psim::energy

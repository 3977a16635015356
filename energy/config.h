// SPDX-License-Identifier: Apache-2.0
// [energy] of a machine file: gating and coefficients.
#pragma once

#include "base/config/schema.h"
#include "energy/coefficients.h"

namespace psim::energy {

/// The latches that are clocked in a cycle.
enum class Gating : std::uint8_t {
  None,   ///< all latches, in every cycle
  Stage,  ///< all components of a stage with activity; entries of a structure that are written
  Ideal,  ///< only latches that get a new value (paper 003: ideal clock gating)
};

struct Config {
  Gating gating = Gating::Ideal;
  Coefficients coefficients;
};

/// Adds every key of `config`, which must outlive `schema`.
void describe(Schema& schema, Config& config);

}  // namespace psim::energy

// SPDX-License-Identifier: Apache-2.0
// The keys of a machine's SIMD extension, section [simd].
#pragma once

#include "base/config/schema.h"
#include "isa/state/simd_config.h"

namespace psim::isa {

void describe(Schema& schema, SimdConfig& config);

}  // namespace psim::isa

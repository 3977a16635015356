// SPDX-License-Identifier: Apache-2.0
// The parts of the host that a program can see at its start, for results.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "guest/process.h"
#include "guest/start.h"

namespace psim {

/// Returns the object `inputs.start`. Values of environment variables appear as the first 16 digits of their
/// SHA-256, since some are secrets.
nlohmann::ordered_json start_json(const isa::Start& start, const isa::ProcessOptions& options);

}  // namespace psim

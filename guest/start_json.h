// SPDX-License-Identifier: Apache-2.0
// All that a program can see of the host when it begins, as results state it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "guest/process.h"
#include "guest/start.h"

namespace psim {

/// Returns the object `inputs.start`. It has values of environment variables as the first 16 digits of their
/// SHA-256, since some are secrets.
nlohmann::ordered_json start_json(const isa::Start& start, const isa::ProcessOptions& options);

}  // namespace psim

// SPDX-License-Identifier: Apache-2.0
// The hash of a core's configuration, which a model of computing time carries (fits.toml, machine_sha256).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "machines/machine.h"

namespace psim {

/// Returns the SHA-256 of the `machine` of a result: all keys but its name, its description and [energy],
/// which do not change cycles.
std::string core_sha256(nlohmann::json machine);
/// Returns the same of a machine.
std::string core_sha256(const Machine& machine);

}  // namespace psim

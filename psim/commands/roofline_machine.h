// SPDX-License-Identifier: Apache-2.0
// The roofs of a node, from a machine file or from the configuration in a result.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "machines/machine_choice.h"
#include "predict/roofline.h"

namespace psim::commands {

/// Returns the roofs of the machine of --machine and --set: a core, or a network whose nodes have roofs.
/// Throws UserError.
predict::Roofline roofs_of(const MachineChoice& choice);
/// Returns the roofs of the machine in a result of psim run, psim replay or psim net. Throws UserError,
/// without the name of the file.
predict::Roofline roofs_of(const nlohmann::json& result);

}  // namespace psim::commands

// SPDX-License-Identifier: Apache-2.0
// The puts and gets of detailed nodes, as text and in the key `operations` of a result of psim cosim.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cosim/cosim_run.h"

namespace psim {

void print(const cosim::Operation& operation);
nlohmann::ordered_json json_of(const cosim::Operation& operation);

}  // namespace psim

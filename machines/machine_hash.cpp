// SPDX-License-Identifier: Apache-2.0
#include "machines/machine_hash.h"

#include <nlohmann/json.hpp>

#include "base/config/print.h"
#include "base/sha256.h"

namespace psim {

std::string core_sha256(nlohmann::json machine) {
  for (const char* key : {"name", "description", "energy"}) machine.erase(key);
  return sha256(machine.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string core_sha256(const Machine& machine) {
  return core_sha256(nlohmann::json(config_json(machine.schema)));
}

}  // namespace psim

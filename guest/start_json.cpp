// SPDX-License-Identifier: Apache-2.0
#include "guest/start_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/sha256.h"

namespace psim {

nlohmann::ordered_json start_json(const isa::Start& start, const isa::ProcessOptions& options) {
  using nlohmann::ordered_json;
  ordered_json variables = ordered_json::object();
  std::string block;
  for (const std::string& entry : start.environment) {
    const std::size_t equals = entry.find('=');
    const std::string value = equals == std::string::npos ? "" : entry.substr(equals + 1);
    variables[entry.substr(0, equals)] = sha256(value).substr(0, 16);
    block += entry + '\0';
  }
  ordered_json mounts = ordered_json::array();
  if (!options.sandbox.root.empty()) mounts.push_back("/");
  for (const auto& bind : options.sandbox.binds) mounts.push_back(bind.guest + (bind.writable ? "" : ":ro"));
  const isa::Identity& id = start.identity;
  return {{"program_name", start.arguments.empty() ? "" : start.arguments[0]},
          {"file_name", start.file_name},
          {"executable", start.executable},
          {"working_directory", start.working_directory},
          {"environment", std::move(variables)},
          {"environment_sha256", sha256(block)},  // their order counts, too
          {"standard_input", start.standard[0]},
          {"standard_output", start.standard[1]},
          {"standard_error", start.standard[2]},
          {"user", fmt::format("{}:{}", id.user, id.group)},
          {"effective_user", fmt::format("{}:{}", id.effective_user, id.effective_group)},
          {"groups", id.groups},
          {"umask", fmt::format("{:03o}", start.umask)},
          {"stack_bytes", options.stack_bytes},
          {"mounts", std::move(mounts)}};
}

}  // namespace psim

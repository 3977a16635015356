// SPDX-License-Identifier: Apache-2.0
// A JSON schema that grows by paths of keys, as result_keys.h has them: "regions[].cycles".
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace psim {

/// Returns the paths for which a path with {a,b} stands: "x.{a,b}" gives "x.a" and "x.b".
std::vector<std::string> expand_path(std::string_view path);

/// Adds a value at a path to the schema of an object. Objects on the way refuse other keys than those that
/// are added. `value` is the value's schema. Throws std::logic_error if a value on the way is no object.
void add_key(nlohmann::ordered_json& object, std::string_view path, const nlohmann::ordered_json& value);

/// Makes the first key of a path required in the object.
void require_first(nlohmann::ordered_json& object, std::string_view path);

/// Returns the schema of an object without keys.
nlohmann::ordered_json closed_object();

}  // namespace psim

// SPDX-License-Identifier: Apache-2.0
#include "psim/schemas/key_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace psim {
namespace {

using nlohmann::ordered_json;

/// Makes the schema that of an object, unless it is one.
ordered_json& as_object(ordered_json& schema) {
  if (schema.is_null()) schema = closed_object();
  return schema;
}

ordered_json& child_of(ordered_json& object, const std::string& key) {
  if (key != "*") return object["properties"][key];
  ordered_json& others = object["additionalProperties"];
  if (others.is_boolean()) others = nullptr;
  return others;
}

}  // namespace

ordered_json closed_object() {
  return {{"type", "object"}, {"properties", ordered_json::object()}, {"additionalProperties", false}};
}

std::vector<std::string> expand_path(std::string_view path) {
  const std::size_t open = path.find('{');
  if (open == std::string_view::npos) return {std::string(path)};
  const std::size_t close = path.find('}', open);
  std::vector<std::string> all;
  std::string_view choices = path.substr(open + 1, close - open - 1);
  for (bool more = true; more;) {
    const std::size_t comma = choices.find(',');
    more = comma != std::string_view::npos;
    const std::string one = std::string(path.substr(0, open)) + std::string(choices.substr(0, comma)) +
                            std::string(path.substr(close + 1));
    for (std::string& expanded : expand_path(one)) all.push_back(std::move(expanded));
    if (more) choices.remove_prefix(comma + 1);
  }
  return all;
}

void add_key(ordered_json& object, std::string_view path, const ordered_json& value) {
  ordered_json* node = &as_object(object);
  for (bool last = false; !last;) {
    const std::size_t dot = path.find('.');
    last = dot == std::string_view::npos;
    std::string_view key = path.substr(0, dot);
    if (!last) path.remove_prefix(dot + 1);
    unsigned lists = 0;
    for (; key.ends_with("[]"); key.remove_suffix(2)) ++lists;
    node = &child_of(*node, std::string(key));
    for (; lists != 0; --lists) {
      if (node->is_null()) *node = {{"type", "array"}};
      node = &(*node)["items"];
    }
    if (last) {
      if (node->is_null()) *node = value;
    } else if (as_object(*node).value("type", "") != "object") {
      throw std::logic_error(fmt::format("a schema has a value and keys below it: {}", path));
    }
  }
}

void require_first(ordered_json& object, std::string_view path) {
  const std::string_view key = path.substr(0, path.find_first_of(".["));
  ordered_json& required = object["required"];
  if (std::ranges::find(required, key) == required.end()) required.push_back(key);
}

}  // namespace psim

// SPDX-License-Identifier: Apache-2.0
#include "psim/schemas/machine_file_schema.h"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "base/units.h"

namespace psim {
namespace {

using nlohmann::ordered_json;

/// Returns a pattern of the texts that parse_quantity() reads.
std::string quantity_pattern(Dimension dimension) {
  std::string pattern = R"(^\+?[0-9_]*\.?[0-9_]* *()";
  std::string_view names;
  const std::string all = units(dimension);  // "B, KB, KiB"
  names = all;
  for (bool first = true; !names.empty(); first = false) {
    const std::size_t comma = names.find(", ");
    pattern += (first ? "" : "|") + std::string(names.substr(0, comma));
    names.remove_prefix(comma == std::string_view::npos ? names.size() : comma + 2);
  }
  return pattern + ")$";
}

ordered_json whole(double value) { return static_cast<std::uint64_t>(value); }

ordered_json value_schema(const Field& field) {
  const ValueForm& form = field.form;
  switch (form.kind) {
    case ValueForm::Kind::Boolean:
      return {{"type", "boolean"}};
    case ValueForm::Kind::Text:
      return {{"type", "string"}};
    case ValueForm::Kind::Number:
      return {{"type", "number"}, {"minimum", form.min}, {"maximum", form.max}};
    case ValueForm::Kind::Choice:
      return {{"type", "string"}, {"enum", form.choices}};
    case ValueForm::Kind::Quantity:
      if (form.dimension == Dimension::Count)
        return {{"type", "integer"}, {"minimum", whole(form.min)}, {"maximum", whole(form.max)}};
      return {{"type", "string"}, {"pattern", quantity_pattern(form.dimension)}};
  }
  return {};
}

ordered_json field_schema(const Field& field) {
  const ordered_json value = value_schema(field);
  ordered_json schema{
      {"description", fmt::format("{} ({}). Source: {}", field.doc, field.allowed, field.source)}};
  // Values without quotes in TOML are valid JSON.
  schema["default"] =
      field.quoted ? ordered_json(field.default_text) : ordered_json::parse(field.default_text);
  ordered_json stated{{"type", "object"}, {"required", {"value"}}, {"additionalProperties", false}};
  stated["properties"] = {{"value", value},
                          {"source", {{"type", "string"}, {"description", "the origin of this value"}}}};
  schema["anyOf"] = {value, stated};
  return schema;
}

ordered_json table() {
  return {{"type", "object"}, {"properties", ordered_json::object()}, {"additionalProperties", false}};
}

}  // namespace

ordered_json machine_file_schema(const Schema& machine, std::string_view title) {
  ordered_json root{{"$schema", kSchemaDraft}, {"title", title}};
  root.update(table());
  root["properties"]["base"] = {
      {"type", "string"},
      {"description",
       "the machine whose keys this file changes: a shipped one (psim config list) or a path"}};
  for (const Field& field : machine.fields()) {
    ordered_json* node = &root;
    std::string_view rest = field.key;
    for (std::size_t dot; (dot = rest.find('.')) != std::string_view::npos; rest.remove_prefix(dot + 1)) {
      ordered_json& inner = (*node)["properties"][std::string(rest.substr(0, dot))];
      if (inner.is_null()) {
        inner = table();
        const std::string path = field.key.substr(0, field.key.size() - rest.size() + dot);
        for (const Schema::Section& section : machine.sections())
          if (section.table == path) inner["description"] = section.doc;
      }
      node = &inner;
    }
    (*node)["properties"][std::string(rest)] = field_schema(field);
  }
  return root;
}

}  // namespace psim

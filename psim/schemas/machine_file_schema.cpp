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

ordered_json field_schema(const Field& field, bool sources) {
  const ordered_json value = value_schema(field);
  ordered_json schema{{"description", fmt::format("{} ({}){}{}", field.doc, field.allowed,
                                                  field.source == "-" ? "" : ". Source: ",
                                                  field.source == "-" ? "" : field.source)}};
  // Values without quotes in TOML are valid JSON.
  schema["default"] =
      field.quoted ? ordered_json(field.default_text) : ordered_json::parse(field.default_text);
  if (!sources) {
    schema.update(value);
    return schema;
  }
  ordered_json stated{{"type", "object"}, {"required", {"value"}}, {"additionalProperties", false}};
  stated["properties"] = {{"value", value},
                          {"source", {{"type", "string"}, {"description", "the origin of this value"}}}};
  schema["anyOf"] = {value, stated};
  return schema;
}

ordered_json table() {
  return {{"type", "object"}, {"properties", ordered_json::object()}, {"additionalProperties", false}};
}

/// Adds the keys of a schema below `root`. `skip` leading keys of each path are left out.
void add_fields(ordered_json& root, const Schema& keys, bool sources, unsigned skip = 0) {
  for (const Field& field : keys.fields()) {
    ordered_json* node = &root;
    std::string_view rest = field.key;
    for (unsigned skipped = 0; skipped < skip; ++skipped) rest.remove_prefix(rest.find('.') + 1);
    for (std::size_t dot; (dot = rest.find('.')) != std::string_view::npos; rest.remove_prefix(dot + 1)) {
      ordered_json& inner = (*node)["properties"][std::string(rest.substr(0, dot))];
      if (inner.is_null()) {
        inner = table();
        const std::string path = field.key.substr(0, field.key.size() - rest.size() + dot);
        for (const Schema::Section& section : keys.sections())
          if (section.table == path) inner["description"] = section.doc;
      }
      node = &inner;
    }
    (*node)["properties"][std::string(rest)] = field_schema(field, sources);
  }
}

}  // namespace

ordered_json machine_file_schema(const Schema& machine, std::string_view title) {
  return key_file_schema({.title = title, .keys = {&machine}, .tables = {}, .sources = true, .base = true});
}

ordered_json key_file_schema(const KeyFile& file) {
  ordered_json root{{"$schema", kSchemaDraft}, {"title", file.title}};
  root.update(table());
  if (file.base)
    root["properties"]["base"] = {
        {"type", "string"},
        {"description",
         "the file whose keys this file changes: a shipped machine (psim config list) or a path"}};
  for (const Schema* keys : file.keys) add_fields(root, *keys, file.sources);
  for (const NamedTables& tables : file.tables) {
    ordered_json one = table();
    one["description"] = tables.doc;
    add_fields(one, *tables.keys, false, tables.before.empty() ? 1 : 2);
    if (tables.before.empty()) {
      root["additionalProperties"] = std::move(one);
      continue;
    }
    root["properties"][std::string(tables.before)] = {
        {"type", "object"}, {"description", tables.doc}, {"additionalProperties", std::move(one)}};
  }
  if (!file.required.empty()) root["required"] = file.required;
  return root;
}

}  // namespace psim

// SPDX-License-Identifier: Apache-2.0
#include "psim/schemas/result_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/result_document.h"
#include "psim/schemas/key_tree.h"
#include "psim/schemas/machine_file_schema.h"
#include "psim/schemas/result_keys.h"
#include "psim/statistics_manual.h"

namespace psim {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kCommands[] = {"trace",   "exec",      "run",      "replay",
                                          "net",     "cosim",     "fit",      "predict",
                                          "compare", "calibrate", "roofline", "reproduce"};

ordered_json reference_to(std::string_view part) { return {{"$ref", fmt::format("#/definitions/{}", part)}}; }

/// Returns the schema of a value of this type: see ResultKey::type.
ordered_json schema_of(std::string_view type) {
  if (type.starts_with('#')) return reference_to(type.substr(1));
  if (type.ends_with('?')) return {{"type", {type.substr(0, type.size() - 1), "null"}}};
  return {{"type", type}};
}

bool is_among(std::string_view name, std::string_view commands) {
  while (!commands.empty()) {
    const std::size_t space = commands.find(' ');
    if (commands.substr(0, space) == name) return true;
    commands.remove_prefix(space == std::string_view::npos ? commands.size() : space + 1);
  }
  return false;
}

/// Adds all keys of a command, an experiment or a part.
void add_keys(ordered_json& object, std::string_view of) {
  for (const auto keys :
       {core_result_keys(), network_result_keys(), node_result_keys(), reproduction_result_keys()})
    for (const ResultKey& key : keys) {
      if (!is_among(of, key.commands)) continue;
      ordered_json value = schema_of(key.type);
      if (!key.meaning.empty() && !value.contains("$ref")) value["description"] = key.meaning;
      // Draft 7 ignores keys next to $ref.
      if (!key.meaning.empty() && value.contains("$ref"))
        value = {{"description", key.meaning}, {"allOf", {value}}};
      for (const std::string& path : expand_path(key.path)) {
        add_key(object, path, value);
        if (key.always) require_first(object, path);
      }
    }
}

/// Returns the schema of `statistics`, with the unit and the meaning of each.
ordered_json statistics_schema() {
  ordered_json all{{"type", "object"}, {"description", "statistics by component"}};
  ordered_json& components = all["properties"] = ordered_json::object();
  for (const statistics::Reading& reading : all_statistics()) {
    ordered_json& component = components[reading.component];
    if (component.is_null()) {
      component = closed_object();
      // These have a statistic for each function or algorithm that a program used.
      if (reading.component.starts_with("mpi_"))
        component["additionalProperties"] = reference_to("statistic");
    }
    if (reading.component.starts_with("mpi_")) continue;
    component["properties"][reading.statistic.name] = {
        {"$ref", "#/definitions/statistic"},
        {"description", fmt::format("{}: {}", reading.statistic.unit, reading.statistic.meaning)}};
  }
  all["additionalProperties"] = false;
  return all;
}

/// How a result writes a quantity: as text with its unit, or as a number in SI units.
enum class Quantities { WithUnits, InSi };

const char* type_of(const Field& field, Quantities quantities) {
  if (field.quoted)
    return quantities == Quantities::InSi && field.form.kind == ValueForm::Kind::Quantity ? "number"
                                                                                          : "string";
  return field.form.kind == ValueForm::Kind::Boolean  ? "boolean"
         : field.form.kind == ValueForm::Kind::Number ? "number"
                                                      : "integer";
}

/// Returns the schema of an effective configuration in a result.
ordered_json configuration_schema(const Schema& schema, Quantities quantities) {
  ordered_json root = closed_object();
  for (const Field& field : schema.fields())
    add_key(root, field.key, {{"type", type_of(field, quantities)}, {"description", field.doc}});
  return root;
}

/// Returns the schema of the greatest values of the keys that are counts.
ordered_json greatest_counts_schema(const Schema& schema) {
  ordered_json root = closed_object();
  for (const Field& field : schema.fields())
    if (field.form.kind == ValueForm::Kind::Quantity && field.form.dimension == Dimension::Count)
      add_key(root, field.key, {{"type", "number"}, {"description", field.doc}});
  return root;
}

ordered_json definitions(const ResultConfigurations& configurations) {
  ordered_json statistic{{"description", "a number, or a distribution"}};
  ordered_json distribution = closed_object();
  add_key(distribution, "samples", {{"type", "integer"}});
  add_key(distribution, "mean", {{"type", "number"}});
  add_key(distribution, "buckets.*", {{"type", "number"}});
  distribution["required"] = {"samples", "mean"};
  statistic["anyOf"] = {{{"type", "number"}}, std::move(distribution)};
  ordered_json all{{"sha256", {{"type", "string"}, {"pattern", "^[0-9a-f]{64}$"}}},
                   {"statistic", std::move(statistic)},
                   {"statistics", statistics_schema()}};
  for (const auto& [name, schema] : configurations) {
    all[name] = configuration_schema(*schema, Quantities::WithUnits);
    add_key(all[name], "name", {{"type", "string"}, {"description", "as the user named it"}});
    if (name == "core") all["greatest_counts"] = greatest_counts_schema(*schema);
    if (name != "core" && name != "network") continue;
    // `reproduce machines` has the keys of every machine as plain numbers.
    const std::string plain = fmt::format("plain_{}", name);
    all[plain] = configuration_schema(*schema, Quantities::InSi);
    add_keys(all[plain], "#" + plain);
    all["plain_machine"]["anyOf"].push_back(reference_to(plain));
  }
  for (const auto keys :
       {core_result_keys(), network_result_keys(), node_result_keys(), reproduction_result_keys()})
    for (const ResultKey& key : keys)
      for (std::string_view rest = key.commands; !rest.empty();) {
        const std::size_t space = rest.find(' ');
        const std::string_view part = rest.substr(0, space);
        rest.remove_prefix(space == std::string_view::npos ? rest.size() : space + 1);
        if (!part.starts_with('#') || all.contains(part.substr(1))) continue;
        ordered_json object = closed_object();
        add_keys(object, part);
        all[std::string(part.substr(1))] = std::move(object);
      }
  return all;
}

/// Returns the schema of the results of a command, or of an experiment of reproduce.
ordered_json command_schema(std::string_view command, const std::string& experiment = {}) {
  ordered_json schema = closed_object();
  add_key(schema, "schema", {{"const", kResultSchema}, {"description", "version of the keys"}});
  add_key(schema, "command", {{"const", command}});
  if (!experiment.empty()) add_key(schema, "experiment", {{"const", experiment}});
  add_keys(schema, "all");
  add_keys(schema, command);
  if (!experiment.empty()) add_keys(schema, fmt::format("{}:{}", command, experiment));
  ordered_json& machine = schema["properties"]["machine"];
  if (machine.is_null()) machine = closed_object();
  return schema;
}

}  // namespace

ordered_json result_schema(const ResultConfigurations& configurations,
                           const std::vector<std::string>& experiments) {
  ordered_json root{
      {"$schema", kSchemaDraft},
      {"title", "Result of psim (--json)"},
      {"type", "object"},
      {"required", {"schema", "version", "command", "machine", "inputs", "seed", "result_hash", "host"}},
      {"properties",
       {{"command", {{"enum", kCommands}, {"description", "the command of psim"}}},
        {"experiment", {{"enum", experiments}, {"description", "of reproduce"}}}}}};
  ordered_json common = closed_object();
  add_keys(common, "all");
  for (const char* key : {"version", "seed", "partial", "result_hash"})
    root["properties"][key] = common["properties"][key];
  root["allOf"] = ordered_json::array();
  const auto add = [&](ordered_json condition, ordered_json schema) {
    root["allOf"].push_back({{"if", {{"properties", std::move(condition)}}}, {"then", std::move(schema)}});
  };
  for (const std::string_view command : kCommands)
    if (command != "reproduce") add({{"command", {{"const", command}}}}, command_schema(command));
  for (const std::string& experiment : experiments)
    add({{"command", {{"const", "reproduce"}}}, {"experiment", {{"const", experiment}}}},
        command_schema("reproduce", experiment));
  root["definitions"] = definitions(configurations);
  return root;
}

}  // namespace psim

// SPDX-License-Identifier: Apache-2.0
#include "base/config/print.h"

#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

namespace psim {
namespace {

// Returns the table of a key: "core.l1d.size" is key "size" of table "core.l1d".
std::string_view table_of(std::string_view key) {
  const std::size_t dot = key.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : key.substr(0, dot);
}
std::string_view last_of(std::string_view key) { return key.substr(key.rfind('.') + 1); }  // npos + 1 is 0

std::string toml_string(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') quoted += '\\';
    if (byte < 0x20 || byte == 0x7f)
      quoted += fmt::format("\\u{:04x}", byte);
    else
      quoted += c;
  }
  return quoted + '"';
}

std::string toml_value(const Field& field) { return field.quoted ? toml_string(field.text()) : field.text(); }

std::string section_doc(const Schema& schema, std::string_view table) {
  for (const Schema::Section& section : schema.sections())
    if (section.table == table) return section.doc;
  return {};
}

// Returns the tables in the order in which their first key was described.
std::vector<std::string_view> tables(const Schema& schema) {
  std::vector<std::string_view> all;
  for (const Field& field : schema.fields())
    if (std::find(all.begin(), all.end(), table_of(field.key)) == all.end())
      all.push_back(table_of(field.key));
  // TOML requires keys without a table to come first.
  std::stable_partition(all.begin(), all.end(), [](std::string_view table) { return table.empty(); });
  return all;
}

}  // namespace

std::string config_toml(const Schema& schema) {
  std::string out;
  for (const std::string_view table : tables(schema)) {
    if (!out.empty()) out += '\n';
    if (!table.empty()) {
      const std::string doc = section_doc(schema, table);
      out += fmt::format("[{}]{}\n", table, doc.empty() ? "" : "  # " + doc);
    }
    for (const Field& field : schema.fields()) {
      if (table_of(field.key) != table) continue;
      const std::string value = field.stated ? fmt::format("{{ value = {}, source = {} }}", toml_value(field),
                                                           toml_string(field.source))
                                             : toml_value(field);
      const std::string line = fmt::format("{} = {}", last_of(field.key), value);
      out += fmt::format("{:<36}  # {} [{}]\n", line, field.doc, field.origin.text());
    }
  }
  return out;
}

nlohmann::ordered_json config_json(const Schema& schema, bool all) {
  nlohmann::ordered_json root = nlohmann::ordered_json::object();
  for (const Field& field : schema.fields()) {
    if (!all && schema.left_out(field)) continue;
    nlohmann::ordered_json* node = &root;
    std::string_view rest = field.key;
    for (std::size_t dot; (dot = rest.find('.')) != std::string_view::npos; rest.remove_prefix(dot + 1))
      node = &(*node)[std::string(rest.substr(0, dot))];
    // Values without quotes in TOML (counts, numbers, true, false) are valid JSON.
    (*node)[std::string(rest)] =
        field.quoted ? nlohmann::ordered_json(field.text()) : nlohmann::ordered_json::parse(field.text());
  }
  return root;
}

std::string config_manual(const Schema& schema) {
  std::string out;
  for (const std::string_view table : tables(schema)) {
    const std::string doc = section_doc(schema, table);
    out += table.empty() ? "\n## Top level\n"
                         : fmt::format("\n## `[{}]`{}\n", table, doc.empty() ? "" : ": " + doc);
    out += "\n| key | default | may be | meaning | source |\n|---|---|---|---|---|\n";
    for (const Field& field : schema.fields()) {
      if (table_of(field.key) != table) continue;
      std::string allowed;
      for (const char c : field.allowed) allowed += c == '|' ? std::string("\\|") : std::string(1, c);
      out += fmt::format("| `{}` | {} | {} | {} | {} |\n", last_of(field.key),
                         field.default_text.empty() ? "" : "`" + field.default_text + "`", allowed, field.doc,
                         field.source);
    }
  }
  return out;
}

std::string config_explain(const Field& field) {
  return fmt::format(
      "{}: {}\n  value    {}\n  set by   {}\n  default  {}\n  may be   {} ({})\n  source   {}\n", field.key,
      field.doc, toml_value(field), field.origin.text(), field.default_text, field.allowed, field.type,
      field.source);
}

}  // namespace psim

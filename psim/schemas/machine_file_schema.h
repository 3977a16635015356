// SPDX-License-Identifier: Apache-2.0
// JSON schemas (draft 7) for editors and validators: of machine files and of other files of keys, from the
// keys that their parsers declare.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "base/config/schema.h"

namespace psim {

/// The address of the JSON Schema draft that all schemas of psim follow; Taplo and VS Code read it.
inline constexpr std::string_view kSchemaDraft = "http://json-schema.org/draft-07/schema#";

/// Returns the schema of a machine file. Every key is optional, and every value may be a table of value and
/// source. Limits of quantities with units are in the description: JSON Schema cannot compare them.
nlohmann::ordered_json machine_file_schema(const Schema& machine, std::string_view title);

/// Tables of any name with the same keys: [job.NAME].
struct NamedTables {
  std::string_view before;  ///< "job"; empty: [NAME]
  const Schema* keys;       ///< "job.NAME.program"; "NAME.program"
  std::string_view doc;
};

/// A file of keys. `keys` are those before the tables, and those of tables with fixed names.
struct KeyFile {
  std::string_view title;
  std::vector<const Schema*> keys;
  std::vector<NamedTables> tables;
  std::vector<std::string_view> required = {};  ///< keys that every file has
  bool sources = false;                         ///< a value may be a table of value and source
  bool base = false;                            ///< it may have the key base
};
nlohmann::ordered_json key_file_schema(const KeyFile& file);

}  // namespace psim

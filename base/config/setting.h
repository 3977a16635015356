// SPDX-License-Identifier: Apache-2.0
// A "key = value" as the user wrote it, and its origin.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace psim {

/// The origin of a value: a line of a file, or an option of the command line.
struct Origin {
  std::string source_name;   ///< file name or "--set"; empty: not set, the default
  int line = 0;              ///< 0 if the source has no lines
  std::string text() const;  ///< "m.toml:7", "--set", "default"
};

struct Setting {
  enum class Kind : unsigned char { String, Integer, Float, Boolean, Other };
  std::string key;    ///< dotted path
  std::string value;  ///< as text, without quotes
  Kind kind = Kind::String;
  std::string kind_name;  ///< for messages: "a string", "an array", "a date", …
  Origin origin;
};

/// Parses the "key=value" of --set. The kind is String whatever the value looks like: fields read text.
/// Throws UserError if there is no '=' or no key.
Setting parse_override(std::string_view text);

/// The largest accepted file.
inline constexpr std::size_t kMostConfigBytes = 1 << 20;

/// Returns every value of a TOML text, flattened, in the order of the file. Syntax errors, too deep nesting
/// and empty files are added to `problems`. Never throws, whatever the bytes.
std::vector<Setting> read_toml(std::string_view text, const std::string& file_name, Problems& problems);

}  // namespace psim

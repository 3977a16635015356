// SPDX-License-Identifier: Apache-2.0
// Inputs that a paper leaves open and an experiment chose, set by `--set KEY=VALUE`: the experiment takes the
// keys that it has, and the others are keys of the machine.
#pragma once

#include <string>
#include <vector>

namespace psim::reproduce {

class OpenInputs {
 public:
  /// `settings`: KEY=VALUE; a later one of the same key wins.
  explicit OpenInputs(const std::vector<std::string>& settings);

  /// Takes a key. Returns its value, or `chosen` if it is not set. Throws UserError for a value that is not a
  /// number from `least` to `most`.
  double number(const std::string& key, double chosen, double least, double most);
  long whole(const std::string& key, long chosen, long least, long most);
  /// Takes a key whose value is one of `names`.
  std::string choice(const std::string& key, const std::string& chosen,
                     const std::vector<std::string>& names);
  /// Takes the keys that begin with `prefix`. Returns their settings without it, in order.
  std::vector<std::string> below(const std::string& prefix);
  /// Returns the settings that were not taken, in order.
  std::vector<std::string> of_machine() const;

 private:
  struct Input {
    std::string key, value;
    bool taken = false;
  };
  /// Marks all settings of a key as taken. Returns the last value, or null.
  const std::string* take(const std::string& key);
  std::vector<Input> inputs_;
};

/// Throws UserError if `only` is neither empty nor one of the parts of an experiment.
void check_only(const std::string& experiment, const std::string& only,
                const std::vector<std::string>& parts);

}  // namespace psim::reproduce

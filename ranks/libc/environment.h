// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace psim::net {

/// The environment variables of a rank that has changed some. `environ` is one per process, so each of these
/// ranks has a copy. A rank that has changed none has the variables of psim's start, and costs nothing.
class Environment {
 public:
  Environment() = default;
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  bool changed() const { return !variables_.empty(); }
  /// Makes `environ` the rank's. Requires changed().
  void enter();
  /// Restores `environ` from before the last enter(), or before the first change.
  static void leave();

  // The following change `environ` at once; strings that getenv() returned before stay valid.
  /// As setenv(), with a valid name.
  void set(std::string_view name, std::string_view value, bool overwrite);
  /// As putenv(), with NAME=VALUE in the rank's own memory.
  void put(char* variable);
  void unset(std::string_view name);
  void clear();

 private:
  void change();
  std::vector<char*>::iterator find(std::string_view name);

  std::vector<char*> variables_;   ///< with a null pointer at the end
  std::deque<std::string> texts_;  ///< strings made by set()
};

}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace psim::net {

/// The environment variables of a rank that has changed some: `environ` is one for a process, and one for
/// each such rank. A rank that never did has those that psim was started with, and costs nothing.
class Environment {
 public:
  Environment() = default;
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  bool changed() const { return !variables_.empty(); }
  /// `environ` is the rank's. Needs changed().
  void enter();
  /// `environ` is what it was before the last enter(), or before the first change, again.
  static void leave();

  // The following take effect on `environ` at once; what getenv() returned before stays.
  /// As setenv(), whose name is a good one.
  void set(std::string_view name, std::string_view value, bool overwrite);
  /// As putenv(): the rank's own memory, NAME=VALUE.
  void put(char* variable);
  void unset(std::string_view name);
  void clear();

 private:
  void change();
  std::vector<char*>::iterator find(std::string_view name);

  std::vector<char*> variables_;   ///< with a null pointer at the end
  std::deque<std::string> texts_;  ///< of set()
};

}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
// The address range of a loaded object.
#pragma once

#include <cstdint>
#include <string_view>

namespace psim::net {

struct CodeRange {
  std::uintptr_t begin = 0, end = 0;

  bool contains(const void* address) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    return at >= begin && at < end;
  }
  /// Returns the object whose file name contains `part`; empty if none is loaded.
  static CodeRange of_file(std::string_view part);
  /// Returns the object that contains `address`.
  static CodeRange around(const void* address);
};

}  // namespace psim::net

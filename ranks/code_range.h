// SPDX-License-Identifier: Apache-2.0
// Where an object of the loader is in memory.
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
  /// The object whose file's name has `part` in it; empty if none is loaded.
  static CodeRange of_file(std::string_view part);
  /// The object in which `address` is.
  static CodeRange around(const void* address);
};

}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
// Bytes as base64, in which pages and results hold long series.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace psim::report {

/// Returns the bytes in base64, with padding.
std::string base64(std::string_view bytes);
inline std::string base64(const std::vector<std::uint8_t>& bytes) {
  return base64(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}
/// Returns the numbers, each as two bytes, the lower one first.
std::string base64(const std::vector<std::uint16_t>& numbers);

}  // namespace psim::report

// SPDX-License-Identifier: Apache-2.0
#include "report/base64.h"

#include <algorithm>

namespace psim::report {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t length = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < 3; ++i)
      three = three << 8 | (i < length ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      out.push_back(i <= length ? kDigits[three >> (18 - 6 * i) & 63] : '=');
  }
  return out;
}

std::string base64(const std::vector<std::uint16_t>& numbers) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(2 * numbers.size());
  for (const std::uint16_t number : numbers) {
    bytes.push_back(static_cast<std::uint8_t>(number & 255));
    bytes.push_back(static_cast<std::uint8_t>(number >> 8));
  }
  return base64(bytes);
}

}  // namespace psim::report

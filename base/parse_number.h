// SPDX-License-Identifier: Apache-2.0
// Numbers in texts.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace psim {

/// Returns the number that the whole of `text` states; nothing if there is none, more follows it, or the type
/// cannot hold it. There is no sign +. An integer has digits of `base`, without a prefix such as 0x. A
/// floating-point number may be infinite or NaN.
template <class Number>
std::optional<Number> parse_number(std::string_view text, int base = 10) {
  Number value{};
  const char* const end = text.data() + text.size();
  std::from_chars_result read{};
  if constexpr (std::is_floating_point_v<Number>)
    read = std::from_chars(text.data(), end, value);
  else
    read = std::from_chars(text.data(), end, value, base);
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return value;
}

}  // namespace psim

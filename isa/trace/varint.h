// SPDX-License-Identifier: Apache-2.0
// Numbers in the fewest bytes: seven bits per byte, the least significant first (LEB128).
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace psim::isa::trace {

using Bytes = std::vector<std::uint8_t>;

/// Bytes that no writer of traces writes. A caller that knows the file and the frame turns it into a
/// UserError.
class BadTrace : public UserError {
 public:
  using UserError::UserError;
};

inline void put(Bytes& bytes, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<std::uint8_t>(value | 0x80));
  bytes.push_back(static_cast<std::uint8_t>(value));
}
/// Writes the number at `at`, where ten bytes must be writable; returns the end. Numbers of addresses have
/// any of six lengths, so that only the end depends on the length, and no branch does.
inline std::uint8_t* put(std::uint8_t* at, std::uint64_t value) {
  while (value >> 56) [[unlikely]]* at++ = static_cast<std::uint8_t>(value | 0x80), value >>= 7;
  const unsigned bytes = static_cast<unsigned>(std::bit_width(value | 1) + 6) / 7;
  // Puts seven bits into each byte: halves, quarters, eighths.
  value = (value & 0x000000000fffffff) | (value & 0x00fffffff0000000) << 4;
  value = (value & 0x00003fff00003fff) | (value & 0x0fffc0000fffc000) << 2;
  value = (value & 0x007f007f007f007f) | (value & 0x3f803f803f803f80) << 1;
  value |= 0x8080808080808080 & ((std::uint64_t{1} << 8 * (bytes - 1)) - 1);
  std::memcpy(at, &value, sizeof value);
  return at + bytes;
}
/// Maps small differences in both directions to small numbers.
constexpr std::uint64_t zigzag(std::uint64_t difference) {
  return difference << 1 ^ (difference >> 63 ? ~std::uint64_t{0} : 0);
}
constexpr std::uint64_t unzigzag(std::uint64_t value) {
  return value >> 1 ^ (value & 1 ? ~std::uint64_t{0} : 0);
}
inline void put(Bytes& bytes, std::string_view text) {
  put(bytes, std::uint64_t{text.size()});
  bytes.insert(bytes.end(), text.begin(), text.end());
}
inline void put(Bytes& bytes, std::span<const std::uint32_t> words) {
  for (const std::uint32_t word : words)
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::uint8_t>(word >> shift));
}

/// Reads numbers that put() wrote. Throws BadTrace if the bytes end too early or a number has no end.
class Reader {
 public:
  Reader() = default;
  Reader(const std::uint8_t* begin, const std::uint8_t* end) : at_(begin), end_(end) {}

  bool done() const { return at_ == end_; }
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ == end_) break;
      const std::uint8_t byte = *at_++;
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    throw BadTrace("a number is cut off");
  }
  /// Reads a number that is at most `most`.
  std::uint64_t number(std::uint64_t most, const char* what) {
    const std::uint64_t value = number();
    if (value > most) throw BadTrace(std::string(what) + " is out of range");
    return value;
  }
  const std::uint8_t* bytes(std::uint64_t count) {
    if (count > left()) throw BadTrace("a string of bytes is cut off");
    const std::uint8_t* const begin = at_;
    at_ += count;
    return begin;
  }
  std::string_view text() {
    const std::uint64_t count = number();
    return {reinterpret_cast<const char*>(bytes(count)), static_cast<std::size_t>(count)};
  }
  /// Reads big-endian instruction words, as in the guest's memory.
  std::vector<std::uint32_t> words(std::uint64_t count) {
    if (count > left() / 4) throw BadTrace("words are cut off");
    const std::uint8_t* at = bytes(4 * count);
    std::vector<std::uint32_t> words(count);
    for (std::uint32_t& word : words) {
      word = std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 | at[3];
      at += 4;
    }
    return words;
  }

 private:
  const std::uint8_t* at_ = nullptr;
  const std::uint8_t* end_ = nullptr;
};

}  // namespace psim::isa::trace

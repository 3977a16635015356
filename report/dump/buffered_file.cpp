// SPDX-License-Identifier: Apache-2.0
#include "report/dump/buffered_file.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace psim::pipeline::dump {

namespace {
constexpr std::size_t kBuffer = 1 << 20;

constexpr std::array<char, 200> kPairs = [] {
  std::array<char, 200> pairs{};
  for (int i = 0; i < 100; ++i) {
    pairs[2 * i] = static_cast<char>('0' + i / 10);
    pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}();
}  // namespace

char* write_decimal(char* out, std::uint64_t value) {
  char digits[20];
  char* first = digits + sizeof digits;
  while (value >= 100) {
    first -= 2;
    std::memcpy(first, &kPairs[2 * (value % 100)], 2);
    value /= 100;
  }
  if (value >= 10) {
    first -= 2;
    std::memcpy(first, &kPairs[2 * value], 2);
  } else {
    *--first = static_cast<char>('0' + value);
  }
  const auto length = static_cast<std::size_t>(digits + sizeof digits - first);
  std::memcpy(out, first, length);
  return out + length;
}

char* write_hex(char* out, std::uint64_t value, int digits) {
  int needed = 1;
  for (std::uint64_t rest = value >> 4; rest != 0; rest >>= 4) ++needed;
  for (int i = std::max(needed, digits) - 1; i >= 0; --i)
    *out++ = "0123456789abcdef"[(value >> (4 * i)) & 15];
  return out;
}

BufferedFile::BufferedFile(std::string path, std::string_view option)
    : file_(std::move(path), option),
      buffer_(new char[kBuffer]),
      next_(buffer_.get()),
      end_(buffer_.get() + kBuffer) {}

void BufferedFile::flush() {
  file_.write({buffer_.get(), static_cast<std::size_t>(next_ - buffer_.get())});
  next_ = buffer_.get();
}

void BufferedFile::append(std::string_view text) {
  while (!text.empty()) {
    const std::size_t piece = std::min(text.size(), kLargestPiece);
    std::memcpy(reserve(piece), text.data(), piece);
    next_ += piece;
    text.remove_prefix(piece);
  }
}

void BufferedFile::commit() {
  flush();
  file_.commit();
}

}  // namespace psim::pipeline::dump

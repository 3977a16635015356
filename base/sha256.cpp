// SPDX-License-Identifier: Apache-2.0
#include "base/sha256.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace psim {
namespace {

// FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
std::array<std::uint32_t, 64> make_constants() {
  std::array<std::uint32_t, 64> constants{};
  unsigned found = 0;
  for (unsigned candidate = 2; found < constants.size(); ++candidate) {
    bool prime = true;
    for (unsigned d = 2; d * d <= candidate; ++d) prime = prime && candidate % d != 0;
    if (!prime) continue;
    // The largest r with r³ ≤ p · 2^96 is ⌊cbrt(p) · 2^32⌋; found bit by bit, exactly.
    unsigned __int128 root = 0;
    for (int bit = 35; bit >= 0; --bit) {
      const unsigned __int128 trial = root | static_cast<unsigned __int128>(1) << bit;
      if (trial * trial * trial <= static_cast<unsigned __int128>(candidate) << 96) root = trial;
    }
    constants[found++] = static_cast<std::uint32_t>(root);
  }
  return constants;
}

}  // namespace

void Sha256::block(const unsigned char* bytes) {
  static const std::array<std::uint32_t, 64> kConstants = make_constants();
  std::array<std::uint32_t, 64> w;
  for (unsigned t = 0; t < 16; ++t)
    w[t] = std::uint32_t{bytes[4 * t]} << 24 | std::uint32_t{bytes[4 * t + 1]} << 16 |
           std::uint32_t{bytes[4 * t + 2]} << 8 | bytes[4 * t + 3];
  for (unsigned t = 16; t < 64; ++t) {
    const std::uint32_t a = w[t - 15], b = w[t - 2];
    w[t] = w[t - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[t - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (unsigned t = 0; t < 64; ++t) {
    const std::uint32_t t1 = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                             ((e & f) ^ (~e & g)) + kConstants[t] + w[t];
    const std::uint32_t t2 =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const std::array<std::uint32_t, 8> mixed{a, b, c, d, e, f, g, h};
  for (unsigned i = 0; i < 8; ++i) state_[i] += mixed[i];
}

void Sha256::update(std::string_view bytes) {
  std::size_t filled = length_ % 64;
  length_ += bytes.size();
  while (!bytes.empty()) {
    const std::size_t part = std::min(bytes.size(), 64 - filled);
    std::memcpy(pending_.data() + filled, bytes.data(), part);
    bytes.remove_prefix(part);
    filled += part;
    if (filled < 64) return;
    block(pending_.data());
    filled = 0;
  }
}

std::string Sha256::finish() {
  const std::uint64_t bits = length_ * 8;
  update(std::string_view("\x80", 1));
  while (length_ % 64 != 56) update(std::string_view("\0", 1));
  std::array<char, 8> tail;
  for (unsigned i = 0; i < 8; ++i) tail[i] = static_cast<char>(bits >> (56 - 8 * i));
  update({tail.data(), tail.size()});
  std::string text;
  for (const std::uint32_t word : state_) text += fmt::format("{:08x}", word);
  return text;
}

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.finish();
}

}  // namespace psim

// SPDX-License-Identifier: Apache-2.0
#include "pipeline/packed_activity.h"

#include <array>
#include <bit>

namespace psim::pipeline {

namespace {
using PackedCounts = std::array<std::uint64_t, sizeof(Activity) / sizeof(std::uint64_t)>;

std::uint8_t* put_number(std::uint8_t* to, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) *to++ = static_cast<std::uint8_t>(number | 0x80);
  *to++ = static_cast<std::uint8_t>(number);
  return to;
}

std::uint64_t take_number(const std::uint8_t*& from) {
  std::uint64_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint8_t byte = *from++;
    number |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return number;
  }
}
}  // namespace

void PackedActivity::pack(const Activity& activity) {
  const auto counts = std::bit_cast<PackedCounts>(activity);
  constexpr std::size_t kLongest = 10;  // bytes of a number of 64 bits
  std::vector<std::uint8_t> bytes;
  std::size_t next = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    std::array<std::uint8_t, 2 * kLongest> pair;
    std::uint8_t* const end = put_number(put_number(pair.data(), i - next), counts[i]);
    bytes.insert(bytes.end(), pair.data(), end);
    next = i + 1;
  }
  bytes_.assign(bytes.begin(), bytes.end());
  bytes_.shrink_to_fit();
}

Activity PackedActivity::unpack() const {
  PackedCounts counts{};
  std::size_t next = 0;
  for (const std::uint8_t* from = bytes_.data(); from != bytes_.data() + bytes_.size();) {
    next += take_number(from);
    counts[next++] = take_number(from);
  }
  return std::bit_cast<Activity>(counts);
}

PackedActivity& PackedActivity::operator+=(const Activity& other) {
  Activity sum = unpack();
  sum += other;
  pack(sum);
  return *this;
}

}  // namespace psim::pipeline

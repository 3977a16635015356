// SPDX-License-Identifier: Apache-2.0
#include "guest/elf/gnu_attributes.h"

#include <gtest/gtest.h>

#include <vector>

namespace psim::isa {
namespace {

std::vector<std::byte> section(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

// 'A', length 17, "gnu\0", Tag_File, length 9 (tag and length included), tag 4, ULEB128 0x500.
const auto kFmafAndVis3 = section({'A', 0, 0, 0, 16, 'g', 'n', 'u', 0, 1, 0, 0, 0, 8, 4, 0x80, 0x0A});

TEST(GnuAttributes, HwcapsOfTheFileAreFound) { EXPECT_EQ(sparc_hardware_capabilities(kFmafAndVis3), 0x500u); }

TEST(GnuAttributes, OtherVendorsAndScopesAreSkipped) {
  auto other = kFmafAndVis3;
  other[5] = std::byte{'x'};
  EXPECT_EQ(sparc_hardware_capabilities(other), 0u);
  auto scope = kFmafAndVis3;
  scope[9] = std::byte{2};  // Tag_Section
  EXPECT_EQ(sparc_hardware_capabilities(scope), 0u);
}

TEST(GnuAttributes, EveryTruncationEndsQuietly) {
  for (std::size_t size = 0; size < kFmafAndVis3.size(); ++size)
    EXPECT_EQ(sparc_hardware_capabilities(std::span(kFmafAndVis3).first(size)), 0u) << size;
}

}  // namespace
}  // namespace psim::isa

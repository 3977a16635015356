// SPDX-License-Identifier: Apache-2.0
#include "isa/linux/address_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "base/error.h"

namespace psim::isa {
namespace {

using ::testing::HasSubstr;
constexpr std::uint64_t kPage = GuestMemory::kPageBytes;
constexpr std::uint8_t kData = kMapped | kRead | kWrite;

ElfImage image_at(std::uint64_t address, std::uint64_t bytes) {
  ElfImage image;
  image.path = "program";
  image.segments.push_back(
      {.address = address, .memory_bytes = bytes, .file_offset = 0, .file_bytes = 0, .permission = kRead});
  return image;
}

TEST(AddressSpace, ASegmentInTheWindowOfThePesIsRefused) {
  const std::uint64_t begin = AddressSpace::kReserved, end = AddressSpace::kReservedEnd;
  for (const auto& [address, bytes] :
       {std::pair{begin, kPage}, {begin - kPage, kPage + 1}, {end - 1, kPage}}) {
    GuestMemory memory;
    AddressSpace space(memory);
    try {
      space.load(image_at(address, bytes));
      FAIL() << std::hex << address << " is loaded";
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr("lies in the data window of the SIMD-PEs; expected nothing from "
                                          "0xf0000000 to 0xf0200000"));
    }
    EXPECT_FALSE(space.is_mapped(address, 1));
  }
}

TEST(AddressSpace, SegmentsBesideTheWindowAreLoaded) {
  GuestMemory memory;
  AddressSpace space(memory);
  ElfImage image = image_at(AddressSpace::kReserved - kPage, kPage);
  image.segments.push_back(image_at(AddressSpace::kReservedEnd, kPage).segments[0]);
  space.load(image);
  EXPECT_TRUE(space.is_mapped(AddressSpace::kReserved - kPage, kPage));
  EXPECT_TRUE(space.is_mapped(AddressSpace::kReservedEnd, kPage));
}

TEST(AddressSpace, AFixedMappingInTheWindowIsInvalidAndAHintMovesOn) {
  GuestMemory memory;
  AddressSpace space(memory);
  space.map_stack(1 << 20, false);
  const std::uint64_t at = AddressSpace::kReserved + 4 * kPage;
  EXPECT_EQ(space.map(at, kPage, kData, true, true, {}), -EINVAL);
  EXPECT_EQ(space.map(AddressSpace::kReserved - kPage, 2 * kPage, kData, true, true, {}), -EINVAL);
  const std::int64_t moved = space.map(at, kPage, kData, false, false, {});
  ASSERT_GT(moved, 0);
  EXPECT_GE(static_cast<std::uint64_t>(moved), space.stack_top());
  EXPECT_FALSE(space.is_mapped(at, kPage));
}

TEST(AddressSpace, TheHeapEndsBeforeTheWindow) {
  GuestMemory memory;
  AddressSpace space(memory);
  space.load(image_at(AddressSpace::kReserved - 4 * kPage, kPage));
  const std::uint64_t begin = space.set_break(0);
  EXPECT_EQ(space.set_break(AddressSpace::kReserved), AddressSpace::kReserved);
  EXPECT_EQ(space.set_break(AddressSpace::kReserved + 1), AddressSpace::kReserved) << "the old one";
  EXPECT_EQ(space.set_break(begin), begin);
}

}  // namespace
}  // namespace psim::isa

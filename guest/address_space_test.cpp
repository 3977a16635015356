// SPDX-License-Identifier: Apache-2.0
#include "guest/address_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

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

TEST(AddressSpace, SegmentsNextToTheWindowAreLoaded) {
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

class MappedFile : public ::testing::Test {
 protected:
  MappedFile() {
    space_.map_stack(1 << 20, false);
    file_->host = UniqueFd(::memfd_create("mapped", MFD_CLOEXEC));
    resize(4 * kPage);
  }
  void resize(std::uint64_t bytes) {
    EXPECT_EQ(::ftruncate(file_->host.get(), static_cast<off_t>(bytes)), 0);
  }
  std::uint64_t map(std::uint64_t bytes, bool shared, bool may_write = true) {
    const std::int64_t at = space_.map(0, bytes, kData, false, true, {file_, 0, shared, may_write});
    EXPECT_GT(at, 0);
    return static_cast<std::uint64_t>(at);
  }

  GuestMemory memory_;
  AddressSpace space_{memory_};
  std::shared_ptr<OpenFile> file_ = std::make_shared<OpenFile>();
};

TEST_F(MappedFile, PagesBeyondItsEndAreHiddenUntilItGrows) {
  const std::uint64_t at = map(4 * kPage, true);
  resize(kPage + 1);
  space_.follow_files();
  EXPECT_TRUE(memory_.store<std::uint64_t>(at + kPage, 1));
  EXPECT_FALSE(memory_.store<std::uint64_t>(at + 2 * kPage, 1));
  EXPECT_TRUE(memory_.hidden(at + 2 * kPage, kWrite));
  EXPECT_TRUE(space_.is_mapped(at, 4 * kPage));
  resize(4 * kPage);
  space_.follow_files();
  EXPECT_TRUE(memory_.store<std::uint64_t>(at + 3 * kPage, 1));
  EXPECT_FALSE(memory_.hidden(at + 3 * kPage, kWrite));
}

TEST_F(MappedFile, OneOpenedForReadingCannotBeMadeWritableIfShared) {
  const std::uint64_t at = map(kPage, true, false);
  EXPECT_EQ(space_.protect(at, kPage, kMapped | kRead), 0);
  EXPECT_EQ(space_.protect(at, kPage, kData), EACCES);
  EXPECT_EQ(space_.protect(map(kPage, false), kPage, kData), 0);
}

TEST_F(MappedFile, IsClosedWithItsLastArea) {
  const std::weak_ptr<OpenFile> watched = file_;
  const std::uint64_t at = map(2 * kPage, true);
  file_.reset();
  EXPECT_EQ(space_.unmap(at, kPage), 0);
  EXPECT_FALSE(watched.expired());
  EXPECT_EQ(space_.unmap(at + kPage, kPage), 0);
  EXPECT_TRUE(watched.expired());
}

TEST(AddressSpace, AreasAreCountedAsLinuxDoes) {
  GuestMemory memory;
  AddressSpace space(memory);
  space.map_stack(1 << 20, false);
  const std::size_t before = space.areas().size();
  const std::int64_t mapped = space.map(0, 16 * kPage, kData, false, true, {});
  ASSERT_GT(mapped, 0);
  const auto at = static_cast<std::uint64_t>(mapped);
  EXPECT_EQ(space.areas().size(), before) << "next to the stack, and alike";
  EXPECT_EQ(space.protect(at + 4 * kPage, kPage, kMapped | kRead), 0);
  EXPECT_EQ(space.areas().size(), before + 2);
  EXPECT_EQ(space.protect(at + 4 * kPage, kPage, kData), 0);
  EXPECT_EQ(space.areas().size(), before);
  EXPECT_EQ(space.unmap(at + 8 * kPage, kPage), 0);
  EXPECT_EQ(space.areas().size(), before + 1);
}

TEST(AddressSpace, HasAsManyAreasAsLinuxAllowsAndNoMore) {
  GuestMemory memory;
  AddressSpace space(memory);
  space.map_stack(1 << 20, false);
  int error = 0;
  while (error == 0) {
    const std::int64_t at = space.map(0, 2 * kPage, kData, false, true, {});
    ASSERT_GT(at, 0);
    error = space.unmap(static_cast<std::uint64_t>(at), kPage);
  }
  EXPECT_EQ(error, ENOMEM);
  EXPECT_EQ(space.areas().size(), AddressSpace::kMostAreas);
}

}  // namespace
}  // namespace psim::isa

// SPDX-License-Identifier: Apache-2.0
#include "guest/elf/elf_image.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "base/error.h"
#include "guest/testing/tiny_program.h"
#include "isa/memory/guest_memory.h"

namespace psim::isa {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::size_t kHeader = 64;  // the one program header follows the file header
constexpr std::uint64_t kHuge = std::uint64_t{1} << 63;

std::vector<std::byte> good() { return testing::tiny_elf({0x01000000, 0x01000000}); }

std::vector<std::byte> with(std::size_t offset, std::uint64_t value, unsigned size) {
  std::vector<std::byte> bytes = good();
  for (unsigned i = 0; i < size; ++i)
    bytes[offset + i] = static_cast<std::byte>(value >> (8 * (size - 1 - i)));
  return bytes;
}

std::string complaint(std::vector<std::byte> bytes) {
  try {
    parse_elf("prog", std::move(bytes));
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), StartsWith("prog: "));
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "one line";
    return error.what();
  }
  return "accepted";
}

TEST(ElfImage, AStaticProgramIsAccepted) {
  const ElfImage image = parse_elf("prog", good());
  EXPECT_EQ(image.entry, testing::kTinyEntry);
  ASSERT_EQ(image.segments.size(), 1u);
  EXPECT_EQ(image.segments[0].address, 0x100000u);
  EXPECT_EQ(image.program_headers, 0x100000u + 64);
  EXPECT_FALSE(image.position_independent);
  EXPECT_FALSE(image.names_fused_multiply_add());
}

TEST(ElfImage, OtherFilesAreReportedByTheirKind) {
  EXPECT_THAT(complaint({}), HasSubstr("empty"));
  EXPECT_THAT(complaint(std::vector<std::byte>(100)), HasSubstr("not an ELF file"));
  EXPECT_THAT(complaint(with(EI_CLASS, ELFCLASS32, 1)), HasSubstr("32-bit"));
  EXPECT_THAT(complaint(with(EI_DATA, ELFDATA2LSB, 1)), HasSubstr("little-endian"));
  EXPECT_THAT(complaint(with(18, EM_PPC64, 2)), HasSubstr("PowerPC 64"));
  EXPECT_THAT(complaint(with(16, ET_REL, 2)), HasSubstr("relocatable"));
  EXPECT_THAT(complaint(with(16, ET_CORE, 2)), HasSubstr("core dump"));
  EXPECT_THAT(complaint(with(kHeader, PT_INTERP, 4)), HasSubstr("-static"));
}

TEST(ElfImage, EveryTruncationIsReported) {
  const std::vector<std::byte> whole = good();
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(complaint({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}), "accepted")
        << size;
}

TEST(ElfImage, SegmentWithoutBytesInTheFileMayLieBeyondItsEnd) {
  std::vector<std::byte> bytes = with(kHeader + 8, 1 << 20, 8);  // p_offset
  std::memset(bytes.data() + kHeader + 32, 0, 8);                // p_filesz
  EXPECT_EQ(complaint(bytes).find("truncated"), std::string::npos) << complaint(bytes);
}

TEST(ElfImage, AbsurdSizesAndAddressesAreRefused) {
  EXPECT_THAT(complaint(with(kHeader + 8, kHuge, 8)), HasSubstr("truncated"));       // p_offset
  EXPECT_THAT(complaint(with(kHeader + 16, kHuge, 8)), HasSubstr("address space"));  // p_vaddr
  EXPECT_THAT(complaint(with(kHeader + 16, ~std::uint64_t{0}, 8)), HasSubstr("address space"));
  EXPECT_THAT(complaint(with(kHeader + 16, 0, 8)), HasSubstr("first page"));
  EXPECT_THAT(complaint(with(kHeader + 32, kHuge, 8)), HasSubstr("exceed"));         // p_filesz
  EXPECT_THAT(complaint(with(kHeader + 40, kHuge, 8)), HasSubstr("address space"));  // p_memsz
  EXPECT_THAT(complaint(with(kHeader + 40, std::uint64_t{1} << 39, 8)), HasSubstr("at most"));
  EXPECT_THAT(complaint(with(kHeader + 40, 1, 8)), HasSubstr("exceed"));
  EXPECT_THAT(complaint(with(32, kHuge, 8)), HasSubstr("truncated"));         // e_phoff
  EXPECT_THAT(complaint(with(56, 0xFFFF, 2)), HasSubstr("program headers"));  // e_phnum
  EXPECT_THAT(complaint(with(56, 0, 2)), HasSubstr("no program headers"));
  EXPECT_THAT(complaint(with(54, 55, 2)), HasSubstr("expected 56"));  // e_phentsize
}

TEST(ElfImage, TheEntryPointMustBeAnInstruction) {
  EXPECT_THAT(complaint(with(24, testing::kTinyEntry + 2, 8)), HasSubstr("multiple of 4"));
  EXPECT_THAT(complaint(with(24, 0x200000, 8)), HasSubstr("no executable segment"));
  EXPECT_THAT(complaint(with(kHeader + 4, PF_R | PF_W, 4)), HasSubstr("no executable segment"));
}

TEST(ElfImage, OverlappingSegmentsAreRefused) {
  std::vector<std::byte> bytes = good();
  // Two headers: the second lies where the text was.
  bytes.insert(bytes.begin() + kHeader + 56, bytes.begin() + kHeader, bytes.begin() + kHeader + 56);
  bytes[57] = std::byte{2};
  EXPECT_THAT(complaint(bytes), HasSubstr("overlap"));
}

TEST(ElfImage, RandomMutationsNeverEscapeTheChecks) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::vector<std::byte> bytes = good();
    for (int n = 1 + static_cast<int>(random() % 4); n > 0; --n)
      bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    try {
      const ElfImage image = parse_elf("prog", bytes);
      std::uint64_t last = 0;
      for (const ElfSegment& s : image.segments) {
        ASSERT_LE(s.file_offset + s.file_bytes, bytes.size());
        ASSERT_LE(s.file_bytes, s.memory_bytes);
        ASSERT_GE(s.address, last);
        last = s.address + s.memory_bytes;
        ASSERT_LE(last, GuestMemory::kLimit);
      }
    } catch (const UserError&) {
    }
  }
}

TEST(ElfImage, FilesThatCannotBeReadAreReported) {
  EXPECT_THROW(read_elf("/nonexistent/program"), UserError);
  EXPECT_THROW(read_elf("/"), UserError);
  EXPECT_THROW(read_elf("/dev/null"), UserError);
}

}  // namespace
}  // namespace psim::isa

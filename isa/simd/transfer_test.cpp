// SPDX-License-Identifier: Apache-2.0
#include "isa/simd/transfer.h"

#include <gtest/gtest.h>

#include <map>

#include "isa/simd/testing/simd_guest.h"

namespace psim::isa {
namespace {

using namespace bench;

constexpr Word sbmget(Word rs1) { return op3_word(3, 0x38, 0, rs1, imm(0)); }
constexpr Word sbmput(Word rs1) { return op3_word(3, 0x39, 0, rs1, imm(0)); }
constexpr Word sbmsync(int tags) { return op3_word(3, 0x3a, 0, 0, imm(tags)); }
constexpr std::uint64_t kDescriptor = Guest::kData, kBlock = Guest::kData + 8192;

struct Descriptor {
  std::uint64_t memory = kBlock, pe_stride = 64, row_stride = 0;
  std::uint32_t sbm_offset = 0, sbm_pitch = 64, row_bytes = 64, rows = 1, pes = 0xffff, tag = 0;
  void put(GuestMemory& m, std::uint64_t at = kDescriptor) const {
    m.store<std::uint64_t>(at, memory), m.store<std::uint64_t>(at + 8, pe_stride);
    m.store<std::uint64_t>(at + 16, row_stride);
    const std::uint32_t words[] = {sbm_offset, sbm_pitch, row_bytes, rows, pes, tag};
    for (unsigned n = 0; n < 6; ++n) m.store<std::uint32_t>(at + 24 + 4 * n, words[n]);
  }
};

struct TransferGuest : SimdGuest {
  explicit TransferGuest(const std::vector<Word>& code, const Descriptor& descriptor,
                         const SimdConfig& config = {})
      : SimdGuest(code, config) {
    for (std::uint64_t at = 0; at < 8192; at += 8) memory.store<std::uint64_t>(kBlock + at, at);
    descriptor.put(memory);
    state().g(1) = kDescriptor;
  }
  Fault fault() { return environment.faults.empty() ? Fault{} : environment.faults[0]; }
};

TEST(Transfer, AGetFetchesTheRowsOfEachPe) {
  TransferGuest guest(
      {sbmget(g(1)), sbmsync(-1), ta(0)},
      {.pe_stride = 256, .row_stride = 64, .sbm_offset = 128, .sbm_pitch = 32, .row_bytes = 16, .rows = 3});
  guest.run();
  EXPECT_TRUE(guest.environment.faults.empty());
  for (unsigned pe = 0; pe < 16; ++pe)
    for (unsigned row = 0; row < 3; ++row)
      for (unsigned n = 0; n < 16; n += 8)
        EXPECT_EQ(guest.sbm_bits(128 + 32 * row + n, pe), 256 * pe + 64 * row + n);
}

TEST(Transfer, APutTakesOnlyThePesOfItsMask) {
  TransferGuest guest({sbmput(g(1)), ta(0)}, {.row_bytes = 8, .pes = 0x8001});
  for (unsigned pe = 0; pe < 16; ++pe) guest.sbm_bits(0, pe) = 1000 + pe;
  guest.run();
  for (unsigned pe = 0; pe < 16; ++pe) {
    std::uint64_t value = 0;
    guest.memory.load(kBlock + 64 * pe, value);
    EXPECT_EQ(value, pe == 0 || pe == 15 ? 1000 + pe : 64 * pe);
  }
}

TEST(Transfer, AStrideOfZeroFetchesTheSameForAllAndANegativeOneGoesBack) {
  TransferGuest same({sbmget(g(1)), ta(0)}, {.pe_stride = 0, .row_bytes = 8});
  same.run();
  for (unsigned pe = 0; pe < 16; ++pe) EXPECT_EQ(same.sbm_bits(0, pe), 0u);
  TransferGuest back({sbmget(g(1)), ta(0)},
                     {.memory = kBlock + 1024, .pe_stride = ~std::uint64_t{63}, .row_bytes = 8});
  back.run();
  for (unsigned pe = 0; pe < 16; ++pe) EXPECT_EQ(back.sbm_bits(0, pe), 1024 - 64 * pe);
}

TEST(Transfer, EveryWrongFieldIsNamed) {
  using enum DescriptorProblem;
  const std::pair<Descriptor, DescriptorProblem> cases[] = {
      {{.memory = kBlock + 4}, Memory},
      {{.pe_stride = 12}, PeStride},
      {{.row_stride = 1}, RowStride},
      {{.sbm_offset = 4}, SbmOffset},
      {{.sbm_pitch = 70}, SbmPitch},
      {{.row_bytes = 0}, RowBytes},
      {{.row_bytes = 20}, RowBytes},
      {{.rows = 0}, Rows},
      {{.pes = 0}, Mask},
      {{.pes = 0x10000}, Mask},
      {{.tag = 16}, Tag},
      {{.sbm_offset = 65536 - 56}, SbmEnd},
      {{.sbm_pitch = 64, .row_bytes = 64, .rows = 1025}, SbmEnd},
      {{.sbm_pitch = 32, .row_bytes = 64, .rows = 2}, SbmOverlap}};
  for (const auto& [descriptor, problem] : cases) {
    TransferGuest guest({sbmget(g(1)), ta(0)}, descriptor);
    guest.run();
    EXPECT_EQ(guest.fault().kind, FaultKind::Descriptor) << text_of(problem);
    EXPECT_EQ(guest.fault().detail, static_cast<std::uint32_t>(problem)) << text_of(problem);
    EXPECT_EQ(guest.fault().pc, Guest::kText);
  }
}

TEST(Transfer, MemoryThatIsNotThereStopsItBeforeAnythingMoves) {
  // The last PE's row is beyond the four pages of data.
  TransferGuest guest({sbmget(g(1)), ta(0)}, {.pe_stride = 2048, .row_bytes = 8});
  guest.run();
  EXPECT_EQ(guest.fault().kind, FaultKind::NotMapped);
  for (unsigned pe = 1; pe < 12; ++pe) EXPECT_EQ(guest.sbm_bits(0, pe), 0u);
}

TEST(Transfer, AccessToTheDataOfAGetBeforeItsSyncIsARace) {
  const Word load = lddf(4, g(2), imm(8));
  TransferGuest early({sbmget(g(1)), simd_on(), load, ta(0)}, {.tag = 3});
  early.state().g(2) = 0xF000'0000;
  early.run();
  EXPECT_EQ(early.fault().kind, FaultKind::TransferRace);
  EXPECT_EQ(early.fault().detail, 3u);
  EXPECT_EQ(early.fault().pc, Guest::kText + 8);
  TransferGuest other_tag({sbmget(g(1)), sbmsync(1 << 2), simd_on(), load, ta(0)}, {.tag = 3});
  other_tag.state().g(2) = 0xF000'0000;
  other_tag.run();
  EXPECT_EQ(other_tag.fault().kind, FaultKind::TransferRace);
  TransferGuest waited({sbmget(g(1)), sbmsync(1 << 3), simd_on(), load, ta(0)}, {.tag = 3});
  waited.state().g(2) = 0xF000'0000;
  waited.run();
  EXPECT_TRUE(waited.environment.faults.empty());
  EXPECT_EQ(waited.simd().f[2][1], 72u);
  TransferGuest elsewhere({sbmget(g(1)), simd_on(), lddf(4, g(2), imm(64)), ta(0)}, {.tag = 3});
  elsewhere.state().g(2) = 0xF000'0000;
  elsewhere.run();
  EXPECT_TRUE(elsewhere.environment.faults.empty());
}

TEST(Transfer, TheDataOfAPutMayBeReadButNotWritten) {
  TransferGuest reads({sbmput(g(1)), simd_on(), lddf(4, g(2), imm(8)), ta(0)}, {});
  reads.state().g(2) = 0xF000'0000;
  reads.run();
  EXPECT_TRUE(reads.environment.faults.empty());
  TransferGuest writes({sbmput(g(1)), simd_on(), stdf(4, g(2), imm(8)), ta(0)}, {});
  writes.state().g(2) = 0xF000'0000;
  writes.run();
  EXPECT_EQ(writes.fault().kind, FaultKind::TransferRace);
}

/// Returns true if an access at `offset` is a race with a transfer of two rows, 64 bytes apart.
bool races_with_rows(Word access, std::uint64_t offset, bool put = false) {
  TransferGuest guest({put ? sbmput(g(1)) : sbmget(g(1)), simd_on(), access, ta(0)},
                      {.sbm_offset = 128, .sbm_pitch = 64, .row_bytes = 16, .rows = 2});
  guest.state().g(2) = 0xF000'0000 + offset;
  guest.run();
  for (const Fault& fault : guest.environment.faults) EXPECT_EQ(fault.kind, FaultKind::TransferRace);
  return !guest.environment.faults.empty();
}

TEST(Transfer, OnlyTheDoublewordsOfItsRowsAreARace) {
  const Word ldf = op3_word(3, 0x20, 4, g(2), imm(0)), stf = op3_word(3, 0x24, 4, g(2), imm(0));
  const Word wide = op3_word(3, 0x22, 4, g(2), imm(0));  // ldqf
  for (const std::uint64_t offset : {120, 128, 136, 144, 184, 192, 200, 208}) {
    const bool inside = (offset - 128) % 64 < 16 && offset >= 128 && offset < 256;
    EXPECT_EQ(races_with_rows(lddf(4, g(2), imm(0)), offset), inside) << offset;
    EXPECT_EQ(races_with_rows(stdf(4, g(2), imm(0)), offset), inside) << offset;
    for (const unsigned half : {0u, 4u}) {
      EXPECT_EQ(races_with_rows(ldf, offset + half), inside) << offset;
      EXPECT_EQ(races_with_rows(stf, offset + half), inside) << offset;
      EXPECT_EQ(races_with_rows(stf, offset + half, true), inside) << offset;
      EXPECT_EQ(races_with_rows(ldf, offset + half, true), false) << offset;
    }
  }
  for (const std::uint64_t offset : {112, 120, 128, 144, 176, 184, 208}) {
    const bool inside = offset == 120 || offset == 128 || offset == 184;
    EXPECT_EQ(races_with_rows(wide, offset), inside) << offset;
  }
}

TEST(Transfer, SbmIsFreeAfterTheLastTransferThatMovesIt) {
  // Three gets of the same place with tags of their own, which are waited for one by one.
  for (const int tags : {1, 3, 6, 7}) {
    TransferGuest guest({sbmget(g(1)), sbmget(g(3)), sbmget(g(4)), sbmsync(tags & 1), sbmsync(tags & 6),
                         simd_on(), lddf(4, g(2), imm(0)), ta(0)},
                        {}, {.transfer_race = TransferRace::Error});
    Descriptor{.tag = 1}.put(guest.memory, kDescriptor + 64);
    Descriptor{.tag = 2}.put(guest.memory, kDescriptor + 128);
    guest.state().g(2) = 0xF000'0000, guest.state().g(3) = kDescriptor + 64;
    guest.state().g(4) = kDescriptor + 128;
    guest.simd().transfer_race = TransferRace::Ignore;  // of the gets with each other
    guest.executor.run(3);
    guest.simd().transfer_race = TransferRace::Error;
    guest.run();
    EXPECT_EQ(guest.environment.faults.empty(), tags == 7) << tags;
  }
  // The oldest of more than 64 transfers are not watched.
  std::vector<Word> code(65, sbmput(g(1)));
  code[0] = sbmput(g(3));
  code.insert(code.end(), {simd_on(), stdf(4, g(2), imm(0)), stdf(4, g(2), imm(256)), ta(0)});
  TransferGuest guest(code, {.sbm_offset = 256});
  Descriptor{}.put(guest.memory, kDescriptor + 64);
  guest.state().g(2) = 0xF000'0000, guest.state().g(3) = kDescriptor + 64;
  guest.run();
  ASSERT_EQ(guest.environment.faults.size(), 1u);
  EXPECT_EQ(guest.fault().address, 256u);
}

TEST(Transfer, PutsOfOverlappingMemoryLeaveTheDataOfTheLastPe) {
  // Strides of PEs and of rows, and the PE and row whose data are last in each doubleword.
  struct Strides {
    std::int64_t pe, row;
  };
  for (const Strides strides :
       {Strides{8, 64}, {64, 8}, {0, 32}, {16, 0}, {-8, 24}, {32, 128}, {128, 2048}}) {
    constexpr std::uint64_t kMiddle = kBlock + 4096;
    TransferGuest guest({sbmput(g(1)), ta(0)}, {.memory = kMiddle,
                                                .pe_stride = static_cast<std::uint64_t>(strides.pe),
                                                .row_stride = static_cast<std::uint64_t>(strides.row),
                                                .sbm_pitch = 96,
                                                .row_bytes = 72,
                                                .rows = 3,
                                                .pes = 0x2bcd});
    std::map<std::uint64_t, std::uint64_t> expected;
    for (unsigned pe = 0; pe < 16; ++pe)
      for (unsigned row = 0; row < 3; ++row)
        for (unsigned n = 0; n < 9; ++n) {
          const std::uint64_t value = guest.sbm_bits(96 * row + 8 * n, pe) = 10'000 * pe + 100 * row + n;
          if (0x2bcd >> pe & 1)
            expected[kMiddle + static_cast<std::uint64_t>(pe * strides.pe + row * strides.row) + 8 * n] =
                value;
        }
    guest.run();
    EXPECT_TRUE(guest.environment.faults.empty());
    for (const auto& [address, value] : expected) {
      std::uint64_t found = 0;
      guest.memory.load(address, found);
      EXPECT_EQ(found, value) << strides.pe << " " << strides.row << " " << address - kMiddle;
    }
  }
}

TEST(Transfer, ARaceMayBeIgnored) {
  TransferGuest guest({sbmget(g(1)), simd_on(), lddf(4, g(2), imm(8)), ta(0)}, {},
                      {.transfer_race = TransferRace::Ignore});
  guest.state().g(2) = 0xF000'0000;
  guest.run();
  EXPECT_TRUE(guest.environment.faults.empty());
  EXPECT_EQ(guest.simd().f[2][2], 136u);
}

TEST(Transfer, TheRecordLeadsToTheDescriptorAndASyncToItsTags) {
  TransferGuest guest({sbmget(g(1)), sbmput(g(1)), sbmsync(5), ta(0)}, {.tag = 2});
  InstructionRecord get, put, sync;
  ASSERT_EQ(guest.executor.step(get, true), Pull::Record);
  ASSERT_EQ(guest.environment.faults.size(), 0u);
  guest.simd().transfer_race = TransferRace::Ignore;
  ASSERT_EQ(guest.executor.step(put, true), Pull::Record);
  ASSERT_EQ(guest.executor.step(sync, true), Pull::Record);
  EXPECT_FALSE(guest.executor.transfer(get).put);
  EXPECT_EQ(guest.executor.transfer(get).memory, kBlock);
  EXPECT_EQ(guest.executor.transfer(get).tag, 2);
  EXPECT_TRUE(guest.executor.transfer(put).put);
  EXPECT_EQ(get.address, kDescriptor);
  EXPECT_EQ(get.instruction->latency, LatencyClass::BlockTransfer);
  EXPECT_EQ(sync.target, 5u);
}

}  // namespace
}  // namespace psim::isa

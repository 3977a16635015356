// SPDX-License-Identifier: Apache-2.0
#include "isa/spec.h"

#include <array>

#include "isa/fields.h"
#include "isa/table/instructions.h"

namespace psim::isa {
namespace {

using table::kInstructions;

// The first level is the major opcode: op with op2 or op3. The second is the subfield of the word that tells
// apart most rows of that major opcode. Each slot then lists the few rows left, finer rows first.
struct Major {
  std::uint16_t first = 0;  // its slots begin here
  std::uint8_t shift = 0, width = 0;
};
constexpr unsigned kMajors = 8 + 1 + 64 + 64;
constexpr unsigned major_of(std::uint32_t word) {
  switch (word >> 30) {
    case 0:
      return bits(word, 22, 3);
    case 1:
      return 8;
    case 2:
      return 9 + bits(word, 19, 6);
    default:
      return 73 + bits(word, 19, 6);
  }
}
// A word of each major opcode, for matching rows against it.
constexpr std::uint32_t major_word(unsigned major) {
  if (major < 8) return major << 22;
  if (major == 8) return 1u << 30;
  if (major < 73) return 2u << 30 | (major - 9) << 19;
  return 3u << 30 | (major - 73) << 19;
}
constexpr std::uint32_t major_mask(unsigned major) {
  return major < 8 ? 0xc1c00000 : major == 8 ? 0xc0000000 : 0xc1f80000;
}

struct Slot {
  std::uint16_t first = 0;
  std::uint8_t count = 0;
};
// What is compared lies together: a lookup touches one line of this, not the rows themselves.
struct Candidate {
  std::uint32_t mask = 0, value = 0;
  std::uint16_t row = 0;
};
struct Index {
  std::array<Major, kMajors> majors{};
  std::array<Slot, 1800> slots{};
  std::array<Candidate, 1200> candidates{};
  std::size_t slots_used = 0, candidates_used = 0;
};

constexpr bool meets(const Pattern& pattern, std::uint32_t mask, std::uint32_t value) {
  return ((pattern.value ^ value) & pattern.mask & mask) == 0;
}

consteval Index make_index() {
  Index index;
  for (unsigned major = 0; major < kMajors; ++major) {
    std::array<std::uint16_t, kInstructions.size()> mine{};
    std::size_t count = 0;
    for (std::size_t row = 0; row + 1 < kInstructions.size(); ++row) {
      if (meets(kInstructions[row].pattern, major_mask(major), major_word(major))) {
        mine[count++] = static_cast<std::uint16_t>(row);
      }
    }
    Major& entry = index.majors[major];
    entry.first = static_cast<std::uint16_t>(index.slots_used);
    // FPop1, FPop2 and IMPDEP1 have opf in bits 13–5, IMPDEP2 has op5 in 8–5; elsewhere the i bit decides.
    entry.shift = major >= 9 + 0x34 && major <= 9 + 0x37 ? 5 : 13;
    entry.width = major == 9 + 0x37 ? 4 : entry.shift == 5 ? 9 : count > 1 ? 1 : 0;
    for (std::uint32_t key = 0; key < 1u << entry.width; ++key) {
      const std::uint32_t mask = major_mask(major) | ((1u << entry.width) - 1) << entry.shift;
      const std::uint32_t value = major_word(major) | key << entry.shift;
      Slot& slot = index.slots[index.slots_used++];
      slot.first = static_cast<std::uint16_t>(index.candidates_used);
      for (const bool fine : {true, false}) {
        for (std::size_t i = 0; i < count; ++i) {
          const Spec& spec = kInstructions[mine[i]];
          if (((spec.effects & effect::kRefines) != 0) == fine && meets(spec.pattern, mask, value)) {
            index.candidates[index.candidates_used++] = {spec.pattern.mask, spec.pattern.value, mine[i]};
            ++slot.count;
          }
        }
      }
    }
  }
  return index;
}
constexpr Index kIndex = make_index();

}  // namespace

const Spec& decode(std::uint32_t word) {
  const Major& major = kIndex.majors[major_of(word)];
  const Slot& slot = kIndex.slots[major.first + bits(word, major.shift, major.width)];
  for (unsigned i = 0; i < slot.count; ++i) {
    const Candidate& candidate = kIndex.candidates[slot.first + i];
    if ((word & candidate.mask) == candidate.value) return kInstructions[candidate.row];
  }
  return kInstructions.back();
}

std::span<const Spec> instructions() { return kInstructions; }

std::span<const Group> groups() {
  static constexpr auto list = [] {
    // clang-format off
    std::array groups{
        Group{"Integer arithmetic and logic", table::kIntegerRows},
        Group{"Shifts, multiplication, division", table::kShiftMultiplyDivideRows},
        Group{"Conditional moves", table::kConditionalMoveRows},
        Group{"Control transfer", table::kBranchRows},
        Group{"Traps", table::kTrapRows},
        Group{"Register windows", table::kWindowRows},
        Group{"Loads and stores", table::kLoadStoreRows},
        Group{"Loads and stores in alternate spaces", table::kAlternateSpaceRows},
        Group{"Atomics", table::kAtomicRows},
        Group{"Prefetch and ordering", table::kOrderingRows},
        Group{"State registers", table::kStateRows},
        Group{"Floating-point arithmetic", table::kFpArithmeticRows},
        Group{"Floating-point conversions", table::kFpConvertRows},
        Group{"Floating-point compares", table::kFpCompareRows},
        Group{"Floating-point moves", table::kFpMoveRows},
        Group{"VIS 1", table::kVis1Rows},
        Group{"VIS 2", table::kVis2Rows},
        Group{"VIS 3", table::kVis3Rows},
        Group{"SIMD extension", table::kSimdRows},
        Group{"Privileged", table::kPrivilegedRows},
        Group{"Everything else", table::kIllegalRows}};
    // clang-format on
    // The groups are the joined table cut up, so that a row has one address.
    std::size_t at = 0;
    for (Group& group : groups) {
      group.rows = std::span<const Spec>(kInstructions).subspan(at, group.rows.size());
      at += group.rows.size();
    }
    return groups;
  }();
  return list;
}

}  // namespace psim::isa

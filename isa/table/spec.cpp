// SPDX-License-Identifier: Apache-2.0
#include "isa/table/spec.h"

#include <array>
#include <initializer_list>
#include <vector>

#include "isa/table/fields.h"
#include "isa/table/groups.h"

namespace psim::isa {
namespace {

// The first level is the major opcode: op with op2 or op3. The second is the subfield of the word that
// distinguishes most rows of that major opcode. Each slot then lists the few rows left, finer rows first.
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
// Returns a word of each major opcode, for matching rows against it.
constexpr std::uint32_t major_word(unsigned major) {
  if (major < 8) return major << 22;
  if (major == 8) return 1u << 30;
  if (major < 73) return 2u << 30 | (major - 9) << 19;
  return 3u << 30 | (major - 73) << 19;
}
constexpr std::uint32_t major_mask(unsigned major) {
  return major < 8 ? 0xc1c00000 : major == 8 ? 0xc0000000 : 0xc1f80000;
}
/// All rows, and the lookup of a word's row; made when the first word is decoded.
class Table {
 public:
  Table() {
    add("Integer arithmetic and logic", {table::integer_rows()});
    add("Shifts, multiplication, division", {table::shift_multiply_divide_rows()});
    add("Conditional moves", {table::conditional_move_rows()});
    add("Control transfer", {table::branch_rows()});
    add("Traps", {table::trap_rows()});
    add("Register windows", {table::window_rows()});
    add("Loads and stores", {table::load_store_rows()});
    add("Loads and stores in alternate spaces", {table::alternate_space_rows()});
    add("Atomics", {table::atomic_rows()});
    add("Prefetch and ordering", {table::ordering_rows()});
    add("State registers", {table::state_rows()});
    add("Floating-point arithmetic", {table::fp_arithmetic_rows()});
    add("Floating-point conversions", {table::fp_convert_rows()});
    add("Floating-point compares", {table::fp_compare_rows()});
    add("Floating-point moves", {table::fp_move_rows()});
    add("VIS 1", {table::vis1_rows()});
    add("VIS 2", {table::vis2_rows()});
    add("VIS 3", {table::vis3_rows()});
    add("SIMD extension", {table::simd_state_rows(), table::simd_exchange_rows(), table::simd_cross_rows(),
                           table::simd_transfer_rows()});
    add("Privileged", {table::privileged_rows()});
    add("Everything else", {table::illegal_rows()});
    std::size_t first = 0;
    for (Group& group : groups_) {
      group.rows = std::span(rows_).subspan(first, group.rows.size());
      first += group.rows.size();
    }
    std::vector<Candidate> all;  // finer rows first, without the last one, which is that of all other words
    for (const bool fine : {true, false})
      for (std::size_t row = 0; row + 1 < rows_.size(); ++row)
        if (((rows_[row].effects & effect::kRefines) != 0) == fine)
          all.push_back({rows_[row].pattern.mask, rows_[row].pattern.value, static_cast<std::uint16_t>(row)});
    for (unsigned major = 0; major < kMajors; ++major) index(major, all);
  }

  const Spec& row_of(std::uint32_t word) const {
    const Major& major = majors_[major_of(word)];
    const Slot& slot = slots_[major.first + bits(word, major.shift, major.width)];
    for (unsigned i = 0; i < slot.count; ++i) {
      const Candidate& candidate = candidates_[slot.first + i];
      if ((word & candidate.mask) == candidate.value) return rows_[candidate.row];
    }
    return rows_.back();
  }
  std::span<const Spec> rows() const { return rows_; }
  std::span<const Group> groups() const { return groups_; }

 private:
  struct Slot {
    std::uint16_t first = 0;
    std::uint8_t count = 0;
  };
  // Fields that are compared lie together: a lookup touches one line of this, not the rows themselves.
  struct Candidate {
    std::uint32_t mask = 0, value = 0;
    std::uint16_t row = 0;
  };
  /// Returns true if some word with `value` in the bits of `mask` may be of the row.
  static bool meets(const Candidate& row, std::uint32_t mask, std::uint32_t value) {
    return ((row.value ^ value) & row.mask & mask) == 0;
  }

  /// Only the size of the group's span is known until all rows are there.
  void add(std::string_view title, std::initializer_list<std::span<const Spec>> parts) {
    const std::size_t before = rows_.size();
    for (const std::span<const Spec> part : parts) rows_.insert(rows_.end(), part.begin(), part.end());
    groups_.push_back({title, std::span(rows_).subspan(before)});
  }

  /// Makes the slots of a major opcode from all rows, those that are tried first at the beginning.
  void index(unsigned major, std::span<const Candidate> all) {
    std::vector<Candidate> mine;
    for (const Candidate& row : all)
      if (meets(row, major_mask(major), major_word(major))) mine.push_back(row);
    Major& entry = majors_[major];
    entry.first = static_cast<std::uint16_t>(slots_.size());
    // FPop1, FPop2 and IMPDEP1 have opf in bits 13–5, IMPDEP2 has op5 in 8–5; elsewhere the i bit decides.
    entry.shift = major >= 9 + 0x34 && major <= 9 + 0x37 ? 5 : 13;
    entry.width = major == 9 + 0x37 ? 4 : entry.shift == 5 ? 9 : mine.size() > 1 ? 1 : 0;
    const std::uint32_t mask = major_mask(major) | ((1u << entry.width) - 1) << entry.shift;
    for (std::uint32_t key = 0; key < 1u << entry.width; ++key) {
      const std::uint32_t value = major_word(major) | key << entry.shift;
      Slot& slot = slots_.emplace_back();
      slot.first = static_cast<std::uint16_t>(candidates_.size());
      for (const Candidate& row : mine)
        if (meets(row, mask, value)) candidates_.push_back(row), ++slot.count;
    }
  }

  std::vector<Spec> rows_;
  std::vector<Group> groups_;
  std::array<Major, kMajors> majors_{};
  std::vector<Slot> slots_;
  std::vector<Candidate> candidates_;
};
const Table& whole() {
  static const Table kTable;
  return kTable;
}

}  // namespace

const Spec& decode(std::uint32_t word) { return whole().row_of(word); }
std::span<const Spec> instructions() { return whole().rows(); }
std::span<const Group> groups() { return whole().groups(); }

}  // namespace psim::isa

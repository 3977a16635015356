// SPDX-License-Identifier: Apache-2.0
// A profile: for each instruction address, the cycles that the core spent on it, and their causes.
//
// Counted at W, for committed instructions, so instructions of wrong paths have no rows. Every cycle of the
// run is charged to exactly one part of the CPI stack of one address, or of several in equal shares:
//   - a cycle in which n instructions commit: a share of 1/n to each of them, part `base`;
//   - cycles in which nothing commits: to the instruction that commits next, for the core waited for it;
//   - but from a mispredicted branch's commit until the core has been filled again: to that branch;
//   - after the last commit: to the last instruction.
// This is time-proportional attribution (Gottschall, Eeckhout, Jahre: TIP, MICRO 2021), of every cycle
// instead of samples. The sums over all addresses equal the run's cycles, CPI stack, instructions and
// mispredictions. The stores and loads of a window trap count at the save or restore that raised it, and are
// no instructions.
//
// A store misses after it has committed, when it is written to L1. The miss counts at the store, and in the
// inclusive counts of the functions that have not returned by then.
//
// Inclusive counts come from calls and returns as they commit. A call lasts from the first instruction at its
// target up to the instruction at its return address. A jump from one function to the first instruction of
// another is a tail call: both functions last until the other returns. It can only be recognised with
// the functions' addresses (set_functions()). Of nested calls of one function only the outermost counts
// cycles.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "pipeline/cpi_account.h"
#include "pipeline/in_flight.h"

namespace psim::pipeline {

/// Counts of one address, or sums over several.
struct ProfileCounts {
  std::uint64_t cycles = 0;
  std::uint64_t instructions = 0;
  std::uint64_t l1i_misses = 0;        ///< instructions for which fetch missed L1, on the right path
  std::uint64_t l1d_misses = 0;        ///< loads whose line came from L2 or memory
  std::uint64_t l2_misses = 0;         ///< of these, loads whose line came from memory
  std::uint64_t mispredictions = 0;    ///< branches
  std::uint64_t store_l1d_misses = 0;  ///< stores that did not find their line in L1
  std::uint64_t store_l2_misses = 0;   ///< of these, stores whose line came from memory
  ProfileCounts& operator+=(const ProfileCounts& other);
};

struct ProfiledInstruction {
  std::uint64_t pc = 0;
  std::uint32_t word = 0;  ///< 0 if only a window trap was counted here
  ProfileCounts counts;
  CpiAccount::Stack cpi{};  ///< sums to counts.cycles
};

/// Code of one function, [begin, end).
struct FunctionRange {
  std::uint64_t begin = 0, end = 0;
  bool contains(std::uint64_t pc) const { return begin <= pc && pc < end; }
};

/// All calls from one address to one function, tail calls included.
struct ProfiledCall {
  std::uint64_t caller = 0;  ///< pc of the call
  std::uint64_t callee = 0;  ///< its target
  std::uint64_t calls = 0;
  ProfileCounts inclusive;  ///< from entry to return; of nested calls, the outermost
};

/// A target of calls.
struct ProfiledFunction {
  std::uint64_t entry = 0;
  std::uint64_t calls = 0;
  ProfileCounts inclusive;  ///< likewise
};

class Profile {
 public:
  Profile();
  /// Gives the functions of the program, ascending and disjoint, so that tail calls can be recognised.
  void set_functions(std::vector<FunctionRange> functions) { ranges_ = std::move(functions); }

  // From the commit unit.
  /// Records that nothing commits for `cycles`, because of `part`. `refilling`: the commit stack is empty, or
  /// its oldest instruction has not yet had the time to pass the stages since then.
  void waited(CpiPart part, std::uint64_t cycles, bool refilling) {
    if (part == CpiPart::Branch && refilling && mispredicted_ != nullptr) return after_branch(cycles);
    waiting_[static_cast<std::size_t>(part)] += cycles;
    waited_ |= bit(part);
  }
  /// Does the same for a load that missed; its level is known when it commits.
  void waited_for_line(std::uint64_t cycles) { missing_ += cycles, waited_ |= kLine; }
  /// Records that `count` > 0 instructions from `first` on commit in one cycle. `special` has bit i set if
  /// the instruction first + i is a branch, or a load whose line came from below L1.
  [[gnu::hot]] void committed(const InFlightRing& window, Sequence first, std::uint32_t count,
                              std::uint32_t special);

  // From the load/store unit.
  /// Records that a committed store has missed L1, and L2 if `from_memory`.
  void store_missed(std::uint64_t pc, bool from_memory);

  // When the run has ended.
  /// Charges the cycles after the last commit, and ends the open calls. Call it before the functions below.
  void finish();
  /// Returns the instructions by address. Shares of cycles are rounded to whole cycles that sum to the run's.
  std::vector<ProfiledInstruction> instructions() const;
  /// Returns the calls by caller, then by callee.
  std::vector<ProfiledCall> calls() const;
  /// Returns the functions by entry.
  std::vector<ProfiledFunction> functions() const;

 private:
  static constexpr std::size_t kMostCommitted = 16;  // per cycle: the largest commit width
  /// Shares of a cycle: 1/n is whole for n up to kMostCommitted.
  static constexpr std::uint64_t kShares = 720720;
  static constexpr unsigned kPageBits = 10;
  static constexpr std::size_t kPageInstructions = (std::size_t{1} << kPageBits) / 4;
  static constexpr std::size_t kSlots = 512;
  static constexpr std::size_t kMostFrames = 1 << 16;
  static constexpr std::size_t kSearchedFrames = 64;
  static constexpr std::uint32_t kLine = std::uint32_t{1} << 31;  // in waited_: missing_ is not 0
  static_assert(kCpiParts < 31);
  static constexpr std::uint32_t bit(CpiPart part) { return std::uint32_t{1} << static_cast<unsigned>(part); }
  static constexpr std::uint64_t kNoAddress = 1;  // no instruction has it

  struct alignas(64) Row {
    std::uint64_t instructions = 0, l1i_misses = 0, l1d_misses = 0, l2_misses = 0, mispredictions = 0;
    std::uint32_t word = 0;        // of the first execution
    std::uint32_t first_call = 0;  // in calls_; 0: none
    CpiAccount::Stack cpi{};       // `base` in shares of a cycle
  };
  /// Kept apart from Row, so that a row stays within three cache lines of the host.
  struct StoreMisses {
    std::uint64_t l1d = 0, l2 = 0;
  };
  struct Page {
    std::array<Row, kPageInstructions> rows;
    std::array<StoreMisses, kPageInstructions> stores;
  };
  struct Slot {
    std::uint64_t number = ~std::uint64_t{0};
    Page* page = nullptr;
    bool contains(std::uint64_t pc) const { return pc >> kPageBits == number; }
  };
  /// Running sums; cycles in shares.
  struct Sums {
    std::uint64_t shares = 0, instructions = 0, l1i_misses = 0, l1d_misses = 0, l2_misses = 0,
                  mispredictions = 0, store_l1d_misses = 0, store_l2_misses = 0;
    void add_difference(const Sums& from, const Sums& to);
    ProfileCounts counts() const;
  };
  struct Callee {
    std::uint64_t entry = 0, calls = 0;
    std::uint32_t open = 0;
    Sums inclusive;
  };
  struct Call {
    std::uint64_t site = 0;
    std::uint32_t callee = 0, next = 0;  // next call of the same site; 0: none
    std::uint32_t open = 0;
    std::uint64_t calls = 0;
    Sums inclusive;
  };
  struct Frame {
    std::uint64_t returns_to;
    std::uint32_t call;
    bool tail;  ///< entered by a tail call: ends the frame below, too
    Sums start;
  };

  Page& page_of(std::uint64_t pc) {
    if (!here_page_.contains(pc)) {
      Slot& slot = slots_[(pc >> kPageBits) % kSlots];
      if (!slot.contains(pc)) [[unlikely]]
        find_page(slot, pc >> kPageBits);
      here_page_ = slot;
    }
    return *here_page_.page;
  }
  Row& row_of(std::uint64_t pc) { return page_of(pc).rows[(pc >> 2) % kPageInstructions]; }
  void find_page(Slot& slot, std::uint64_t number);
  void after_branch(std::uint64_t cycles);
  [[gnu::hot]] void settle(Row& row, Level level);
  void count_rare(Row& row, const InFlight& e);
  /// Returns whether the instruction is for count_rare().
  bool is_rare(const InFlight& e) const {
    return e.level != Level::L1 || e.mispredicted || e.fetch_missed || may_change_function(e);
  }
  bool may_change_function(const InFlight& e) const {
    const isa::BranchKind branch = e.record.instruction->branch;
    if (branch == isa::BranchKind::None) return false;
    if (branch == isa::BranchKind::Call || branch == isa::BranchKind::Return) return true;
    return e.record.taken && !(here_.contains(e.record.pc) && here_.contains(e.record.target));
  }
  void arrive(std::uint64_t pc);
  bool tail_call(std::uint64_t from, std::uint64_t to);
  void enter(std::uint64_t entry);
  void close(const Frame& frame);
  std::uint32_t call_of(std::uint64_t site, std::uint64_t entry);

  std::map<std::uint64_t, std::unique_ptr<Page>> pages_;  // by pc >> kPageBits
  std::vector<Slot> slots_;                               // the pages used last
  Slot here_page_;                                        // the one used last
  CpiAccount::Stack waiting_{};                           // cycles for the next instruction
  std::uint64_t missing_ = 0;
  std::uint32_t waited_ = 0;     // bits of the parts that have any, and kLine
  Row* mispredicted_ = nullptr;  // the last branch committed that was mispredicted
  Row* last_ = nullptr;          // the last instruction committed

  Sums sums_;
  std::uint64_t arrives_at_ = kNoAddress;  // the target of the call or return committed last
  bool calling_ = false, tail_ = false;
  std::uint64_t call_site_ = 0, returns_to_ = 0;
  std::vector<Call> calls_;  // from 1
  std::vector<Callee> callees_;
  std::map<std::uint64_t, std::uint32_t> callee_at_;  // by entry
  std::vector<Frame> frames_;
  std::vector<FunctionRange> ranges_;
  FunctionRange here_;  // the range of the latest jump
};

}  // namespace psim::pipeline

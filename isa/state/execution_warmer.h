// SPDX-License-Identifier: Apache-2.0
// Keeps the caches, TLBs and branch predictors of a timing model warm while blocks run, without time. Blocks
// that are built with a warmer check each memory access, each new line of instructions and each branch
// against the tables here, and call the warmer only if its state may change in another way.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "isa/state/cpu_state.h"
#include "isa/state/instruction_source.h"
#include "isa/state/return_stack.h"
#include "isa/table/static_instruction.h"

namespace psim::isa {

/// An entry of a branch history, whose algorithm is that of pipeline/branch_history.h.
struct HistoryEntry {
  std::uint64_t pc, target;
  std::uint64_t used;  ///< grows with each update that uses an entry; 0: the entry is empty
  std::uint8_t counter;
  BranchKind kind;
};

/// A branch in a block. Calls, returns and indirect jumps have no target here.
struct BranchSite {
  /// That of the branch, with its target, if its pc is that of the site; never null once built.
  HistoryEntry* entry = nullptr;
  /// The history did not hold the branch when this number of branches had entered it.
  std::uint64_t absent_after = ~std::uint64_t{0};
  std::uint64_t pc = 0, target = 0;
  BranchKind kind = BranchKind::None;
  bool executed = false;  ///< since the block was built
};

class ExecutionWarmer {
 public:
  virtual ~ExecutionWarmer() = default;

  /// The line used last in each set of a cache, or in groups of its sets: an access to it changes nothing.
  struct RecentLines {
    static constexpr std::uint64_t kMost = 1024;
    std::uint64_t mask = 0;                      ///< number of entries in use - 1
    unsigned shift = 6;                          ///< of the line size
    std::array<std::uint64_t, kMost> entries{};  ///< 2 × line, + 1 if it is dirty
    std::uint64_t& of(std::uint64_t line) { return entries[line & mask]; }
    void forget() { entries.fill(~std::uint64_t{0}); }
  };
  RecentLines data, code;

  /// Counts of the work that may cost time. A block adds that of its instructions when it begins.
  struct Counts {
    /// Three counts in one word, which is added at once: the fields must be taken before 2^kFieldBits
    /// instructions have run.
    using Packed = std::uint64_t;
    static constexpr unsigned kFieldBits = 21;
    static constexpr Packed pack(std::uint64_t first, std::uint64_t second, std::uint64_t third) {
      return first | second << kFieldBits | third << 2 * kFieldBits;
    }
    static std::uint64_t field(Packed packed, unsigned n) {
      return packed >> n * kFieldBits & ((1u << kFieldBits) - 1);
    }
    /// Returns the counts of one instruction in `accesses` and in `operations`.
    static Packed accesses_of(const StaticInstruction& instruction) {
      return pack(instruction.load, instruction.store, instruction.branch != BranchKind::None);
    }
    static constexpr Packed operations_of(LatencyClass latency) {
      switch (latency) {
        case LatencyClass::IntDivide:
        case LatencyClass::FpDivideSingle:
        case LatencyClass::FpDivideDouble:
        case LatencyClass::FpSqrtSingle:
        case LatencyClass::FpSqrtDouble:
        case LatencyClass::FpQuad:
          return pack(1, 0, 0);
        case LatencyClass::IntMultiply:
          return pack(0, 1, 0);
        case LatencyClass::FpAdd:
        case LatencyClass::FpMultiply:
        case LatencyClass::FpMultiplyAdd:
          return pack(0, 0, 1);
        default:
          return 0;
      }
    }
    static Packed operations_of(const StaticInstruction& instruction) {
      static constexpr auto kOperations = [] {
        std::array<Packed, kLatencyClasses> all{};
        for (std::size_t n = 0; n < all.size(); ++n) all[n] = operations_of(static_cast<LatencyClass>(n));
        return all;
      }();
      return kOperations[static_cast<std::size_t>(instruction.latency)];
    }

    Packed accesses = 0;      ///< loads, stores, branches
    Packed operations = 0;    ///< divisions and roots, integer multiplications, floating-point operations
    std::uint64_t taken = 0;  ///< branches
    std::uint64_t mispredicted = 0;  ///< branches whose entry of the history predicted another way
  };
  Counts counts;
  /// Registers that a spill stores, or a fill loads.
  static constexpr std::uint64_t kWindowRegisters = 16;

  /// Warms an access that `data` does not cover. `bytes` may cross lines.
  virtual void access(std::uint64_t address, unsigned bytes, bool write) = 0;
  /// Warms and counts the accesses of a spill or a fill.
  void window_trap(std::uint64_t address, unsigned bytes, bool spills) {
    counts.accesses += spills ? Counts::pack(0, kWindowRegisters, 0) : Counts::pack(kWindowRegisters, 0, 0);
    access(address, bytes, spills);
  }
  /// Warms the fetch of a line that `code` does not cover.
  virtual void fetch(std::uint64_t address) = 0;

  /// Receives the first instruction of each line of a block that is being built.
  virtual void built(std::uint64_t pc) = 0;

  // Branches whose entry is known are updated by the blocks. The number of an update is that of its
  // instruction, counted from 1.
  static constexpr std::uint32_t kSites = 256;  ///< in a row
  std::vector<std::unique_ptr<BranchSite[]>> rows;
  BranchSite& site(std::uint32_t number) { return rows[number / kSites][number % kSites]; }
  const std::uint64_t* entered = nullptr;  ///< branches that have entered the history
  std::uint8_t counter_max = 3;            ///< of HistoryEntry::counter
  ReturnStack* returns = nullptr;
  /// Returns the number of the site of the branch at `pc`.
  virtual std::uint32_t add_site(std::uint64_t pc, BranchKind kind, std::uint64_t target) = 0;
  /// Warms a branch whose entry the site does not have. `retired`: instructions before it.
  virtual void branch(BranchSite& site, bool taken, std::uint64_t retired) = 0;
  /// Warms a call, a return or an indirect jump.
  virtual void jump(BranchSite& site, std::uint64_t target, std::uint64_t retired) = 0;

  /// True if run() returns before a block transfer between memory and SBM, or a wait for one, so that the
  /// caller can execute it in another way. Set it before blocks are built.
  bool pauses_at_transfers = false;
  /// Set by add_site() or built() if run() shall return before the block that is being built.
  bool pauses_here = false;
  /// Set by access() or fetch() if run() shall return after the block that runs.
  bool pauses_after = false;
  /// Instructions run as single steps until this number have retired in all.
  std::uint64_t steps_until = 0;
  /// Receives an instruction that ran as a single step, region markers among them; `state` is that after it.
  /// A window trap before it is received first, as its first record, which stands for its whole save area.
  virtual void step(const InstructionRecord& record, const CpuState& state) = 0;

  /// Updates the history for `site`. Returns false, without effect, if branch() must do it.
  [[gnu::always_inline]] bool met(BranchSite& site, bool taken, std::uint64_t retired) {
    HistoryEntry& entry = *site.entry;
    if (entry.pc != site.pc) [[unlikely]]
      return !taken && site.absent_after == *entered;
    entry.used = retired + 1;
    counts.taken += taken;
    counts.mispredicted += taken != (entry.counter > counter_max / 2);
    // A counter that stays is not written: the next update would wait for it.
    if (entry.counter != (taken ? counter_max : 0)) entry.counter += taken ? 1 : -1;
    return true;
  }
  /// Does the same for a call, a return or an indirect jump that the history predicts taken. Returns false if
  /// jump() must do it.
  [[gnu::always_inline]] bool met_jump(BranchSite& site, std::uint64_t target, std::uint64_t retired) {
    HistoryEntry& entry = *site.entry;
    if (entry.pc != site.pc || entry.counter != counter_max) [[unlikely]]
      return false;
    if (entry.kind == BranchKind::Return) returns->pop();
    if (entry.kind == BranchKind::Call) returns->push(entry.pc + 8);
    ++counts.taken;
    counts.mispredicted += site.kind != BranchKind::Return && entry.target != target;
    entry.target = target;
    entry.used = retired + 1;
    return true;
  }
};

}  // namespace psim::isa

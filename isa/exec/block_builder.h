// SPDX-License-Identifier: Apache-2.0
// Builds a block from instruction words: selects the instructions, places delay slots and fuses pairs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/exec/block.h"
#include "isa/exec/branches.h"
#include "isa/exec/execution_recorder.h"
#include "isa/memory/guest_memory.h"
#include "isa/state/decoded.h"
#include "isa/state/execution_warmer.h"
#include "isa/table/analysed_words.h"

namespace psim::isa {

/// Longest block, so that a limit on instructions is noticed early.
inline constexpr unsigned kBlockInstructions = 64;

/// A block without a memory location yet. `slots` are actions. If the block has exits, they belong at
/// `exits_slot` (three slots are left there), leading to `exit_pc`.
struct BlockPlan {
  std::uint64_t pc = 0;
  std::uint32_t instructions = 0;
  std::uint16_t jump_delay = kNoJump;
  std::vector<Action> slots;
  std::optional<unsigned> exits_slot;
  std::uint64_t exit_pc[2] = {};
  std::vector<unsigned> gos;  ///< slots of go_handler actions, whose imm is to point to the Exits
};

class BlockBuilder {
 public:
  /// Builds blocks of scalar or of SIMD state; `bindings` are those of the state.
  BlockBuilder(const GuestMemory& memory, const Bindings& bindings, AnalysedWords& words, bool simd)
      : memory_{memory}, bindings_{bindings}, words_{words}, simd_{simd} {}

  /// Plans the block at `pc`; returns false if no executable word is there. The plan's storage is reused.
  bool build(std::uint64_t pc, BlockPlan& plan);
  /// Blocks built from now on report their actions to `recorder`; null: no reports.
  void set_recorder(ExecutionRecorder* recorder) { recorder_ = recorder; }
  /// Blocks built from now on begin with this action, unless they report; none by default.
  void set_entry(const std::optional<Action>& entry) { entry_ = entry; }
  /// Blocks built from now on keep `warmer` warm; null: none.
  void set_warmer(ExecutionWarmer* warmer) { warmer_ = warmer; }

 private:
  std::optional<Decoded> fetch(std::uint64_t pc) const;
  Action& add(const Action& action);
  void add_instruction(const Decoded& d, unsigned order);
  bool records() const { return recorder_ != nullptr && recorder_->recording(); }
  const StaticInstruction& analysed(std::uint32_t word) const { return *words_.at(word, simd_); }
  void begin_count();
  void count(std::uint32_t word);
  void add_warming(const Decoded& d);
  void add_fetch(std::uint64_t pc);
  void add_warming_jump(std::uint64_t pc, BranchKind kind);
  bool alone(std::uint32_t word) const;
  bool transfers(std::uint32_t word) const;
  void add_exits(std::uint64_t fall_through, std::uint64_t target);
  void add_go(unsigned side, unsigned retired);
  void end_alone();
  void transfer(const Decoded& d);
  void conditional(const Decoded& d, const Decoded& delay, std::uint64_t target, bool annul);
  void add_branch(Action branch, const Condition& condition, std::uint16_t retired, std::uint32_t site);
  bool fuse_compare(const Decoded& d, const Decoded& delay);

  const GuestMemory& memory_;
  const Bindings& bindings_;
  AnalysedWords& words_;
  const bool simd_;
  std::optional<Action> entry_;
  ExecutionRecorder* recorder_ = nullptr;
  ExecutionWarmer* warmer_ = nullptr;
  std::size_t counting_ = 0;     // the first of the two slots of warming_counts()
  std::uint64_t code_line_ = 0;  // that the block has fetched, for the warmer
  BlockPlan* plan_ = nullptr;
  std::optional<Decoded> last_;  // the straight instruction just added, if any
  std::optional<CcKind> cc_;     // how CCR was last set in this block, if it was
};

}  // namespace psim::isa

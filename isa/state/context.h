// SPDX-License-Identifier: Apache-2.0
// The data that a running handler can reach: the architectural state, and the executor's own.
#pragma once

#include <array>
#include <cstdint>

#include "isa/memory/guest_memory.h"
#include "isa/state/cpu_state.h"
#include "isa/state/handler.h"
#include "isa/state/simd_state.h"
#include "isa/state/write_monitor.h"

namespace psim::isa {

/// The reason for leaving a block.
enum class Exit : std::uint8_t {
  Next,     ///< Context::exit_action is the block or the stub to go on with (limit reached, or no block yet)
  Jump,     ///< to Context::target, whose block is not in the jump cache
  Trouble,  ///< exit_action failed: Context::fault says why
  Alone,    ///< exit_action must run by itself, with pc and npc exact (Executor's single-step path)
  Hot,      ///< the block of exit_action, its first action, has run often enough to be translated
  Done,     ///< the one action of a single step is done
};

class CodeLines;
class ExecutionRecorder;
class ExecutionWarmer;

struct JumpCacheEntry {
  std::uint64_t pc = ~std::uint64_t{0};
  const Action* block = nullptr;
};
inline constexpr std::size_t kJumpCacheEntries = 2048;

struct Context : CpuState {
  std::uint64_t limit = 0;   ///< blocks are left when `instructions` reaches this
  std::uint64_t target = 0;  ///< of the indirect jump whose delay slot runs
  bool taken = false;        ///< decision of the branch whose delay slot runs
  bool alone = false;        ///< in the single-step path: no handler may request to run alone
  Exit exit = Exit::Next;
  const Action* exit_action = nullptr;
  Fault fault{};
  GuestMemory* memory = nullptr;
  const CodeLines* code_lines = nullptr;
  Environment* environment = nullptr;
  ExecutionRecorder* recorder = nullptr;  ///< null unless blocks report their actions
  std::uint8_t* outcomes = nullptr;       ///< ExecutionRecorder::outcomes
  ExecutionWarmer* warmer = nullptr;      ///< null unless blocks keep a timing model warm
  SimdState simd;
  WriteMonitor monitor;
  std::array<std::array<JumpCacheEntry, kJumpCacheEntries>, 2> jump_cache{};  ///< of scalar and of SIMD state

  JumpCacheEntry& jump_entry(std::uint64_t pc, bool simd_state) {
    return jump_cache[simd_state][pc / 4 % kJumpCacheEntries];
  }
};

/// Leaves the block so that this instruction is done by the single-step path.
inline const Action* do_alone(Context* c, const Action* a) {
  c->exit = Exit::Alone, c->exit_action = a;
  return nullptr;
}

}  // namespace psim::isa

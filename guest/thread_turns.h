// SPDX-License-Identifier: Apache-2.0
// Models: the order in which the threads of a functional run execute.
//
// An instruction takes one cycle of its core. On one core the threads execute in the turns of
// guest/threads.h. Several cores advance together, in windows of kWindow cycles: in each window the cores
// execute one after the other, in the order of their numbers. So a thread sees what a thread of another core
// has written at most one window early or late, and every run is the same.
#pragma once

#include <cstdint>

#include "guest/threads.h"

namespace psim::isa {

class ThreadTurns {
 public:
  static constexpr std::uint64_t kWindow =
      4096;  ///< cycles; a thread that spins until another core acts wastes at most these

  explicit ThreadTurns(Threads& threads) : threads_(threads) {}

  struct Turn {
    Thread* thread = nullptr;  ///< executes next; null: none can execute before `until`
    std::uint64_t from = 0;    ///< cycle of its core
    std::uint64_t until = 0;   ///< the turn ends here; without a thread Threads::kNever: none by itself
  };
  /// Returns the turn that follows. `now`: the cycle that the thread of the last turn has reached, or the
  /// present after a turn without a thread.
  Turn next(std::uint64_t now);

 private:
  void open_window(std::uint64_t begin);

  Threads& threads_;
  std::uint32_t core_ = 0;                 ///< executes
  std::uint64_t begin_ = 0, end_ = 0;      ///< of the window
  std::uint64_t retry_ = Threads::kNever;  ///< the first cycle in which an idle core has a thread
  bool idle_ = true;                       ///< no core has executed in this window
  bool waits_ = true;                      ///< the next window begins at the present
};

}  // namespace psim::isa

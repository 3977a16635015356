// SPDX-License-Identifier: Apache-2.0
// Proves that a program waits in a loop: that its code, carried out with what is in memory now, comes back to
// where it was with nothing changed, so that it goes on like that until something else changes memory. As
// simulators of whole machines recognise idle loops.
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <span>
#include <vector>

#include "netsim/message/host.h"
#include "ranks/spin/interpreter.h"

namespace psim::net::spin {

/// Returns true if a program that made `call`, returns from it with MPI_SUCCESS and finds memory as it is now
/// makes the same call again, and nothing has changed by then. `work` holds the words of memory on which that
/// rests. Called within the call, once its results are in memory.
bool comes_back(const PollCall& call, Interpreter& work);

/// Sets `work` to the state in which a signal interrupted the program.
void take(const mcontext_t& state, Interpreter& work);
/// Returns true if code that was interrupted in the state of `work` never leaves its loop, whatever it
/// counts meanwhile, unless memory changes that watched() gives. For handlers of signals.
bool repeats(Interpreter& work);
/// What the loop depends on, after repeats(), in memory that lasts until the next call.
std::span<const WatchedWord> watched(const Interpreter& work);

/// The polls that one rank makes in turn, and whether the program does nothing else between them.
class PollLoop {
 public:
  /// Of each poll that found nothing. Returns true if the program is proved to repeat it until there is news
  /// for the rank.
  bool repeats(const PollCall& call);
  /// What the proof rests on.
  std::span<const WatchedWord> words() const { return words_; }

 private:
  static constexpr std::uint32_t kFirst = 3;

  PollCall call_;
  std::uint32_t same_ = 0;       ///< in turn
  std::uint32_t next_ = kFirst;  ///< when the next proof is tried; later after each that failed
  bool proved_ = false;
  std::vector<WatchedWord> words_;  ///< the proof holds while these are in memory as they were
};

}  // namespace psim::net::spin

// SPDX-License-Identifier: Apache-2.0
// Proof that a program waits in a loop. Its code, executed with the current contents of memory, returns to
// its start with nothing changed, so it repeats until something else changes memory. Simulators of whole
// machines recognise idle loops likewise.
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "netsim/message/host.h"
#include "ranks/spin/interpreter.h"

namespace psim::net::spin {

/// Returns true if a program that made `call`, returns from it with MPI_SUCCESS and finds memory as it is now
/// makes the same call again, with nothing changed by then. `work` holds the words of memory that the proof
/// depends on. Executes up to `steps` instructions and sets it to their number. To be called within the call,
/// after its results are in memory.
bool repeats_call(const PollCall& call, Interpreter& work, std::uint32_t& steps);

/// Sets `work` to the state in which a signal interrupted the program.
void take(const mcontext_t& state, Interpreter& work);
/// Returns true if code that was interrupted in the state of `work` never leaves its loop, whatever it
/// counts, unless memory in watched() changes. May be called in signal handlers.
bool repeats(Interpreter& work);
/// Returns the words that the loop depends on, after repeats(); valid until the next call.
std::span<const WatchedWord> watched(const Interpreter& work);

/// Returns true if none of the words has changed in the memory of the running rank.
bool unchanged(std::span<const WatchedWord> words);

/// Consecutive polls of one rank, and whether the program does nothing else between them.
class alignas(64) PollLoop {
 public:
  /// To be called for each poll that found nothing, at `now`; the next one in a loop follows `cost` later.
  /// Returns true if the program is proved to repeat it until an event of the rank.
  bool repeats(const PollCall& call, std::uint64_t now, std::uint64_t cost);
  /// Returns the words that the proof depends on, after repeats() has returned true.
  std::span<const WatchedWord> words() const { return proof_->words; }

 private:
  static constexpr std::uint32_t kFirst = 3, kLatestFirst = 48, kLatestOfShort = 4'096;
  static constexpr std::int64_t kMostBalance = 1 << 16;

  struct Proof {
    PollCall call;
    std::vector<WatchedWord> words;  ///< it holds while these words are unchanged
  };

  // Each poll reads these members, which are in one line of the host's caches.
  std::uint64_t call_ = 0;        ///< digest of the latest call
  std::uint64_t due_ = 0;         ///< time of the next poll if the program does nothing else
  std::uint64_t proved_at_ = 0;   ///< time of the poll that the latest proof let pass
  std::int64_t balance_ = 0;      ///< steps that proofs have saved, minus the steps of attempts
  std::uint32_t same_ = 0;        ///< consecutive equal polls, each due when it came
  std::uint32_t next_ = kFirst;   ///< poll of the next attempt at a proof, delayed after each failure
  std::uint32_t first_ = kFirst;  ///< poll of the first attempt, by the length of the latest one
  bool proved_ = false;
  std::unique_ptr<Proof> proof_;
};

}  // namespace psim::net::spin

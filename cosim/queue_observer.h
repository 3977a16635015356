// SPDX-License-Identifier: Apache-2.0
// An observer of the program of one rank on its way into its cores, present if messages are traced. It finds
// the stores to the doorbell of the queues, and the first load that sees a completion entry, each with the
// cycle in which it commits. A run without traced messages has no such object.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cosim/message_timeline.h"
#include "guest/process.h"
#include "isa/state/instruction_source.h"
#include "pipeline/observer.h"

namespace psim::cosim {

/// A call of the MPI library by the program.
struct LibraryCall {
  std::string function = {};                ///< empty: none
  std::vector<std::uint64_t> callers = {};  ///< addresses of the calls that led to it, innermost first
};

/// Returns the number of a message among those of all ranks: that of the message at its rank. Never 0.
constexpr unsigned kRankShift = 40;
constexpr std::uint64_t message_id(std::uint32_t rank, std::uint64_t number) {
  return std::uint64_t{rank} << kRankShift | (number + 1);
}

/// An instruction that has committed.
struct CommittedAt {
  std::uint64_t cycle = 0;  ///< W; 0: not yet
  std::uint64_t pc = 0;
  LibraryCall call = {};  ///< in which the program is
};

/// The store that hands over a descriptor.
struct Submitted {
  CommittedAt rang;
  std::uint64_t arrived = 0;  ///< ps; the doorbell is in the interface
};

class QueueObserver {
 public:
  /// Receives the load that sees a completion entry of `message`, of the step Completed or Done.
  class Listener {
   public:
    virtual void seen(std::uint64_t message, MessageStep completed, const CommittedAt& load) = 0;
    /// Receives the cycle in which core `core` of the rank fetches the store that rings for `message`, or the
    /// load that sees it.
    virtual void fetched(std::uint64_t message, std::uint32_t rank, std::uint32_t core,
                         std::uint64_t cycle) = 0;

   protected:
    ~Listener() = default;
  };
  QueueObserver(std::uint32_t rank, isa::Process& process, Listener& listener);
  ~QueueObserver();

  /// Part of the way to one core: between its source and the core, which it observes.
  class OfCore;
  /// Makes that of the next core, whose source is `program`.
  OfCore& add_core(isa::InstructionSource& program);

  /// Call when the doorbell of the descriptors before `tail` is in the interface.
  void doorbell_arrived(std::uint64_t tail, std::uint64_t ps);
  /// Returns the store of a descriptor that the interface begins with, in order of their numbers.
  std::optional<Submitted> take(std::uint64_t number);
  /// Call when the completion entry at `address` has just been written.
  void watch(std::uint64_t address, std::uint64_t message, MessageStep completed) {
    watched_.push_back({address, message, completed});
  }

 private:
  struct Rung {
    std::uint64_t number;  ///< of the descriptor
    const OfCore* core;
    std::uint64_t record;  ///< of the store, among those of the core
    Submitted submitted;
  };
  struct Watched {
    std::uint64_t address, message;
    MessageStep completed;
  };

  const std::uint32_t rank_;
  isa::Process& process_;
  Listener& listener_;
  std::vector<std::unique_ptr<OfCore>> cores_;
  std::uint32_t depth_ = 0;  ///< of calls of the MPI library, which one thread at a time uses
  LibraryCall call_;         ///< the outermost
  std::uint64_t tail_ = 0;   ///< descriptors whose doorbell was executed
  std::deque<Rung> rung_;
  std::vector<Watched> watched_;
};

class QueueObserver::OfCore final : public isa::SourceBefore, public pipeline::CoreObserver {
 public:
  OfCore(QueueObserver& observer, std::uint32_t core, isa::InstructionSource& program)
      : SourceBefore(program), observer_(observer), core_(core) {}

  // InstructionSource
  isa::Pull next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) override;
  std::uint32_t next_straight(std::uint64_t cycle, std::uint64_t pc, std::uint64_t block_bytes,
                              std::uint32_t count, isa::RecordSlots out) override;
  // CoreObserver
  void on_leave(const pipeline::InstructionTimeline& timeline) override;

 private:
  struct Seen {
    std::uint64_t record;
    Watched entry;
    CommittedAt at;
  };
  void follow_calls(const isa::InstructionRecord& out);
  void rang(std::uint64_t record, const isa::InstructionRecord& out, std::uint64_t cycle);
  void loaded(std::uint64_t record, const isa::InstructionRecord& out, std::uint64_t cycle);

  QueueObserver& observer_;
  const std::uint32_t core_;  ///< of the rank
  std::uint64_t records_ = 0;
  std::deque<std::uint64_t> doorbells_;  ///< records of stores that have not committed
  std::deque<Seen> seen_;                ///< loads that have not committed
};

}  // namespace psim::cosim

// SPDX-License-Identifier: Apache-2.0
// The critical path of ranks, recorded while they run. It leads from the start of a job to the end of its
// last rank, without gaps: through a rank's own time, and from a wait over the message that ended it to the
// message's sender. Each rank has the chain of steps that led to its present; a message takes its sender's
// chain along. Chains that no rank and no message needs any more are freed, so that memory grows with the
// chains that may still become critical.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace psim::net {

class CriticalPath {
 public:
  enum class Kind : std::uint8_t {
    Start,       ///< before the job
    Compute,     ///< in a region, or outside of all
    Send,        ///< processor time for messages sent
    Receive,     ///< processor time for messages received
    Calls,       ///< other processor time in calls: clocks, files, remote memory
    Poll,        ///< tests and probes that found nothing
    Jitter,      ///< the operating system had the processor
    Message,     ///< a message between nodes
    Departure,   ///< a message between nodes until it has left its sender
    Inside,      ///< a message inside a node
    Collective,  ///< a network, or a table of times, of collectives
    Timer        ///< a time of the library: overheads of messages in collectives, accesses to files
  };
  struct Step {
    std::uint64_t begin = 0, end = 0;  ///< ps
    /// Parts of the time of a message: of its head and of its bytes in an empty network. The rest is waiting
    /// for other messages.
    std::uint64_t latency = 0, bandwidth = 0;
    std::uint64_t bytes = 0;   ///< of a message
    std::uint32_t rank = 0;    ///< of a message: the sender
    std::uint32_t other = 0;   ///< of a message: the receiver
    std::uint32_t region = 0;  ///< of computing: the number of its region plus 1; 0: outside
    Kind kind = Kind::Start;
  };
  /// A step and all before it; 0: none.
  using Chain = std::uint32_t;

  explicit CriticalPath(std::uint32_t ranks) : heads_(ranks), wakes_(ranks), news_(ranks) {}
  CriticalPath(const CriticalPath&) = delete;
  CriticalPath& operator=(const CriticalPath&) = delete;

  // A rank's own time. `now` ascends for each rank.

  /// The rank's job arrives at `time`.
  void begin(std::uint32_t rank, std::uint64_t time);
  /// The rank has spent the time up to `now` on this. Time before that is known already is kept.
  void spent(std::uint32_t rank, std::uint64_t now, Kind kind, std::uint32_t region = 0);
  /// The rank, which waited, resumes at `now`: after the event that woke it.
  void resumed(std::uint32_t rank, std::uint64_t now);
  /// A test that found nothing ends at `now`. If an event reached the rank meanwhile, it has waited for that.
  void polled(std::uint32_t rank, std::uint64_t now);

  // Events: deliveries of messages, timers. Each has a chain; it is `rank`'s present if no event is served.

  /// Serves the event with this chain, which the callee releases in leave(). 0 is allowed.
  void enter(Chain event) { event_ = event; }
  void leave();
  /// Returns the chain of the event being served, or of the running rank at `now`. To be released.
  Chain here(std::uint32_t rank, std::uint64_t now);
  /// `rank` is woken by the event being served, or by rank `by`, at `now`.
  void woken(std::uint32_t rank, std::uint32_t by, std::uint64_t now);
  /// There is news for a rank that repeats a test.
  void news(std::uint32_t rank, std::uint32_t by, std::uint64_t now);
  /// Returns the chain to `step`, which follows `before` at its end. To be released.
  Chain follow(Chain before, const Step& step);
  void release(Chain chain);
  /// Keeps a chain until the timer with this token fires on this rank.
  void keep(std::uint32_t rank, std::uint64_t token, Chain chain);
  /// Returns the chain to the firing at `now`. To be released.
  Chain fire(std::uint32_t rank, std::uint64_t token, std::uint64_t now);

  /// Returns the steps that led to the present of a rank, in order; the end of each is the begin of the next.
  std::vector<Step> path(std::uint32_t rank) const;
  /// Returns the number of steps that are kept.
  std::uint64_t kept() const { return steps_.size() - free_.size(); }

 private:
  struct Kept {
    Step step;
    Chain before = 0;
    std::uint32_t uses = 0;
  };
  Kept& at(Chain chain) { return steps_[chain - 1]; }
  const Kept& at(Chain chain) const { return steps_[chain - 1]; }
  Chain use(Chain chain);
  void replace(Chain& chain, Chain by);

  std::vector<Kept> steps_;  ///< chain - 1
  std::vector<Chain> free_;
  std::vector<Chain> heads_, wakes_, news_;  ///< by rank
  std::multimap<std::pair<std::uint32_t, std::uint64_t>, Chain> timers_;
  Chain event_ = 0;
};

}  // namespace psim::net

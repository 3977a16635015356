// SPDX-License-Identifier: Apache-2.0
// What a run of ranks came to, and how host processes put together what each of them knows of it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "netsim/parallel/host_processes.h"
#include "ranks/job/rank_warnings.h"

namespace psim::net {

/// How the ranks' time divides.
struct RankTime {
  std::uint64_t compute = 0;   ///< ps that the program asked to pass
  std::uint64_t overhead = 0;  ///< ps that calls took of the processor: overheads of messages, polls
  std::uint64_t transfer = 0;  ///< ps blocked while a message from or to it was on its way: BlockedTime
  std::uint64_t wait = 0;      ///< ps blocked otherwise
  std::uint64_t ended = 0;     ///< ps at which it ended
  std::uint64_t polls = 0;     ///< tests and probes that found nothing: part of the overhead
  std::uint64_t polled = 0;    ///< ps that these took
};

struct Ending {
  enum class Kind : std::uint8_t { Finished, Deadlocked, Interrupted, Aborted, Failed };
  Kind kind = Kind::Finished;
  /// The largest exit status of a rank, what MPI_Abort was given, or of a deadlock: see settle().
  int status = 0;
  std::uint32_t rank = 0;          ///< who aborted or failed
  std::uint64_t time = 0;          ///< when, ps
  std::vector<std::string> lines;  ///< for the user: who failed and why, or who waits for what
  /// Of a deadlock: the first ranks that wait, and for what.
  std::vector<std::pair<std::uint32_t, std::string>> waiting;

  /// A rank that ended before it called MPI_Finalize: others may wait for it.
  struct Left {
    std::uint64_t time = 0;
    std::uint32_t rank = 0;
    int status = 0;
    auto operator<=>(const Left&) const = default;
  };
  std::vector<Left> left;

  static constexpr std::size_t kMostWaiting = 64, kMostLeft = 8;

  /// Whether this is what the run came to, if host processes ended differently: a crash comes before an
  /// abort, that before an interruption, that before a deadlock; of two alike the earlier counts.
  bool before(const Ending& other) const;
  /// What this and another host process know together.
  void add(Ending other);
  /// A deadlock's status is that of the first of `left` that has one, else 0. Puts them in order.
  void settle();
  /// Writes the lines of a deadlock at `time` ps in which `ended` of `ranks` ranks had ended.
  void report_deadlock(std::uint64_t time, std::uint32_t ended, std::uint32_t ranks);
};

/// "finished", "deadlocked", "interrupted", "aborted", "failed".
const char* name(Ending::Kind kind);

/// What a host process knows of the ranks of a program when they have run.
struct RankResults {
  Ending ending;
  std::uint32_t ended = 0;      ///< ranks
  std::uint64_t messages = 0;   ///< handed to the network by them
  std::uint64_t bytes = 0;      ///< of these
  std::vector<RankTime> times;  ///< of all ranks; those that are elsewhere are zero
  RankWarnings warnings;        ///< of ranks of this host process

  /// Process 0 gets what all know, `here` being the ranks of each; the others its kind and status.
  void gather(HostProcesses& processes, std::span<const std::uint32_t> here);
};

}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
// The outcome of a run of ranks, and its combination over host processes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "netsim/parallel/host_processes.h"
#include "ranks/job/rank_warnings.h"
#include "ranks/job/rank_work.h"

namespace psim::net {

/// The division of a rank's time, and its work.
struct RankTime {
  std::uint64_t compute = 0;   ///< ps of computation requested by the program
  std::uint64_t overhead = 0;  ///< ps of processor time in calls: overheads of messages, polls
  std::uint64_t transfer = 0;  ///< ps blocked while a message from or to it was in flight: BlockedTime
  std::uint64_t wait = 0;      ///< ps blocked otherwise
  std::uint64_t ended = 0;     ///< ps at which it ended
  std::uint64_t polls = 0;     ///< tests and probes that found nothing: part of the overhead
  std::uint64_t polled = 0;    ///< ps of these
  RankWork work;
};

struct Ending {
  enum class Kind : std::uint8_t { Finished, Deadlocked, Interrupted, Aborted, Failed };
  Kind kind = Kind::Finished;
  /// The largest exit status of a rank, the argument of MPI_Abort, or of a deadlock: see settle().
  int status = 0;
  std::uint32_t rank = 0;          ///< the rank that aborted or failed
  std::uint64_t time = 0;          ///< of the abort or failure, ps
  std::vector<std::string> lines;  ///< report to the user
  /// Of a deadlock: the first waiting ranks, and their waits.
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

  /// Returns whether this ending has precedence if host processes ended differently: a crash precedes an
  /// abort, an abort an interruption, and an interruption a deadlock; of two alike the earlier one precedes.
  bool before(const Ending& other) const;
  /// Combines this ending with that of another host process.
  void add(Ending other);
  /// Sorts `left`, and sets a deadlock's status to the first non-zero status there, else 0.
  void settle();
  /// Writes the lines of a deadlock at `time` ps in which `ended` of `ranks` ranks had ended.
  void report_deadlock(std::uint64_t time, std::uint32_t ended, std::uint32_t ranks);
};

/// Returns "finished", "deadlocked", "interrupted", "aborted" or "failed".
const char* name(Ending::Kind kind);

/// The results of a program's ranks on one host process.
struct RankResults {
  Ending ending;
  std::uint32_t ended = 0;      ///< ranks
  std::uint64_t messages = 0;   ///< handed to the network
  std::uint64_t bytes = 0;      ///< of these messages
  std::vector<RankTime> times;  ///< by rank; zero for ranks of other processes
  RankWarnings warnings;        ///< of ranks of this host process

  /// Combines the results of all processes on process 0, `here` being the ranks of each; the other processes
  /// get its kind and status.
  void gather(HostProcesses& processes, std::span<const std::uint32_t> here);
};

}  // namespace psim::net

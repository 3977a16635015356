// SPDX-License-Identifier: Apache-2.0
// One of the programs of a run: the placement of its ranks, its ranks in this host process, and their
// results.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "netsim/statistics/blocked_time.h"
#include "ranks/job/ending.h"
#include "ranks/job/regions.h"
#include "ranks/processes.h"
#include "ranks/spin/waiting_loop.h"

namespace psim::net {

/// A rank's unsuccessful calls.
struct PollWait {
  spin::PollLoop loop;
  std::uint64_t cost = 0;  ///< ps of each
  std::uint64_t from = 0;  ///< of a rank that is Polling: time of its last call, ps
};

struct JobConfig {
  std::string name = {};                  ///< in reports; empty if it is the only one
  ProcessesConfig program = {};           ///< ranks: of all host processes
  std::uint64_t arrival = 0;              ///< start, ps
  std::vector<std::uint32_t> nodes = {};  ///< by rank
  bool shared = false;                    ///< other jobs may have ranks on its nodes
  /// Number of its rank 0 among the ranks of all jobs.
  std::uint32_t first = 0;
};

/// Returns the placement of rank r on node r / `ranks_a_node`.
std::vector<std::uint32_t> nodes_in_turn(std::uint32_t ranks, std::uint32_t ranks_a_node);

class Job final : private Output {
 public:
  enum class State : std::uint8_t {
    Ready,    ///< runs, or will resume at some time
    Testing,  ///< will resume after one unsuccessful call
    Blocked,
    Polling,   ///< repeats an unsuccessful call until there is news: RankLoad::poll
    Watching,  ///< waits, without a call, for memory to change: RankLoad::watch
    Ended
  };

  /// Loads the program for its ranks on nodes nodes.first … nodes.second - 1. Their output goes to `output`,
  /// by rank over all jobs. Throws UserError.
  Job(JobConfig config, std::pair<std::uint32_t, std::uint32_t> nodes, Output& output);

  const JobConfig& config() const { return config_; }
  std::uint32_t ranks() const { return config_.program.ranks; }
  std::uint32_t first() const { return config_.first; }
  /// Returns whether the program is one of NSIM's, whose messages are sizes without data by default.
  bool mgen() const { return processes_.symbol("MGEN_Main") != nullptr; }
  /// Returns whether its messages have sizes only: a program written for NSIM, or a skeleton (lmpi.h).
  bool sizes_only() const { return mgen() || processes_.symbol("psim_skeleton") != nullptr; }

  // Ranks below are numbered within the job.
  std::uint32_t node_of(std::uint32_t rank) const { return config_.nodes[rank]; }
  bool local(std::uint32_t rank) const { return slots_[rank] != kElsewhere; }
  /// Returns the ranks in this process, ascending; processes() numbers them by their index here.
  const std::vector<std::uint32_t>& here() const { return here_; }
  std::uint32_t slot(std::uint32_t rank) const { return slots_[rank]; }
  /// Returns the running rank.
  std::uint32_t running() const { return here_[processes_.running()]; }
  Processes& processes() { return processes_; }
  const Processes& processes() const { return processes_; }

  State& state(std::uint32_t rank) { return states_[slots_[rank]]; }
  BlockedTime& blocked(std::uint32_t rank) { return blocked_[slots_[rank]]; }
  /// Prefetches the state of a rank that a message reaches.
  void prefetch(std::uint32_t rank) const {
    __builtin_prefetch(&states_[slots_[rank]]);
    __builtin_prefetch(&blocked_[slots_[rank]]);
    __builtin_prefetch(&results.times[rank]);
    processes_.prefetch(slots_[rank]);
  }
  RankTime& time(std::uint32_t rank) { return results.times[rank]; }
  /// Returns the state of the rank's polls.
  PollWait& polls(std::uint32_t rank);
  /// Returns whether these words in the memory of a rank that does not run are unchanged.
  bool unchanged(std::uint32_t rank, std::span<const WatchedWord> words) const;
  /// Records a deadlock, with the waits of ranks here, if any have not ended.
  void find_deadlock(const Library& library);
  /// Reports the ranks that had ended without MPI_Finalize before a deadlock.
  void report_remaining();
  /// Returns the rank's name in reports: "job a: rank 3", or "rank 3".
  std::string called(std::uint32_t rank) const;
  /// Returns the place of a rank's mark of a region: "app.c:12", or "in f (app.f90:12)".
  std::string place_of(std::uint32_t rank, const RegionMark& mark) const;

  std::uint8_t owner = 0;  ///< Message::owner of its ranks' messages
  RankResults results;
  Regions regions;
  bool stops = false;    ///< at the end of this window
  bool stopped = false;  ///< none of its ranks resumes

 private:
  static constexpr std::uint32_t kElsewhere = ~std::uint32_t{0};
  void write(std::uint32_t slot, Stream stream, std::string_view text) override;
  void place(std::pair<std::uint32_t, std::uint32_t> nodes);
  ProcessesConfig part() const;
  std::string waits(const Library& library, std::uint32_t slot);

  JobConfig config_;
  Output& output_;
  std::vector<std::uint32_t> here_, slots_;
  Processes processes_;
  std::vector<State> states_;  ///< by slot
  std::vector<BlockedTime> blocked_;
  std::vector<std::unique_ptr<PollWait>> polls_;
};

}  // namespace psim::net

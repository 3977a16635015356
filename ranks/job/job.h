// SPDX-License-Identifier: Apache-2.0
// One of the programs of a run: where its ranks are, those that live in this host process, and what they came
// to.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "netsim/statistics/blocked_time.h"
#include "ranks/job/ending.h"
#include "ranks/processes.h"
#include "ranks/spin/waiting_loop.h"

namespace psim::net {

/// A rank's calls that find nothing.
struct PollWait {
  spin::PollLoop loop;
  std::uint64_t cost = 0;  ///< ps of each
  std::uint64_t from = 0;  ///< of a rank that is Polling: when it last made the call, ps
};

struct JobConfig {
  std::string name = {};                  ///< of reports; empty if it is the only one
  ProcessesConfig program = {};           ///< ranks: of all host processes
  std::uint64_t arrival = 0;              ///< when it starts, ps
  std::vector<std::uint32_t> nodes = {};  ///< of each rank
  bool shared = false;                    ///< other jobs may have ranks on them
  /// Its rank 0 among the ranks of all jobs.
  std::uint32_t first = 0;
};

/// Rank r on node r / `ranks_a_node`.
std::vector<std::uint32_t> nodes_in_turn(std::uint32_t ranks, std::uint32_t ranks_a_node);

class Job final : private Output {
 public:
  enum class State : std::uint8_t {
    Ready,    ///< runs, or is to go on at some time
    Testing,  ///< to go on after one call that found nothing
    Blocked,
    Polling,   ///< repeats a call that finds nothing until there is news: RankLoad::poll
    Watching,  ///< waits, without a call, for memory to change: RankLoad::watch
    Ended
  };

  /// Loads the program for those of its ranks that are on nodes nodes.first … nodes.second - 1. What they
  /// print goes to `output`, by rank over all jobs. Throws UserError.
  Job(JobConfig config, std::pair<std::uint32_t, std::uint32_t> nodes, Output& output);

  const JobConfig& config() const { return config_; }
  std::uint32_t ranks() const { return config_.program.ranks; }
  std::uint32_t first() const { return config_.first; }
  /// Whether the program is one of NSIM's, whose messages are sizes without data unless the user says
  /// otherwise.
  bool mgen() const { return processes_.symbol("MGEN_Main") != nullptr; }

  // Ranks below are counted in the job.
  std::uint32_t node_of(std::uint32_t rank) const { return config_.nodes[rank]; }
  bool local(std::uint32_t rank) const { return slots_[rank] != kElsewhere; }
  /// Those in this process, ascending; processes() numbers them by their place in it.
  const std::vector<std::uint32_t>& here() const { return here_; }
  std::uint32_t slot(std::uint32_t rank) const { return slots_[rank]; }
  /// The rank that runs.
  std::uint32_t running() const { return here_[processes_.running()]; }
  Processes& processes() { return processes_; }
  const Processes& processes() const { return processes_; }

  State& state(std::uint32_t rank) { return states_[slots_[rank]]; }
  BlockedTime& blocked(std::uint32_t rank) { return blocked_[slots_[rank]]; }
  RankTime& time(std::uint32_t rank) { return results.times[rank]; }
  /// What the rank polls.
  PollWait& polls(std::uint32_t rank);
  /// Whether these words are in the memory of a rank that does not run as they were.
  bool unchanged(std::uint32_t rank, std::span<const WatchedWord> words) const;
  /// Writes down who waits for what, if ranks here do.
  void find_deadlock(const Library& library);
  /// Says which ranks of a deadlock had left the others.
  void report_remaining();
  /// What the user is told of it: "job a: rank 3", or "rank 3".
  std::string called(std::uint32_t rank) const;

  std::uint8_t owner = 0;  ///< Message::owner of what its ranks send
  RankResults results;
  bool stops = false;    ///< at the end of this window
  bool stopped = false;  ///< nothing of it goes on

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

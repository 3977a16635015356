// SPDX-License-Identifier: Apache-2.0
// The activity of ranks over time, recorded while a program runs: their outermost calls, and the messages and
// collectives in them. All is kept by rank, so host processes only need to join their ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "netsim/message/host.h"
#include "netsim/parallel/parcel.h"
#include "ranks/timeline/rank_log.h"

namespace psim::net {

/// The ranks and times to record.
struct Observation {
  std::uint64_t from = 0;                ///< ps
  std::uint64_t to = ~std::uint64_t{0};  ///< ps; calls across the borders are cut there
  /// First and last rank of each range; empty: all.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranks;

  bool contains(std::uint32_t rank) const;
};

class Timeline final : public CallObserver {
 public:
  struct Communicator {
    std::vector<std::uint32_t> members;  ///< ranks of the world, by rank
    std::vector<std::uint32_t> remote;   ///< of an intercommunicator: the remote group
  };

  Timeline(std::uint32_t ranks, Observation observation);

  /// Uses the time of `host`.
  void start(const Host& host) { host_ = &host; }
  void enter(RankId rank, const char* function) override;
  void leave(RankId rank) override;
  void note(RankId rank, const CallNote& note) override;
  void communicator(std::uint32_t context, std::span<const std::uint32_t> members,
                    std::span<const std::uint32_t> remote) override;

  /// Ends the run, and the calls in which ranks are, at `now`, ps; only process 0's time counts.
  void finish(std::uint64_t now);
  /// Pass the recording, after finish(), to another host process, which then has these ranks, too.
  void write(Parcel& parcel) const;
  void read(Parcel& parcel);

  /// Returns the observed ranks, ascending.
  const std::vector<std::uint32_t>& observed() const { return observed_; }
  /// Returns the communicators by context.
  const std::map<std::uint32_t, Communicator>& communicators() const { return communicators_; }
  std::uint64_t calls() const;
  /// Returns the bytes recorded for a rank so far.
  std::uint64_t bytes(std::uint32_t rank) const { return states_[index_[rank]].log.bytes().size(); }
  /// Returns the end of the observation, ps.
  std::uint64_t end() const { return end_; }
  /// Returns the names of the called functions in alphabetical order.
  std::vector<std::string> functions() const;
  /// Passes the events of a rank to `each`, with functions as indices into functions().
  void events(std::uint32_t rank, const std::function<void(const LogEvent&)>& each) const;

 private:
  static constexpr std::uint32_t kNotObserved = ~std::uint32_t{0};
  struct State {
    std::uint32_t depth = 0;
    std::uint32_t function = 0;
    std::uint64_t begin = 0;
    bool written = false;     ///< the entry is in the log
    std::uint32_t table = 0;  ///< index into tables_
    RankLog log;
  };

  State* state(RankId rank);
  std::uint64_t now() const { return static_cast<std::uint64_t>(host_->now().count()); }
  bool write_entry(State& state, std::uint64_t now);
  std::uint32_t number_of(const char* function);

  Observation observation_;
  const Host* host_ = nullptr;
  std::uint64_t end_ = 0;
  std::vector<std::uint32_t> observed_;
  std::vector<std::uint32_t> index_;  ///< by rank: index into states_
  std::vector<State> states_;
  std::vector<std::vector<std::string>> tables_{1};  ///< names by number; tables of other processes follow
  std::unordered_map<const char*, std::uint32_t> numbers_;
  std::map<std::uint32_t, Communicator> communicators_;
};

}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
// What ranks did over time, kept while a program runs: their outermost calls, and the messages and
// collectives in them. Everything is kept by rank, so host processes need only put their ranks together.
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

/// What is worth keeping.
struct Observation {
  std::uint64_t from = 0;                ///< ps
  std::uint64_t to = ~std::uint64_t{0};  ///< ps; calls that reach over the borders are cut there
  /// First and last rank of each range; empty: all.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranks;

  bool contains(std::uint32_t rank) const;
};

class Timeline final : public CallObserver {
 public:
  struct Communicator {
    std::vector<std::uint32_t> members;  ///< ranks of the world, by rank
    std::vector<std::uint32_t> remote;   ///< of an intercommunicator: the other side
  };

  Timeline(std::uint32_t ranks, Observation observation);

  /// Times are those of `host`.
  void start(const Host& host) { host_ = &host; }
  void enter(RankId rank, const char* function) override;
  void leave(RankId rank) override;
  void note(RankId rank, const CallNote& note) override;
  void communicator(std::uint32_t context, std::span<const std::uint32_t> members,
                    std::span<const std::uint32_t> remote) override;

  /// The run has ended, at `now` (ps; only what process 0 says counts): so have the calls that ranks are in.
  void finish(std::uint64_t now);
  /// After finish(): to another host process, which then has these ranks, too.
  void write(Parcel& parcel) const;
  void read(Parcel& parcel);

  /// Ranks that are observed, ascending.
  const std::vector<std::uint32_t>& observed() const { return observed_; }
  /// By context.
  const std::map<std::uint32_t, Communicator>& communicators() const { return communicators_; }
  std::uint64_t calls() const;
  /// What a rank wrote so far takes.
  std::uint64_t bytes(std::uint32_t rank) const { return states_[place_[rank]].log.bytes().size(); }
  /// End of what was observed, ps.
  std::uint64_t end() const { return end_; }
  /// Names of the functions that were called, in the order of the alphabet.
  std::vector<std::string> functions() const;
  /// Gives the events of a rank to `each`, functions as places in functions().
  void events(std::uint32_t rank, const std::function<void(const LogEvent&)>& each) const;

 private:
  static constexpr std::uint32_t kNotObserved = ~std::uint32_t{0};
  struct State {
    std::uint32_t depth = 0;
    std::uint32_t function = 0;
    std::uint64_t begin = 0;
    bool written = false;     ///< the entry
    std::uint32_t table = 0;  ///< of names
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
  std::vector<std::uint32_t> place_;  ///< of each rank in states_
  std::vector<State> states_;
  std::vector<std::vector<std::string>> tables_{1};  ///< names by number; those of other processes follow
  std::unordered_map<const char*, std::uint32_t> numbers_;
  std::map<std::uint32_t, Communicator> communicators_;
};

}  // namespace psim::net

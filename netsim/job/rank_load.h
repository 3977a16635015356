// SPDX-License-Identifier: Apache-2.0
// Ranks of a program as the load of a network: what they send, when they wait, and what they are told.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "netsim/message/host.h"
#include "netsim/mpi_config.h"
#include "netsim/ranks/processes.h"
#include "netsim/simulation.h"

namespace psim::net {

/// How the ranks' time divides.
struct RankTime {
  std::uint64_t compute = 0;  ///< ps that it asked to pass
  std::uint64_t wait = 0;     ///< ps that it was blocked
  std::uint64_t ended = 0;    ///< ps at which it ended
};

class RankLoad final : public Load, public Host, private Output {
 public:
  /// What a run came to.
  struct Ending {
    enum class Kind : std::uint8_t { Finished, Aborted, Failed, Deadlocked, Interrupted };
    Kind kind = Kind::Finished;
    int status = 0;                  ///< the largest exit status of a rank, or what MPI_Abort was given
    std::uint32_t rank = 0;          ///< who aborted or failed
    std::vector<std::string> lines;  ///< for the user: who failed and why, or who waits for what
  };
  using Print = std::function<void(RankId, Stream, std::string_view)>;

  /// Loads the program and puts rank r on node r / `ranks_a_node`. Throws UserError.
  RankLoad(const ProcessesConfig& program, std::uint32_t ranks_a_node, Print print);
  ~RankLoad() override;

  /// Whether the program is one of NSIM's, whose messages are sizes without data unless the user says
  /// otherwise.
  bool mgen() const { return processes_.symbol("MGEN_Main") != nullptr; }

  /// Runs the program from time 0, its library as `mpi` says. `interrupted` is asked between windows. Once.
  Ending run(Simulation& simulation, const MpiConfig& mpi,
             const std::function<bool(std::uint64_t now)>& interrupted);

  const std::vector<RankTime>& times() const { return times_; }
  const Processes& processes() const { return processes_; }
  Library& library() { return *library_; }

  // Load
  void delivered(Message& message) override;
  void departed(Message& message) override;
  void timer(std::uint64_t token, std::uint32_t rank) override;
  void resume(std::uint32_t rank) override;

  // Host
  Picoseconds now() const override;
  RankId current() const override { return RankId{processes_.running()}; }
  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(times_.size()); }
  NodeId node_of(RankId rank) const override { return NodeId{index(rank) / ranks_a_node_}; }
  bool local(RankId) const override { return true; }
  void send(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
            std::uint64_t bytes) override;
  void send_in_place(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                     std::uint64_t bytes) override;
  void block() override;
  void sleep(Picoseconds time) override;
  void wake(RankId rank, Picoseconds delay) override;
  void after(RankId rank, Picoseconds delay, std::uint64_t token) override;
  std::byte* memory(RankId rank, void* address) const override {
    return processes_.memory(index(rank), address);
  }
  void enter(RankId rank) override { processes_.enter(index(rank)); }
  [[noreturn]] void abort_job(int status, std::string_view why) override;

 private:
  enum class State : std::uint8_t { Ready, Blocked, Ended };

  void write(std::uint32_t rank, Stream stream, std::string_view text) override;
  Message& prepare(const Envelope& envelope, std::uint64_t wire_bytes, std::uint32_t& number);
  void print_before(std::uint64_t time);
  void report_deadlock(Ending& ending) const;

  Processes processes_;
  std::uint32_t ranks_a_node_;
  Print print_;
  Simulation* simulation_ = nullptr;
  Library* library_ = nullptr;
  OutputOrder output_;
  std::vector<RankTime> times_;
  std::vector<State> states_;
  std::uint32_t ended_ = 0;
  Ending ending_;
  std::pair<std::uint64_t, std::uint32_t> aborted_;  ///< time and rank of the abort in `ending_`
  bool stop_ = false;                                ///< at the end of this window
};

}  // namespace psim::net

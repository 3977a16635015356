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
#include "netsim/statistics/blocked_time.h"
#include "netsim/timeline/timeline.h"

namespace psim::net {

/// How the ranks' time divides.
struct RankTime {
  std::uint64_t compute = 0;   ///< ps that the program asked to pass
  std::uint64_t overhead = 0;  ///< ps that calls took of the processor: overheads of messages, polls
  std::uint64_t transfer = 0;  ///< ps blocked while a message from or to it was on its way: BlockedTime
  std::uint64_t wait = 0;      ///< ps blocked otherwise
  std::uint64_t ended = 0;     ///< ps at which it ended
};

/// How far a run is, over all host processes.
struct Standing {
  std::uint64_t packet_hops = 0;
  std::uint64_t time = 0;   ///< simulated, ps
  std::uint64_t ended = 0;  ///< ranks
};

class RankLoad final : public Load, public Host, private Output {
 public:
  /// What a run came to.
  struct Ending {
    enum class Kind : std::uint8_t { Finished, Deadlocked, Interrupted, Aborted, Failed };
    Kind kind = Kind::Finished;
    int status = 0;                    ///< the largest exit status of a rank, or what MPI_Abort was given
    std::uint32_t rank = 0;            ///< who aborted or failed
    std::uint64_t time = 0;            ///< when, ps
    std::vector<std::string> lines;    ///< for the user: who failed and why, or who waits for what
    std::vector<std::string> waiting;  ///< of a deadlock, a line for each of the first ranks that wait

    /// Whether this is what the run came to, if host processes ended differently.
    bool before(const Ending& other) const;
  };
  using Print = std::function<void(RankId, Stream, std::string_view)>;
  /// Asked between windows.
  using Interrupted = std::function<bool(const Standing&)>;

  /// Loads the program and puts rank r of program.ranks on node r / `ranks_a_node`. Those on nodes
  /// nodes.first … nodes.second - 1 live in this host process. Throws UserError.
  RankLoad(const ProcessesConfig& program, std::uint32_t ranks_a_node,
           std::pair<std::uint32_t, std::uint32_t> nodes, Print print);
  ~RankLoad() override;

  /// Whether the program is one of NSIM's, whose messages are sizes without data unless the user says
  /// otherwise.
  bool mgen() const { return processes_.symbol("MGEN_Main") != nullptr; }

  /// Runs the program from time 0, its library as `mpi` says. Once. With several host processes the first
  /// prints, and gets the ending and the counts of all, its simulation's too; all get kind and status.
  Ending run(Simulation& simulation, const MpiConfig& mpi, Interrupted interrupted,
             HostProcesses* processes = nullptr);
  /// The same in parts: whoever calls start() runs the simulation, and then calls finish().
  void start(Simulation& simulation, const MpiConfig& mpi, Interrupted interrupted,
             HostProcesses* processes = nullptr);
  Ending finish();

  /// What ranks do goes to `timeline`, too, which must outlive run(). Before it.
  void observe(Timeline& timeline) { timeline_ = &timeline; }

  /// Of all ranks.
  const std::vector<RankTime>& times() const { return times_; }
  const Processes& processes() const { return processes_; }
  Library& library() { return *library_; }

  // Load
  void delivered(Message& message) override;
  void departed(Message& message) override;
  void timer(std::uint64_t token, std::uint32_t rank) override;
  void resume(std::uint32_t rank) override;
  Votes votes() override;
  bool goes_on(std::uint64_t start, const Votes& votes) override;
  void write(Parcel& parcel) override;
  void read(Parcel& parcel) override;

  // Host
  Picoseconds now() const override;
  RankId current() const override { return RankId{running()}; }
  std::uint32_t ranks() const override { return ranks_; }
  NodeId node_of(RankId rank) const override { return NodeId{index(rank) / ranks_a_node_}; }
  bool local(RankId rank) const override { return index(rank) - first_ < count_; }
  void send(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
            std::uint64_t bytes) override;
  void send_in_place(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                     std::uint64_t bytes) override;
  void send_control(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                    std::uint64_t bytes) override;
  void block() override;
  void sleep(Picoseconds time) override;
  void compute(Picoseconds time) override;
  void wake(RankId rank, Picoseconds delay) override;
  void after(RankId rank, Picoseconds delay, std::uint64_t token) override;
  std::byte* memory(RankId rank, void* address) const override {
    return processes_.memory(index(rank) - first_, address);
  }
  CallObserver* observer() override { return timeline_; }
  void enter(RankId rank) override { processes_.enter(index(rank) - first_); }
  void call(RankId rank, void (*function)(void*), void* argument) override;
  [[noreturn]] void abort_job(int status, std::string_view why) override;

 private:
  enum class State : std::uint8_t { Ready, Blocked, Ended };

  struct JobEnds {};
  /// Calls the library, which may end the job, of something that concerns `rank`.
  template <class Call>
  void tell(std::uint32_t rank, Call call);
  void write(std::uint32_t rank, Stream stream, std::string_view text) override;
  std::uint32_t running() const { return first_ + processes_.running(); }
  void send(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data, std::uint64_t bytes,
            bool in_place, bool control = false);
  void print_before(std::uint64_t time);
  void pass(std::uint32_t rank, Picoseconds time);
  void moved(std::uint32_t rank, const Message& message);
  void report_deadlock();
  void fail(std::uint32_t rank);
  void end_job(std::uint32_t rank, int status, std::string_view why);
  void gather_timeline();
  void gather(HostProcesses& processes);

  std::uint32_t ranks_;          ///< of all host processes
  std::uint32_t first_, count_;  ///< those here
  Processes processes_;
  std::uint32_t ranks_a_node_;
  Print print_;
  Simulation* simulation_ = nullptr;
  HostProcesses* host_processes_ = nullptr;  ///< null: one alone
  Library* library_ = nullptr;
  Timeline* timeline_ = nullptr;  ///< null: nobody asked
  OutputOrder output_;
  bool prints_ = true;              ///< this is the first process
  std::vector<Printed> for_first_;  ///< what ranks here printed, in the others
  std::vector<RankTime> times_;
  std::vector<State> states_;
  std::vector<BlockedTime> blocked_;  ///< of the ranks here
  std::uint32_t ended_ = 0;
  Ending ending_;
  bool stop_ = false;       ///< at the end of this window
  std::uint32_t told_ = 0;  ///< the rank of which the library is told something
  Interrupted interrupted_;
  bool cut_ = false;   ///< the user interrupted
  Standing standing_;  ///< before this window
};

}  // namespace psim::net

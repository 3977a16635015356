// SPDX-License-Identifier: Apache-2.0
// Ranks of programs as the load of a network: what they send, when they wait, and what they are told. Several
// programs are jobs of one run; their ranks are counted one job after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "netsim/message/host.h"
#include "netsim/message/mpi_config.h"
#include "netsim/simulation.h"
#include "ranks/job/compute_meter.h"
#include "ranks/job/job.h"
#include "ranks/job/out_of_band_messages.h"
#include "ranks/job/rank_output.h"
#include "ranks/timeline/timeline.h"

namespace psim::net {

/// How far a run is, over all host processes.
struct Standing {
  std::uint64_t packet_hops = 0;
  std::uint64_t time = 0;   ///< simulated, ps
  std::uint64_t ended = 0;  ///< ranks
};

class RankLoad final : public Load, public Host {
 public:
  using Print = RankOutput::Print;
  /// Asked between windows.
  using Interrupted = std::function<bool(const Standing&)>;

  /// Loads the jobs' programs. Ranks on nodes nodes.first … nodes.second - 1 live in this host process.
  /// Throws UserError.
  RankLoad(std::vector<JobConfig> jobs, std::pair<std::uint32_t, std::uint32_t> nodes, Print print);
  /// One program; rank r of program.ranks is on node r / `ranks_a_node`.
  RankLoad(const ProcessesConfig& program, std::uint32_t ranks_a_node,
           std::pair<std::uint32_t, std::uint32_t> nodes, Print print);
  ~RankLoad() override;

  /// Lets the time that program code takes of the host's processor pass, times `factor`. Before run().
  void measure(double factor) { meter_ = ComputeMeter(factor); }
  /// What ranks do goes to `timeline`, too, which must outlive run(). Before it.
  void observe(Timeline& timeline) { timeline_ = &timeline; }

  /// Runs the programs from time 0, their library as `mpi` says; `carry` of each job instead of mpi.carry, if
  /// not empty. Once. With several host processes the first prints, and gets the ending and the counts of
  /// all, its simulation's too; all get kind and status.
  Ending run(Simulation& simulation, const MpiConfig& mpi, Interrupted interrupted,
             HostProcesses* processes = nullptr, std::vector<std::uint64_t> carry = {});
  /// The same in parts: whoever calls start() runs the simulation, and then calls finish().
  void start(Simulation& simulation, const MpiConfig& mpi, Interrupted interrupted,
             HostProcesses* processes = nullptr, std::vector<std::uint64_t> carry = {});
  /// What came first of: a crash, an abort, an interruption, a deadlock; with what is to be said of all jobs.
  Ending finish();

  const std::vector<std::unique_ptr<Job>>& jobs() const { return jobs_; }
  /// After finish(): whether a crash ended all jobs.
  bool failed() const { return failed_; }
  /// After finish(): processor time of the hosts that the programs' own code took, s; an estimate.
  double program_seconds() const { return program_seconds_; }
  /// After finish(): mistakes of programs that have finished nevertheless, a line each.
  std::vector<std::string> warnings() const;
  /// After finish(): remote direct memory access of all jobs.
  const rdma::Counts& rdma() const { return rdma_; }

  // Load
  void delivered(Message& message) override;
  void departed(Message& message) override;
  void timer(std::uint64_t token, std::uint32_t rank) override;
  void resume(std::uint32_t rank) override;
  /// The jobs, if there are several; the last of kMostOwners are one.
  std::uint32_t owners() const override;
  static constexpr std::uint32_t kMostOwners = 255;
  Votes votes() override;
  bool should_continue(std::uint64_t start, const Votes& votes) override;
  void write(std::uint32_t process, Parcel& parcel) override;
  void read(std::uint32_t process, Parcel& parcel) override;

  // Host
  Picoseconds now() const override;
  RankId current() const override { return RankId{running()}; }
  std::uint32_t ranks() const override { return ranks_; }
  std::vector<World> worlds() const override;
  NodeId node_of(RankId rank) const override;
  bool local(RankId rank) const override;
  void send(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
            std::uint64_t bytes) override;
  void send_in_place(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                     std::uint64_t bytes) override;
  void send_control(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                    std::uint64_t bytes) override;
  void send_out_of_band(const Envelope& envelope, const std::byte* data, std::uint64_t bytes,
                        Picoseconds delay) override;
  void block() override;
  void sleep(Picoseconds time) override;
  void compute(Picoseconds time) override;
  void poll(Picoseconds cost, const PollCall& call) override;
  void watch(std::span<const WatchedWord> words) override;
  Picoseconds read_clock(Picoseconds cost) override;
  void catch_up() override { pass(Picoseconds{0}); }
  ThreadTurns* threads() override { return running_->processes().threads(); }
  void start_threads() override { library_->threads(current()); }
  void wake(RankId rank, Picoseconds delay) override;
  void after(RankId rank, Picoseconds delay, std::uint64_t token) override;
  std::byte* memory(RankId rank, void* address, std::uint64_t bytes) const override;
  CallObserver* observer() override { return timeline_; }
  bool measures() const override { return meter_.on(); }
  void enter_call() override;
  void leave_call() override;
  void enter(RankId rank) override;
  void call(RankId rank, void (*function)(void*), void* argument) override;
  [[noreturn]] void abort_job(int status, std::string_view why) override;

 private:
  struct JobEnds {};

  Job& job_of(std::uint32_t rank) const;
  std::uint32_t running() const { return running_->first() + running_->running(); }
  std::uint32_t router_of(RankId rank) const;
  /// The library's ranks are now those of this job.
  void serve(Job& job);
  /// Calls the library, which may end the job, of something that concerns `rank`.
  template <class Call>
  void notify(std::uint32_t rank, Call call);
  void send(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data, std::uint64_t bytes,
            bool in_place, bool control = false);
  /// The running rank goes on `time` after its clock.
  void pass(Picoseconds time);
  void suspend();
  /// The running rank's processor is busy with a call.
  void spend(Picoseconds time);
  /// What the running program has computed since it left its library passes now.
  void pass_measured();
  void moved(std::uint32_t rank, std::uint64_t sent);
  /// There is news for a rank: if it repeats a poll, it goes on from the first that may notice. `late`: one
  /// of this very instant may not.
  void notice(Job& job, std::uint32_t own, bool late);
  void prepare_polls();
  /// Accounts for the polls of ranks of a job that is stopped.
  void settle_polls(Job& job);
  void fail(std::uint32_t rank);
  void end_job(std::uint32_t rank, int status, std::string_view why);
  void left(std::uint32_t rank, int status);
  void agree_on_stops();
  Ending combined() const;
  void collect_warnings();
  void gather_program_seconds();
  void gather_timeline();
  void gather_rdma();

  std::uint32_t ranks_ = 0;  ///< of all jobs and host processes
  RankOutput output_;
  std::vector<std::unique_ptr<Job>> jobs_;
  Job* running_ = nullptr;  ///< whose rank runs, or ran last
  Job* served_ = nullptr;   ///< by the library
  Simulation* simulation_ = nullptr;
  HostProcesses* host_processes_ = nullptr;  ///< null: one alone
  Library* library_ = nullptr;
  std::vector<std::uint64_t> carry_;  ///< of each job
  Timeline* timeline_ = nullptr;      ///< null: nobody asked
  ComputeMeter meter_;
  bool in_program_ = false;   ///< the running rank is in no call of its library
  std::uint64_t ahead_ = 0;   ///< the running rank's clock, of the engine's, ps; others run only when it is 0
  bool skips_polls_ = false;  ///< nothing observes or prolongs each poll by itself
  /// By router here: the ranks that are Polling, over all jobs; empty if no router has more than one rank.
  std::vector<std::vector<std::uint32_t>> polling_;
  struct Watching {
    Job* job;
    std::uint32_t rank, router;
    std::vector<WatchedWord> words;
  };
  /// Memory may have changed at the router being served. `by`: the rank that ran, or kDelivery.
  void check_watching();
  void check_polling(std::int64_t by);
  static constexpr std::int64_t kDelivery = -1;
  std::vector<Watching> watching_;
  bool acted_ = false;  ///< in this window something happened other than polls in vain
  /// What is to come of it: ranks that are to go on otherwise than after a poll, timers, messages on their
  /// way, less those that other host processes sent. Modulo 2^64.
  std::uint64_t under_way_ = 0;
  std::uint64_t quiet_since_ = 0;  ///< no host process has seen such for so long, ps
  std::uint64_t quiet_hops_ = 0;   ///< packet-hops by then
  std::uint64_t most_quiet_ = 0;   ///< ps; 0: any
  bool live_locked_ = false;       ///< it took longer
  OutOfBandMessages out_of_band_;
  rdma::Counts rdma_;
  std::uint32_t notified_ = 0;  ///< the rank of which the library is told something
  Interrupted interrupted_;
  bool cut_ = false;     ///< the user interrupted
  bool failed_ = false;  ///< a rank crashed, and no other may go on
  Standing standing_;    ///< before this window
  double program_seconds_ = 0;
};

}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
// Ranks of programs as the load of a network: their messages, waits and notifications. Several programs are
// jobs of one run; their ranks are numbered one job after the other.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "netsim/message/host.h"
#include "netsim/message/mpi_config.h"
#include "netsim/simulation.h"
#include "ranks/job/compute_meter.h"
#include "ranks/job/compute_record.h"
#include "ranks/job/job.h"
#include "ranks/job/out_of_band_messages.h"
#include "ranks/job/rank_output.h"
#include "ranks/timeline/critical_path.h"
#include "ranks/timeline/message_times.h"
#include "ranks/timeline/pair_times.h"
#include "ranks/timeline/timeline.h"

namespace psim::net {

/// The progress of a run, over all host processes.
struct Standing {
  std::uint64_t packet_hops = 0;
  std::uint64_t time = 0;   ///< simulated, ps
  std::uint64_t ended = 0;  ///< ranks
};

/// How computing takes simulated time, besides that which programs state (MGEN_Comp). Objects outlive the
/// run.
struct Computing {
  double factor = 0;                        ///< of the time of code on the host; 0: it does not count
  const ComputeRecord* recorded = nullptr;  ///< times on the host from an earlier run; null: measured now
  bool records = false;                     ///< see record()
  const RegionModels* models = nullptr;     ///< of the times of regions; null: none
  std::map<std::string, double, std::less<>> factors =
      {};  ///< by region: instead of `factor`, or of the model

  bool skips = false;       ///< bodies of regions that allow it are not executed
  bool halves = false;      ///< computing takes half of its time, in `halved` and the regions inside it
  std::string halved = {};  ///< a region; empty: everywhere

  bool counts_code() const { return factor > 0; }
  /// Returns the time of the mean rank outside of its regions, ps: that of the model `(outside)`.
  std::uint64_t outside_regions() const;
  /// Returns the factors of this time on the ranks, and the shares that have passed at the steps outside of
  /// regions: RegionModels::at_steps. Without shares all passes at the start of ranks.
  std::span<const double> outside_of_ranks() const;
  std::span<const std::vector<double>> outside_at_steps() const;
};

class RankLoad final : public Load, public Host {
 public:
  using Print = RankOutput::Print;
  /// Returns whether the user interrupted the run; called between windows.
  using Interrupted = std::function<bool(const Standing&)>;

  /// Loads the jobs' programs. Ranks on nodes nodes.first … nodes.second - 1 live in this host process.
  /// Throws UserError.
  RankLoad(std::vector<JobConfig> jobs, std::pair<std::uint32_t, std::uint32_t> nodes, Print print);
  /// Loads one program; rank r of program.ranks is on node r / `ranks_a_node`.
  RankLoad(const ProcessesConfig& program, std::uint32_t ranks_a_node,
           std::pair<std::uint32_t, std::uint32_t> nodes, Print print);
  ~RankLoad() override;

  /// Sets how computing takes time. Before run(). Throws UserError if a record has other ranks.
  void compute_by(const Computing& computing);
  /// Reports the ranks' calls to `timeline`, which must outlive run(). Before run().
  void observe(Timeline& timeline) { timeline_ = &timeline; }

  /// Records the times of messages by pairs of ranks and, unless it is null, the critical path. They must
  /// outlive run(). Before run(), in one host process.
  void record(CriticalPath* path, PairTimes& pairs, MessageTimes& times) {
    path_ = path;
    pairs_ = &pairs;
    times_ = &times;
  }

  /// Makes this a load among others (netsim/load_group.h): jobs own their messages even if there is only one,
  /// and packets of others are no progress of the ranks. Before start().
  void join_others();
  /// Returns, for Print, the time of the piece that is being printed, ps.
  std::uint64_t printed_at() const { return output_.printed_at(); }

  /// Runs the programs from time 0, with their library configured by `mpi`; `carry`, if not empty, replaces
  /// mpi.carry for each job. Once. With several host processes the first one prints and has the ending and
  /// the counts of all, also of the simulation; all have kind and status.
  Ending run(Simulation& simulation, const MpiConfig& mpi, Interrupted interrupted,
             HostProcesses* processes = nullptr, std::vector<std::uint64_t> carry = {});
  /// run() in parts: the caller of start() runs the simulation and then calls finish().
  void start(Simulation& simulation, const MpiConfig& mpi, Interrupted interrupted,
             HostProcesses* processes = nullptr, std::vector<std::uint64_t> carry = {});
  /// Makes finish() treat the run as interrupted.
  void cut() { cut_ = true; }
  /// Returns the ending by precedence (crash, abort, interruption, deadlock), with the lines of all jobs.
  Ending finish();

  const std::vector<std::unique_ptr<Job>>& jobs() const { return jobs_; }
  /// Returns, after finish(), whether a crash ended all jobs.
  bool failed() const { return failed_; }
  /// Returns, after finish(), an estimate of the hosts' processor time of the programs' own code, s.
  double program_seconds() const;
  double program_seconds(Regions::Coverage part) const {
    return program_seconds_[static_cast<std::size_t>(part)];
  }
  /// Returns, after finish(), the host's times of the code between calls (Computing::records).
  const ComputeRecord& record() const { return record_; }
  /// Returns, after finish(), the mistakes of programs that have finished nevertheless, a line each.
  std::vector<std::string> warnings() const;
  /// Returns, after finish(), the counts of remote direct memory access of all jobs.
  const rdma::Counts& rdma() const { return rdma_; }
  /// Returns, after finish(), the counts of MPI calls by job.
  const std::vector<MpiCounts>& mpi_counts() const { return mpi_counts_; }

  // Load
  void delivered(Message& message) override;
  void departed(Message& message) override;
  void prefetch(const Envelope& envelope) const override;
  void timer(std::uint64_t token, std::uint32_t rank) override;
  /// Returns true for timers of a rank that has ended, as of a thread that waited with a limit of time.
  bool outdated(std::uint64_t token, std::uint32_t rank) const override;
  void resume(std::uint32_t rank) override;
  /// Returns the number of jobs, if there are several; jobs from number kMostOwners on are one owner.
  std::uint32_t owners() const override;
  static constexpr std::uint32_t kMostOwners = 255;
  Votes votes() override;
  bool should_continue(std::uint64_t start, const Votes& votes) override;
  bool decides_ahead() const override { return true; }
  bool bypasses_links() const override { return bypasses_links_; }
  bool done(const Votes& votes) const override { return votes[3] == ranks_; }
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
  void send_overhead(Picoseconds time) override;
  void receive_overhead(Picoseconds time) override;
  void compute(Picoseconds time) override;
  std::uint64_t poll(Picoseconds cost, const PollCall& call) override;
  void watch(std::span<const WatchedWord> words) override;
  Picoseconds read_clock(Picoseconds cost) override;
  void catch_up() override { pass(Picoseconds{0}); }
  ThreadTurns* threads() override { return running_->processes().threads(); }
  void start_threads() override { library_->threads(current()); }
  void wake(RankId rank, Picoseconds delay) override;
  void after(RankId rank, Picoseconds delay, std::uint64_t token) override;
  std::byte* memory(RankId rank, void* address, std::uint64_t bytes) const override;
  CallObserver* observer() override { return timeline_; }
  bool measures() const override { return computing_.counts_code() || computing_.models != nullptr; }
  void begin_region(const RegionMark& mark) override;
  void end_region(const RegionMark& mark) override;
  bool skips_regions() const override { return computing_.skips; }
  void add_model(const RegionMark& mark) override;
  void add_work(std::uint64_t flops, std::uint64_t memory_bytes) override;
  void enter_call(bool of_mpi) override;
  void leave_call() override;
  void enter(RankId rank) override;
  void call(RankId rank, void (*function)(void*), void* argument) override;
  [[noreturn]] void abort_job(int status, std::string_view why) override;

 private:
  struct JobEnds {};

  Job& job_of(std::uint32_t rank) const;
  std::uint32_t running() const { return running_->first() + running_->running(); }
  std::uint32_t router_of(RankId rank) const;
  /// Switches the library to the ranks of this job.
  void serve(Job& job);
  /// Notifies the library of an event of `rank`; this may end the job.
  template <class Call>
  void notify(std::uint32_t rank, Call call);
  void send(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data, std::uint64_t bytes,
            bool in_place, bool control = false);
  /// Resumes the running rank `time` after its clock.
  void pass(Picoseconds time);
  void suspend();
  /// Charges `time` of a call to the running rank's processor.
  void spend(Picoseconds time, CriticalPath::Kind kind);
  /// Lets the running rank compute for `time` ps.
  void compute_for(std::uint64_t time);
  /// The same, without halving.
  void pass_computing(std::uint64_t time);
  /// Adds to the critical path that the running rank has spent `length` ps since `from`, and lost the rest.
  void spent(std::uint64_t from, std::uint64_t length, CriticalPath::Kind kind);
  /// Returns the rank whose code runs, or has just run; 0 in an event.
  std::uint32_t runner() const;
  /// Returns the step of a message's arrival, or of its departure from its sender's memory.
  CriticalPath::Step step_of(const Message& message, CriticalPath::Kind kind);
  /// Advances time by the running program's computation since it left its library.
  void pass_measured();
  /// Advances time by the share of a model that passes before an MPI call or a begin of a region.
  void pass_modelled();
  void pass_rest(Job& job, std::uint32_t own);
  /// Returns the host's time of that computation, ns.
  std::uint64_t code_time();
  /// Makes samples of the host's time count for the regions of the running rank.
  void sample_regions();
  /// Calls a function that reports mistakes in the running rank's marks, which end the job.
  template <class Mark>
  void checked(Mark mark);
  void moved(std::uint32_t rank, std::uint64_t sent);
  /// Called when there is news for a rank: a polling rank resumes from the first poll that may notice it.
  /// `late`: a poll of this very instant may not.
  void notice(Job& job, std::uint32_t own, bool late);
  void number_owners();
  void prepare_polls();
  /// Accounts for the polls of ranks of a job that is stopped.
  void settle_polls(Job& job);
  void fail(std::uint32_t rank);
  void end_job(std::uint32_t rank, int status, std::string_view why);
  void left(std::uint32_t rank, int status);
  void end_computing(Job& job, std::uint32_t own);
  void agree_on_stops();
  Ending combined() const;
  void collect_warnings();
  void gather_program_seconds();
  void gather_record();
  void gather_timeline();
  void gather_rdma();
  void gather_mpi_counts();

  std::uint32_t ranks_ = 0;  ///< of all jobs and host processes
  bool among_others_ = false;
  RankOutput output_;
  std::vector<std::unique_ptr<Job>> jobs_;
  Job* running_ = nullptr;  ///< the job whose rank runs, or ran last
  Job* served_ = nullptr;   ///< the library's present job
  Simulation* simulation_ = nullptr;
  HostProcesses* host_processes_ = nullptr;  ///< null: a single process
  Library* library_ = nullptr;
  std::vector<std::uint64_t> carry_;  ///< of each job
  Timeline* timeline_ = nullptr;      ///< null: none
  CriticalPath* path_ = nullptr;      ///< null: none
  PairTimes* pairs_ = nullptr;
  MessageTimes* times_ = nullptr;
  std::int64_t by_ = -1;  ///< the rank that has just run, while others are notified of it; -1: none
  ComputeMeter meter_;
  Computing computing_;
  ComputeRecord record_;               ///< of ranks here
  std::vector<std::size_t> replayed_;  ///< by rank: times of computing_.recorded that have passed
  /// A rank's modelled time outside of regions, ps.
  struct Outside {
    std::uint64_t all = 0, passed = 0;
    std::uint32_t steps = 0;
  };
  std::vector<Outside> outside_;  ///< by rank; empty: it passes at the start
  bool in_program_ = false;       ///< the running rank is outside its library
  std::uint64_t ahead_ = 0;       ///< lead of the running rank's clock, ps; other ranks run only when it is 0
  bool skips_polls_ = false;      ///< single polls are neither observed nor prolonged
  /// Ranks that are Polling, by router here; empty if no router has more than one rank.
  std::vector<std::vector<std::uint32_t>> polling_;
  struct Watching {
    Job* job;
    std::uint32_t rank, router;
    std::vector<WatchedWord> words;
  };
  /// Check the waits of ranks at the router being served, where memory may have changed. `by`: the rank that
  /// ran, or kDelivery.
  void check_watching();
  void check_polling(std::int64_t by);
  static constexpr std::int64_t kDelivery = -1;
  std::vector<Watching> watching_;
  bool acted_ = false;  ///< something other than unsuccessful polls has happened since should_continue()
  bool bypasses_links_ = false;
  /// Pending events: resumptions other than after a poll, timers, messages in flight, less those sent by
  /// other host processes. Modulo 2^64.
  std::uint64_t under_way_ = 0;
  std::uint64_t quiet_since_ = 0;  ///< since when no process has had pending events, ps
  std::uint64_t quiet_hops_ = 0;   ///< packet-hops at that time
  std::uint64_t most_quiet_ = 0;   ///< longest quiet time, ps; 0: any
  bool live_locked_ = false;       ///< the quiet time exceeded it
  OutOfBandMessages out_of_band_;
  rdma::Counts rdma_;
  std::vector<MpiCounts> mpi_counts_;
  std::uint32_t notified_ = 0;  ///< the rank of the library's present callback
  Interrupted interrupted_;
  bool cut_ = false;                                              ///< the user interrupted
  bool failed_ = false;                                           ///< a rank crashed, and no other may resume
  Standing standing_;                                             ///< before this window
  std::array<double, ComputeSamples::kParts> program_seconds_{};  ///< by Regions::Coverage
};

}  // namespace psim::net

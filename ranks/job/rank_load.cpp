// SPDX-License-Identifier: Apache-2.0
#include "ranks/job/rank_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace psim::net {
namespace {

std::vector<JobConfig> one_job(const ProcessesConfig& program, std::uint32_t ranks_a_node) {
  return {{.program = program, .nodes = nodes_in_turn(program.ranks, ranks_a_node)}};
}

}  // namespace

RankLoad::RankLoad(std::vector<JobConfig> jobs, std::pair<std::uint32_t, std::uint32_t> nodes, Print print)
    : output_(std::move(print)) {
  for (JobConfig& job : jobs) {
    jobs_.push_back(std::make_unique<Job>(std::move(job), nodes, output_));
    ranks_ = std::max(ranks_, jobs_.back()->first() + jobs_.back()->ranks());
  }
  if (jobs_.size() > 1) number_owners();
}

void RankLoad::join_others() {
  among_others_ = true;
  number_owners();
}

void RankLoad::number_owners() {
  for (std::uint32_t i = 0; i < jobs_.size(); ++i)
    jobs_[i]->owner = static_cast<std::uint8_t>(std::min(i + 1, kMostOwners));
}

std::uint32_t RankLoad::owners() const { return jobs_.back()->owner; }

RankLoad::RankLoad(const ProcessesConfig& program, std::uint32_t ranks_a_node,
                   std::pair<std::uint32_t, std::uint32_t> nodes, Print print)
    : RankLoad(one_job(program, ranks_a_node), nodes, std::move(print)) {}

RankLoad::~RankLoad() = default;

Job& RankLoad::job_of(std::uint32_t rank) const {
  if (jobs_.size() == 1) [[likely]]
    return *jobs_[0];
  const auto next = std::upper_bound(jobs_.begin(), jobs_.end(), rank,
                                     [](std::uint32_t r, const auto& job) { return r < job->first(); });
  return **std::prev(next);
}

Ending RankLoad::run(Simulation& simulation, const MpiConfig& mpi, Interrupted interrupted,
                     HostProcesses* processes, std::vector<std::uint64_t> carry) {
  start(simulation, mpi, std::move(interrupted), processes, std::move(carry));
  simulation.run();
  return finish();
}

void RankLoad::compute_by(const Computing& computing) {
  computing_ = computing;
  meter_ = ComputeMeter(computing.counts_code() && computing.recorded == nullptr);
  if (const ComputeRecord* record = computing.recorded; record != nullptr && record->times.size() != ranks_)
    throw UserError(fmt::format("{}: has times of {} ranks; expected those of the {} ranks of this run",
                                record->path, record->times.size(), ranks_));
  if (computing.recorded != nullptr) replayed_.resize(ranks_);
  if (computing.records) record_.times.resize(ranks_);
  for (const auto& job : jobs_) job->regions.use(computing.models, computing.factors);
}

void RankLoad::start(Simulation& simulation, const MpiConfig& mpi, Interrupted interrupted,
                     HostProcesses* processes, std::vector<std::uint64_t> carry) {
  simulation_ = &simulation;
  for (std::size_t part = 0; part < program_seconds_.size(); ++part)
    program_seconds_[part] = -ComputeSamples::seconds(part);
  host_processes_ = processes != nullptr && processes->size() > 1 ? processes : nullptr;
  output_.start(simulation.engine(), ahead_, host_processes_ == nullptr || host_processes_->first());
  out_of_band_.start(host_processes_ != nullptr ? host_processes_->rank() : 0,
                     host_processes_ != nullptr ? host_processes_->size() : 1);
  interrupted_ = std::move(interrupted);
  carry_ = carry.empty() ? std::vector<std::uint64_t>(jobs_.size(), mpi.carry) : std::move(carry);
  prepare_polls();
  if (timeline_ != nullptr) timeline_->start(*this);
  most_quiet_ = ps(mpi.poll) * mpi.poll_limit;
  bypasses_links_ = mpi.sync.kind != BarrierNetwork::None ||
                    mpi.algorithms.find("=hardware") != std::string::npos ||
                    mpi.algorithms.find("=table") != std::string::npos;
  for (const auto& job : jobs_) job->processes().join(*this, mpi);
  library_ = &jobs_[0]->processes().attach(*this, mpi);
  if (path_ != nullptr)
    for (const auto& job : jobs_)
      for (const std::uint32_t rank : job->here()) path_->begin(job->first() + rank, job->config().arrival);
  const std::uint64_t mean_outside = computing_.outside_regions();
  if (!computing_.outside_at_steps().empty()) outside_.resize(ranks_);
  for (const auto& job : jobs_) {
    if (job->processes().attaches() != jobs_[0]->processes().attaches())
      throw UserError(fmt::format("{}: linked with another library of messages than {}",
                                  job->config().program.program, jobs_[0]->config().program.program));
    for (const std::uint32_t rank : job->here()) {
      simulation.engine().set_router(router_of(RankId{job->first() + rank}));
      std::uint64_t outside = time_of_rank(mean_outside, computing_.outside_of_ranks(), rank);
      if (!outside_.empty()) outside_[job->first() + rank].all = std::exchange(outside, 0);
      simulation.resume_at(job->config().arrival + outside, job->first() + rank);
      job->time(rank).compute += outside;
      if (path_ != nullptr && outside != 0)
        path_->spent(job->first() + rank, job->config().arrival + outside, CriticalPath::Kind::Compute, 0);
      ++under_way_;
    }
  }
}

/// Enables the skipping of polls if single polls are neither observed nor prolonged.
void RankLoad::prepare_polls() {
  skips_polls_ = timeline_ == nullptr && !computing_.counts_code() && simulation_->jitter().none();
  const Engine& engine = simulation_->engine();
  std::vector<bool> taken(engine.end_router() - engine.first_router());
  bool several = false;
  for (const auto& job : jobs_) {
    skips_polls_ &= job->processes().globals().mode() != GlobalsMode::Shared;
    for (const std::uint32_t rank : job->here()) {
      const std::uint32_t router = router_of(RankId{job->first() + rank}) - engine.first_router();
      several |= taken[router];
      taken[router] = true;
    }
  }
  if (several && skips_polls_) polling_.resize(taken.size());
}

Votes RankLoad::votes() {
  std::uint64_t stops = 0, ended = 0;
  for (const auto& job : jobs_) {
    stops += job->stops;
    ended += job->stopped ? job->here().size() : job->results.ended;
  }
  return {stops, interrupted_(standing_) ? 1u : 0u, simulation_->fabric().packet_hops(), ended,
          acted_ + under_way_};
}

bool RankLoad::should_continue(std::uint64_t start, const Votes& votes) {
  output_.print_before(start);
  const auto [stops, interrupted, hops, ended, acted] = votes;
  standing_ = {hops, start, ended};
  acted_ = false;
  if (acted != 0 || (hops != quiet_hops_ && !among_others_)) {
    quiet_since_ = start;
    quiet_hops_ = hops;
  }
  live_locked_ = most_quiet_ != 0 && start - quiet_since_ > most_quiet_;
  if (stops != 0) agree_on_stops();
  const bool all_stopped =
      failed_ || std::ranges::all_of(jobs_, [](const auto& job) { return job->stopped; });
  cut_ = !all_stopped && interrupted != 0;
  return !all_stopped && !cut_ && !live_locked_;
}

/// Agrees with all host processes on the jobs that end here; rarely called.
void RankLoad::agree_on_stops() {
  std::vector<std::uint8_t> stops;
  for (const auto& job : jobs_) stops.push_back(job->stops);
  stops.push_back(failed_);
  if (host_processes_ != nullptr) {
    std::vector<Parcel> out(host_processes_->size()), in(host_processes_->size());
    for (Parcel& parcel : out) parcel.put_all(stops);
    host_processes_->exchange(out, in);
    for (std::uint32_t process = 0; process < in.size(); ++process) {
      if (process == host_processes_->rank()) continue;
      const std::vector<std::uint8_t> other = in[process].take_all<std::uint8_t>();
      for (std::size_t i = 0; i < stops.size(); ++i) stops[i] |= other[i];
    }
  }
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    if (stops[i] != 0) {
      jobs_[i]->stopped = true;
      settle_polls(*jobs_[i]);
    }
    jobs_[i]->stops = false;
  }
  failed_ = stops.back() != 0;
  if (failed_)
    for (const auto& job : jobs_) settle_polls(*job);
}

void RankLoad::write(std::uint32_t process, Parcel& parcel) {
  if (process == 0) output_.write(parcel);
  out_of_band_.write(process, parcel);
}

void RankLoad::read(std::uint32_t, Parcel& parcel) {
  if (host_processes_->first()) output_.read(parcel);
  out_of_band_.read(parcel);
}

std::vector<Host::World> RankLoad::worlds() const {
  std::vector<World> all;
  for (std::size_t i = 0; i < jobs_.size(); ++i)
    all.push_back({jobs_[i]->first(), jobs_[i]->ranks(), carry_[i]});
  return all;
}

void RankLoad::serve(Job& job) {
  if (served_ == &job) return;
  served_ = &job;
  library_->serve(RankId{job.first()});
}

template <class Call>
void RankLoad::notify(std::uint32_t rank, Call call) {
  Job& job = job_of(rank);
  if (job.stopped || failed_) return;
  acted_ = true;
  serve(job);
  notified_ = rank;
  try {
    call();
  } catch (const JobEnds&) {
  }
  if (path_ != nullptr && (job.state(rank - job.first()) == Job::State::Testing ||
                           job.state(rank - job.first()) == Job::State::Polling)) [[unlikely]]
    path_->news(rank, rank, simulation_->engine().now());
  // Calls of this very instant follow the deliveries of its first round, and precede those of later rounds.
  notice(job, rank - job.first(), simulation_->engine().round() > 0);
  if (!watching_.empty()) [[unlikely]]
    check_watching();
  if (!polling_.empty()) check_polling(kDelivery);
}

/// Accounts for the completion of a message from or to the rank.
void RankLoad::moved(std::uint32_t rank, std::uint64_t sent) {
  Job& job = job_of(rank);
  const std::uint32_t own = rank - job.first();
  if (job.state(own) == Job::State::Blocked) job.blocked(own).message(sent, simulation_->engine().now());
}

void RankLoad::delivered(Message& message) {
  --under_way_;
  const std::uint32_t rank = index(message.envelope.destination);
  if (pairs_ != nullptr) [[unlikely]] {
    const CriticalPath::Step step = step_of(message, CriticalPath::Kind::Message);
    const std::uint64_t time = step.end - step.begin;
    pairs_->add({step.rank, rank, 1, step.bytes, time, time - step.latency - step.bandwidth});
    if (path_ != nullptr) {
      path_->enter(path_->follow(message.cause, step));
      path_->release(std::exchange(message.cause, 0));
    }
  }
  moved(rank, message.queued);
  if (index(node_of(message.envelope.source)) != message.node) {
    Job& job = job_of(rank);
    job.time(rank - job.first()).work.received_bytes += message.wire_bytes;
  }
  notify(rank, [&] { library_->arrived(message.envelope, message.data, message.data_bytes); });
  if (path_ != nullptr) [[unlikely]]
    path_->leave();
}

void RankLoad::prefetch(const Envelope& envelope) const {
  const Job& job = job_of(index(envelope.destination));
  const std::uint32_t own = index(envelope.destination) - job.first();
  if (!job.local(own)) return;
  job.prefetch(own);
  library_->prefetch(envelope.destination);
}

void RankLoad::departed(Message& message) {
  if (path_ != nullptr) [[unlikely]]
    path_->enter(path_->follow(message.cause, step_of(message, CriticalPath::Kind::Departure)));
  moved(index(message.envelope.source), message.queued);
  notify(index(message.envelope.source), [&] { library_->departed(message.envelope); });
  if (path_ != nullptr) [[unlikely]]
    path_->leave();
}

void RankLoad::timer(std::uint64_t token, std::uint32_t rank) {
  --under_way_;
  if (OutOfBandMessages::is_token(token)) {
    const OutOfBandMessages::Message message = out_of_band_.take(token);
    if (path_ != nullptr) [[unlikely]] {
      path_->enter(path_->follow(message.cause, {.begin = message.sent,
                                                 .end = simulation_->engine().now(),
                                                 .rank = index(message.envelope.source),
                                                 .other = rank,
                                                 .kind = CriticalPath::Kind::Collective}));
      path_->release(message.cause);
    }
    moved(rank, message.sent);
    const std::byte* data = message.data.empty() ? nullptr : message.data.data();
    notify(rank, [&] { library_->arrived(message.envelope, data, message.data.size()); });
  } else {
    if (path_ != nullptr) [[unlikely]]
      path_->enter(path_->fire(rank, token, simulation_->engine().now()));
    notify(rank, [&] { library_->timer(RankId{rank}, token); });
  }
  if (path_ != nullptr) [[unlikely]]
    path_->leave();
}

bool RankLoad::outdated(std::uint64_t token, std::uint32_t rank) const {
  Job& job = job_of(rank);
  return !OutOfBandMessages::is_token(token) && job.state(rank - job.first()) == Job::State::Ended;
}

void RankLoad::resume(std::uint32_t rank) {
  Job& job = job_of(rank);
  if (job.stopped || failed_ || cut_) return;
  serve(job);
  running_ = &job;
  const std::uint32_t own = rank - job.first();
  if (job.state(own) != Job::State::Testing) --under_way_;
  job.state(own) = Job::State::Ready;
  in_program_ = true;  // if not, suspend() restores it
  ComputeSamples::part(job.regions.any() ? static_cast<std::size_t>(job.regions.coverage(own)) : 0);
  meter_.start();
  const Processes::Outcome outcome = job.processes().resume(job.slot(own));
  ahead_ = 0;
  by_ = rank;
  if (!watching_.empty()) [[unlikely]]
    check_watching();
  if (!polling_.empty()) check_polling(rank);
  by_ = -1;
  switch (outcome) {
    case Processes::Outcome::Suspended:
      return;
    case Processes::Outcome::Ended:
      acted_ = true;
      job.state(own) = Job::State::Ended;
      job.time(own).ended = simulation_->engine().now();
      if (!outside_.empty()) pass_rest(job, own);
      if (path_ != nullptr) path_->spent(rank, job.time(own).ended, CriticalPath::Kind::Calls);
      ++job.results.ended;
      output_.end(rank);
      end_computing(job, own);
      if (library_->finished(RankId{rank}))
        job.processes().forget(job.slot(own));
      else
        left(rank, job.processes().status());
      if (job.results.ending.kind == Ending::Kind::Finished)
        job.results.ending.status = std::max(job.results.ending.status, job.processes().status());
      return;
    case Processes::Outcome::Failed:
      fail(rank);
  }
}

/// Handles a rank that ended without MPI_Finalize. A non-zero status ends the job, as mpirun does: other
/// ranks may poll for ever for messages that this rank will not send. If a signal ends the run, the rank may
/// be abandoned because it makes no call, and other ranks that may do the same do not resume.
void RankLoad::left(std::uint32_t rank, int status) {
  Job& job = job_of(rank);
  const std::uint32_t own = rank - job.first();
  if (status != 0 && interrupted_(standing_)) {
    cut_ = true;
    job.results.ending.kind = Ending::Kind::Interrupted;
  }
  if (status != 0 && library_->started(RankId{rank}) && !cut_)
    return end_job(rank, status,
                   fmt::format("rank {} ended with status {} without MPI_Finalize", own, status));
  job.results.ending.left.push_back({job.time(own).ended, own, status});
}

void RankLoad::fail(std::uint32_t rank) {
  Job& job = job_of(rank);
  Ending ending;
  ending.kind = Ending::Kind::Failed;
  ending.time = simulation_->engine().now();
  ending.rank = rank - job.first();
  ending.status = job.processes().failure_status();
  ending.lines.push_back(fmt::format("{}: {}", job.called(ending.rank), job.processes().failure()));
  if (ending.before(job.results.ending)) job.results.ending = std::move(ending);
  job.stops = true;
  failed_ |= jobs_.size() == 1 || !job.processes().contained();
}

void RankLoad::end_job(std::uint32_t rank, int status, std::string_view why) {
  // Routers of a window are not served in the order of time.
  Job& job = job_of(rank);
  Ending end;
  end.kind = Ending::Kind::Aborted;
  end.time = simulation_->engine().now();
  end.rank = rank - job.first();
  end.status = status;
  end.lines.push_back(job.config().name.empty() ? std::string(why)
                                                : fmt::format("job {}: {}", job.config().name, why));
  if (end.before(job.results.ending)) job.results.ending = std::move(end);
  job.stops = true;
}

void RankLoad::abort_job(int status, std::string_view why) {
  const bool in_rank = running_ != nullptr && running_->processes().running() != Fibers::kNone;
  end_job(in_rank ? running() : notified_, status, why);
  if (!in_rank) throw JobEnds{};  // out of the library, see notify()
  running_->processes().leave(status);
}

}  // namespace psim::net

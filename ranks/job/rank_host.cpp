// SPDX-License-Identifier: Apache-2.0
// RankLoad's services for the library of messages and for ranks: sending, waiting, computing.
#include <fmt/format.h>
#include <stdio_ext.h>

#include <algorithm>
#include <cstdio>

#include "ranks/job/rank_load.h"

namespace psim::net {
namespace {

std::uint64_t host_ps(Picoseconds time) { return static_cast<std::uint64_t>(time.count()); }

}  // namespace

Picoseconds RankLoad::now() const {
  return Picoseconds{static_cast<std::int64_t>(simulation_->engine().now())};
}

NodeId RankLoad::node_of(RankId rank) const {
  const Job& job = job_of(index(rank));
  return NodeId{job.node_of(index(rank) - job.first())};
}

std::uint32_t RankLoad::router_of(RankId rank) const {
  return simulation_->graph().node_router[index(node_of(rank))];
}

bool RankLoad::local(RankId rank) const {
  const Job& job = job_of(index(rank));
  return job.local(index(rank) - job.first());
}

std::byte* RankLoad::memory(RankId rank, void* address, std::uint64_t bytes) const {
  const Job& job = job_of(index(rank));
  return job.processes().memory(job.slot(index(rank) - job.first()), address, bytes);
}

void RankLoad::enter(RankId rank) {
  Job& job = job_of(index(rank));
  job.processes().enter(job.slot(index(rank) - job.first()));
}

void RankLoad::call(RankId rank, void (*function)(void*), void* argument) {
  Job& job = job_of(index(rank));
  const std::uint32_t own = index(rank) - job.first();
  running_ = &job;
  const Processes::Outcome outcome = job.processes().call(job.slot(own), function, argument);
  if (outcome == Processes::Outcome::Ended && job.processes().returned()) return;
  if (outcome == Processes::Outcome::Failed)
    fail(index(rank));
  else if (const int status = job.processes().status(); !job.stops)
    end_job(index(rank), status == 0 ? 1 : status, fmt::format("rank {}: exit in a reduction", own));
  throw JobEnds{};
}

void RankLoad::send(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                    std::uint64_t bytes, bool in_place, bool control) {
  acted_ = true;
  ++under_way_;
  MessagePool& pool = simulation_->interfaces().pool();
  const std::uint32_t number = pool.take();
  Message& message = pool[number];
  message.envelope = envelope;
  message.wire_bytes = wire_bytes;
  message.node = index(node_of(envelope.destination));
  message.in_place = in_place;
  message.control = control;
  if (data != nullptr && local(envelope.destination)) {
    message.carry(data, bytes);
  } else {
    message.data = data;  // travels to the other host process at once
    message.data_bytes = bytes;
  }
  Job& job = job_of(index(envelope.source));
  message.owner = job.owner;
  ++job.results.messages;
  job.results.bytes += wire_bytes;
  if (const std::uint32_t node = index(node_of(envelope.source)); node != message.node)
    job.time(index(envelope.source) - job.first()).work.sent_bytes += wire_bytes;
  message.cause = 0;
  if (path_ != nullptr) [[unlikely]]
    message.cause = path_->here(runner(), simulation_->engine().now());
  simulation_->interfaces().send(index(node_of(envelope.source)), number);
}

void RankLoad::send(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                    std::uint64_t bytes) {
  send(envelope, wire_bytes, data, bytes, false);
}

void RankLoad::send_in_place(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                             std::uint64_t bytes) {
  if (data != nullptr) data = memory(envelope.source, const_cast<std::byte*>(data), bytes);
  send(envelope, wire_bytes, data, bytes, true);
}

void RankLoad::send_control(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                            std::uint64_t bytes) {
  send(envelope, wire_bytes, data, bytes, false, true);
}

void RankLoad::send_out_of_band(const Envelope& envelope, const std::byte* data, std::uint64_t bytes,
                                Picoseconds delay) {
  acted_ = true;
  ++under_way_;
  Engine& engine = simulation_->engine();
  const std::uint32_t router = router_of(envelope.destination);
  OutOfBandMessages::Message message{.envelope = envelope, .sent = engine.now(), .data = {}};
  if (data != nullptr) message.data.assign(data, data + bytes);
  if (path_ != nullptr) message.cause = path_->here(runner(), engine.now());
  if (simulation_->interfaces().ideal()) delay = Picoseconds{0};
  const std::uint64_t token = out_of_band_.send(engine.partition().owner(router), std::move(message));
  simulation_->timer_at(router, engine.now() + host_ps(delay), token, index(envelope.destination));
}

/// Suspends the running rank; other ranks run meanwhile.
void RankLoad::suspend() {
  Job& job = *running_;
  const bool in_program = in_program_;
  job.processes().suspend();
  in_program_ = in_program;
  sample_regions();
  if (in_program) meter_.start();
}

void RankLoad::block() {
  acted_ = true;
  Job& job = *running_;
  const std::uint32_t rank = job.running();
  const std::uint64_t from = simulation_->engine().now(), clock = from + ahead_;
  job.state(rank) = Job::State::Blocked;
  job.blocked(rank).begin(from);
  suspend();
  if (const std::uint64_t woken = simulation_->engine().now(); woken < clock)
    pass(Picoseconds{static_cast<std::int64_t>(clock - woken)});
  const std::uint64_t now = simulation_->engine().now(), wait = job.blocked(rank).wait(now);
  job.time(rank).wait += wait;
  job.time(rank).transfer += now - from - wait;
  if (path_ != nullptr) [[unlikely]]
    path_->resumed(running(), now);
}

/// A rank that repeats the call in a loop would be resumed for each call. Instead it stays suspended and
/// resumes at the instant of the first call that may notice news: only news changes the result of the call.
std::uint64_t RankLoad::poll(Picoseconds cost, const PollCall& call) {
  Job& job = *running_;
  const std::uint32_t rank = job.running();
  RankTime& time = job.time(rank);
  ++time.polls;
  const Engine& engine = simulation_->engine();
  const ThreadTurns* const others = threads();
  const bool skips = skips_polls_ && ahead_ == 0 && (others == nullptr || others->runs_alone());
  if (PollWait& polls = job.polls(rank); skips && polls.loop.repeats(call, engine.now(), host_ps(cost))) {
    const std::uint64_t from = engine.now();
    polls.cost = host_ps(cost);
    polls.from = from;
    job.state(rank) = Job::State::Polling;
    if (!polling_.empty()) polling_[engine.router() - engine.first_router()].push_back(job.first() + rank);
    suspend();
    if (path_ != nullptr) path_->polled(running(), engine.now());
    const std::uint64_t passed = engine.now() - from;
    const std::uint64_t calls = passed / host_ps(cost);
    time.polls += calls - 1;
    time.polled += passed;
    time.overhead += passed;
    return calls;
  }
  time.polled += host_ps(cost);
  job.state(rank) = Job::State::Testing;
  spend(cost, CriticalPath::Kind::Poll);
  return 1;
}

void RankLoad::notice(Job& job, std::uint32_t own, bool late) {
  if (job.state(own) != Job::State::Polling) [[likely]]
    return;
  const Engine& engine = simulation_->engine();
  const PollWait& polls = job.polls(own);
  const std::uint64_t passed = engine.now() - polls.from;
  const bool another = passed % polls.cost != 0 || late;
  const std::uint64_t calls = std::max<std::uint64_t>(1, passed / polls.cost + another);
  job.state(own) = Job::State::Testing;
  if (!polling_.empty()) std::erase(polling_[engine.router() - engine.first_router()], job.first() + own);
  simulation_->resume_at(polls.from + calls * polls.cost, job.first() + own);
}

/// Ranks resume in their order, after deliveries: a call of this very instant by a later rank follows `by`.
void RankLoad::check_polling(std::int64_t by) {
  const Engine& engine = simulation_->engine();
  const std::vector<std::uint32_t>& here = polling_[engine.router() - engine.first_router()];
  for (std::size_t i = 0; i < here.size();) {
    Job& job = job_of(here[i]);
    const std::uint32_t own = here[i] - job.first();
    if (here[i] == by || job.unchanged(own, job.polls(own).loop.words()))
      ++i;
    else {
      if (path_ != nullptr) path_->news(here[i], runner(), engine.now());
      notice(job, own, engine.round() > 0 || here[i] < by);
    }
  }
}

/// Accounts for polls as if each had had an event: polls before the end of the window have passed, the next
/// one is pending.
void RankLoad::settle_polls(Job& job) {
  Engine& engine = simulation_->engine();
  for (const std::uint32_t own : job.here()) {
    if (job.state(own) != Job::State::Polling) continue;
    const PollWait& polls = job.polls(own);
    const std::uint64_t calls = (engine.served_until() - 1 - polls.from) / polls.cost;
    job.time(own).polls += calls;
    job.time(own).polled += (calls + 1) * polls.cost;
    job.time(own).overhead += (calls + 1) * polls.cost;
    simulation_->extend_to(polls.from + calls * polls.cost);
    job.state(own) = Job::State::Testing;
    for (std::vector<std::uint32_t>& here : polling_) std::erase(here, job.first() + own);
    engine.set_router(router_of(RankId{job.first() + own}));
    simulation_->resume_at(polls.from + (calls + 1) * polls.cost, job.first() + own);
  }
}

void RankLoad::watch(std::span<const WatchedWord> words) {
  catch_up();
  Job& job = *running_;
  const std::uint32_t rank = job.running();
  Watching one{&job, rank, simulation_->engine().router(), {words.begin(), words.end()}};
  if (!job.unchanged(rank, words)) return;  // other ranks ran while the clock caught up
  const std::uint64_t from = simulation_->engine().now();
  watching_.push_back(std::move(one));
  job.state(rank) = Job::State::Watching;
  suspend();
  job.time(rank).wait += simulation_->engine().now() - from;
  if (path_ != nullptr) path_->resumed(running(), simulation_->engine().now());
}

void RankLoad::check_watching() {
  const std::uint32_t router = simulation_->engine().router();
  std::erase_if(watching_, [&](const Watching& one) {
    if (one.router != router || one.job->unchanged(one.rank, one.words)) return false;
    one.job->state(one.rank) = Job::State::Ready;
    ++under_way_;
    if (path_ != nullptr) path_->woken(one.job->first() + one.rank, runner(), simulation_->engine().now());
    simulation_->resume_at(simulation_->engine().now(), one.job->first() + one.rank);
    return true;
  });
}

/// Readings of the clock share an event: loops that wait for a time, as in benchmarks, would be slow
/// otherwise.
Picoseconds RankLoad::read_clock(Picoseconds cost) {
  acted_ = true;
  constexpr std::uint64_t kFarthest =
      1'000'000;  // ps: changes of its memory are seen later by up to this time
  // Buffered text belongs to this instant and must be printed with its time.
  if (computing_.counts_code() || !simulation_->jitter().none() || timeline_ != nullptr || path_ != nullptr ||
      ::__fpending(stdout) != 0) {
    sleep(cost);
    return now();
  }
  running_->time(running_->running()).overhead += host_ps(cost);
  ahead_ += host_ps(cost);
  if (ahead_ >= kFarthest) catch_up();
  return Picoseconds{static_cast<std::int64_t>(simulation_->engine().now() + ahead_)};
}

void RankLoad::pass(Picoseconds time) {
  const std::uint64_t length = host_ps(time) + ahead_;
  if (length == 0) return;
  const std::uint32_t rank = running();
  if (running_->state(running_->running()) != Job::State::Testing) ++under_way_;
  simulation_->resume_at(simulation_->jitter().end(rank, simulation_->engine().now(), length), rank);
  suspend();
}

void RankLoad::sample_regions() {
  const Regions& regions = running_->regions;
  ComputeSamples::part(regions.any() ? static_cast<std::size_t>(regions.coverage(running_->running())) : 0);
}

template <class Mark>
void RankLoad::checked(Mark mark) {
  std::string problem;
  try {
    return mark();
  } catch (const Regions::Error& error) {
    problem = error.text;
  }
  abort_job(2, fmt::format("rank {}: {}", running_->running(), problem));
}

void RankLoad::begin_region(const RegionMark& mark) {
  Job& job = *running_;
  const std::uint32_t rank = job.running();
  if (threads() != nullptr && threads()->number() != 0) return job.regions.ignore();
  if (computing_.models != nullptr) pass_modelled();
  const auto place = [&](const RegionMark& at) { return job.place_of(rank, at); };
  checked([&] { job.regions.begin(rank, mark, simulation_->engine().now(), job.time(rank), place); });
  sample_regions();
}

void RankLoad::add_model(const RegionMark& mark) {
  Job& job = *running_;
  const std::uint32_t rank = job.running();
  if (threads() != nullptr && threads()->number() != 0) return job.regions.ignore();
  if (computing_.models != nullptr) pass_modelled();
  const auto place = [&](const RegionMark& at) { return job.place_of(rank, at); };
  checked([&] { job.regions.begin(rank, mark, simulation_->engine().now(), job.time(rank), place, true); });
  end_region(mark);
}

void RankLoad::end_region(const RegionMark& mark) {
  Job& job = *running_;
  const std::uint32_t rank = job.running();
  if (threads() != nullptr && threads()->number() != 0) return job.regions.ignore();
  const auto place = [&](const RegionMark& at) { return job.place_of(rank, at); };
  std::uint64_t left = 0;
  checked([&] { left = job.regions.remaining(rank, mark, job.time(rank), place); });
  if (left != 0) compute(Picoseconds{static_cast<std::int64_t>(left)});
  job.regions.end(rank, simulation_->engine().now(), job.time(rank));
  sample_regions();
}

void RankLoad::add_work(std::uint64_t flops, std::uint64_t memory_bytes) {
  RankWork& work = running_->time(running_->running()).work;
  ++work.statements;
  work.flops += flops;
  work.memory_bytes += memory_bytes;
}

void RankLoad::enter_call(bool of_mpi) {
  if (computing_.counts_code()) pass_measured();
  if (of_mpi && computing_.models != nullptr) pass_modelled();
  in_program_ = false;
}

void RankLoad::leave_call() {
  in_program_ = true;
  meter_.start();
}

void RankLoad::wake(RankId rank, Picoseconds delay) {
  ++under_way_;
  const std::uint64_t time = simulation_->engine().now() + host_ps(delay);
  if (path_ != nullptr) [[unlikely]]
    path_->woken(index(rank), runner(), simulation_->engine().now());
  simulation_->resume_at(simulation_->jitter().end(index(rank), time, 0), index(rank));
}

void RankLoad::after(RankId rank, Picoseconds delay, std::uint64_t token) {
  acted_ = true;
  ++under_way_;
  if (path_ != nullptr) [[unlikely]]
    path_->keep(index(rank), token, path_->here(runner(), simulation_->engine().now()));
  simulation_->timer(simulation_->engine().now() + host_ps(delay), token, index(rank));
}

}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
// The processor time of RankLoad's ranks: computing and overheads, and their place on the critical path.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ranks/job/rank_load.h"

namespace psim::net {
namespace {

constexpr const char* kOutside = "(outside)";  // the model of everything outside of regions

std::uint64_t whole_ps(Picoseconds time) { return static_cast<std::uint64_t>(time.count()); }

}  // namespace

std::uint64_t Computing::outside_regions() const {
  const auto value = models != nullptr ? models->time(kOutside, {}) : std::nullopt;
  if (!value) return 0;
  return static_cast<std::uint64_t>((halves && halved.empty() ? 0.5 : 1) * value->seconds * 1e12 + 0.5);
}

std::span<const double> Computing::outside_of_ranks() const {
  return models != nullptr ? models->of_ranks(kOutside) : std::span<const double>();
}

std::span<const std::vector<double>> Computing::outside_at_steps() const {
  return models != nullptr ? models->at_steps(kOutside) : std::span<const std::vector<double>>();
}

void RankLoad::sleep(Picoseconds time) {
  acted_ = true;
  spend(time, CriticalPath::Kind::Calls);
}

void RankLoad::send_overhead(Picoseconds time) {
  acted_ = true;
  spend(time, CriticalPath::Kind::Send);
}

void RankLoad::receive_overhead(Picoseconds time) {
  acted_ = true;
  spend(time, CriticalPath::Kind::Receive);
}

void RankLoad::spend(Picoseconds time, CriticalPath::Kind kind) {
  if (in_program_ && computing_.counts_code()) pass_measured();
  if (time.count() == 0) return;
  running_->time(running_->running()).overhead += whole_ps(time);
  const std::uint64_t from = simulation_->engine().now();
  pass(time);
  if (path_ == nullptr) [[likely]]
    return;
  if (kind == CriticalPath::Kind::Poll)
    path_->polled(running(), simulation_->engine().now());
  else
    spent(from, whole_ps(time), kind);
}

void RankLoad::spent(std::uint64_t from, std::uint64_t length, CriticalPath::Kind kind) {
  if (path_ == nullptr) [[likely]]
    return;
  const std::uint32_t region =
      kind == CriticalPath::Kind::Compute ? running_->regions.innermost(running_->running()) : 0;
  path_->spent(running(), from + length, kind, region);
  path_->spent(running(), simulation_->engine().now(), CriticalPath::Kind::Jitter);
}

void RankLoad::compute(Picoseconds time) {
  acted_ = true;
  if (in_program_ && computing_.counts_code()) pass_measured();
  if (time.count() != 0) compute_for(whole_ps(time));
}

void RankLoad::compute_for(std::uint64_t time) {
  Regions& regions = running_->regions;
  const std::uint32_t rank = running_->running();
  if (computing_.halves && (computing_.halved.empty() || regions.is_inside(rank, computing_.halved))) {
    regions.save(rank, time - time / 2);
    time /= 2;
  }
  pass_computing(time);
}

void RankLoad::pass_computing(std::uint64_t time) {
  running_->time(running_->running()).compute += time;
  const std::uint64_t from = simulation_->engine().now();
  pass(Picoseconds{static_cast<std::int64_t>(time)});
  spent(from, time, CriticalPath::Kind::Compute);
}

/// Lets the share of a model's time pass that precedes a step of the rank's first thread.
void RankLoad::pass_modelled() {
  if (threads() != nullptr && threads()->number() != 0) return;
  Regions& regions = running_->regions;
  const std::uint32_t rank = running_->running();
  if (regions.innermost(rank) != 0) {
    if (const std::uint64_t due = regions.before_step(rank, running_->time(rank)); due != 0) compute_for(due);
    return;
  }
  if (outside_.empty()) return;
  const std::span<const double> shares = shares_of_rank(computing_.outside_at_steps(), rank);
  if (outside_[running()].steps >= shares.size()) return;
  Outside& outside = outside_[running()];
  const auto due = static_cast<std::uint64_t>(shares[outside.steps++] * static_cast<double>(outside.all));
  if (due <= outside.passed) return;
  pass_computing(due - std::exchange(outside.passed, due));
}

void RankLoad::pass_measured() {
  const std::uint64_t code = code_time();
  if (computing_.records) record_.times[running()].push_back(code);
  const double factor = running_->regions.factor(running_->running(), computing_.factor);
  const auto time = static_cast<std::uint64_t>(static_cast<double>(code) * factor * 1e3);
  meter_.start();
  if (time != 0) compute_for(time);
}

std::uint64_t RankLoad::code_time() {
  if (computing_.recorded == nullptr) return meter_.read();
  const std::vector<std::uint64_t>& times = computing_.recorded->times[running()];
  std::size_t& next = replayed_[running()];
  if (next == times.size())
    abort_job(
        2, fmt::format("rank {}: {} has its computing up to call {}, and the program calls again; expected "
                       "the program, the arguments and the network of the record",
                       running_->running(), computing_.recorded->path, times.size()));
  return times[next++];
}

std::uint32_t RankLoad::runner() const {
  if (by_ >= 0) return static_cast<std::uint32_t>(by_);
  if (running_ == nullptr || running_->processes().running() == Fibers::kNone) return 0;
  return running();
}

CriticalPath::Step RankLoad::step_of(const Message& message, CriticalPath::Kind kind) {
  const bool inside = message.source == message.node;
  CriticalPath::Step step{.begin = message.queued,
                          .end = simulation_->engine().now(),
                          .bytes = message.wire_bytes,
                          .rank = index(message.envelope.source),
                          .other = index(message.envelope.destination),
                          .kind = inside ? CriticalPath::Kind::Inside : kind};
  const std::uint64_t time = step.end - step.begin;
  const MessageTimes::Parts parts =
      times_->parts(message.source, message.node, message.wire_bytes, kind == CriticalPath::Kind::Departure);
  step.latency = std::min(parts.latency, time);
  step.bandwidth = std::min(parts.bandwidth, time - step.latency);
  return step;
}

/// Adds the time outside of regions that has not passed before the steps of a rank that has ended.
void RankLoad::pass_rest(Job& job, std::uint32_t own) {
  const Outside& outside = outside_[job.first() + own];
  const std::uint64_t rest = outside.all - outside.passed;
  RankTime& time = job.time(own);
  time.compute += rest, time.ended += rest;
  simulation_->extend_to(time.ended);
  if (path_ != nullptr && rest != 0)
    path_->spent(job.first() + own, time.ended, CriticalPath::Kind::Compute, 0);
}

/// Checks the marks and the recorded times of a rank that has ended.
void RankLoad::end_computing(Job& job, std::uint32_t own) {
  const std::uint32_t rank = job.first() + own;
  std::string problem;
  try {
    job.regions.finish(own, job.time(own), [&](const RegionMark& at) { return job.place_of(own, at); });
  } catch (const Regions::Error& error) {
    problem = error.text;
  }
  if (problem.empty() && computing_.recorded != nullptr)
    if (const std::size_t all = computing_.recorded->times[rank].size(); replayed_[rank] < all)
      problem = fmt::format(
          "{} has its computing up to call {}, and the program ends after {}; expected the program, "
          "the arguments and the network of the record",
          computing_.recorded->path, all, replayed_[rank]);
  if (!problem.empty() && job.processes().status() == 0)
    end_job(rank, 2, fmt::format("rank {}: {}", own, problem));
}

}  // namespace psim::net

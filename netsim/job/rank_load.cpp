// SPDX-License-Identifier: Apache-2.0
#include "netsim/job/rank_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace psim::net {
namespace {

constexpr std::size_t kMostTold = 64;  // ranks of a deadlock

std::uint64_t ps(Picoseconds time) { return static_cast<std::uint64_t>(time.count()); }

/// The program with `count` of its ranks. A process of routers without nodes loads it for one that never
/// runs.
ProcessesConfig part(ProcessesConfig program, std::uint32_t first, std::uint32_t count) {
  program.first = first;
  program.ranks = std::max(1u, count);
  return program;
}

}  // namespace

RankLoad::RankLoad(const ProcessesConfig& program, std::uint32_t ranks_a_node,
                   std::pair<std::uint32_t, std::uint32_t> nodes, Print print)
    : ranks_(program.ranks),
      first_(std::min(ranks_, nodes.first * ranks_a_node)),
      count_(std::min(ranks_, nodes.second * ranks_a_node) - first_),
      processes_(part(program, first_, count_), *this),
      ranks_a_node_(ranks_a_node),
      print_(std::move(print)),
      times_(ranks_),
      states_(ranks_, State::Ready),
      blocked_(count_) {}

RankLoad::~RankLoad() = default;

RankLoad::Ending RankLoad::run(Simulation& simulation, const MpiConfig& mpi, Interrupted interrupted,
                               HostProcesses* processes) {
  start(simulation, mpi, std::move(interrupted), processes);
  simulation.run();
  return finish();
}

void RankLoad::start(Simulation& simulation, const MpiConfig& mpi, Interrupted interrupted,
                     HostProcesses* processes) {
  simulation_ = &simulation;
  host_processes_ = processes != nullptr && processes->size() > 1 ? processes : nullptr;
  prints_ = host_processes_ == nullptr || host_processes_->first();
  interrupted_ = std::move(interrupted);
  if (timeline_ != nullptr) timeline_->start(*this);
  library_ = &processes_.attach(*this, mpi);
  for (std::uint32_t rank = first_; rank < first_ + count_; ++rank) {
    simulation.engine().set_place(simulation.graph().node_place[index(node_of(RankId{rank}))]);
    simulation.resume_at(0, rank);
  }
}

RankLoad::Ending RankLoad::finish() {
  print_before(~std::uint64_t{0} >> 1);
  if (cut_)
    ending_.kind = Ending::Kind::Interrupted;
  else if (ending_.kind == Ending::Kind::Finished && !stop_ && ended_ < count_)
    report_deadlock();
  simulation_->gather();
  if (timeline_ != nullptr) gather_timeline();
  if (host_processes_ != nullptr) gather(*host_processes_);
  if (ending_.kind == Ending::Kind::Deadlocked) {
    const std::size_t told = std::min(ending_.waiting.size(), kMostTold);
    const std::uint64_t waiting = ranks_ - ended_;
    ending_.lines.push_back(fmt::format("deadlock at {:.9f} s: {} of {} ranks wait for what cannot come",
                                        static_cast<double>(simulation_->last()) * 1e-12, waiting, ranks_));
    for (std::size_t i = 0; i < told; ++i) ending_.lines.push_back(ending_.waiting[i]);
    if (waiting > told) ending_.lines.push_back(fmt::format("… and {} more", waiting - told));
  }
  return ending_;
}

Votes RankLoad::votes() {
  return {stop_ ? 1u : 0u, interrupted_(standing_) ? 1u : 0u, simulation_->fabric().packet_hops(), ended_};
}

bool RankLoad::goes_on(std::uint64_t start, const Votes& votes) {
  print_before(start);
  const auto [stops, interrupted, hops, ended] = votes;
  standing_ = {hops, start, ended};
  stop_ = stops != 0;
  cut_ = !stop_ && interrupted != 0;
  return !stop_ && !cut_;
}

void RankLoad::write(Parcel& parcel) {
  parcel.put(std::uint64_t{for_first_.size()});
  for (const Printed& piece : for_first_) {
    parcel.put(piece.time);
    parcel.put(piece.rank);
    parcel.put(piece.stream);
    parcel.put_text(piece.text);
  }
  for_first_.clear();
}

void RankLoad::read(Parcel& parcel) {
  for (auto left = parcel.take<std::uint64_t>(); left != 0; --left) {
    const auto time = parcel.take<Picoseconds>();
    const auto rank = parcel.take<RankId>();
    const auto stream = parcel.take<Stream>();
    output_.add(time, rank, stream, parcel.take_text());
  }
}

void RankLoad::report_deadlock() {
  ending_.kind = Ending::Kind::Deadlocked;
  for (std::uint32_t rank = first_; rank < first_ + count_ && ending_.waiting.size() < kMostTold; ++rank) {
    if (states_[rank] == State::Ended) continue;
    char text[512] = "";
    library_->describe(RankId{rank}, text, sizeof text);
    ending_.waiting.push_back(fmt::format("rank {}: {}", rank, text));
  }
}

/// A crash comes before an abort, that before an interruption, that before a deadlock; of two alike the
/// earlier counts.
bool RankLoad::Ending::before(const Ending& other) const {
  if (kind != other.kind) return kind > other.kind;
  return kind >= Kind::Aborted && std::pair(time, rank) < std::pair(other.time, other.rank);
}

/// Calls that nobody left end with the last event of all processes.
void RankLoad::gather_timeline() {
  timeline_->finish(simulation_->last());
  if (host_processes_ == nullptr) return;
  host_processes_->gather([&](Parcel& parcel) { timeline_->write(parcel); },
                          [&](Parcel& parcel) { timeline_->read(parcel); });
}

void RankLoad::gather(HostProcesses& processes) {
  processes.gather(
      [&](Parcel& parcel) {
        parcel.put(ending_.kind);
        parcel.put(ending_.status);
        parcel.put(ending_.time);
        parcel.put(ending_.rank);
        for (const auto* texts : {&ending_.lines, &ending_.waiting}) {
          parcel.put(std::uint64_t{texts->size()});
          for (const std::string& text : *texts) parcel.put_text(text);
        }
        parcel.put(ended_);
        parcel.put(first_);
        parcel.put_all(std::span<const RankTime>(times_).subspan(first_, count_));
      },
      [&](Parcel& parcel) {
        Ending other;
        other.kind = parcel.take<Ending::Kind>();
        other.status = parcel.take<int>();
        other.time = parcel.take<std::uint64_t>();
        other.rank = parcel.take<std::uint32_t>();
        for (auto* texts : {&other.lines, &other.waiting})
          for (auto left = parcel.take<std::uint64_t>(); left != 0; --left)
            texts->push_back(parcel.take_text());
        ended_ += parcel.take<std::uint32_t>();
        const auto first = parcel.take<std::uint32_t>();
        std::ranges::copy(parcel.take_all<RankTime>(), times_.begin() + first);
        // Processes, and so their ranks, are in order.
        std::vector<std::string> waiting = std::move(ending_.waiting);
        waiting.insert(waiting.end(), other.waiting.begin(), other.waiting.end());
        const int status = std::max(ending_.status, other.status);
        const bool finished = ending_.kind == Ending::Kind::Finished && other.kind == Ending::Kind::Finished;
        if (other.before(ending_)) ending_ = std::move(other);
        if (finished) ending_.status = status;
        ending_.waiting = std::move(waiting);
      });
  // All end as the first does.
  std::vector<Parcel> out(processes.size()), in(processes.size());
  for (Parcel& parcel : out) {
    parcel.put(ending_.kind);
    parcel.put(ending_.status);
  }
  processes.exchange(out, in);
  if (processes.first()) return;
  ending_.kind = in[0].take<Ending::Kind>();
  ending_.status = in[0].take<int>();
}

Picoseconds RankLoad::now() const {
  return Picoseconds{static_cast<std::int64_t>(simulation_->engine().now())};
}

void RankLoad::send(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                    std::uint64_t bytes, bool in_place, bool control) {
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
  simulation_->interfaces().send(index(node_of(envelope.source)), number);
}

void RankLoad::send(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                    std::uint64_t bytes) {
  send(envelope, wire_bytes, data, bytes, false);
}

void RankLoad::send_in_place(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                             std::uint64_t bytes) {
  if (data != nullptr) data = memory(envelope.source, const_cast<std::byte*>(data));
  send(envelope, wire_bytes, data, bytes, true);
}

void RankLoad::send_control(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                            std::uint64_t bytes) {
  send(envelope, wire_bytes, data, bytes, false, true);
}

template <class Call>
void RankLoad::tell(std::uint32_t rank, Call call) {
  if (ending_.kind == Ending::Kind::Failed) return;
  told_ = rank;
  try {
    call();
  } catch (const JobEnds&) {
  }
}

/// A message from or to the rank is whole.
void RankLoad::moved(std::uint32_t rank, const Message& message) {
  if (states_[rank] == State::Blocked)
    blocked_[rank - first_].message(message.queued, simulation_->engine().now());
}

void RankLoad::delivered(Message& message) {
  moved(index(message.envelope.destination), message);
  tell(index(message.envelope.destination),
       [&] { library_->arrived(message.envelope, message.data, message.data_bytes); });
}

void RankLoad::departed(Message& message) {
  moved(index(message.envelope.source), message);
  tell(index(message.envelope.source), [&] { library_->departed(message.envelope); });
}

void RankLoad::timer(std::uint64_t token, std::uint32_t rank) {
  tell(rank, [&] { library_->timer(RankId{rank}, token); });
}

void RankLoad::resume(std::uint32_t rank) {
  if (ending_.kind == Ending::Kind::Failed) return;  // its globals and heap may be anything
  states_[rank] = State::Ready;
  switch (processes_.resume(rank - first_)) {
    case Processes::Outcome::Suspended:
      return;
    case Processes::Outcome::Ended:
      states_[rank] = State::Ended;
      times_[rank].ended = simulation_->engine().now();
      ++ended_;
      if (ending_.kind == Ending::Kind::Finished)
        ending_.status = std::max(ending_.status, processes_.status());
      return;
    case Processes::Outcome::Failed:
      fail(rank);
  }
}

void RankLoad::fail(std::uint32_t rank) {
  ending_.kind = Ending::Kind::Failed;
  ending_.time = simulation_->engine().now();
  ending_.rank = rank;
  ending_.status = 1;
  ending_.lines.assign(1, fmt::format("rank {}: {}", rank, processes_.failure()));
  stop_ = true;
}

void RankLoad::call(RankId rank, void (*function)(void*), void* argument) {
  const Processes::Outcome outcome = processes_.call(index(rank) - first_, function, argument);
  if (outcome == Processes::Outcome::Ended && processes_.returned()) return;
  if (outcome == Processes::Outcome::Failed)
    fail(index(rank));
  else if (!stop_)
    end_job(index(rank), processes_.status(), fmt::format("rank {}: exit in a reduction", index(rank)));
  throw JobEnds{};
}

void RankLoad::block() {
  const std::uint32_t rank = running();
  const std::uint64_t from = simulation_->engine().now();
  states_[rank] = State::Blocked;
  blocked_[rank - first_].begin(from);
  processes_.suspend();
  const std::uint64_t now = simulation_->engine().now(), wait = blocked_[rank - first_].wait(now);
  times_[rank].wait += wait;
  times_[rank].transfer += now - from - wait;
}

void RankLoad::sleep(Picoseconds time) {
  if (time.count() == 0) return;
  const std::uint32_t rank = running();
  times_[rank].overhead += ps(time);
  pass(rank, time);
}

void RankLoad::compute(Picoseconds time) {
  if (time.count() == 0) return;
  const std::uint32_t rank = running();
  times_[rank].compute += ps(time);
  pass(rank, time);
}

void RankLoad::pass(std::uint32_t rank, Picoseconds time) {
  simulation_->resume_at(simulation_->jitter().end(rank, simulation_->engine().now(), ps(time)), rank);
  processes_.suspend();
}

void RankLoad::wake(RankId rank, Picoseconds delay) {
  const std::uint64_t time = simulation_->engine().now() + ps(delay);
  simulation_->resume_at(simulation_->jitter().end(index(rank), time, 0), index(rank));
}

void RankLoad::after(RankId rank, Picoseconds delay, std::uint64_t token) {
  simulation_->timer(simulation_->engine().now() + ps(delay), token, index(rank));
}

void RankLoad::end_job(std::uint32_t rank, int status, std::string_view why) {
  // Places of a window are not served in the order of time.
  Ending end;
  end.kind = Ending::Kind::Aborted;
  end.time = simulation_->engine().now();
  end.rank = rank;
  end.status = status;
  end.lines.emplace_back(why);
  if (end.before(ending_)) ending_ = std::move(end);
  stop_ = true;
}

void RankLoad::abort_job(int status, std::string_view why) {
  const bool in_rank = processes_.running() != Fibers::kNone;
  end_job(in_rank ? running() : told_, status, why);
  if (!in_rank) throw JobEnds{};  // out of the library, see tell()
  processes_.leave(status);
}

void RankLoad::write(std::uint32_t rank, Stream stream, std::string_view text) {
  if (prints_)
    output_.add(now(), RankId{first_ + rank}, stream, text);
  else
    for_first_.push_back({now(), RankId{first_ + rank}, stream, std::string(text)});
}

void RankLoad::print_before(std::uint64_t time) {
  for (const Printed& piece : output_.take_before(Picoseconds{static_cast<std::int64_t>(time)}))
    print_(piece.rank, piece.stream, piece.text);
}

}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
#include "netsim/job/rank_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace psim::net {
namespace {

std::uint64_t ps(Picoseconds time) { return static_cast<std::uint64_t>(time.count()); }

}  // namespace

RankLoad::RankLoad(const ProcessesConfig& program, std::uint32_t ranks_a_node, Print print)
    : processes_(program, *this),
      ranks_a_node_(ranks_a_node),
      print_(std::move(print)),
      times_(program.ranks),
      states_(program.ranks, State::Ready) {}

RankLoad::~RankLoad() = default;

RankLoad::Ending RankLoad::run(Simulation& simulation, const MpiConfig& mpi,
                               const std::function<bool(std::uint64_t now)>& interrupted) {
  simulation_ = &simulation;
  library_ = &processes_.attach(*this, mpi);
  for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
    simulation.engine().set_place(simulation.graph().node_place[index(node_of(RankId{rank}))]);
    simulation.resume_at(0, rank);
  }
  bool cut = false;
  simulation.run([&](std::uint64_t start) {
    print_before(start);
    cut = !stop_ && interrupted(start);
    return !stop_ && !cut;
  });
  print_before(~std::uint64_t{0} >> 1);
  if (cut)
    ending_.kind = Ending::Kind::Interrupted;
  else if (!stop_ && ended_ < ranks())
    report_deadlock(ending_);
  return ending_;
}

void RankLoad::report_deadlock(Ending& ending) const {
  ending.kind = Ending::Kind::Deadlocked;
  ending.lines.push_back(fmt::format("deadlock at {:.9f} s: {} of {} ranks wait for what cannot come",
                                     static_cast<double>(simulation_->last()) * 1e-12, ranks() - ended_,
                                     ranks()));
  constexpr std::size_t kMost = 64;
  std::size_t told = 0;
  for (std::uint32_t rank = 0; rank < ranks() && told < kMost; ++rank) {
    if (states_[rank] == State::Ended) continue;
    char text[512] = "";
    library_->describe(RankId{rank}, text, sizeof text);
    ending.lines.push_back(fmt::format("rank {}: {}", rank, text));
    ++told;
  }
  if (ranks() - ended_ > told) ending.lines.push_back(fmt::format("… and {} more", ranks() - ended_ - told));
}

Picoseconds RankLoad::now() const {
  return Picoseconds{static_cast<std::int64_t>(simulation_->engine().now())};
}

Message& RankLoad::prepare(const Envelope& envelope, std::uint64_t wire_bytes, std::uint32_t& number) {
  MessagePool& pool = simulation_->interfaces().pool();
  number = pool.take();
  Message& message = pool[number];
  message.envelope = envelope;
  message.wire_bytes = wire_bytes;
  message.node = index(node_of(envelope.destination));
  return message;
}

void RankLoad::send(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                    std::uint64_t bytes) {
  std::uint32_t number;
  Message& message = prepare(envelope, wire_bytes, number);
  if (data != nullptr) {
    if (bytes > Message::kInline) message.owned = std::make_unique_for_overwrite<std::byte[]>(bytes);
    std::byte* copy = bytes > Message::kInline ? message.owned.get() : message.small;
    std::memcpy(copy, data, bytes);
    message.data = copy;
    message.data_bytes = bytes;
  }
  simulation_->interfaces().send(index(node_of(envelope.source)), number);
}

void RankLoad::send_in_place(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                             std::uint64_t bytes) {
  std::uint32_t number;
  Message& message = prepare(envelope, wire_bytes, number);
  message.data = data;
  message.data_bytes = bytes;
  message.in_place = true;
  simulation_->interfaces().send(index(node_of(envelope.source)), number);
}

void RankLoad::delivered(Message& message) {
  const std::byte* data = message.data;
  if (message.in_place && data != nullptr)
    data = memory(message.envelope.source, const_cast<std::byte*>(data));
  library_->arrived(message.envelope, data, message.data_bytes);
}

void RankLoad::departed(Message& message) {
  // The sender may write there from now on, before the message arrives.
  if (message.data != nullptr) {
    message.owned = std::make_unique_for_overwrite<std::byte[]>(message.data_bytes);
    std::memcpy(message.owned.get(), memory(message.envelope.source, const_cast<std::byte*>(message.data)),
                message.data_bytes);
    message.data = message.owned.get();
  }
  message.in_place = false;
  library_->departed(message.envelope);
}

void RankLoad::timer(std::uint64_t token, std::uint32_t rank) { library_->timer(RankId{rank}, token); }

void RankLoad::resume(std::uint32_t rank) {
  if (ending_.kind == Ending::Kind::Failed) return;  // its globals and heap may be anything
  states_[rank] = State::Ready;
  switch (processes_.resume(rank)) {
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
      ending_.kind = Ending::Kind::Failed;
      ending_.rank = rank;
      ending_.status = 1;
      ending_.lines.push_back(fmt::format("rank {}: {}", rank, processes_.failure()));
      stop_ = true;
  }
}

void RankLoad::block() {
  const std::uint32_t rank = processes_.running();
  const std::uint64_t from = simulation_->engine().now();
  states_[rank] = State::Blocked;
  processes_.suspend();
  times_[rank].wait += simulation_->engine().now() - from;
}

void RankLoad::sleep(Picoseconds time) {
  if (time.count() == 0) return;
  const std::uint32_t rank = processes_.running();
  times_[rank].compute += ps(time);
  simulation_->resume_at(simulation_->engine().now() + ps(time), rank);
  processes_.suspend();
}

void RankLoad::wake(RankId rank, Picoseconds delay) {
  simulation_->resume_at(simulation_->engine().now() + ps(delay), index(rank));
}

void RankLoad::after(RankId rank, Picoseconds delay, std::uint64_t token) {
  simulation_->timer(simulation_->engine().now() + ps(delay), token, index(rank));
}

void RankLoad::abort_job(int status, std::string_view why) {
  // Places of a window are not served in the order of time: the abort that counts is the first by (time,
  // rank).
  const std::pair<std::uint64_t, std::uint32_t> key{simulation_->engine().now(), processes_.running()};
  if (ending_.kind == Ending::Kind::Finished || key < aborted_) {
    aborted_ = key;
    ending_.kind = Ending::Kind::Aborted;
    ending_.rank = key.second;
    ending_.status = status;
    ending_.lines.assign(1, std::string(why));
  }
  stop_ = true;
  processes_.leave(status);
}

void RankLoad::write(std::uint32_t rank, Stream stream, std::string_view text) {
  output_.add(now(), RankId{rank}, stream, text);
}

void RankLoad::print_before(std::uint64_t time) {
  for (const Printed& piece : output_.take_before(Picoseconds{static_cast<std::int64_t>(time)}))
    print_(piece.rank, piece.stream, piece.text);
}

}  // namespace psim::net

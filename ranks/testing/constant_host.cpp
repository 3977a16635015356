// SPDX-License-Identifier: Apache-2.0
#include "ranks/testing/constant_host.h"

#include <fmt/format.h>

#include <utility>

namespace psim::net::testing {

namespace {
constexpr Picoseconds kLatency{1'000'000};
}

ConstantHost::ConstantHost(const ProcessesConfig& config, const MpiConfig& mpi)
    : count_(config.ranks), processes_(config, *this), running_ranks_(config.ranks) {
  library_ = &processes_.attach(*this, mpi);
  for (std::uint32_t rank = 0; rank < count_; ++rank) ready_.emplace(now_, rank);
}

void ConstantHost::post(Picoseconds time, Message message) { messages_.emplace(time, std::move(message)); }

void ConstantHost::send(const Envelope& envelope, std::uint64_t, const std::byte* data, std::uint64_t bytes) {
  send_out_of_band(envelope, data, bytes, kLatency);
}

void ConstantHost::send_out_of_band(const Envelope& envelope, const std::byte* data, std::uint64_t bytes,
                                    Picoseconds delay) {
  Message message;
  message.envelope = envelope;
  message.bytes = bytes;
  if (data) message.copy.assign(data, data + bytes);
  if (data && bytes == 0) message.in_place = data;
  post(now_ + delay, std::move(message));
}

void ConstantHost::send_in_place(const Envelope& envelope, std::uint64_t, const std::byte* data,
                                 std::uint64_t bytes) {
  Message message;
  message.envelope = envelope;
  message.in_place = data;
  message.bytes = bytes;
  post(now_ + kLatency, std::move(message));
}

void ConstantHost::sleep(Picoseconds time) {
  if (time == Picoseconds{0}) return;
  ready_.emplace(now_ + time, processes_.running());
  processes_.suspend();
}

void ConstantHost::wake(RankId rank, Picoseconds delay) { ready_.emplace(now_ + delay, index(rank)); }

void ConstantHost::after(RankId rank, Picoseconds delay, std::uint64_t token) {
  Message message;
  message.timer = true;
  message.token = token;
  message.envelope.source = rank;
  post(now_ + delay, std::move(message));
}

std::byte* ConstantHost::memory(RankId rank, void* address, std::uint64_t bytes) const {
  return processes_.memory(index(rank), address, bytes);
}

void ConstantHost::abort_job(int status, std::string_view why) {
  aborted_ = fmt::format("aborted with {}: {}", status, why);
  processes_.leave(status);
}

void ConstantHost::write(std::uint32_t rank, Stream stream, std::string_view text) {
  output_.add(now_, RankId{rank}, stream, text);
}

void ConstantHost::deliver(const Message& message) {
  if (message.timer) return library_->timer(message.envelope.source, message.token);
  const std::byte* data = message.copy.empty() ? message.in_place : message.copy.data();
  // Data of send_in_place may be a global variable of its sender.
  if (message.copy.empty() && data)
    data = processes_.memory(index(message.envelope.source), const_cast<std::byte*>(data), message.bytes);
  library_->arrived(message.envelope, data, message.bytes);
  library_->departed(message.envelope);
}

void ConstantHost::resume(std::uint32_t rank, ConstantRun& result) {
  switch (processes_.resume(rank)) {
    case Processes::Outcome::Suspended:
      return;
    case Processes::Outcome::Ended:
      result.statuses[rank] = processes_.status();
      result.time = now_;
      --running_ranks_;
      result.failure = aborted_;
      return;
    case Processes::Outcome::Failed:
      result.failure = fmt::format("rank {}: {}", rank, processes_.failure());
  }
}

ConstantRun ConstantHost::run() {
  ConstantRun result;
  result.statuses.assign(count_, -1);
  while (result.failure.empty() && running_ranks_ > 0) {
    if (messages_.empty() && ready_.empty()) {
      char text[256] = "";
      library_->describe(RankId{0}, false, text, sizeof text);
      result.failure = fmt::format("deadlock: {} ranks wait; rank 0: {}", running_ranks_, text);
      if (const std::string threads = processes_.waiting_threads(0); !threads.empty())
        result.failure += "; " + threads;
      break;
    }
    const bool messages_next =
        !messages_.empty() && (ready_.empty() || messages_.begin()->first <= ready_.begin()->first);
    if (messages_next) {
      const auto next = messages_.extract(messages_.begin());
      now_ = next.key();
      deliver(next.mapped());
    } else {
      const auto next = *ready_.begin();
      ready_.erase(ready_.begin());
      now_ = next.first;
      resume(next.second, result);
    }
  }
  library_->warnings([&](RankId rank, const std::string& what, std::uint64_t number) {
    result.warnings += fmt::format("rank {} {}", index(rank), what);
    result.warnings += number == 0 ? "\n" : fmt::format(": {}\n", number);
  });
  for (const Printed& piece : output_.take_all()) result.output += piece.text;
  return result;
}

}  // namespace psim::net::testing

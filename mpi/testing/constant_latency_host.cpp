// SPDX-License-Identifier: Apache-2.0
#include "mpi/testing/constant_latency_host.h"

#include <cxxabi.h>

#include <algorithm>
#include <boost/context/fixedsize_stack.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

namespace psim::net::testing {

ConstantLatencyHost::ConstantLatencyHost(std::uint32_t ranks, std::uint32_t ranks_of_node,
                                         Picoseconds latency, std::size_t stack)
    : ranks_of_node_(ranks_of_node), latency_(latency), stack_(stack), fibers_(ranks) {}

bool ConstantLatencyHost::run(Library& library, const std::function<void(std::uint32_t)>& body) {
  library_ = &library;
  running_ = ranks();
  for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
    fibers_[rank] = boost::context::fiber(std::allocator_arg, boost::context::fixedsize_stack(stack_),
                                          [this, rank, &body](boost::context::fiber&& from) {
                                            scheduler_ = std::move(from);
                                            body(rank);
                                            --running_;
                                            return std::move(scheduler_);
                                          });
    ready_.push_back(rank);
  }
  while (running_ > 0)
    if (!step()) {
      std::fprintf(stderr, "deadlock at %lld ps:\n", static_cast<long long>(now_.count()));
      for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
        if (!fibers_[rank]) continue;
        char text[160];
        library.describe(RankId{rank}, false, text, sizeof text);
        std::fprintf(stderr, "  rank %u waits in %s\n", rank, text);
      }
      return false;
    }
  return true;
}

void ConstantLatencyHost::resume(std::uint32_t rank) {
  current_ = rank;
  boost::context::fiber ended = std::move(fibers_[rank]).resume();
  if (ended) fibers_[rank] = std::move(ended);
}

bool ConstantLatencyHost::step() {
  if (!ready_.empty()) {
    const std::uint32_t rank = ready_.front();
    ready_.pop_front();
    resume(rank);
    return true;
  }
  if (flights_.empty() && later_.empty()) return false;
  if (!flights_.empty() && (later_.empty() || flights_.front().time <= later_.top().time)) {
    const Flight flight = flights_.front();
    flights_.pop_front();
    now_ = flight.time;
    ++messages_;
    if (flight.departs) library_->departed(flight.envelope);
    library_->arrived(flight.envelope, flight.data, flight.bytes);
    std::free(const_cast<std::byte*>(flight.data));
    return true;
  }
  const Later event = later_.top();
  later_.pop();
  now_ = event.time;
  if (event.timer)
    library_->timer(RankId{event.rank}, event.token);
  else
    resume(event.rank);
  return true;
}

void ConstantLatencyHost::send(const Envelope& envelope, const std::byte* data, std::uint64_t bytes,
                               bool departs) {
  std::byte* copy = nullptr;
  if (data != nullptr && bytes > 0) {
    copy = static_cast<std::byte*>(std::malloc(bytes));
    std::memcpy(copy, data, bytes);
  }
  flights_.push_back({now_ + latency_, envelope, copy, bytes, departs});
}

void ConstantLatencyHost::send(const Envelope& envelope, std::uint64_t, const std::byte* data,
                               std::uint64_t bytes) {
  send(envelope, data, bytes, false);
}

void ConstantLatencyHost::send_in_place(const Envelope& envelope, std::uint64_t, const std::byte* data,
                                        std::uint64_t bytes) {
  send(envelope, data, bytes, true);
}

void ConstantLatencyHost::send_out_of_band(const Envelope& envelope, const std::byte* data,
                                           std::uint64_t bytes, Picoseconds delay) {
  send(envelope, 0, data, bytes);
  Flight flight = flights_.back();
  flights_.pop_back();
  flight.time = now_ + delay;
  const auto later = std::upper_bound(flights_.begin(), flights_.end(), flight.time,
                                      [](Picoseconds time, const Flight& f) { return time < f.time; });
  flights_.insert(later, flight);
}

void ConstantLatencyHost::block() {
  const std::uint32_t rank = current_;
  // A rank has its own stack of exceptions being handled (Itanium C++ ABI: two words per thread).
  struct Handled {
    void* caught;
    unsigned uncaught;
  };
  auto* handled = reinterpret_cast<Handled*>(abi::__cxa_get_globals());
  const Handled mine = std::exchange(*handled, Handled{});
  scheduler_ = std::move(scheduler_).resume();
  *handled = mine;
  current_ = rank;
}

void ConstantLatencyHost::sleep(Picoseconds time) {
  if (time.count() == 0) return;
  later_.push({now_ + time, sequence_++, current_, false, 0});
  block();
}

void ConstantLatencyHost::wake(RankId rank, Picoseconds delay) {
  if (delay.count() == 0)
    ready_.push_back(index(rank));
  else
    later_.push({now_ + delay, sequence_++, index(rank), false, 0});
}

void ConstantLatencyHost::after(RankId rank, Picoseconds delay, std::uint64_t token) {
  later_.push({now_ + delay, sequence_++, index(rank), true, token});
}

void ConstantLatencyHost::abort_job(int status, std::string_view why) {
  std::fflush(stdout);
  std::fprintf(stderr, "aborted: %.*s\n", static_cast<int>(why.size()), why.data());
  std::_Exit(status != 0 ? status : 1);
}

}  // namespace psim::net::testing

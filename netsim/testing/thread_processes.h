// SPDX-License-Identifier: Apache-2.0
// Threads in the role of host processes, so that a test can share one simulation without mpirun.
#pragma once

#include <barrier>
#include <functional>
#include <thread>
#include <vector>

#include "netsim/parallel/host_processes.h"

namespace psim::net {

/// Runs work(processes) on `size` threads, each in the role of a host process.
inline void on_threads(std::uint32_t size, const std::function<void(HostProcesses&)>& work) {
  struct Shared {
    std::barrier<> barrier;
    std::vector<std::vector<Parcel>> given;  ///< by giver and receiver
  } shared{std::barrier<>(size), std::vector<std::vector<Parcel>>(size)};
  class Process final : public HostProcesses {
   public:
    Process(Shared& shared, std::uint32_t rank, std::uint32_t size)
        : shared_(shared), rank_(rank), size_(size) {}
    std::uint32_t rank() const override { return rank_; }
    std::uint32_t size() const override { return size_; }
    void exchange(const std::vector<Parcel>& out, std::vector<Parcel>& in) override {
      shared_.given[rank_] = out;
      shared_.barrier.arrive_and_wait();
      for (std::uint32_t from = 0; from < size_; ++from)
        if (from != rank_) in[from] = shared_.given[from][rank_];
      shared_.barrier.arrive_and_wait();
    }

   private:
    Shared& shared_;
    std::uint32_t rank_, size_;
  };
  std::vector<std::thread> threads;
  for (std::uint32_t rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      Process process(shared, rank, size);
      work(process);
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace psim::net

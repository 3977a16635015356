// SPDX-License-Identifier: Apache-2.0
// std::thread: mutex, condition variable with and without a timeout, atomics, thread_local, once, exceptions,
// sleeping, futures.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

namespace {
thread_local long own = 5;

struct Turns {
  std::mutex mutex;
  std::condition_variable changed;
  int turn = 0;
};
}  // namespace

int main(int argc, char** argv) {
  const int crew = argc > 1 ? std::atoi(argv[1]) : 4;
  std::vector<double> data(3000);
  std::iota(data.begin(), data.end(), 0.0);
  std::atomic<long> hits{0};
  std::atomic<unsigned char> bytes{0};
  std::once_flag once;
  Turns turns;
  double total = 0;
  int made = 0, caught = 0;
  std::vector<int> order;
  std::vector<std::thread> threads;
  for (int t = 0; t < crew; ++t)
    threads.emplace_back([&, t] {
      double sum = 0;
      for (std::size_t i = static_cast<std::size_t>(t); i < data.size();
           i += static_cast<std::size_t>(crew)) {
        sum += data[i];
        hits.fetch_add(i % 3 == 0, std::memory_order_relaxed);
      }
      own += t;
      bytes.fetch_add(1);
      std::call_once(once, [&] { ++made; });
      std::unique_lock lock(turns.mutex);
      // From the last to the first.
      turns.changed.wait(lock, [&] { return turns.turn == crew - 1 - t; });
      total += sum + static_cast<double>(own);
      order.push_back(t);
      try {
        throw t;
      } catch (int value) {
        caught += value == t;
      }
      ++turns.turn;
      turns.changed.notify_all();
    });
  for (std::thread& thread : threads) thread.join();
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock(mutex);
  const bool timed_out = never.wait_for(lock, std::chrono::microseconds(50)) == std::cv_status::timeout;
  auto later = std::async(std::launch::async, [] {
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    return 17;
  });
  std::printf("total %.1f hits %ld bytes %d made %d caught %d timed out %d later %d own %ld order", total,
              hits.load(), bytes.load(), made, caught, timed_out, later.get(), own);
  for (const int t : order) std::printf(" %d", t);
  std::printf("\n");
}

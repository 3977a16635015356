// SPDX-License-Identifier: Apache-2.0
// Threads of C++ that call MPI: std::thread, std::async, condition variables, latches, thread_local objects,
// exceptions. Ranks exchange messages in pairs; a single one does so with itself.
#include <mpi.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <latch>
#include <mutex>
#include <queue>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

int me, other;
std::atomic<int> lived;

struct Counted {
  int value = 5;
  ~Counted() { ++lived; }
};
thread_local Counted counted;

int exchange(int tag, int value) {
  int got = -1;
  MPI_Sendrecv(&value, 1, MPI_INT, other, tag, &got, 1, MPI_INT, other, tag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  return got;
}

template <class T>
class Channel {
 public:
  void put(T value) {
    std::lock_guard guard(mutex_);
    values_.push(value);
    filled_.notify_one();
  }
  T take() {
    std::unique_lock guard(mutex_);
    filled_.wait(guard, [&] { return !values_.empty(); });
    T value = values_.front();
    values_.pop();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::queue<T> values_;
};

int once_calls = 0;
int make_static() {
  ++once_calls;
  return exchange(50, 17 + me);  // other threads wait for the static variable meanwhile
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  other = (me ^ 1) < size ? me ^ 1 : me;
  std::printf("rank %d multiple %d\n", me, provided == MPI_THREAD_MULTIPLE);

  std::vector<int> got(6, -1);
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&, i] {
      counted.value += i;
      got[static_cast<std::size_t>(i)] = exchange(i, 10 * me + counted.value);
    });
  for (std::thread& thread : threads) thread.join();
  std::printf("rank %d got", me);
  for (const int value : got) std::printf(" %d", value);
  std::printf(" destroyed %d\n", lived.load());

  // One thread receives, one computes, one sends.
  Channel<int> in, out;
  std::thread receiver([&] {
    for (int i = 0; i < 50; ++i) {
      int value = 0;
      MPI_Recv(&value, 1, MPI_INT, other, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      in.put(value);
    }
  });
  std::thread worker([&] {
    for (int i = 0; i < 50; ++i) out.put(in.take() * 2);
  });
  std::thread sender([&] {
    for (int i = 0; i < 50; ++i) {
      const int value = i + me;
      MPI_Send(&value, 1, MPI_INT, other, 20, MPI_COMM_WORLD);
    }
  });
  int sum = 0;
  for (int i = 0; i < 50; ++i) sum += out.take();
  receiver.join();
  worker.join();
  sender.join();
  std::printf("rank %d pipeline %d\n", me, sum);

  auto first = std::async(std::launch::async, [] { return exchange(30, me + 1); });
  auto second = std::async(std::launch::async, []() -> int {
    if (exchange(31, 0) == 0) throw std::runtime_error("as wanted");
    return 0;
  });
  const int value = first.get();
  try {
    second.get();
  } catch (const std::runtime_error& error) {
    std::printf("rank %d future %d %s\n", me, value, error.what());
  }

  std::latch all(3);
  std::barrier rounds(3);
  std::counting_semaphore<4> places(0);
  std::shared_mutex shared;
  std::atomic<int> turn = 0;
  std::recursive_mutex again;
  std::vector<std::thread> three;
  int order = 0;
  for (int i = 0; i < 3; ++i)
    three.emplace_back([&, i] {
      static const int made = make_static();
      all.arrive_and_wait();
      for (int round = 0; round < 3; ++round) rounds.arrive_and_wait();
      int now;
      while ((now = turn.load()) != i) turn.wait(now);
      {
        std::lock_guard one(again);
        std::lock_guard two(again);
        order = order * 10 + i + made;
        exchange(60 + i, 0);
      }
      turn = i + 1;
      turn.notify_all();
      std::shared_lock reader(shared);
      std::this_thread::yield();
      places.release();
    });
  for (int i = 0; i < 3; ++i) places.acquire();
  for (std::thread& thread : three) thread.join();
  std::printf("rank %d order %d once %d\n", me, order, once_calls);

  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock guard(mutex);
  const bool told = never.wait_for(guard, std::chrono::milliseconds(2), [] { return false; });
  std::thread late([] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
  std::thread::id id = late.get_id();
  std::printf("rank %d told %d other %d\n", me, told, id != std::this_thread::get_id());
  late.join();

  MPI_Finalize();
}

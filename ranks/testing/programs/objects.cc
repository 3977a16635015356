// SPDX-License-Identifier: Apache-2.0
// C++: static objects, inline variables, thread_local objects, guards, exceptions across waits, std::cout.
#include <cstring>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "rank_library.h"

namespace {

struct Counter {
  Counter() { ++made; }
  ~Counter() { std::cout << "destroyed " << label << ' ' << rank_number() << '\n'; }
  std::string label = "static";
  int made = 0;
};

template <typename T>
struct Registry {
  static inline std::vector<T> values{7};  // one per process, by the compiler's default
};

Counter counter;
std::map<std::string, int> table{{"one", 1}};
thread_local int per_thread = 5;
thread_local std::string per_thread_text = "t";

int& guarded() {
  static int value = rank_number() * 10;
  return value;
}

int token(int me, int n) {
  int value = me;
  rank_send((me + 1) % n, &value, sizeof value);
  rank_receive((me + n - 1) % n, &value, sizeof value);
  return value;
}

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace

int main(int argc, char** argv) {
  const int me = rank_number(), n = rank_count(), left = (me + n - 1) % n;
  if (argc > 1 && std::strcmp(argv[1], "unsynchronised") == 0) std::ios::sync_with_stdio(false);
  int wrong = 0;
  table["rank"] = me;
  Registry<int>::values.push_back(me);
  per_thread += me;
  per_thread_text += std::to_string(me);
  guarded() += 1;
  try {
    try {
      rank_sleep(1000 * (n - me));
      throw Failure(std::to_string(me));
    } catch (const Failure& failure) {
      wrong += token(me, n) != left;  // a wait in a catch block, while other ranks throw
      wrong += failure.what() != std::to_string(me);
      throw;
    }
  } catch (const std::exception& again) {
    wrong += again.what() != std::to_string(me);
  }
  wrong += std::uncaught_exceptions() != 0;
  wrong += table["rank"] != me || table.size() != 2;
  wrong += Registry<int>::values != std::vector<int>{7, me};
  wrong += per_thread != 5 + me || per_thread_text != "t" + std::to_string(me);
  wrong += guarded() != me * 10 + 1;
  wrong += counter.made != 1;
  std::cout << "rank " << me << " wrong " << wrong << std::endl;
  std::cout << "not flushed" << '\n';
  rank_sleep(1'000'000'000);
  if (argc > 1 && std::strcmp(argv[1], "throw") == 0 && me == 1) throw Failure("not caught");
  return wrong;
}

// SPDX-License-Identifier: Apache-2.0
// Nothing catches the exception of rank 1; a destructor on its stack would wait for a message. With an
// argument, each rank sets its own handler of std::terminate().
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

#include "rank_library.h"

namespace {

int mine = -1;

struct Waits {
  ~Waits() {
    int message;
    rank_receive(0, &message, sizeof message);
  }
};

void terminated() {
  try {
    throw;
  } catch (const std::exception& error) {
    std::printf("handler of %d: %s\n", mine, error.what());
  }
  std::_Exit(5);
}

}  // namespace

int main(int argc, char**) {
  const Waits waits;
  mine = rank_number();
  if (argc > 1) std::set_terminate(terminated);
  rank_sleep(1000);
  if (mine == 1) throw std::runtime_error("not caught");
  rank_sleep(1000);
  std::_Exit(0);
}

// SPDX-License-Identifier: Apache-2.0
#include <csignal>

#include "base/console.h"
#include "psim/commands/commands.h"

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file at the limit of its size is an error of its write, with a message
  psim::console::reserve_descriptors();
  return psim::commands::run(argc, argv);
}

// SPDX-License-Identifier: Apache-2.0
#include "base/console.h"
#include "psim/commands/commands.h"

int main(int argc, char** argv) {
  psim::console::reserve_descriptors();
  return psim::commands::run(argc, argv);
}

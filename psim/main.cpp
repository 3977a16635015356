// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/commands.h"

int main(int argc, char** argv) { return psim::commands::run(argc, argv); }

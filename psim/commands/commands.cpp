// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/commands.h"

#include <CLI/CLI.hpp>
#include <cstdio>

#include "base/error.h"

namespace psim::commands {

int run(int argc, char** argv) {
  CLI::App app{"psim: see how a supercomputer will behave before it is built", "psim"};
  app.set_version_flag("--version", "psim 0.1.0");
  app.require_subcommand(1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const UserError& error) {
    std::fprintf(stderr, "psim: %s\n", error.what());
    return 2;
  }
  return 0;
}

}  // namespace psim::commands

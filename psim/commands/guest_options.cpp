// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/guest_options.h"

namespace psim::commands {

void add_guest_options(CLI::App& app, GuestOptions& options, ProgramStart start) {
  options.fixed_start = start == ProgramStart::Fixed;
  app.add_option(
         "--fma", options.fma,
         "rounding of multiply-adds: fused (once), unfused (twice, SPARC64 V), or auto: fused where the "
         "program was compiled for FMAF [auto]")
      ->type_name("KIND")
      ->check(CLI::IsMember({"auto", "fused", "unfused"}));
  app.add_option("--root", options.root,
                 "directory that becomes / for the program, instead of the working one")
      ->type_name("DIR");
  app.add_option("--bind", options.binds, "show a host directory at a guest path; :ro forbids writing")
      ->type_name("HOST:GUEST[:ro]")
      ->take_all();
  app.add_option("--env", options.environment, "set a variable of the program's environment")
      ->type_name("NAME=VALUE")
      ->take_all();
  if (start == ProgramStart::Fixed)
    app.add_flag(
        "--inherit-env", options.inherit_environment,
        "give the program psim's own environment variables; without this option it has only those of --env");
  else
    app.add_flag("--clean-env", options.fixed_start,
                 "start the program as `psim run` does: no variables but those of --env, and a fixed name, "
                 "directory, user and kind of standard input and output");
  app.add_option("--stack", options.stack_mebibytes, "size of the program's stack [8]")
      ->type_name("MIB")
      ->check(CLI::Range(1, 4096));
  app.add_option(
         "--translate-after", options.translated_runs,
         "when the program runs functionally: translate a block of its instructions to host code once it "
         "has run N times; 0: never. Results are the same [500]")
      ->type_name("N")
      ->check(CLI::Range(0, 65535));
}

}  // namespace psim::commands

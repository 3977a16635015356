// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/console.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/result_document.h"
#include "guest/process.h"
#include "machines/machine.h"
#include "psim/commands/command.h"
#include "psim/commands/guest_options.h"
#include "psim/commands/guest_result.h"

namespace psim::commands {
namespace {

struct ExecOptions {
  CommonOptions common;
  GuestOptions guest;
  std::uint64_t max_instructions = 0;
};

// The exit status for a limit that was reached, as that of timeout(1).
constexpr int kLimitStatus = 124;

int exec(const CLI::App& app, ExecOptions& options) {
  const std::vector<std::string> words = program_of(app);
  ResultDocument result("exec", options.common.json);
  if (options.common.machine.empty()) options.common.machine = kFunctionalMachine;
  const std::unique_ptr<Machine> machine = load_machine(options.common);
  GuestProgram guest = load_guest(words, options.guest, options.common.seed);
  guest.options.simd = machine->simd;
  guest.options.memory_flags = pipeline::memory_flags(*machine);
  guest.options.threads = {.cores = machine->node.cores, .slice_cycles = machine->node.time_slice};
  describe_guest(result, words, guest, options.common.seed);

  GuestEnding ending;
  std::uint64_t instructions = 0;
  {
    guest.options.may_execute = true;
    isa::Process process(std::move(guest.image), guest.options);
    describe_start(result, process, guest);
    const std::uint64_t limit = options.max_instructions ? options.max_instructions : ~std::uint64_t{0};
    Progress progress(options.common.quiet);
    constexpr std::uint64_t kStep = 1 << 25;
    bool limited = true;
    do {
      limited = process.run(progress.enabled() ? std::min(limit, process.instructions() + kStep) : limit);
      progress.update([&](double elapsed) {
        return instructions_line(elapsed, process.instructions(), 0, {options.max_instructions, true});
      });
    } while (limited && process.instructions() < limit);
    progress.clear();
    if (limited) {
      console::log("psim: stopped after {} instructions (--max-instructions)\n", process.instructions());
      result.partial("instruction limit");
      ending.status = kLimitStatus;
    } else {
      ending = ending_of(process);
    }
    if (process.host_signals.end_requested()) result.partial("interrupted");
    instructions = process.instructions();
    describe_input(result, process);
    describe_threads(result, process, options.common.quiet);
  }  // removes the sandbox's temporary directory before psim ends

  result.body()["instructions"] = instructions;
  describe_ending(result, ending, guest);
  result.speed("instructions_per_second", instructions);
  result.finish();
  return end_as(ending);
}

std::function<int()> set_up_exec(CLI::App& app) {
  auto options = std::make_shared<ExecOptions>();
  take_program(app);
  add_guest_options(app, options->guest, ProgramStart::Inherited);
  app.add_option("--max-instructions", options->max_instructions,
                 "stop after N instructions; psim then ends with status 124")
      ->type_name("N")
      ->check(whole_number(1));
  add_common(app, options->common, kMachine | kJson | kSeed | kQuiet);
  app.get_option("--machine")->description(kFunctionalMachineHelp);
  return [&app, options] { return exec(app, *options); };
}

}  // namespace

const Command kExec{
    .name = "exec",
    .usage = "PROG [ARG…]",
    .summary = "run a static sparc64 Linux program functionally",
    .examples =
        "  psim exec ./a.out 1 2 3            # output and exit status are the program's\n"
        "  psim exec --json result.json ./a.out\n"
        "  psim exec --fma unfused ./a.out    # multiply-adds round twice, as on SPARC64 V\n"
        "  psim exec --set simd.pes=32 ./a.out # a core with 32 SIMD-PEs (simd16 is the default machine)\n"
        "  psim exec --bind /data:/data:ro --env MODE=fast ./a.out /data/input\n"
        "  psim exec --root sysroot -- /bin/tool\n"
        "\n"
        "The program sees only the working directory, read-write; /tmp, private and removed at the end; the\n"
        "directories of --bind and --root; and /dev/null, zero, full, random, urandom and tty. Variables, "
        "user,\n"
        "names and standard descriptors are psim's own, unless --clean-env fixes them. Its clock is "
        "simulated\n"
        "(one cycle per instruction at 2 GHz, from 2026-01-01), its random numbers come from --seed.\n"
        "A program killed by a signal ends psim by the same signal, after a line with the place.\n",
    .setup = set_up_exec,
};

}  // namespace psim::commands

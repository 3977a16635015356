// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "guest/elf/symbols.h"
#include "guest/live_source.h"
#include "guest/process.h"
#include "guest/trace/recording_source.h"
#include "machines/machine.h"
#include "psim/commands/code_names.h"
#include "psim/commands/core_run.h"
#include "psim/commands/guest_options.h"
#include "psim/commands/guest_result.h"
#include "psim/commands/sample_options.h"
#include "psim/commands/saved_warm.h"
#include "psim/commands/study_files.h"
#include "psim/commands/trace_properties.h"
#include "psim/sweep.h"

namespace psim::commands {
namespace {

struct RunOptions {
  CoreRunOptions core;
  GuestOptions guest;
  SampleOptions sample;
  std::string trace;
  SweepOptions sweep;
};

int simulate_program(const CLI::App& app, RunOptions& options) {
  const std::vector<std::string> words = program_of(app);
  const bool samples = options.sample.requested();
  if (samples) check_sample_options(options.sample, options.core);
  if (samples && !options.trace.empty())
    throw UserError("--record-trace: needs every cycle of the program; expected a run without --sample");
  CoreRun core("run", options.core);
  core.check_chip_options(!options.trace.empty(), samples);
  if (!options.sample.from_warm.empty())
    core.partials().refuse("--from-warm: no partial results, because such a run takes seconds");
  GuestProgram guest = load_guest(words, options.guest, options.core.common.seed);
  core.open_outputs(isa::function_address(guest.image, "main"));
  ResultDocument& result = core.result();
  describe_guest(result, words, guest, options.core.common.seed);
  result.machine(core.machine().name, core.machine().schema);
  guest.options.timed = true;
  guest.options.simd = core.machine().simd;
  guest.options.memory_flags = pipeline::memory_flags(core.machine());
  guest.options.cycles_per_second = static_cast<std::uint64_t>(core.machine().core.clock_hz);
  const pipeline::NodeConfig& node = core.machine().node;
  guest.options.threads = {node.cores, node.thread_wake, node.thread_switch, node.time_slice};
  for (const auto& [option, given] : {std::pair("--sample", samples),
                                      {"--record-trace", !options.trace.empty()},
                                      {"--profile, --profile-text, --callgrind", core.profiles()}})
    if (given) guest.options.one_thread = one_thread_for(option, "a run without the option");
  std::optional<isa::trace::TraceFileWriter> trace;
  isa::trace::Properties properties;
  if (!options.trace.empty()) {
    trace.emplace(options.trace, "--record-trace");
    properties = trace_properties(words, guest, options.core.common.seed, "run");
    properties["machine"] = core.machine().name;
  }

  std::vector<isa::FunctionSymbol> functions;
  if (core.profiles()) functions = isa::function_symbols(guest.image);
  GuestEnding ending;
  nlohmann::ordered_json identity;
  std::optional<WarmSaving> saving;
  std::optional<WarmSource> saved;
  {
    isa::Process process(std::move(guest.image), guest.options);
    describe_start(result, process, guest);
    if (core.profiles()) core.name_code(code_names(functions, process.program_path(), process.load_bias()));
    isa::LiveSource live(process);
    std::optional<isa::trace::RecordingSource> recorded;
    if (trace) recorded.emplace(live, process, *trace, properties);
    if (!options.sample.save_warm.empty() || !options.sample.from_warm.empty())
      identity = warm_identity(words, guest, process, core.machine(), options.core.common.seed,
                               options.core.max_instructions);
    if (!options.sample.save_warm.empty()) {
      saving.emplace();
      saving->path = warm_path(options.sample.save_warm, words, identity);
      saving->file = std::make_unique<pipeline::WarmFileWriter>(saving->path, "--save-warm");
      saving->properties = trace_properties(words, guest, options.core.common.seed, "run");
    }
    if (!options.sample.from_warm.empty()) {
      saved.emplace(warm_path(options.sample.from_warm, words, identity));
      saved->check(identity, process, options.sample);
    }
    const bool limited =
        samples ? core.sample(process, options.sample, saving ? &*saving : nullptr, saved ? &*saved : nullptr)
        : node.cores > 1 ? core.simulate_chip(process)
                         : core.simulate(recorded ? static_cast<isa::InstructionSource&>(*recorded) : live,
                                         [&live] { return live.take_region(); });
    core.finish_copy(words, [&] {
      describe_input(result, process);
      describe_threads(result, process, true);
      describe_ending(result, {}, guest);
      result.body().erase("exit_status");
    });

    if (limited && !process.ending()) {
      core.note(
          fmt::format("stopped after {} instructions (--max-instructions)", options.core.max_instructions));
      result.partial("instruction limit");
      ending.status = kLimitStatus;
    } else {
      ending = saved ? saved->ending() : ending_of(process);
    }
    const bool interrupted = process.host_signals.end_requested();
    if (interrupted) result.partial("interrupted");
    if (recorded) recorded->finish(trace_ending(process));
    describe_input(result, process);
    describe_threads(result, process, options.core.common.quiet);
    if (saved) {
      result.body()["inputs"] = saved->description.at("inputs");
      result.host()["from_warm"] = saved->file.path();
      core.note("--from-warm leaves out the program's output, which is that of the run that saved the state");
    }
    if (saving && interrupted) core.note("warm state: not saved, as the run was interrupted");
    if (saving && !interrupted) {
      finish_saving(*saving, identity, options.sample, core.sample_period(), result, ending);
      core.note(fmt::format("warm state: {}, {:.1f} MB", saving->path,
                            static_cast<double>(saving->file->bytes()) / 1e6));
    }
  }  // removes the sandbox's temporary directory before psim ends

  describe_ending(result, ending, guest);
  core.finish(words);
  return end_as(ending);
}

int sweep_runs(const CLI::App& app, RunOptions& options) {
  const RunOutputOptions& outputs = options.core.outputs;
  for (const auto& [option, given] : {std::pair("--json", !options.core.common.json.empty()),
                                      {"--partial-every", options.core.partial_every != 0},
                                      {"--record-trace", !options.trace.empty()},
                                      {"--kanata", !outputs.kanata.empty()},
                                      {"--o3", !outputs.o3.empty()},
                                      {"--statistics", !outputs.statistics.empty()},
                                      {"--profile-text", !outputs.profile_text.empty()},
                                      {"--callgrind", !outputs.callgrind.empty()}})
    if (given)
      throw UserError(
          fmt::format("{}: not with --sweep; results of points are in the folder of --into", option));
  program_of(app);  // reports a missing program
  options.sweep.points.quiet = options.core.common.quiet;
  std::optional<OutputFile> page;
  if (!options.core.common.report.empty()) page.emplace(options.core.common.report, "--report");
  return run_sweep(
      options.sweep,
      {{"cycles", "/cycles", true},
       {"instructions", "/instructions", true},
       {"ipc", "/ipc", true},
       {"seconds", "/seconds", true},
       {"exit_status", "/exit_status", true},
       {"joules", "/energy/total_joules"},
       {"host_cpu_seconds", "/host/cpu_seconds"}},
      app.remaining().size(), options.core.common.machine, options.core.common.sets,
      [](const std::string& machine, const std::vector<std::string>& sets) {
        load_machine({machine, sets});
      },
      write_study(page, fmt::format("{}", fmt::join(program_of(app), " "))));
}

std::function<int()> set_up_run(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  take_program(app);
  add_core_run(app, options->core, kMachine | kJson | kReport | kSeed | kQuiet);
  add_sample_options(app, options->sample);
  add_guest_options(app, options->guest, ProgramStart::Fixed);
  app.add_option("--record-trace", options->trace,
                 "record a trace, which `psim replay` runs in the same cycles")
      ->type_name("FILE");
  add_sweep_options(app, options->sweep, "");
  app.add_option("--csv", options->sweep.csv, "write the table of --sweep, with one row per point")
      ->type_name("FILE")
      ->needs("--sweep");
  return [&app, options] {
    return options->sweep.axes.empty() ? simulate_program(app, *options) : sweep_runs(app, *options);
  };
}

}  // namespace

const Command kRun{
    .name = "run",
    .usage = "PROG [ARG…]",
    .summary = "run a static sparc64 Linux program on the cycle-level core",
    .examples =
        "  psim run ./a.out 1 2 3                       # output and exit status are the program's\n"
        "  psim run --report run.html --json run.json ./a.out\n"
        "  psim run --energy --json run.json ./a.out && psim energy run.json\n"
        "  psim run --machine my-machine.toml --set core.window.commit_stack=128 ./a.out\n"
        "  psim run --sample ./a.out                    # an estimate, in a fraction of the time\n"
        "  psim run --sample-error 0.5% --json run.json ./a.out\n"
        "  psim run --save-warm a.warm ./a.out          # and then other latencies, in seconds:\n"
        "  psim run --from-warm a.warm --set memory.latency='200 cycles' ./a.out\n"
        "  psim run --kanata run.kanata --window region=dgemm ./a.out && psim view run.kanata\n"
        "  psim run --kanata run.kanata --window cycles=10000:12000 ./a.out\n"
        "  psim run --sweep l1d.bytes='64 KB,128 KB' --sweep argument.1=64,128 --csv table.csv ./a.out 64\n"
        "  psim run --profile ./a.out                   # the hottest functions and lines\n"
        "  psim run --callgrind a.callgrind ./a.out && callgrind_annotate a.callgrind\n"
        "  psim run --json run.json ./a.out &           # and then, while it runs:\n"
        "  kill -USR1 $! && psim show run.json          # the result so far\n"
        "  psim run --record-trace a.trace ./a.out && psim replay a.trace\n",
    .setup = set_up_run,
};

}  // namespace psim::commands

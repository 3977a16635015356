// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/console.h"
#include "base/error.h"
#include "base/parse_number.h"
#include "base/progress.h"
#include "base/result_document.h"
#include "guest/trace/program_recorder.h"
#include "isa/trace/text_trace.h"
#include "isa/trace/trace_source.h"
#include "machines/machine.h"
#include "psim/commands/command.h"
#include "psim/commands/guest_options.h"
#include "psim/commands/guest_result.h"
#include "psim/commands/trace_input.h"
#include "psim/commands/trace_properties.h"

namespace psim::commands {
namespace {

struct TraceRecordOptions {
  CommonOptions common;
  GuestOptions guest;
  std::string output, region, from_text;
  std::uint64_t skip = 0, count = 0;
};

isa::trace::Window window_of(const TraceRecordOptions& options) {
  isa::trace::Window window;
  if (!options.region.empty() && (options.skip || options.count))
    throw UserError("--region: cannot be used with --skip or --count; expected one way to choose a window");
  window.skip = options.skip;
  if (options.count) window.count = options.count;
  window.region = options.region;
  if (const std::size_t colon = options.region.rfind(':'); colon != std::string::npos) {
    window.execution = parse_number<decltype(window.execution)>(options.region.substr(colon + 1)).value_or(0);
    if (window.execution == 0 || colon == 0)
      throw UserError(fmt::format("--region {}: expected NAME, or NAME:K for its K-th execution, K from 1",
                                  options.region));
    window.region.resize(colon);
  }
  return window;
}

double bytes_per_instruction(const isa::trace::TraceFileWriter& file) {
  return file.instructions() ? static_cast<double>(file.bytes()) / static_cast<double>(file.instructions())
                             : 0.0;
}

[[noreturn]] void nothing_recorded(const TraceRecordOptions& options, std::uint64_t instructions) {
  if (!options.region.empty())
    throw UserError(fmt::format(
        "--region {}: it did not begin before the program ended; nothing was recorded", options.region));
  throw UserError(fmt::format("--skip {}: the program ended after {} instructions; nothing was recorded",
                              options.skip, instructions));
}

void print_size(const isa::trace::TraceFileWriter& file) {
  console::log("psim: recorded {} instructions in {} bytes: {:.3g} bytes per instruction\n",
               file.instructions(), file.bytes(), bytes_per_instruction(file));
}

int convert(const CLI::App& app, const TraceRecordOptions& options) {
  if (!app.remaining().empty())
    throw UserError(fmt::format("--from-text {}: {}: no program runs; expected no PROG", options.from_text,
                                app.remaining().front()));
  const std::string text = read_text_trace(options.from_text);
  isa::trace::TraceFileWriter file(options.output, "-o");
  isa::trace::write_from_text(text, options.from_text, file);
  if (!options.common.quiet) print_size(file);
  return 0;
}

int record(const CLI::App& app, TraceRecordOptions& options) {
  if (!options.from_text.empty()) return convert(app, options);
  const std::vector<std::string> words = program_of(app);
  const isa::trace::Window window = window_of(options);
  ResultDocument result("trace", options.common.json);
  if (options.common.machine.empty()) options.common.machine = kFunctionalMachine;
  const std::unique_ptr<Machine> machine = load_machine(options.common);
  GuestProgram guest = load_guest(words, options.guest, options.common.seed);
  guest.options.simd = machine->simd;
  guest.options.memory_flags = pipeline::memory_flags(*machine);
  guest.options.one_thread = one_thread_for("psim trace record", "psim run, which runs threads");
  describe_guest(result, words, guest, options.common.seed);
  isa::trace::TraceFileWriter file(options.output, "-o");
  isa::trace::Properties properties = trace_properties(words, guest, options.common.seed, "exec");
  if (options.skip) properties["first_instruction"] = std::to_string(options.skip);
  if (!options.region.empty()) properties["region"] = options.region;

  GuestEnding guest_ending;
  std::uint64_t executed = 0;
  {
    isa::Process process(std::move(guest.image), guest.options);
    describe_start(result, process, guest);
    isa::trace::ProgramRecorder recorder(process, file, properties, window);
    Progress progress(options.common.quiet);
    const InstructionEnd end{options.count == 0 ? 0 : options.skip + options.count, true};
    recorder.run([&] {
      progress.update(
          [&](double elapsed) { return instructions_line(elapsed, process.instructions(), 0, end); });
    });
    progress.clear();
    executed = process.instructions();
    if (!recorder.began()) nothing_recorded(options, executed);
    isa::trace::Properties ending = trace_ending(process);
    guest_ending = ending_of(process);
    describe_input(result, process);
    if (process.host_signals.end_requested()) {
      result.partial("interrupted");
      ending["interrupted"] = "yes";
    } else if (!recorder.complete()) {
      console::log("psim: the program ended before the window did\n");
    }
    recorder.finish(ending);
  }  // removes the sandbox's temporary directory before psim ends

  auto& body = result.body();
  body["instructions"] = file.instructions();
  body["executed"] = executed;
  body["trace_bytes"] = file.bytes();
  body["bytes_per_instruction"] = bytes_per_instruction(file);
  describe_ending(result, guest_ending, guest);
  result.speed("instructions_per_second", executed);
  result.finish();
  if (!options.common.quiet) print_size(file);
  return end_as(guest_ending);
}

/// Declares the options of `psim trace record` on its own `app` and returns its action, as Command::setup
/// does.
std::function<int()> setup_trace_record(CLI::App& app) {
  auto options = std::make_shared<TraceRecordOptions>();
  take_program(app);
  app.footer(
      "Examples:\n"
      "  psim trace record -o a.trace ./a.out 1 2 3       # output and exit status are the program's\n"
      "  psim trace record -o a.trace --region dgemm:2 ./a.out\n"
      "  psim trace record -o a.trace --skip 1000000 --count 500000 ./a.out\n"
      "  psim trace record -o b.trace --from-text b.txt\n"
      "\n"
      "The program stops where the window ends. Ctrl-C ends the recording; the trace is complete up to "
      "there.\n");
  app.add_option("-o,--output", options->output, "the trace to write; it appears when it is complete")
      ->type_name("FILE")
      ->required();
  app.add_option("--region", options->region,
                 "record only the K-th execution [1] of a region that the program marks")
      ->type_name("NAME[:K]");
  app.add_option("--skip", options->skip, "begin after N instructions")
      ->type_name("N")
      ->check(whole_number(0));
  app.add_option("--count", options->count, "record at most N instructions")
      ->type_name("N")
      ->check(whole_number(1));
  app.add_option("--from-text", options->from_text, "convert a text trace; no program runs")
      ->type_name("FILE");
  add_guest_options(app, options->guest, ProgramStart::Fixed);
  add_common(app, options->common, kMachine | kJson | kSeed | kQuiet);
  app.get_option("--machine")->description(kFunctionalMachineHelp);
  return [&app, options] { return record(app, *options); };
}

namespace trace = isa::trace;

struct TraceOptions {
  std::string file;
  bool quiet = false;
  std::uint64_t from = 0, count = ~std::uint64_t{0};
  bool whole = false;
};

int info(const TraceOptions& options) {
  const auto bytes = open_trace(options.file);
  const trace::TraceFile file(options.file, *bytes);
  const auto line = [](std::string_view name, const auto& value) {
    console::print("{:<18} {}\n", name, value);
  };
  for (const auto& [name, value] : file.properties()) line(name, value);
  line("instructions", file.instructions());
  line("frames", file.frames());
  line("bytes", file.bytes());
  line("text_bytes", file.text_bytes());
  if (file.instructions())
    line("bytes/instruction",
         fmt::format("{:.4g}, {:.4g} without the text",
                     static_cast<double>(file.bytes()) / static_cast<double>(file.instructions()),
                     static_cast<double>(file.bytes() - file.text_bytes()) /
                         static_cast<double>(file.instructions())));
  for (const auto& [name, value] : file.ending()) line(name, value);
  return 0;
}

int text(const TraceOptions& options) {
  const auto bytes = open_trace(options.file);
  trace::TraceFile file(options.file, *bytes);
  trace::print_as_text(file, options.from, options.count, options.whole,
                       [](std::string_view line) { console::write(line); });
  return 0;
}

int verify(const TraceOptions& options) {
  const auto bytes = open_trace(options.file);
  trace::TraceFile file(options.file, *bytes);
  trace::TraceSource source(file);
  Progress progress(options.quiet);
  isa::InstructionRecord record;
  while (source.next(0, true, record) == isa::Pull::Record) {
    if (record.region_marker) source.take_region();
    if (source.position() % (1 << 20) == 0)
      progress.update([&](double elapsed) {
        return instructions_line(elapsed, source.position(), 0, {file.instructions()});
      });
  }
  source.check_used();
  progress.clear();
  console::print("{}: good: {} instructions in {} frames\n", options.file, source.position(), file.frames());
  return 0;
}

std::function<int()> set_up_trace(CLI::App& app) {
  auto options = std::make_shared<TraceOptions>();
  app.require_subcommand(1);
  CLI::App* record_app =
      app.add_subcommand("record", "run a program functionally and record it: PROG [ARG…]");
  const std::function<int()> record = setup_trace_record(*record_app);
  CLI::App* info_app = app.add_subcommand("info", "print the properties and the size of a trace");
  info_app->add_option("TRACE", options->file, "a trace")->required();
  CLI::App* verify_app =
      app.add_subcommand("verify", "read a whole trace and check checksums and instructions");
  verify_app->add_option("TRACE", options->file, "a trace")->required();
  verify_app->add_flag("--quiet", options->quiet, "print no progress on standard error");
  CLI::App* text_app = app.add_subcommand("text", "print a trace as text, one line per instruction");
  text_app->add_option("TRACE", options->file, "a trace")->required();
  text_app->add_option("--from", options->from, "begin at instruction N of the trace [0]")
      ->type_name("N")
      ->check(whole_number(0));
  text_app->add_option("--count", options->count, "print N instructions [all]")
      ->type_name("N")
      ->check(whole_number(1));
  text_app->add_flag("--whole", options->whole,
                     "include the text image, so that `psim trace record --from-text` writes the same trace");
  return [=] {
    if (text_app->parsed()) return text(*options);
    if (record_app->parsed()) return record();
    if (info_app->parsed()) return info(*options);
    return verify(*options);
  };
}

}  // namespace

const Command kTrace{
    .name = "trace",
    .usage = "record|info|verify|text …",
    .summary = "record, inspect and check instruction traces",
    .examples =
        "  psim trace record -o a.trace ./a.out 1 2 3     # at near the speed of psim exec\n"
        "  psim trace record -o a.trace --region dgemm ./a.out\n"
        "  psim trace record -o a.trace --skip 1000000 --count 500000 ./a.out\n"
        "  psim trace info a.trace\n"
        "  psim trace verify a.trace\n"
        "  psim trace text --from 1000000 --count 20 a.trace\n"
        "  psim trace record --from-text foreign.txt -o foreign.trace\n"
        "  psim replay a.trace                            # on the cycle-level core\n"
        "\n"
        "A program recorded this way sees the clock of psim exec: one cycle per instruction. If it reads "
        "the\n"
        "time or sets timers, use `psim run --record-trace FILE`: its replay has the cycles of that run.\n",
    .setup = set_up_trace,
};

}  // namespace psim::commands

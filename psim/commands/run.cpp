// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/progress.h"
#include "base/result_document.h"
#include "isa/elf/symbols.h"
#include "isa/linux/live_source.h"
#include "isa/linux/process.h"
#include "psim/commands/command.h"
#include "psim/commands/guest_options.h"
#include "psim/commands/run_outputs.h"
#include "psim/region_account.h"
#include "psim/simulation.h"

namespace psim::commands {
namespace {

struct Options {
  CommonOptions common;
  GuestOptions guest;
  RunOutputOptions outputs;
  std::uint64_t max_instructions = 0;
};

// The shell's convention for a limit that was reached, as timeout(1) has it.
constexpr int kLimitStatus = 124;

/// Ends the run after a number of instructions.
class LimitedSource final : public isa::InstructionSource {
 public:
  LimitedSource(isa::InstructionSource& source, std::uint64_t limit) : source_(source), left_(limit) {}
  isa::Pull next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) override {
    if (left_ == 0) return isa::Pull::End;
    const isa::Pull pull = source_.next(cycle, oldest, out);
    if (pull == isa::Pull::Record && out.kind == isa::RecordKind::Instruction) --left_;
    return pull;
  }
  const isa::StaticInstruction* text(std::uint64_t pc) override { return source_.text(pc); }
  bool reached() const { return left_ == 0; }

 private:
  isa::InstructionSource& source_;
  std::uint64_t left_;
};

/// Tells how far a run is.
class ProgressSource final : public isa::InstructionSource {
 public:
  ProgressSource(isa::InstructionSource& source, Progress& progress) : source_(source), progress_(progress) {}
  isa::Pull next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) override {
    const isa::Pull pull = source_.next(cycle, oldest, out);
    constexpr std::uint64_t kStep = 1 << 16;
    if (pull == isa::Pull::Record && ++records_ % kStep == 0) progress_.update(records_, cycle);
    return pull;
  }
  const isa::StaticInstruction* text(std::uint64_t pc) override { return source_.text(pc); }

 private:
  isa::InstructionSource& source_;
  Progress& progress_;
  std::uint64_t records_ = 0;
};

void fill_in(nlohmann::ordered_json& body, const pipeline::Totals& totals, double clock_hz,
             const std::vector<MeasuredRegion>& regions) {
  body["instructions"] = totals.instructions;
  body["cycles"] = totals.cycles;
  body["seconds"] = static_cast<double>(totals.cycles) / clock_hz;
  body["ipc"] = totals.cycles == 0
                    ? 0.0
                    : static_cast<double>(totals.instructions) / static_cast<double>(totals.cycles);
  const auto stack = [](const pipeline::CpiAccount::Stack& cpi) {
    nlohmann::ordered_json parts = nlohmann::ordered_json::object();
    for (std::size_t part = 0; part < cpi.size(); ++part)
      parts[std::string(name(static_cast<pipeline::CpiPart>(part)))] = cpi[part];
    return parts;
  };
  body["flops"] = totals.flops;
  body["cpi_stack"] = stack(totals.cpi);
  body["regions"] = nlohmann::ordered_json::array();
  for (const MeasuredRegion& region : regions)
    body["regions"].push_back({{"name", region.name},
                               {"args", region.arguments},
                               {"executions", region.executions},
                               {"cycles", region.totals.cycles},
                               {"instructions", region.totals.instructions},
                               {"flops", region.totals.flops},
                               {"cpi_stack", stack(region.totals.cpi)}});
}

/// Two outputs in one file would leave only the last.
void check_outputs(const CommonOptions& common, const RunOutputOptions& outputs) {
  const std::array<std::pair<const char*, const std::string&>, 4> files{{{"--json", common.json},
                                                                         {"--report", common.report},
                                                                         {"--kanata", outputs.kanata},
                                                                         {"--o3", outputs.o3}}};
  for (std::size_t i = 0; i < files.size(); ++i)
    for (std::size_t j = i + 1; j < files.size(); ++j)
      if (!files[i].second.empty() && files[i].second == files[j].second && files[i].second != "/dev/null")
        throw UserError(fmt::format("{} and {} name the same file, {}; expected one each", files[i].first,
                                    files[j].first, files[i].second));
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

int run(const CLI::App& app, Options& options) {
  const std::vector<std::string> words = program_of(app);
  check_outputs(options.common, options.outputs);
  const std::unique_ptr<Machine> machine = load_machine(options.common);
  ResultDocument result("run", options.common.json);
  GuestProgram guest = load_guest(words, options.guest, options.common.seed);
  RunOutputs outputs(options.outputs, options.common.report, isa::function_address(guest.image, "main"));
  result.input("program", words[0],
               {reinterpret_cast<const char*>(guest.image.bytes.data()), guest.image.bytes.size()});
  result.machine(machine->name, machine->schema);
  result.seed(options.common.seed);
  result.body()["arguments"] = std::vector<std::string>(words.begin() + 1, words.end());
  guest.options.timed = true;
  guest.options.cycles_per_second = static_cast<std::uint64_t>(machine->core.clock_hz);

  int status = 0, signal = 0;
  pipeline::Totals totals;
  std::vector<std::string> notes;
  {
    isa::Process process(std::move(guest.image), guest.options);
    isa::LiveSource live(process);
    LimitedSource limited(live, options.max_instructions);
    isa::InstructionSource& source =
        options.max_instructions ? static_cast<isa::InstructionSource&>(limited) : live;
    Progress progress("instructions", options.common.quiet);
    ProgressSource told(source, progress);
    Simulation simulation(*machine, progress.enabled() ? static_cast<isa::InstructionSource&>(told) : source,
                          {.skip_idle = true, .interval = outputs.interval()});
    RegionAccount regions([&live] { return live.take_region(); });
    simulation.core.set_region_listener(&regions);
    for (pipeline::CoreObserver* observer : outputs.observers()) simulation.core.attach(*observer);
    simulation.run();

    if (options.max_instructions && limited.reached() && !process.ending()) {
      notes.push_back(
          fmt::format("stopped after {} instructions (--max-instructions)", options.max_instructions));
      result.partial("instruction limit");
      status = kLimitStatus;
    } else if (process.ending()->by_signal) {
      signal = process.ending()->code;
      const int host = isa::sig::to_host(signal);
      status = 128 + (host ? host : signal);
    } else {
      status = process.ending()->code;
    }
    if (process.host_signals.asked_to_end()) result.partial("interrupted");
    totals = simulation.core.totals();
    fill_in(result.body(), totals, machine->core.clock_hz, regions.regions());
    for (std::string& note : regions.notes()) notes.push_back(std::move(note));
  }  // the sandbox's temporary directory goes before psim does

  result.body()["exit_status"] = status;
  if (signal) result.body()["signal"] = isa::sig::name(signal);
  result.body()["fma"] = guest.options.fma == isa::FmaRounding::Fused ? "fused" : "unfused";
  result.speed("instructions_per_second", totals.instructions);
  for (std::string& note : outputs.finish_dumps()) notes.push_back(std::move(note));
  result.finish();
  outputs.finish_report(joined(words), result.text());
  for (const std::string& note : notes) fmt::print(stderr, "psim: {}\n", note);
  if (!options.common.quiet)
    fmt::print(stderr,
               "psim: {} instructions, {} cycles, IPC {:.3f}, {:.6g} s at {:.4g} GHz; {:.2f} M "
               "instructions/s of CPU time\n",
               totals.instructions, totals.cycles, result.body()["ipc"].get<double>(),
               result.body()["seconds"].get<double>(), machine->core.clock_hz / 1e9,
               result.host()["instructions_per_second"].get<double>() / 1e6);
  if (signal) isa::die_by_signal(signal);
  return status;
}

std::function<int()> setup(CLI::App& app) {
  auto options = std::make_shared<Options>();
  take_program(app);
  add_common(app, options->common, kMachine | kJson | kReport | kSeed | kQuiet);
  add_run_outputs(app, options->outputs);
  add_guest_options(app, options->guest);
  app.add_option("--max-instructions", options->max_instructions,
                 "stop after N instructions; psim then ends with status 124")
      ->type_name("N")
      ->check(whole_number(1));
  return [&app, options] { return run(app, *options); };
}

}  // namespace

const Command kRun{
    .name = "run",
    .usage = "PROG [ARG…]",
    .summary = "run a static sparc64 Linux program on the cycle-level core",
    .examples =
        "  psim run ./a.out 1 2 3                       # output and exit status are the program's\n"
        "  psim run --report run.html --json run.json ./a.out\n"
        "  psim run --machine my-machine.toml --set core.window.commit_stack=128 ./a.out\n"
        "  psim run --kanata run.kanata --window region=dgemm ./a.out && psim view run.kanata\n"
        "  psim run --kanata run.kanata --window cycles=10000:12000 ./a.out\n",
    .setup = setup,
};

}  // namespace psim::commands

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/sha256.h"
#include "guest/address_space.h"
#include "guest/elf/symbols.h"
#include "isa/trace/trace_source.h"
#include "psim/commands/code_names.h"
#include "psim/commands/core_run.h"
#include "psim/commands/trace_input.h"
#include "psim/net/interruption.h"

namespace psim::commands {
namespace {

struct ReplayOptions {
  CoreRunOptions core;
  std::string trace;
  std::string program;
  std::uint64_t skip = 0;
};

std::string sha256_of(isa::trace::TraceBytes& bytes) {
  Sha256 hash;
  std::string chunk;
  for (std::uint64_t at = 0; at < bytes.size(); at += chunk.size()) {
    chunk.resize(std::min<std::uint64_t>(1 << 20, bytes.size() - at));
    bytes.read(at, chunk.data(), chunk.size());
    hash.update(chunk);
  }
  return hash.finish();
}

/// Names the code of the recorded program, if the program is found: as --program, next to the trace, or in
/// the current folder, with the bytes that ran. Notes why names are missing.
void name_code(CoreRun& core, const ReplayOptions& options, const isa::trace::TraceFile& file) {
  const std::string name = file.property("program"), recorded = file.property("program_sha256");
  std::vector<std::string> candidates;
  if (!options.program.empty())
    candidates = {options.program};
  else if (!name.empty())
    candidates = {(std::filesystem::path(options.trace).parent_path() / name).string(), name};
  if (candidates.empty() || recorded.empty()) {
    if (!options.program.empty())
      throw UserError(
          fmt::format("--program {}: the trace does not name the program that ran; expected no --program",
                      options.program));
    return core.note("the profile has addresses instead of names: the trace does not name its program");
  }
  std::string other;
  for (const std::string& path : candidates) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error) && options.program.empty()) continue;
    other = path;
    if (sha256_of(*isa::trace::open_trace_bytes(path)) != recorded) continue;
    const isa::ElfImage image = isa::read_elf(path);
    return core.name_code(code_names(isa::function_symbols(image), path,
                                     image.position_independent ? isa::AddressSpace::kPieBase : 0));
  }
  if (!options.program.empty())
    throw UserError(fmt::format("--program {}: not the program that was recorded; expected SHA-256 {}",
                                options.program, recorded));
  core.note(
      fmt::format("the profile has addresses instead of names: {}; name the recorded program with --program",
                  other.empty() ? fmt::format("no {} next to the trace or in the current folder", name)
                                : fmt::format("{} is not the program that was recorded", other)));
}

int replay(ReplayOptions& options) {
  CoreRun core("replay", options.core);
  const auto bytes = open_trace(options.trace);
  isa::trace::TraceFile file(options.trace, *bytes);
  if (const auto used = file.ending().find("pes");
      used != file.ending().end() &&
      (core.machine().simd.pes == 0 ||
       core.machine().simd.pes < std::strtoul(used->second.c_str(), nullptr, 10)))
    throw UserError(fmt::format(
        "{}: uses {} SIMD-PEs, and machine {} has {}; expected a machine such as --machine simd16",
        options.trace, used->second, core.machine().name, core.machine().simd.pes));
  if (core.profiles())
    name_code(core, options, file);
  else if (!options.program.empty())
    throw UserError("--program: needs --profile, --profile-text or --callgrind");
  core.open_outputs(std::nullopt);
  ResultDocument& result = core.result();
  result.input("trace", options.trace, sha256_of(*bytes), bytes->size());
  result.machine(core.machine().name, core.machine().schema);
  if (options.skip && options.skip >= file.instructions())
    throw UserError(fmt::format("--skip {}: the trace has {} instructions; expected fewer", options.skip,
                                file.instructions()));
  isa::trace::TraceSource source(file, options.skip);
  const Interruption interruption;
  if (core.simulate(
          source, [&source] { return source.take_region(); }, file.instructions() - options.skip) &&
      options.skip + options.core.max_instructions < file.instructions())
    core.note(
        fmt::format("stopped after {} instructions (--max-instructions)", options.core.max_instructions));
  if (const std::string fma = file.property("fma"); !fma.empty()) result.body()["fma"] = fma;
  core.finish_copy({options.trace});
  const bool interrupted = Interruption::signal() != 0;
  if (interrupted) {
    result.partial("interrupted");
    core.note(fmt::format("interrupted after {} of {} instructions", result.body()["instructions"].dump(),
                          file.instructions() - options.skip));
  }
  core.finish({options.trace});
  return interrupted ? Interruption::status() : 0;
}

std::function<int()> set_up_replay(CLI::App& app) {
  auto options = std::make_shared<ReplayOptions>();
  app.add_option("TRACE", options->trace, "a trace that psim recorded, or a text trace")->required();
  add_core_run(app, options->core, kMachine | kJson | kReport | kQuiet);
  app.get_option("--max-instructions")->description("stop after N instructions");
  app.add_option(
         "--program", options->program,
         "take the names in a profile from this program; else from the recorded one, if it is next to the "
         "trace or in the current folder")
      ->type_name("FILE");
  app.add_option("--skip", options->skip, "begin N instructions into the trace")
      ->type_name("N")
      ->check(whole_number(0));
  return [options] { return replay(*options); };
}

}  // namespace

const Command kReplay{
    .name = "replay",
    .usage = "TRACE",
    .summary = "run a recorded trace on the cycle-level core",
    .examples =
        "  psim run --record-trace a.trace ./a.out     # the live run …\n"
        "  psim replay a.trace                         # … and the same cycles, without the program\n"
        "  psim replay --set memory.latency='300 cycles' a.trace\n"
        "  psim replay --profile a.trace               # with the names of the program, if it is there\n"
        "  psim replay --skip 1000000 --max-instructions 50000 --kanata a.kanata a.trace\n",
    .setup = set_up_replay,
};

}  // namespace psim::commands

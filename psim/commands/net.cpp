// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/output_file.h"
#include "base/result_document.h"
#include "netsim/job/rank_load.h"
#include "netsim/parallel/host_processes.h"
#include "netsim/simulation.h"
#include "netsim/topology/manual.h"
#include "netsim/topology/topology.h"
#include "netsim/traffic/pattern.h"
#include "psim/commands/command.h"
#include "psim/net/base_run.h"
#include "psim/net/collective_table.h"
#include "psim/net/interruption.h"
#include "psim/net/link_energy_result.h"
#include "psim/net/memory_check.h"
#include "psim/net/net_progress.h"
#include "psim/net/net_report.h"
#include "psim/net/net_result.h"
#include "psim/net/net_tables.h"
#include "psim/net/rank_rows.h"
#include "psim/net/timeline_file.h"
#include "psim/net/traffic_run.h"
#include "psim/network_machine.h"

namespace psim::commands {
namespace {

struct Options {
  CommonOptions common;
  std::uint32_t ranks = 0;
  std::string stack;
  net::GlobalsMode globals = net::GlobalsMode::Automatic;
  std::string data;
  bool collectives = false;
  bool compare = false;                      ///< --compare always-on
  std::string base;                          ///< the result of that run
  std::string timeline, from, to, observed;  ///< --timeline, --observe-…
  bool observes = false;                     ///< some output shows what ranks did over time
  TrafficOptions traffic;
};

/// mpi.carry for --data: what the user said, or nothing for MGEN programs, which pass no buffers, and all for
/// others.
std::uint64_t carry(const std::string& data, bool mgen, std::uint64_t configured) {
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  if (data.empty()) return mgen && configured == kAll ? 0 : configured;
  if (data == "carry") return kAll;
  if (data == "none") return 0;
  const ParsedQuantity size = parse_quantity(data, Dimension::Size);
  if (!size.value)
    throw UserError(fmt::format(
        "--data {}: {}; expected carry, none, or the size of the largest message whose data travel", data,
        size.problem));
  return *size.value;
}

std::uint64_t time_of(const std::string& option, const std::string& text, std::uint64_t otherwise) {
  if (text.empty()) return otherwise;
  const ParsedQuantity time = parse_quantity(text, Dimension::Time);
  if (!time.value)
    throw UserError(
        fmt::format("{} {}: {}; expected {}", option, text, time.problem, example(Dimension::Time)));
  return *time.value;
}

net::Observation observation(const Options& options) {
  if (!options.observes) {
    for (const auto& [option, text] : {std::pair("--observe-from", options.from),
                                       {"--observe-to", options.to},
                                       {"--observe-ranks", options.observed}})
      if (!text.empty())
        throw UserError(fmt::format("{} {}: of what? Give --timeline or --report", option, text));
  }
  net::Observation what;
  what.from = time_of("--observe-from", options.from, what.from);
  what.to = time_of("--observe-to", options.to, what.to);
  if (what.to < what.from)
    throw UserError(fmt::format("--observe-to {}: before --observe-from {}", options.to, options.from));
  if (!options.observed.empty()) what.ranks = parse_ranks("--observe-ranks", options.observed, options.ranks);
  return what;
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void print_output(net::RankId, net::Stream stream, std::string_view text) {
  std::FILE* file = stream == net::Stream::Out ? stdout : stderr;
  std::fwrite(text.data(), 1, text.size(), file);
}

/// What psim itself returns for a program that ended so.
int status_of(const net::RankLoad::Ending& ending) {
  using Kind = net::RankLoad::Ending::Kind;
  switch (ending.kind) {
    case Kind::Finished:
      return ending.status;
    case Kind::Aborted:
      return ending.status == 0 ? 1 : ending.status & 0xff;
    case Kind::Interrupted:
      return Interruption::status();
    default:
      return 1;
  }
}

const char* name(net::RankLoad::Ending::Kind kind) {
  using Kind = net::RankLoad::Ending::Kind;
  switch (kind) {
    case Kind::Finished:
      return "finished";
    case Kind::Aborted:
      return "aborted";
    case Kind::Failed:
      return "failed";
    case Kind::Deadlocked:
      return "deadlocked";
    default:
      return "interrupted";
  }
}

int run_synthetic(const CLI::App& app, Options& options, net::HostProcesses& processes) {
  if (!app.remaining().empty())
    throw UserError(fmt::format("{}: --traffic takes no program", app.remaining().front()));
  if (!options.common.report.empty())
    throw UserError("--report: not with --traffic; --csv FILE writes the curve");
  if (!options.timeline.empty()) throw UserError("--timeline: not with --traffic, which has no ranks");
  std::optional<ResultDocument> result;
  std::unique_ptr<NetworkMachine> machine;
  processes.together([&] {
    result.emplace("net", options.common.json);
    machine = load_network(options.common);
  });
  result->machine(machine->name, machine->schema);
  result->seed(options.common.seed);
  options.traffic.nodes = (options.ranks + machine->network.node.ranks - 1) / machine->network.node.ranks;
  options.traffic.quiet = options.common.quiet;
  return run_traffic(options.traffic, *machine, options.common.seed, *result, processes);
}

/// Everything a run needs; where it is made, bad input is told.
struct Run {
  std::vector<std::string> words;
  std::optional<OutputFile> report;
  std::optional<ResultDocument> result;
  std::unique_ptr<NetworkMachine> machine;
  std::optional<net::Network> network;
  std::unique_ptr<TimelineFile> timeline_file;
  std::optional<NetTables> tables;
  std::optional<net::Timeline> timeline;
  std::optional<net::RankLoad> load;
  std::optional<net::Simulation> simulation;
  net::MpiConfig mpi;

  Run(const CLI::App& app, const Options& options, net::HostProcesses& processes);
};

Run::Run(const CLI::App& app, const Options& options, net::HostProcesses& processes)
    : words(program_of(app)) {
  if (options.ranks == 0) throw UserError("net: how many ranks? Give -n N");
  if (!options.common.report.empty()) report.emplace(options.common.report, "--report");
  result.emplace("net", options.common.json);
  if (!options.timeline.empty()) timeline_file = TimelineFile::make(options.timeline);
  if (!options.traffic.csv.empty()) tables.emplace(options.traffic.csv);
  const net::Observation observed = observation(options);
  if (options.observes) timeline.emplace(options.ranks, observed);
  machine = load_network(options.common);
  const net::NetworkConfig& config = machine->network;
  const std::uint32_t nodes = (options.ranks + config.node.ranks - 1) / config.node.ranks;
  MemoryNeed need{.ranks = options.ranks / processes.size(), .globals = 0, .nodes = nodes / processes.size()};
  check_memory(need, available_memory());
  network = net::make_topology(config, nodes);

  net::ProcessesConfig program;
  program.program = words[0];
  program.arguments.assign(words.begin() + 1, words.end());
  program.ranks = options.ranks;
  program.stack = net::default_stack(options.ranks);
  if (!options.stack.empty()) {
    const ParsedQuantity stack = parse_quantity(options.stack, Dimension::Size);
    if (!stack.value)
      throw UserError(
          fmt::format("--stack {}: {}; expected {}", options.stack, stack.problem, example(Dimension::Size)));
    program.stack = Bytes{*stack.value};
  }
  program.globals = options.globals;
  const net::Partition partition = net::Simulation::partition(network->graph, processes.size());
  load.emplace(program, config.node.ranks,
               net::Simulation::nodes(network->graph, partition, processes.rank()), print_output);
  need.globals = load->processes().globals().bytes_per_rank();
  check_memory(need, available_memory());
  if (timeline) load->observe(*timeline);
  mpi = machine->mpi;
  mpi.algorithms = machine->rules;
  mpi.carry = carry(options.data, load->mgen(), mpi.carry);
  const bool sleeps = config.link.sleep.policy != net::SleepPolicy::Off;
  if (options.compare && !sleeps)
    throw UserError(
        "--compare always-on: links never sleep; say when they do: --set link.sleep.policy=fixed");
  if (options.compare && processes.first() && options.base.empty())
    throw UserError("--compare always-on: the run with links that never sleep left no result");
  if (tables && sleeps) tables->add_energy(machine->link_power);
  simulation.emplace(config, network->graph, *network->routing, *load, options.common.seed, &processes);
  result->input("program", words[0], bytes_of(words[0]));
  if (!machine->collectives.empty())
    result->input("collectives", machine->collectives, machine->collectives_text);
  result->machine(machine->name, machine->schema);
  result->seed(options.common.seed);
  result->body()["arguments"] = program.arguments;
}

int run_program(const CLI::App& app, const Options& options, net::HostProcesses& processes) {
  std::optional<Run> made;
  processes.together([&] { made.emplace(app, options, processes); });
  auto& [words, report, result, machine, network, timeline_file, tables, timeline, load, simulation, mpi] =
      *made;
  const Interruption interruption;
  NetProgress progress(options.common.quiet);
  const net::RankLoad::Ending ending = load->run(
      *simulation, mpi,
      [&](const net::Standing& standing) {
        progress.update([&](double elapsed) { return program_line(elapsed, standing, options.ranks); });
        return Interruption::signal() != 0;
      },
      &processes);
  progress.clear();
  std::fflush(stdout);
  const int status = status_of(ending);
  if (!processes.first()) return status;
  for (const std::string& line : ending.lines) fmt::print(stderr, "psim: {}\n", line);
  auto& body = result->body();
  add_network(body, *network, *simulation);
  add_ranks(body, *load);
  if (simulation->sleep() != nullptr) {
    add_link_energy(body, {*simulation->sleep(), network->graph, machine->link_power});
    if (!options.base.empty()) compare_with_always_on(body, nlohmann::ordered_json::parse(options.base));
  }
  body["ending"] = name(ending.kind);
  body["exit_status"] = status;
  if (ending.kind == net::RankLoad::Ending::Kind::Interrupted) result->partial("interrupted");
  if (ending.kind == net::RankLoad::Ending::Kind::Failed) result->partial("failed");
  add_sharing(*result, simulation->sharing(), processes.size());
  result->speed("packet_hops_per_second", simulation->fabric().packet_hops());
  add_bytes_per_rank(result->host(), simulation->sharing(), options.ranks);
  result->finish();
  if (tables) tables->write(*network, *simulation, *load);
  if (timeline_file)
    timeline_file->write(
        *timeline, {fmt::format("{}", fmt::join(words, " ")), options.ranks, machine->network.node.ranks});
  if (report) {
    report->write(net_report(fmt::format("{}", fmt::join(words, " ")), result->text(),
                             link_map(network->graph, *simulation), rank_rows(*timeline)));
    report->commit();
  }
  if (!options.common.quiet) print_network(result->body(), result->host());
  return status;
}

/// The same with links that never sleep, alone and silent.
std::string always_on(const CLI::App& app, const Options& options) {
  return run_base([&](const std::string& json) {
    if (load_network(options.common)->network.link.sleep.policy == net::SleepPolicy::Off) return;
    Options base = options;
    base.compare = false;
    base.common.json = json;
    base.common.quiet = true;
    base.common.sets.emplace_back("link.sleep.policy=never");
    for (std::string* file :
         {&base.common.report, &base.timeline, &base.from, &base.to, &base.observed, &base.traffic.csv})
      file->clear();
    net::OneProcess alone;
    run_program(app, base, alone);
  });
}

int run_net(const CLI::App& app, Options& options) try {
  if (options.compare && net::first_of_host_processes()) options.base = always_on(app, options);
  const std::unique_ptr<net::HostProcesses> processes = net::connect_host_processes();
  options.observes = !options.timeline.empty() || !options.common.report.empty();
  if (!processes->first()) {  // the first tells
    options.common.json.clear();
    options.common.report.clear();
    options.timeline.clear();
    options.traffic.csv.clear();
    options.common.quiet = true;
  }
  return options.traffic.pattern.empty() ? run_program(app, options, *processes)
                                         : run_synthetic(app, options, *processes);
} catch (const net::HostProcesses::Elsewhere&) {
  return 2;
}

std::function<int()> setup(CLI::App& app) {
  auto options = std::make_shared<Options>();
  take_program(app);
  app.add_option("-n,--ranks", options->ranks, "number of ranks")
      ->type_name("N")
      ->check(CLI::Range(1u, 1u << 24));
  app.add_option("--stack", options->stack,
                 "of each rank, committed as it is touched (8 MiB; above 16,384 ranks 1 MiB)")
      ->type_name("SIZE");
  app.add_option("--globals", options->globals, "how ranks get global variables of their own")
      ->transform(CLI::CheckedTransformer(
          std::vector<std::pair<std::string, net::GlobalsMode>>{{"automatic", net::GlobalsMode::Automatic},
                                                                {"copies", net::GlobalsMode::Copies},
                                                                {"swapped", net::GlobalsMode::Swapped},
                                                                {"remapped", net::GlobalsMode::Remapped},
                                                                {"shared", net::GlobalsMode::Shared}}));
  app.add_option(
         "--data", options->data,
         "carry, none, or SIZE: whether the bytes of messages (up to SIZE) really travel; without, they do "
         "unless the program is an MGEN program")
      ->type_name("WHICH");
  app.add_option("--timeline", options->timeline,
                 "what ranks did over time: NAME.json for Perfetto, or an OTF2 archive, NAME.otf2")
      ->type_name("FILE")
      ->check(file_name());
  app.add_option_function<std::string>(
         "--compare", [options](const std::string&) { options->compare = true; },
         "run first with links that never sleep, and tell power, energy and time as shares of that run's")
      ->type_name("BASE")
      ->check(CLI::IsMember({"always-on"}));
  app.add_option("--observe-from", options->from,
                 "of timelines, the report's too: what was before is left out")
      ->type_name("TIME");
  app.add_option("--observe-to", options->to, "the end of what is kept")->type_name("TIME");
  app.add_option("--observe-ranks", options->observed, "only these, like 0:7,12")->type_name("RANKS");
  app.add_flag_callback(
      "--topologies",
      [] {
        fmt::print("{}", net::topologies_manual());
        throw CLI::Success();
      },
      "list all topologies with their shapes and routings, and end");
  app.add_flag("--collectives", options->collectives,
               "print the table of algorithms of collectives, of --machine and --set, and end");
  add_common(app, options->common, kMachine | kJson | kReport | kSeed | kQuiet);
  TrafficOptions& traffic = options->traffic;
  CLI::Option* pattern = app.add_option("--traffic", traffic.pattern,
                                        "no program, but messages of this pattern over the load: " +
                                            fmt::format("{}", fmt::join(net::pattern_names(), ", ")))
                             ->type_name("PATTERN");
  const auto of_traffic = [&](CLI::Option* option) { option->needs(pattern)->capture_default_str(); };
  of_traffic(
      app.add_option("--load", traffic.load, "shares of nic.bandwidth: 0.5, 0.1,0.3,0.9 or FIRST:LAST:STEP")
          ->type_name("LOADS"));
  of_traffic(app.add_option("--message", traffic.message, "each message")->type_name("SIZE"));
  of_traffic(app.add_option("--warm-up", traffic.warm_up, "before measuring")->type_name("TIME"));
  of_traffic(app.add_option("--measure", traffic.measured, "messages made in this time are measured")
                 ->type_name("TIME"));
  of_traffic(app.add_option("--hot", traffic.hot, "share of a hotspot's traffic to node 0")
                 ->check(CLI::Range(0.0, 1.0)));
  app.add_option(
         "--csv", traffic.csv,
         "tables: with --traffic the curve, a file; else a folder of time.csv, links.csv, ranks.csv and "
         "latency.csv")
      ->type_name("FILE")
      ->check(file_name());
  app.add_flag("--saturation", traffic.saturation, "search for the largest load that the network carries")
      ->needs(pattern);
  app.add_option("--tolerance", traffic.tolerance, "how exactly --saturation is to find it")
      ->check(CLI::Range(0.0001, 0.5))
      ->capture_default_str();
  return [&app, options] {
    if (!options->collectives) return run_net(app, *options);
    fmt::print("{}", collective_table(load_network(options->common)->rules));
    return 0;
  };
}

}  // namespace

const Command kNet{
    .name = "net",
    .usage = "PROGRAM [ARG…]",
    .summary = "run an MPI program's ranks on a packet network",
    .examples =
        "  psim-cc -O2 -o ring ring.c && psim net -n 1024 ./ring\n"
        "  psim net --collectives > table.toml && psim net -n 64 --set mpi.collectives=table.toml ./ring\n"
        "  psim net -n 64 --set topology.shape=4x4x4 --set link.bandwidth='10 GB/s' --json ring.json "
        "./ring\n",
    .setup = setup,
};

}  // namespace psim::commands

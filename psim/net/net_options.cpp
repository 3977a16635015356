// SPDX-License-Identifier: Apache-2.0
#include "psim/net/net_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "netsim/traffic/pattern.h"
#include "psim/commands/command.h"

namespace psim {

constexpr std::uint32_t kHighestRanks = 1u << 24;

void heading(CLI::App& app, const std::string& text) { app.option_defaults()->group(text); }

/// Accepts only these names, and replaces them by their values. CLI11's CheckedTransformer would print the
/// values as well, which are control characters.
template <class Value>
void choice(CLI::Option* option, const std::vector<std::pair<std::string, Value>>& values) {
  option->transform(CLI::Transformer(values).description(""))->transform(CLI::IsMember(values));
}

void add_rank_options(CLI::App& app, ProgramOptions& program) {
  heading(app, "Ranks");
  app.add_option("-n,--ranks", program.ranks, "number of ranks")
      ->type_name("N")
      ->check(commands::whole_number(1, kHighestRanks));
  app.add_option(
         "--stack", program.stack,
         "size of each rank's stack [8 MiB; above 16,384 ranks 1 MiB]; only touched pages take memory")
      ->type_name("SIZE");
  const std::vector<std::pair<std::string, net::GlobalsMode>> globals{
      {"automatic", net::GlobalsMode::Automatic},
      {"copies", net::GlobalsMode::Copies},
      {"swapped", net::GlobalsMode::Swapped},
      {"remapped", net::GlobalsMode::Remapped},
      {"shared", net::GlobalsMode::Shared}};
  choice(
      app.add_option("--globals", program.globals, "how ranks get global variables of their own [automatic]")
          ->type_name("HOW"),
      globals);
  const std::vector<std::pair<std::string, net::StackMode>> stacks{{"own", net::StackMode::Own},
                                                                   {"swapped", net::StackMode::Swapped}};
  choice(app.add_option(
                "--stacks", program.stacks,
                "own: each rank's stack at addresses of its own, as programs need that pass pointers into it "
                "to other ranks; swapped: all at the same addresses [own; above 16,384 ranks swapped]")
             ->type_name("HOW"),
         stacks);
  app.add_flag("--memory", program.memory, "print a rank's memory by use: stacks, messages, routers …");
  app.add_option("--data", program.data,
                 "whether messages carry their bytes: carry, none, or SIZE: messages of up to SIZE do [none "
                 "for MGEN programs and skeletons, else carry]")
      ->type_name("WHICH");
  app.add_option("--compute", program.compute,
                 "time of computing: stated, as the program gives it (MGEN_Comp, sleep); model:FILE, by "
                 "models of its regions (fits.toml); measured or measured*K, its time on this host times K, "
                 "which is not repeatable; recorded:FILE, as --record-compute wrote it [stated]")
      ->type_name("HOW");
  app.add_option("--compute-factor", program.compute_factors,
                 "factor of the times of a region: of its model, or instead of K; may be repeated")
      ->type_name("REGION=FACTOR")
      ->take_all();
  app.add_flag("--force-model", program.force_model,
               "use models of another machine than node.core, or of several machines");
  app.add_flag(
      "--skeleton", program.skeleton,
      "leave out the bodies of PSIM_REGION_SKIP regions: only the time of their models passes; needs "
      "--compute model:FILE");
  app.add_option("--record-compute", program.record_compute,
                 "write the times of --compute measured to this file")
      ->type_name("FILE");
}

void add_other_inputs(CLI::App& app, ProgramOptions& program) {
  heading(app, "Instead of one program");
  app.add_option("--jobs", program.jobs,
                 "run several programs at once: a file with a table of program, ranks, arrival, placement … "
                 "for each (docs/jobs.md)")
      ->type_name("FILE");
  CLI::Option* table =
      app.add_option("--table", program.table,
                     "measure all collectives on this network with up to -n ranks, and write their "
                     "times, for collective.table (docs/skeletons.md)")
          ->type_name("FILE");
  app.add_option("--table-bytes", program.table_bytes, "largest size that --table measures")
      ->type_name("SIZE")
      ->needs(table)
      ->capture_default_str();
  CLI::Option* replay = app.add_option("--replay", program.replay,
                                       "replay an OTF2 archive, Chakra (NAME.0.et) or DUMPI traces "
                                       "(NAME.meta) or a schedule in GOAL (docs/replay.md)")
                            ->type_name("FILE");
  const auto of_replay = [&](const char* name, double& factor, const char* text) {
    app.add_option(name, factor, text)
        ->type_name("FACTOR")
        ->needs(replay)
        ->check(commands::number_in(0.0, 1e6));
  };
  of_replay("--compute-scale", program.compute_scale, "multiplies the times of computing of --replay [1]");
  of_replay("--message-scale", program.message_scale, "multiplies the lengths of messages of --replay [1]");
}

void add_seen_options(CLI::App& app, ProgramOptions& program, std::string& csv) {
  heading(app, "Observation");
  app.add_option("--csv", csv,
                 "write tables: with --traffic the curve, with --sweep one row per point, to this file; else "
                 "time.csv, links.csv, nodes.csv, ranks.csv and latency.csv to this folder")
      ->type_name("FILE");
  app.add_option(
         "--timeline", program.timeline,
         "write the activity of ranks over time: NAME.json for Perfetto, or NAME.otf2, an OTF2 archive")
      ->type_name("FILE");
  app.add_option("--observe-from", program.from,
                 "start of timelines (also the report's), --observe-routers and --observe-links [0 s]")
      ->type_name("TIME");
  app.add_option("--observe-to", program.to, "end of these timelines and tables [end of the run]")
      ->type_name("TIME");
  app.add_option("--observe-ranks", program.observed, "ranks in timelines, such as 0:7,12 [all]")
      ->type_name("RANKS");
  app.add_option("--observe-routers", program.observe_routers,
                 "write the traffic of these routers over time (0:7,12 or all): observed_links.csv, "
                 "observed_buffers.csv and observed_nodes.csv in the folder of --csv")
      ->type_name("ROUTERS");
  app.add_option("--observe-links", program.observe_links,
                 "likewise the traffic of links from router to router, such as 0-1,1-0")
      ->type_name("LINKS");
  app.add_option("--observe-every", program.observe_every, "length of an interval of these tables [10 us]")
      ->type_name("TIME");
  CLI::Option* efficiency = app.add_flag(
      "--efficiency", program.efficiency,
      "explain the time: efficiencies of POP, the critical path, and what a faster network, a faster region "
      "and no contention would change, by four more runs (docs/efficiency.md)");
  app.add_option("--faster", program.faster,
                 "region that --efficiency assumes twice as fast [that with the most time on the critical "
                 "path]")
      ->type_name("REGION")
      ->needs(efficiency);
  app.add_option(
         "--statistics", program.statistics,
         "write all statistics of the run: as CSV if FILE ends with .csv, else as a table; `psim statistics` "
         "explains them. With --traffic a row or a table for each load")
      ->type_name("FILE");
  app.add_option(
         "--order", program.order,
         "write the order of packets on every channel; psim diff finds the first difference of two runs")
      ->type_name("FILE");
  app.add_option("--compare", program.compare,
                 "always-on: run first with links that never sleep, and report power, energy and time as "
                 "shares of that run's; alone: also run each job of --jobs alone, and report how much slower "
                 "it was with the others")
      ->type_name("BASE")
      ->check(CLI::IsMember({"always-on", "alone"}));
}

void add_traffic_options(CLI::App& app, TrafficOptions& traffic) {
  heading(app, "Synthetic traffic");
  CLI::Option* pattern = app.add_option("--traffic", traffic.pattern,
                                        "simulate messages of this pattern at each load: " +
                                            fmt::format("{}", fmt::join(net::pattern_names(), ", ")))
                             ->type_name("PATTERN");
  const auto of_traffic = [&](CLI::Option* option) { option->needs(pattern)->capture_default_str(); };
  of_traffic(
      app.add_option("--load", traffic.load, "shares of nic.bandwidth: 0.5, 0.1,0.3,0.9 or FIRST:LAST:STEP")
          ->type_name("LOADS"));
  of_traffic(app.add_option("--message", traffic.message, "size of each message")->type_name("SIZE"));
  of_traffic(
      app.add_option("--arrivals", traffic.arrivals,
                     "poisson: a node makes messages at any time; bernoulli: in each period, the time of "
                     "a message on the node's channel, with a fixed probability")
          ->type_name(fmt::format("{}", fmt::join(net::arrival_names(), "|"))));
  app.add_option("--warm-up", traffic.warm_up, "time before measuring [20 us, but at least 2/5 of --measure]")
      ->type_name("TIME")
      ->needs(pattern);
  app.add_option("--measure", traffic.measured,
                 "messages made in this time are measured [50 us, or until each node has made 500]; "
                 "--saturation measures until each has in any case")
      ->type_name("TIME")
      ->needs(pattern);
  of_traffic(app.add_option("--hot", traffic.hot, "share of a hotspot's traffic to node 0")
                 ->type_name("SHARE")
                 ->check(commands::number_in(0.0, 1.0)));
  app.add_option("--group", traffic.group,
                 "nodes of a group of adversarial traffic [those of a group of the topology, or of a router]")
      ->type_name("NODES")
      ->needs(pattern)
      ->check(commands::whole_number(1, kHighestRanks));
  of_traffic(app.add_option("--shift", traffic.shift,
                            "groups from a node to the destinations of adversarial traffic")
                 ->type_name("GROUPS")
                 ->check(commands::whole_number(0, kHighestRanks)));
  app.add_option("--grid", traffic.grid, "sizes of the grid of a stencil [near square, near cubic]")
      ->type_name("SIZES")
      ->needs(pattern);
  app.add_option(
         "--matrix", traffic.matrix,
         "lines of source, destination and weight; the node with the highest sum has the load of --load")
      ->type_name("FILE")
      ->needs(pattern);
  app.add_option("--bursts", traffic.bursts,
                 "mean times in which a node makes messages, and none: 5us:15us; --load is the mean of both")
      ->type_name("ON:OFF")
      ->needs(pattern);
  app.add_flag("--saturation", traffic.saturation, "search for the largest load that the network carries")
      ->needs(pattern);
  of_traffic(app.add_option("--tolerance", traffic.tolerance, "accuracy of the load that --saturation finds")
                 ->type_name("SHARE")
                 ->check(commands::number_in(0.0001, 0.5)));
}

}  // namespace psim

// SPDX-License-Identifier: Apache-2.0
#include "psim/net/traffic_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/console.h"
#include "base/error.h"
#include "base/output_file.h"
#include "base/parse_number.h"
#include "base/progress.h"
#include "base/read_file.h"
#include "netsim/network_statistics.h"
#include "netsim/topology/topology.h"
#include "netsim/traffic/synthetic.h"
#include "psim/commands/result_file.h"
#include "psim/net/interruption.h"
#include "psim/net/net_progress.h"
#include "psim/partial_results.h"
#include "report/net/link_energy_result.h"
#include "report/net/net_report.h"
#include "report/net/net_result.h"
#include "report/net/traffic_result.h"

namespace psim {
namespace {

constexpr const char* kExpected = "expected shares of nic.bandwidth: 0.5, 0.1,0.3,0.9 or FIRST:LAST:STEP";

double number(std::string_view text, const std::string& whole) {
  const auto value = parse_number<double>(text);
  if (!value || !(*value > 0 && *value <= 4))
    throw UserError(
        fmt::format("--load {}: '{}' is not a number above 0 and at most 4; {}", whole, text, kExpected));
  return *value;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0;;) {
    const std::size_t to = text.find(at, from);
    parts.push_back(text.substr(from, to - from));
    if (to == std::string_view::npos) return parts;
    from = to + 1;
  }
}

std::uint64_t quantity(const char* option, const std::string& text, Dimension dimension) {
  const ParsedQuantity parsed = parse_quantity(text, dimension);
  if (!parsed.value || *parsed.value == 0)
    throw UserError(fmt::format("{} {}: {}; expected something like {}", option, text,
                                parsed.value ? "is nothing" : parsed.problem, example(dimension)));
  return *parsed.value;
}

Picoseconds time_of(const char* option, const std::string& text) {
  return Picoseconds{static_cast<std::int64_t>(quantity(option, text, Dimension::Time))};
}

/// Returns the bursts of "ON:OFF", two mean times.
net::BurstConfig bursts_of(const std::string& text) {
  if (text.empty()) return {};
  const auto parts = split(text, ':');
  if (parts.size() != 2)
    throw UserError(fmt::format("--bursts {}: expected two times, as in 5us:15us", text));
  return {time_of("--bursts", std::string(parts[0])), time_of("--bursts", std::string(parts[1]))};
}

std::vector<std::uint32_t> grid_of(const std::string& text) {
  std::vector<std::uint32_t> sizes;
  if (text.empty()) return sizes;
  for (const std::string_view part : split(text, 'x')) {
    const auto size = parse_number<std::uint32_t>(part);
    if (!size || size == 0)
      throw UserError(fmt::format("--grid {}: '{}' is not a size; expected sizes, as in 8x8x4", text, part));
    sizes.push_back(*size);
  }
  return sizes;
}

/// Returns the choices of the pattern. Throws UserError for those of another pattern.
net::PatternOptions pattern_options(const TrafficOptions& options, const net::Network& network,
                                    std::uint64_t seed) {
  const net::Pattern pattern = net::pattern_of(options.pattern);
  const auto only = [&](bool given, const char* option, const char* patterns, bool fits) {
    if (given && !fits)
      throw UserError(
          fmt::format("{}: not with --traffic {}; expected {}", option, options.pattern, patterns));
  };
  using net::Pattern;
  only(options.group != 0, "--group", "adversarial", pattern == Pattern::Adversarial);
  only(options.shift != 1, "--shift", "adversarial", pattern == Pattern::Adversarial);
  only(!options.grid.empty(), "--grid", "stencil-2d or stencil-3d",
       pattern == Pattern::Stencil2d || pattern == Pattern::Stencil3d);
  only(!options.matrix.empty(), "--matrix", "matrix", pattern == Pattern::Matrix);
  net::PatternOptions result{.hot = options.hot,
                             .group = options.group != 0 ? options.group : network.group,
                             .shift = options.shift,
                             .seed = seed,
                             .grid = grid_of(options.grid),
                             .matrix = {},
                             .matrix_name = options.matrix};
  if (options.matrix.empty()) return result;
  FileBytes file = read_file(options.matrix);
  if (!file.problem.empty()) throw UserError(fmt::format("--matrix {}: {}", options.matrix, file.problem));
  result.matrix = std::move(file.bytes);
  return result;
}

/// Sets the duration of a measurement: the user's choice, or long enough for every node to make the
/// messages from which its flow can be judged. A search for saturation takes at least the latter.
void set_times(net::TrafficConfig& traffic, const TrafficOptions& options, const net::NetworkConfig& config) {
  constexpr Picoseconds kWarmUp{20'000'000}, kMeasured{50'000'000};
  const Picoseconds between = net::SyntheticTraffic::interval(traffic, config);
  const Picoseconds enough = net::SyntheticTraffic::kEnough * between;
  const bool given = !options.measured.empty();
  traffic.measured = given ? time_of("--measure", options.measured) : std::max(kMeasured, enough);
  if (given && !options.saturation && traffic.measured < between)
    throw UserError(fmt::format(
        "--measure {}: at load {:.4g} a node makes a message of {} every {:.4g} us; expected at least that",
        options.measured, traffic.load, options.message, static_cast<double>(between.count()) * 1e-6));
  traffic.longest_drain = given ? 10 * traffic.measured : std::max(10 * kMeasured, traffic.measured);
  if (options.saturation) traffic.measured = std::max(traffic.measured, enough);
  traffic.warm_up = !options.warm_up.empty() ? time_of("--warm-up", options.warm_up)
                                             : std::max(kWarmUp, traffic.measured * 2 / 5);
}

}  // namespace

std::vector<std::uint32_t> sizes_of(const net::NetworkConfig& config, const net::Network& network) {
  const std::string& kind = config.topology.kind;
  if (kind == "torus" || kind == "mesh" || kind == "express-mesh") {
    std::vector<std::uint32_t> sizes;
    for (const std::string_view part :
         split(std::string_view(network.shape).substr(0, network.shape.find(':')), 'x'))
      sizes.push_back(parse_number<std::uint32_t>(part).value_or(0));
    return sizes;
  }
  return {network.graph.nodes()};
}

namespace {

/// Adds the activity of the links at this load. Call it after the run, in the process that has all counts.
void look_at_links(LoadPoint& point, const net::Simulation& simulation, const NetworkMachine& machine,
                   const MachineMap* map) {
  if (const net::LinkSleep* sleep = simulation.sleep(); sleep != nullptr) {
    nlohmann::ordered_json body;
    add_link_energy(body, {*sleep, simulation.graph(), machine.link_power});
    point.energy = std::move(body["link_energy"]);
    point.energy.erase("over_time");  // the load does not change
  }
  point.links = link_map(simulation.graph(), simulation, map);
  if (map != nullptr) point.loads = map->totals(simulation);
}

/// Returns the statistics of the network. Call it after the run, in the process that has all counts.
std::vector<statistics::Reading> statistics_of(const net::Simulation& simulation) {
  const net::NetworkStatistics counted(simulation);
  statistics::Registry registry;
  counted.add_to(registry);
  return registry.read(registry.snapshot(statistics::Registry::Detail::Buckets));
}

}  // namespace

std::vector<double> parse_loads(const std::string& text) {
  const auto range = split(text, ':');
  std::vector<double> loads;
  if (range.size() == 3) {
    const double first = number(range[0], text), last = number(range[1], text), step = number(range[2], text);
    constexpr double kMost = 1000;
    if ((last - first) / step > kMost) throw UserError(fmt::format("--load {}: over 1000 points", text));
    // Rounded to twelve decimals, so that 0.1 + 2 · 0.1 is the requested 0.3.
    for (int i = 0; first + i * step <= last * (1 + 1e-9); ++i)
      loads.push_back(std::round((first + i * step) * 1e12) / 1e12);
    if (loads.empty())
      throw UserError(fmt::format("--load {}: the last load is below the first; {}", text, kExpected));
    return loads;
  }
  if (range.size() != 1) throw UserError(fmt::format("--load {}: {}", text, kExpected));
  for (const std::string_view part : split(text, ',')) loads.push_back(number(part, text));
  return loads;
}

std::pair<double, double> find_saturation(double tolerance,
                                          const std::function<std::optional<bool>(double)>& measure) {
  double low = 0, high = 1;
  const std::optional<bool> at_most = measure(high);
  if (!at_most) return {0, 0};
  if (*at_most) return {1, 0};
  while (high - low > tolerance) {
    const double middle = (low + high) / 2;
    const std::optional<bool> holds = measure(middle);
    if (!holds) break;
    (*holds ? low : high) = middle;
  }
  return {low, high};
}

int run_traffic(const TrafficOptions& options, const NetworkMachine& machine, std::uint64_t seed,
                ResultDocument& result, net::HostProcesses& processes) {
  const net::NetworkConfig& config = machine.network;
  std::vector<double> loads;
  net::TrafficConfig traffic;
  std::optional<net::Network> made;
  std::optional<net::Destinations> destinations;
  std::optional<OutputFile> csv, report, table;
  processes.together([&] {
    loads = parse_loads(options.load);
    traffic.pattern = net::pattern_of(options.pattern);
    traffic.message = Bytes{quantity("--message", options.message, Dimension::Size)};
    for (const double load : loads) {
      traffic.load = load;
      set_times(traffic, options, config);
    }
    traffic.bursts = bursts_of(options.bursts);
    traffic.arrivals = net::arrivals_of(options.arrivals);
    if (traffic.arrivals == net::Arrivals::Bernoulli && traffic.bursts.enabled())
      throw UserError(
          fmt::format("--bursts {}: not with --arrivals bernoulli; expected poisson", options.bursts));
    if (traffic.arrivals == net::Arrivals::Bernoulli)
      for (const double load : loads)
        if (load > 1)
          throw UserError(
              fmt::format("--load {}: {:g} messages in each period; expected at most 1 with "
                          "--arrivals bernoulli",
                          options.load, load));
    traffic.seed = seed;
    if (options.nodes == 0 && config.topology.shape.empty())
      throw UserError(
          fmt::format("--traffic {}: the number of nodes is missing; add -n N, or --set topology.shape=SIZES",
                      options.pattern));
    made = net::make_topology(config, options.nodes);
    if (options.nodes != 0 && made->graph.nodes() != options.nodes)
      throw UserError(fmt::format(
          "-n: traffic is among all nodes of a network, and {} has {} instead of {}; expected -n {}, or a "
          "topology.shape of {} nodes",
          made->shape, made->graph.nodes(), options.nodes, made->graph.nodes(), options.nodes));
    net::Simulation::partition(config, made->graph, processes.size());
    const net::PatternOptions choices = pattern_options(options, *made, seed);
    if (!options.matrix.empty()) result.input("matrix", options.matrix, choices.matrix);
    destinations.emplace(traffic.pattern, made->graph.nodes(), sizes_of(config, *made), choices);
    if (!options.csv.empty()) csv.emplace(options.csv, "--csv");
    if (!options.report.empty()) report.emplace(options.report, "--report");
    if (!options.statistics.empty()) table.emplace(options.statistics, "--statistics");
  });
  const net::Network& network = *made;
  std::optional<MachineMap> map;
  if (processes.first() && config.model == net::NetworkModel::Packets &&
      (report || MachineMap::is_small(network.graph)))
    map.emplace(network);
  if (map && map->links() == 0) map.reset();
  const bool sleeps = config.link.sleep.policy != net::SleepPolicy::Off;

  auto& body = result.body();
  body["traffic"] = options.pattern;
  body["message"] = format_quantity(traffic.message.count, Dimension::Size);
  body["arrivals"] = options.arrivals;
  if (traffic.pattern == net::Pattern::Adversarial)
    body["adversarial"] = {{"group", options.group != 0 ? options.group : network.group},
                           {"shift", options.shift}};
  if (!options.bursts.empty())
    body["bursts"] = {{"on_seconds", static_cast<double>(traffic.bursts.on.count()) * 1e-12},
                      {"off_seconds", static_cast<double>(traffic.bursts.off.count()) * 1e-12}};
  body["topology"] = {{"shape", network.shape},
                      {"routing", network.routing_name},
                      {"routers", network.graph.routers()},
                      {"nodes", network.graph.nodes()}};
  if (!options.quiet) {
    console::print("{} traffic, {} nodes ({} {}, {} routing), messages of {}\n", options.pattern,
                   network.graph.nodes(), config.topology.kind, network.shape, network.routing_name,
                   format_quantity(traffic.message.count, Dimension::Size));
    console::print("{}", text_head(sleeps));
  }
  std::uint64_t hops = 0, packets = 0, messages = 0;
  const Interruption interruption;
  bool interrupted = false;
  net::Sharing sharing;
  Progress progress(options.quiet);
  // The first step tries load 1; the others halve the remaining range.
  const auto steps = static_cast<std::size_t>(1 + std::ceil(std::max(0.0, -std::log2(options.tolerance))));
  std::vector<LoadPoint> points;
  const auto measure = [&](double load, std::size_t number) {
    traffic.load = load;
    set_times(traffic, options, config);
    net::SyntheticTraffic source(traffic, config, *destinations, network.graph.nodes());
    net::Simulation simulation(config, network.graph, *network.routing, source, seed, &processes);
    const double whole = static_cast<double>((traffic.warm_up + traffic.measured).count());
    const net::TrafficPoint point = source.run(
        simulation,
        [&] {
          const double done = std::min(1.0, static_cast<double>(simulation.engine().now()) / whole);
          progress.update([&](double elapsed) {
            return options.saturation ? saturation_line(elapsed, load, number, steps, done)
                                      : traffic_line(elapsed, loads, number, done);
          });
          return Interruption::signal() != 0 || options.partials->wanted();
        },
        &processes);
    hops += simulation.fabric().packet_hops();
    sharing.add(simulation.sharing());
    packets += simulation.interfaces().received().packets;
    messages += simulation.interfaces().messages();
    interrupted = point.interrupted;
    if (interrupted) return point;
    LoadPoint& done = points.emplace_back(
        LoadPoint{.load = load, .point = point, .energy = {}, .links = {}, .loads = {}, .statistics = {}});
    if (processes.first()) look_at_links(done, simulation, machine, map ? &*map : nullptr);
    if (processes.first() && table) done.statistics = statistics_of(simulation);
    progress.clear();
    if (!options.quiet) console::print("{}", text_row(done));
    return point;
  };
  if (options.saturation) {
    const auto [most, refused] = find_saturation(options.tolerance, [&](double load) -> std::optional<bool> {
      const net::TrafficPoint point = measure(load, points.size());
      return interrupted ? std::nullopt : std::optional(!point.saturated);
    });
    if (!interrupted) {
      body["saturation"] = {{"load", most}, {"tolerance", options.tolerance}};
      if (refused > 0) body["saturation"]["first_refused"] = refused;
      if (!options.quiet)
        console::print("{}\n", refused > 0
                                   ? fmt::format("saturation between loads {:.4g} and {:.4g}", most, refused)
                                   : "not saturated at load 1");
    }
  } else {
    for (std::size_t i = 0; i < loads.size() && !interrupted; ++i) measure(loads[i], i);
  }
  std::ranges::stable_sort(points, {}, &LoadPoint::load);
  std::string rows = csv_head(sleeps);
  body["points"] = nlohmann::ordered_json::array();
  for (const LoadPoint& point : points) {
    body["points"].push_back(json_of(point));
    if (processes.first()) rows += csv_row(point);
  }
  body["messages"] = messages;
  body["packets"] = packets;
  body["packet_hops"] = hops;
  if (csv) {
    csv->write(rows);
    csv->commit();
  }
  if (table) {
    table->write(statistics_of_loads(points, options.statistics.ends_with(".csv")));
    table->commit();
  }
  if (interrupted && !options.partials->in_copy()) result.partial("interrupted");
  add_sharing(result, sharing, processes.size());
  result.speed("packet_hops_per_second", hops);
  result.page()["title"] = options.pattern + " traffic";
  for (const LoadPoint& point : points)
    if (!point.links.is_null()) result.page()["maps"].push_back(point.links);
  if (map && !points.empty()) {
    result.page()["machine"] = map->drawing();
    for (const LoadPoint& point : points) result.page()["loads"].push_back(point.loads);
  }
  if (options.partials->in_copy()) {
    PartialResults::SoFar so_far;
    if (!options.saturation)
      so_far = {.fraction = static_cast<double>(points.size()) / static_cast<double>(loads.size()),
                .of = "loads"};
    options.partials->finish(result, so_far, [&] {
      result.finish();
      commands::write_page(report, result);
    });
  }
  result.finish();
  commands::write_page(report, result);
  return interrupted ? Interruption::status() : 0;
}

}  // namespace psim

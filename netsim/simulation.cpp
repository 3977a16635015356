// SPDX-License-Identifier: Apache-2.0
#include "netsim/simulation.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "netsim/simulation_service.h"

namespace psim::net {
namespace {

double seconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

std::optional<LinkSleep> sleep_of(const SleepConfig& config, const Graph& graph, std::uint32_t owners) {
  if (config.policy == SleepPolicy::Off) return std::nullopt;
  return LinkSleep(config, graph, owners);
}

template <class... Arguments>
std::unique_ptr<Fabric> make_fabric(bool one_line, Arguments&&... arguments) {
  if (one_line) return std::make_unique<FabricService<true>>(std::forward<Arguments>(arguments)...);
  return std::make_unique<FabricService<false>>(std::forward<Arguments>(arguments)...);
}

/// Calls each(router, other, lookahead) for every channel from a router to another one, with the time, ps, in
/// which events at its ends reach the other end.
template <class Each>
void for_each_channel(const NetworkConfig& config, const Graph& graph, Each each) {
  std::array<std::uint64_t, kCableClasses> lookaheads;
  for (std::size_t i = 0; i < kCableClasses; ++i)
    lookaheads[i] = Fabric::lookahead(config, static_cast<CableClass>(i));
  for (std::uint32_t router = 0; router < graph.routers(); ++router)
    for (std::uint32_t port = 0; port < graph.ports(router); ++port)
      if (const Channel& channel = graph.channel(router, port); channel.to_router != Channel::kNowhere)
        each(router, channel.to_router, lookaheads[static_cast<std::size_t>(channel.cable)]);
}

/// Returns, by router, the least lookahead of channels between the routers before it and the others. Empty if
/// all cables are alike.
std::vector<std::uint64_t> lookaheads_of_cuts(const NetworkConfig& config, const Graph& graph) {
  // By lookahead: at the first router of each channel and after the last one, the change of the number of
  // channels across a cut there.
  std::map<std::uint64_t, std::vector<std::int64_t>> changes;
  for_each_channel(config, graph, [&](std::uint32_t router, std::uint32_t other, std::uint64_t lookahead) {
    std::vector<std::int64_t>& of_class = changes[lookahead];
    of_class.resize(graph.routers() + 1);
    const auto [low, high] = std::minmax(router, other);
    ++of_class[low + 1];
    --of_class[high + 1];
  });
  std::vector<std::uint64_t> least;
  if (changes.size() < 2 || config.model == NetworkModel::Analytic) return least;
  least.resize(graph.routers() + 1);
  for (const auto& [lookahead, of_class] : changes) {
    std::int64_t crossing = 0;
    for (std::uint32_t router = 0; router < graph.routers(); ++router) {
      crossing += of_class[router];
      if (crossing != 0 && least[router] == 0) least[router] = lookahead;
    }
  }
  return least;
}

}  // namespace

void Sharing::add(const Sharing& next) {
  windows += next.windows;
  busy_seconds += next.busy_seconds;
  wait_seconds += next.wait_seconds;
  most_busy += next.most_busy;
  others_cpu_seconds = next.others_cpu_seconds;  // totals of whole processes
  others_rss_bytes = next.others_rss_bytes;
}

std::uint64_t Simulation::lookahead(const NetworkConfig& config) {
  return config.model == NetworkModel::Analytic ? AnalyticNetwork::lookahead(config)
                                                : Fabric::lookahead(config);
}

Partition Simulation::partition(const NetworkConfig& config, const Graph& graph, std::uint32_t processes,
                                std::span<const std::uint32_t> costly) {
  if (processes == 1) return Partition(graph.routers());
  if (config.topology.routing == "ugal-g")
    throw UserError(fmt::format(
        "topology.routing = \"ugal-g\": {} host processes; its routers read each other, expected one process",
        processes));
  if (processes > graph.routers())
    throw UserError(fmt::format("{} host processes: the network has {} routers to share between them",
                                processes, graph.routers()));
  constexpr std::uint32_t kOfNode = 4, kOfCostly = 1 << 20;
  std::vector<std::uint32_t> weights(graph.routers());
  for (std::uint32_t router = 0; router < graph.routers(); ++router) weights[router] = graph.ports(router);
  for (const std::uint32_t router : graph.node_router) weights[router] += kOfNode;
  for (const std::uint32_t node : costly) weights[graph.node_router[node]] += kOfCostly;
  // Networks with costly nodes are served window by window.
  const std::vector<std::uint64_t> merits =
      costly.empty() ? lookaheads_of_cuts(config, graph) : std::vector<std::uint64_t>();
  return Partition::balanced(weights, processes, merits);
}

Simulation::Simulation(const NetworkConfig& config, const Graph& graph, const Routing& routing, Load& load,
                       std::uint64_t seed, HostProcesses* processes, std::span<const std::uint32_t> costly)
    : graph_(graph),
      load_(load),
      processes_(processes != nullptr && processes->size() > 1 ? processes : nullptr),
      engine_(partition(config, graph, processes_ != nullptr ? processes_->size() : 1, costly),
              processes_ != nullptr ? processes_->rank() : 0, lookahead(config)),
      sleep_(sleep_of(config.link.sleep, graph, load.owners())),
      one_line_(Fabric::one_line(config, graph)),
      fabric_(make_fabric(one_line_, config, graph, routing, engine_, seed, sleep_ ? &*sleep_ : nullptr)),
      jitter_(config.jitter, seed),
      interfaces_(config, graph, routing, engine_, *fabric_, load, sleep_ ? &*sleep_ : nullptr),
      out_(engine_.partition().processes()),
      in_(out_.size()),
      since_(Clock::now()) {
  if (config.model == NetworkModel::Analytic) return;
  std::uint64_t longest = 0, of_cut = EventWheel::kNever;
  const Partition& partition = engine_.partition();
  for_each_channel(config, graph, [&](std::uint32_t router, std::uint32_t other, std::uint64_t lookahead) {
    longest = std::max(longest, lookahead);
    if (lookahead < of_cut && partition.owner(router) != partition.owner(other)) of_cut = lookahead;
  });
  of_cables_ = std::max<std::uint64_t>(1, longest / engine_.lookahead());
  of_cut_ = std::max<std::uint64_t>(1, std::min(of_cables_, of_cut / engine_.lookahead()));
}

std::pair<std::uint32_t, std::uint32_t> Simulation::nodes(const Graph& graph, const Partition& partition,
                                                          std::uint32_t process) {
  const auto before = [&](std::uint32_t router) {
    const auto& routers = graph.node_router;
    return static_cast<std::uint32_t>(std::lower_bound(routers.begin(), routers.end(), router) -
                                      routers.begin());
  };
  return {before(partition.first(process)), before(partition.end(process))};
}

std::pair<std::uint32_t, std::uint32_t> Simulation::nodes_here() const {
  return nodes(graph_, engine_.partition(), processes_ != nullptr ? processes_->rank() : 0);
}

void Load::write(std::uint32_t, Parcel&) {}
void Load::read(std::uint32_t, Parcel&) {}

void Simulation::timer(std::uint64_t time, std::uint64_t token, std::uint32_t rank) {
  timer_at(engine_.router(), time, token, rank);
}

void Simulation::timer_at(std::uint32_t router, std::uint64_t time, std::uint64_t token, std::uint32_t rank) {
  auto& event = engine_.schedule(time, router, EventKind::Timer);
  event.port = static_cast<std::uint16_t>(rank);
  event.vc = static_cast<std::uint8_t>(rank >> 16);
  event.data = token;
}

void Simulation::resume_at(std::uint64_t time, std::uint32_t rank) {
  engine_.schedule(time, engine_.router(), EventKind::Resume, rank).data = rank;
}

void Simulation::run() {
  since_ = Clock::now();
  const std::uint64_t of_cut = load_.bypasses_links() ? 1 : of_cut_;
  for (;;) {
    const std::uint64_t first = agree(engine_.next_window());
    if (first == EventWheel::kNever || !continues(first)) return;
    const std::uint64_t end = std::min(first + of_cut, decided_);
    as_world([&](auto world) {
      const auto sampled = [&](std::uint64_t start) {
        sample(start);
        return true;
      };
      for (std::uint64_t next = engine_.next_window(); next < end; next = engine_.next_window())
        engine_.serve_window(world, next, sampled);
      return true;
    });
    engine_.serve_until(decided_ * engine_.lookahead());
  }
}

/// Returns whether the load continues in window `window`. It decides at the same windows on any number of
/// processes: for the first window with events of each `of_cables_`.
bool Simulation::continues(std::uint64_t window) {
  if (window < decided_) return true;
  const std::uint64_t together = load_.decides_ahead() ? of_cables_ : 1;
  decided_ = (window / together + 1) * together;
  return load_.should_continue(window * engine_.lookahead(), votes_);
}

/// Returns whether the window from `start` is served; samples the state before it.
bool Simulation::starts(std::uint64_t start) {
  if (!load_.should_continue(start, votes_)) return false;
  // A window without events, on which processes agree for events from outside, is no instant of the run.
  if (engine_.next_window() == engine_.window(start)) sample(start);
  return true;
}

/// Takes the samples that are due before the window from `start`, which has events here. This process's state
/// has not changed since its last window, so that other processes take theirs of the same instants in windows
/// of their own.
void Simulation::sample(std::uint64_t start) {
  sampled_ = start + 1;
  if (occupancy_.due(start)) occupancy_.add_until(start, fabric_->occupancy());
  if (watch_ != nullptr && watch_->due(start)) [[unlikely]]
    watch_->sample(start, *fabric_, engine_.first_router(), engine_.end_router());
}

bool Simulation::step() {
  return as_world(
      [&](auto world) { return engine_.step(world, [&](std::uint64_t start) { return starts(start); }); });
}

std::uint64_t Simulation::agree_on_window(std::uint64_t earliest) {
  std::uint64_t number = engine_.next_window();
  if (earliest != EventWheel::kNever) number = std::min(number, engine_.window(earliest));
  agreed_ = agree(number);
  return agreed_ == EventWheel::kNever ? agreed_ : agreed_ * engine_.lookahead();
}

bool Simulation::serve_window() {
  return as_world([&](auto world) {
    return engine_.serve_window(world, agreed_, [&](std::uint64_t start) { return starts(start); });
  });
}

std::uint64_t Simulation::agree(std::uint64_t window) {
  ++sharing_.windows;
  votes_ = load_.votes();
  if (processes_ == nullptr) return window;
  const Clock::time_point served = Clock::now();
  sharing_.busy_seconds += seconds(served - since_);
  // Events on their way to other processes count too: these processes do not have them yet.
  for (std::uint32_t process = 0; process < out_.size(); ++process) {
    const std::uint64_t earliest = engine_.outbox(process).earliest();
    if (earliest != ~std::uint64_t{0}) window = std::min(window, engine_.window(earliest));
  }
  for (std::uint32_t process = 0; process < out_.size(); ++process)
    if (process != processes_->rank()) write(process, window, out_[process]);
  processes_->exchange(out_, in_);
  for (std::uint32_t process = 0; process < in_.size(); ++process)
    if (process != processes_->rank()) window = std::min(window, read(process, in_[process]));
  since_ = Clock::now();
  sharing_.wait_seconds += seconds(since_ - served);
  return window;
}

void Simulation::write(std::uint32_t process, std::uint64_t window, Parcel& parcel) {
  parcel.clear();
  parcel.put(window);
  parcel.put(votes_);  // of this process alone until the others are read; load_.votes() may change
  Outbox& outbox = engine_.outbox(process);
  parcel.put_all(outbox.shorts);
  parcel.put_all(outbox.packets);
  outbox.clear();
  interfaces_.remote().write(process, parcel);
  load_.write(process, parcel);
}

std::uint64_t Simulation::read(std::uint32_t process, Parcel& parcel) {
  const auto window = parcel.take<std::uint64_t>();
  const auto votes = parcel.take<Votes>();
  for (std::size_t i = 0; i < votes.size(); ++i) votes_[i] += votes[i];
  parcel.take_each<Event>([&](const Event& event) { engine_.take(event); });
  parcel.take_each<PacketEvent>([&](const PacketEvent& event) { fabric_->receive(event); });
  interfaces_.remote().read(process, parcel, interfaces_.pool());
  load_.read(process, parcel);
  return window;
}

void Simulation::gather(std::uint64_t end) {
  if (std::exchange(gathered_, true)) return;
  sharing_.most_busy = sharing_.busy_seconds;
  if (sleep_) {
    fabric_->settle();
    interfaces_.settle();
  }
  if (processes_ != nullptr) gather_all();
  if (sleep_) sleep_->finish(std::max(last_, end));
  if (history_ != nullptr) history_->reach(std::max(last_, end));
}

/// Takes the samples up to the last window with events in any process.
void Simulation::sample_to_the_end() {
  for (Parcel& parcel : out_) {
    parcel.clear();
    parcel.put(sampled_);
  }
  processes_->exchange(out_, in_);
  for (std::uint32_t process = 0; process < in_.size(); ++process)
    if (process != processes_->rank()) sampled_ = std::max(sampled_, in_[process].take<std::uint64_t>());
  if (sampled_ != 0) sample(sampled_ - 1);
}

void Simulation::gather_all() {
  sample_to_the_end();
  processes_->gather(
      [&](Parcel& parcel) {
        fabric_->write(parcel);
        if (sleep_) sleep_->write(parcel, engine_.first_router(), engine_.end_router());
        parcel.put(interfaces_.received());
        parcel.put(interfaces_.messages());
        parcel.put(interfaces_.dma());
        parcel.put(interfaces_.counts());
        parcel.put(interfaces_.flow().shift());
        parcel.put_all(interfaces_.flow().sums());
        parcel.put_all(occupancy_.samples());
        const auto [first, end] = nodes_here();
        interfaces_.write(parcel, first, end);
        if (watch_ != nullptr) watch_->write(parcel);
        if (history_ != nullptr) history_->write(parcel);
        parcel.put(last_);
        parcel.put(sharing_);
        rusage usage{};
        ::getrusage(RUSAGE_SELF, &usage);
        parcel.put(usage);
      },
      [&, process = 0u](Parcel& parcel) mutable {
        fabric_->read(parcel, ++process);
        const Partition& partition = engine_.partition();
        if (sleep_) sleep_->read(parcel, partition.first(process), partition.end(process));
        const auto received = parcel.take<PacketCount>();
        const auto messages = parcel.take<std::uint64_t>();
        interfaces_.add(received, messages, parcel.take<DmaTime>());
        interfaces_.counts().add(parcel.take<InterfaceCounts>());
        const auto shift = parcel.take<std::uint32_t>();
        interfaces_.flow().add(shift, parcel.take_all<std::uint64_t>());
        occupancy_.add(parcel.take_all<OccupancySeries::Sample>());
        const auto [first, end] = nodes(graph_, partition, process);
        interfaces_.read(parcel, first, end);
        if (watch_ != nullptr) watch_->read(parcel);
        if (history_ != nullptr) history_->read(parcel);
        last_ = std::max(last_, parcel.take<std::uint64_t>());
        const auto sharing = parcel.take<Sharing>();
        sharing_.busy_seconds += sharing.busy_seconds;
        sharing_.wait_seconds += sharing.wait_seconds;
        sharing_.most_busy = std::max(sharing_.most_busy, sharing.busy_seconds);
        const auto usage = parcel.take<rusage>();
        for (const timeval& time : {usage.ru_utime, usage.ru_stime})
          sharing_.others_cpu_seconds +=
              static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
        sharing_.others_rss_bytes += static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
      });
}

void Simulation::deliver(const Event& event) {
  const std::uint64_t before = std::exchange(last_, std::max(last_, event.time));
  switch (event.kind) {
    case EventKind::Injected:
      return interfaces_.injected(event);
    case EventKind::Ejected:
      return interfaces_.ejected(event);
    case EventKind::Completed:
      return interfaces_.completed(event);
    default: {
      const auto& timer = event;
      const std::uint32_t rank = timer.port | std::uint32_t{timer.vc} << 16;
      if (load_.outdated(timer.data, rank)) last_ = before;
      return load_.timer(timer.data, rank);
    }
  }
}

void Simulation::resume(const Event& event) {
  last_ = std::max(last_, event.time);
  load_.resume(static_cast<std::uint32_t>(event.data));
}

}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
// The result of a run on nodes, gathered from all host processes.
#include <algorithm>
#include <utility>

#include "cosim/cosim_run.h"
#include "cosim/interconnect.h"
#include "cosim/node.h"
#include "netsim/network_statistics.h"

namespace psim {

const isa::Ending& NodeResult::ending() const {
  const auto bad = std::ranges::find_if(
      endings, [](const isa::Ending& ending) { return ending.by_signal || ending.code != 0; });
  return bad == endings.end() ? endings.front() : *bad;
}

std::uint64_t CosimResult::instructions() const {
  std::uint64_t sum = 0;
  for (const NodeResult& node : nodes) sum += node.instructions;
  return sum;
}

namespace {

/// Returns the digest of what all ranks have read from standard input; `first` is what rank 0 has read.
std::string digest_of_input(const Sha256& first, std::uint32_t ranks) {
  Sha256 all, of_first = first;
  all.update(of_first.finish());
  for (std::uint32_t rank = 1; rank < ranks; ++rank) all.update(Sha256().finish());
  return all.finish();
}

void write_result(net::Parcel& parcel, const NodeResult& node) {
  parcel.put(node.instructions);
  parcel.put(node.cycles);
  parcel.put(std::uint64_t{node.endings.size()});
  for (const isa::Ending& ending : node.endings) {
    parcel.put(ending.by_signal);
    parcel.put(ending.code);
    parcel.put_text(ending.deadlock);
  }
  for (const cosim::RankTime& time : node.times) time.write(parcel);
  parcel.put(std::uint64_t{node.histories.size()});
  for (const cosim::RankStretches& history : node.histories) history.write(parcel);
}

NodeResult read_result(net::Parcel& parcel) {
  NodeResult node;
  node.instructions = parcel.take<std::uint64_t>();
  node.cycles = parcel.take<std::uint64_t>();
  node.endings.resize(parcel.take<std::uint64_t>());
  for (isa::Ending& ending : node.endings) {
    ending.by_signal = parcel.take<bool>();
    ending.code = parcel.take<int>();
    ending.deadlock = parcel.take_text();
  }
  for (std::size_t rank = 0; rank < node.endings.size(); ++rank)
    node.times.push_back(cosim::RankTime::read(parcel));
  for (auto left = parcel.take<std::uint64_t>(); left != 0; --left)
    node.histories.push_back(cosim::RankStretches::read(parcel));
  return node;
}

}  // namespace

/// Collects instructions, cycles, endings and input of the nodes, and statistics of those on cycle-level
/// cores.
void CosimRun::gather_nodes(CosimResult& result) const {
  cosim::NodeCores::Counts sum;
  for (std::size_t slot = 0; slot < nodes_.size(); ++slot) {
    const pipeline::Totals totals = nodes_[slot]->cores().totals();
    NodeResult& node = result.nodes[here_[slot]];
    for (std::uint32_t core = 0; core < scenario_.node.node.cores; ++core)
      result.repeated_instructions += nodes_[slot]->cores().core(core).repeated_instructions();
    node.instructions = totals.instructions;
    node.cycles = totals.cycles;
    for (std::uint32_t local = 0; local < scenario_.ranks(); ++local) {
      const isa::Process& here = program(slot, local);
      node.endings.push_back(here.ending().value_or(isa::Ending{}));
      result.files.insert(here.seen_files.inputs().begin(), here.seen_files.inputs().end());
    }
    if (!scenario_.functional(here_[slot])) sum += nodes_[slot]->cores().counts();
  }
  if (const auto& consumed = programs_.front()->files.standard_input();
      here_.front() == 0 && consumed && consumed->bytes != 0) {
    result.input_bytes = consumed->bytes;
    result.input_sha256 = digest_of_input(consumed->hash, scenario_.nodes * scenario_.ranks());
  }
  processes_.gather(
      [&](net::Parcel& parcel) {
        parcel.put(std::uint64_t{here_.size()});
        for (const std::uint32_t number : here_) {
          parcel.put(number);
          write_result(parcel, result.nodes[number]);
        }
        for (const statistics::Snapshot* part : {&sum.cores, &sum.shared}) {
          parcel.put_all(part->totals);
          parcel.put_all(part->buckets);
        }
        parcel.put(std::uint64_t{result.files.size()});
        for (const auto& [name, input] : result.files) {
          parcel.put_text(name);
          parcel.put_text(input.sha256);
          parcel.put(input.bytes);
        }
      },
      [&](net::Parcel& parcel) {
        for (auto left = parcel.take<std::uint64_t>(); left != 0; --left) {
          const auto number = parcel.take<std::uint32_t>();
          result.nodes[number] = read_result(parcel);
        }
        cosim::NodeCores::Counts theirs;
        for (statistics::Snapshot* part : {&theirs.cores, &theirs.shared}) {
          part->totals = parcel.take_all<std::uint64_t>();
          part->buckets = parcel.take_all<std::uint64_t>();
        }
        sum += theirs;
        for (auto left = parcel.take<std::uint64_t>(); left != 0; --left) {
          std::string name = parcel.take_text();
          isa::SeenFiles::Input input;
          input.sha256 = parcel.take_text();
          input.bytes = parcel.take<std::uint64_t>();
          result.files.emplace(std::move(name), std::move(input));
        }
      });
  result.statistics = nodes_.front()->cores().read(sum);
}

/// Collects the energy of the detailed nodes.
void CosimRun::gather_energy(CosimResult& result) const {
  if (!scenario_.measures_energy) return;
  result.energy.resize(scenario_.nodes);
  for (std::size_t slot = 0; slot < nodes_.size(); ++slot)
    result.energy[here_[slot]] = *nodes_[slot]->energy();
  processes_.gather(
      [&](net::Parcel& parcel) {
        parcel.put_all(here_);
        for (const std::uint32_t number : here_) result.energy[number].write(parcel);
      },
      [&](net::Parcel& parcel) {
        for (const std::uint32_t number : parcel.take_all<std::uint32_t>())
          result.energy[number] = cosim::NodeAccount::read(parcel);
      });
}

/// Returns the critical path to the end of the rank that ends last, and to the end of the run.
cosim::NodePath CosimRun::path_of(const CosimResult& result) const {
  std::uint64_t most = 0, end = 0;
  std::uint32_t rank = 0, last = 0;
  for (const NodeResult& node : result.nodes) {
    end = std::max(end, node.cycles);
    for (const cosim::RankTime& time : node.times) {
      const std::uint64_t cycles = time.total().counts.cycles;
      if (cycles > most) most = cycles, last = rank;
      ++rank;
    }
  }
  return paths_->path(last, end * core_period(scenario_));
}

CosimResult CosimRun::finish() {
  output_.finish();
  CosimResult result = std::move(result_);
  result.nodes.resize(scenario_.nodes);
  for (std::size_t slot = 0; slot < nodes_.size(); ++slot) {
    result.nodes[here_[slot]].times = nodes_[slot]->times();
    result.nodes[here_[slot]].histories = nodes_[slot]->histories();
    nodes_[slot]->cores().align();
  }
  gather_energy(result);
  std::uint64_t end = 0;  // links rest until the last core has ended
  for (const cosim::NodeAccount& node : result.energy) end = std::max(end, node.end);
  simulation_.gather(end);
  log_.finish(processes_);
  gather_nodes(result);
  if (paths_) result.path = path_of(result);
  const net::NetworkStatistics counted(simulation_);
  statistics::Registry registry;
  counted.add_to(registry);
  for (statistics::Reading& reading : registry.read(registry.snapshot(statistics::Registry::Detail::Buckets)))
    result.statistics.push_back(std::move(reading));
  result.operations = log_.operations();
  if (trace_) {
    const isa::SourceMap sources(programs_.front()->program_path(), programs_.front()->load_bias());
    result.timeline = trace_->finish(processes_, network_.graph, &sources);
    result.timeline.nodes = scenario_.nodes;
    result.timeline.ranks_per_node = scenario_.ranks();
  }
  result.messages = simulation_.interfaces().messages();
  result.packets = simulation_.interfaces().received().packets;
  return result;
}

CosimResult run_cosim(const Scenario& scenario, const GuestOptions& guest, std::uint64_t seed,
                      Progress& progress) {
  const net::Network network = net::make_topology(scenario.fabric.network, scenario.nodes);
  net::OneProcess alone;
  CosimRun run(scenario, network, guest, seed, alone, {});
  run.simulate(progress);
  return run.finish();
}

}  // namespace psim

// SPDX-License-Identifier: Apache-2.0
#include "ranks/job/job.h"

#include <fmt/format.h>

#include <algorithm>

namespace psim::net {

std::vector<std::uint32_t> nodes_in_turn(std::uint32_t ranks, std::uint32_t ranks_a_node) {
  std::vector<std::uint32_t> nodes(ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) nodes[rank] = rank / ranks_a_node;
  return nodes;
}

Job::Job(JobConfig config, std::pair<std::uint32_t, std::uint32_t> nodes, Output& output)
    : regions(config.program.ranks, config.arrival),
      config_(std::move(config)),
      output_(output),
      processes_((place(nodes), part()), *this),
      states_(here_.size(), State::Ready),
      blocked_(here_.size()),
      polls_(here_.size()) {
  results.times.resize(ranks());
}

void Job::place(std::pair<std::uint32_t, std::uint32_t> nodes) {
  slots_.assign(ranks(), kElsewhere);
  for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
    if (config_.nodes[rank] < nodes.first || config_.nodes[rank] >= nodes.second) continue;
    slots_[rank] = static_cast<std::uint32_t>(here_.size());
    here_.push_back(rank);
  }
}

/// Returns the program with its ranks of this process. Without any it is loaded for one rank that never runs.
ProcessesConfig Job::part() const {
  ProcessesConfig program = config_.program;
  program.numbers = here_;
  program.ranks = std::max(1u, static_cast<std::uint32_t>(here_.size()));
  return program;
}

std::string Job::called(std::uint32_t rank) const {
  return config_.name.empty() ? fmt::format("rank {}", rank)
                              : fmt::format("job {}: rank {}", config_.name, rank);
}

std::string Job::place_of(std::uint32_t rank, const RegionMark& mark) const {
  if (mark.file != nullptr) return fmt::format("{}:{}", mark.file, mark.line);
  const std::string place = processes_.position(slots_[rank], mark.frames);
  return place.empty() ? "in the program" : place;
}

PollWait& Job::polls(std::uint32_t rank) {
  std::unique_ptr<PollWait>& polls = polls_[slots_[rank]];
  if (!polls) polls = std::make_unique<PollWait>();
  return *polls;
}

bool Job::unchanged(std::uint32_t rank, std::span<const WatchedWord> words) const {
  return std::ranges::all_of(words, [&](const WatchedWord& word) {
    const std::byte* at =
        processes_.memory(slots_[rank], reinterpret_cast<void*>(word.address), sizeof(std::uint64_t));
    const std::uint64_t now = spin::in_memory(reinterpret_cast<std::uint64_t>(at));
    return (now & word.mask) == word.value;
  });
}

void Job::find_deadlock(const Library& library) {
  if (results.ending.kind != Ending::Kind::Finished || results.ended >= here_.size()) return;
  results.ending.kind = Ending::Kind::Deadlocked;
  for (std::uint32_t slot = 0; slot < here_.size(); ++slot) {
    if (states_[slot] == State::Ended) continue;
    if (results.ending.waiting.size() == Ending::kMostWaiting) break;
    results.ending.waiting.emplace_back(here_[slot],
                                        fmt::format("{}: {}", called(here_[slot]), waits(library, slot)));
  }
  results.ending.settle();
}

/// Returns the wait of a rank and its position in the program.
std::string Job::waits(const Library& library, std::uint32_t slot) {
  std::string what;
  bool apart = false;  // a comma precedes the position
  if (states_[slot] == State::Watching) {
    what = "waits for a variable to change, without a call";
    apart = true;
  } else {
    char text[512] = "";
    apart = states_[slot] != State::Blocked;
    library.describe(RankId{first() + here_[slot]}, apart, text, sizeof text);
    what = text;
  }
  if (const std::string threads = processes_.waiting_threads(slot); !threads.empty())
    what += what.empty() ? threads : "; " + threads;
  if (what.empty()) what = "waits outside of MPI";
  const std::string where = processes_.position(slot);
  return where.empty() ? what : what + (apart ? ", " : " ") + where;
}

void Job::report_remaining() {
  const auto& left = results.ending.left;
  const std::size_t listed = std::min(left.size(), Ending::kMostLeft);
  for (std::size_t i = 0; i < listed; ++i)
    results.ending.lines.push_back(
        fmt::format("{} ended with status {} without MPI_Finalize", called(left[i].rank), left[i].status));
  if (left.size() > listed)
    results.ending.lines.push_back(fmt::format("… and {} more without MPI_Finalize", left.size() - listed));
}

void Job::write(std::uint32_t slot, Stream stream, std::string_view text) {
  output_.write(first() + here_[slot], stream, text);
}

}  // namespace psim::net

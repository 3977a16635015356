// SPDX-License-Identifier: Apache-2.0
#include "ranks/replay/collective_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace psim::net::replay {
namespace {

/// The record that gives the size of a share. Recorders write buffers' lengths. Score-P writes the bytes as
/// if each rank sent to each: for some collectives multiplied by the number of ranks.
enum class Share : std::uint8_t {
  None,
  Sent,              ///< the most that a rank sent
  Received,          ///< the most that a rank received
  ReceivedOverSize,  ///< divided by the number of ranks
  FirstReceived,     ///< of rank 0
  LastSent           ///< of the last rank but one
};

struct Rule {
  Collective collective;
  Share share;
  bool by_rank = false;          ///< each rank has its own size
  bool score_p_times_n = false;  ///< Score-P's size is multiplied by the number of ranks
};

constexpr Rule kRules[] = {
    {Collective::Barrier, Share::None},
    {Collective::Bcast, Share::Received},
    {Collective::Gather, Share::Sent},
    {Collective::Gatherv, Share::Sent, true},
    {Collective::Scatter, Share::Received},
    {Collective::Scatterv, Share::Received, true},
    {Collective::Allgather, Share::ReceivedOverSize},
    {Collective::Allgatherv, Share::Sent, true, true},
    {Collective::Alltoall, Share::ReceivedOverSize},
    {Collective::Alltoallv, Share::Sent, true},
    {Collective::Allreduce, Share::Received, false, true},
    {Collective::Reduce, Share::Sent},
    {Collective::ReduceScatterv, Share::Received, true, true},
    {Collective::ReduceScatter, Share::Received, false, true},
    {Collective::Scan, Share::FirstReceived},
    {Collective::Exscan, Share::LastSent},
};

const Rule& rule_of(Collective collective) {
  return *std::find_if(std::begin(kRules), std::end(kRules),
                       [collective](const Rule& rule) { return rule.collective == collective; });
}

}  // namespace

CollectiveSizes::CollectiveSizes(Trace& trace, bool score_p)
    : trace_(trace),
      score_p_(score_p),
      parts_(trace.communicators.size()),
      rank_in_communicator_(trace.communicators.size()) {}

void CollectiveSizes::add(std::uint32_t rank, std::uint64_t index, Collective op, std::uint32_t root,
                          std::uint64_t sent, std::uint64_t received, std::vector<std::uint64_t> to_each) {
  const std::uint32_t communicator = trace_.ranks[rank].operations[index].communicator;
  const auto& members = trace_.communicators[communicator];
  auto& ranks = rank_in_communicator_[communicator];
  if (ranks.empty()) {
    ranks.resize(trace_.ranks.size(), kAny);
    for (std::uint32_t i = 0; i < members.size(); ++i) ranks[members[i]] = i;
    parts_[communicator].resize(members.size());
  }
  if (ranks[rank] == kAny)
    throw UserError(fmt::format("{}: rank {} takes part in a collective of a communicator without this rank",
                                trace_.name, rank));
  parts_[communicator][ranks[rank]].push_back({index, sent, received, root, op, std::move(to_each)});
}

void CollectiveSizes::finish() {
  for (std::uint32_t i = 0; i < parts_.size(); ++i)
    if (!parts_[i].empty()) finish(i);
}

void CollectiveSizes::finish(std::uint32_t communicator) {
  auto& parts = parts_[communicator];
  const auto& members = trace_.communicators[communicator];
  for (std::size_t i = 0; i < parts.size(); ++i) {
    // In the order of their starts.
    std::sort(parts[i].begin(), parts[i].end(),
              [](const Part& a, const Part& b) { return a.index < b.index; });
    if (parts[i].size() != parts[0].size())
      throw UserError(fmt::format("{}: rank {} took part in {} collectives of a communicator, rank {} in {}",
                                  trace_.name, members[0], parts[0].size(), members[i], parts[i].size()));
  }
  for (std::size_t number = 0; number < parts[0].size(); ++number) finish(communicator, number);
}

void CollectiveSizes::finish(std::uint32_t communicator, std::size_t number) {
  const auto& parts = parts_[communicator];
  const auto& members = trace_.communicators[communicator];
  const std::size_t size = members.size();
  const Collective op = parts[0][number].op;
  const Rule& rule = rule_of(op);
  std::uint64_t sent = 0, received = 0;
  bool each_known = false;
  for (std::size_t i = 0; i < size; ++i) {
    const Part& part = parts[i][number];
    if (part.op != op)
      throw UserError(
          fmt::format("{}: collective {} of a communicator is not the same on rank {} as on rank {}",
                      trace_.name, number, members[0], members[i]));
    each_known |= !part.to_each.empty();
    sent = std::max(sent, part.sent);
    received = std::max(received, part.received);
  }
  // Beyond this number of sizes, 1 GiB, bytes are divided evenly.
  constexpr std::size_t kMostSizes = std::size_t{1} << 28;
  if (each_known && trace_.sizes.size() + 2 * size * size <= kMostSizes)
    return finish_each(communicator, number);
  const std::uint64_t times = score_p_ && rule.score_p_times_n ? size : 1;
  const auto share = [&]() -> std::uint64_t {
    switch (rule.share) {
      case Share::None:
        return 0;
      case Share::Sent:
        return sent / times;
      case Share::Received:
        return received / times;
      case Share::ReceivedOverSize:
        return received / size;
      case Share::FirstReceived:
        return parts[0][number].received;
      default:
        return size > 1 ? parts[size - 2][number].sent : 0;
    }
  };
  const std::uint32_t amount = rule.by_rank ? 0 : checked(share());
  const auto sizes = static_cast<std::uint32_t>(trace_.sizes.size());
  if (rule.by_rank)
    for (std::size_t i = 0; i < size; ++i)
      trace_.sizes.push_back(
          checked((rule.share == Share::Sent ? parts[i][number].sent : parts[i][number].received) / times));
  for (std::size_t i = 0; i < size; ++i) {
    Operation& operation = trace_.ranks[members[i]].operations[parts[i][number].index];
    operation.collective = op;
    operation.peer = parts[i][number].root < size ? parts[i][number].root : 0;
    operation.amount = amount;
    operation.sizes = rule.by_rank ? sizes : 0;
  }
}

void CollectiveSizes::finish_each(std::uint32_t communicator, std::size_t number) {
  const auto& parts = parts_[communicator];
  const auto& members = trace_.communicators[communicator];
  const std::size_t size = members.size();
  const auto bytes = [&](std::size_t from, std::size_t to) {
    const Part& part = parts[from][number];
    return checked(part.to_each.empty() ? part.sent / size : part.to_each[to]);
  };
  for (std::size_t i = 0; i < size; ++i) {
    Operation& operation = trace_.ranks[members[i]].operations[parts[i][number].index];
    operation.collective = Collective::AlltoallEach;
    operation.sizes = static_cast<std::uint32_t>(trace_.sizes.size());
    for (std::size_t to = 0; to < size; ++to) trace_.sizes.push_back(bytes(i, to));
    for (std::size_t from = 0; from < size; ++from) trace_.sizes.push_back(bytes(from, i));
  }
}

std::uint32_t CollectiveSizes::checked(std::uint64_t bytes) const {
  if (bytes > Trace::kMostBytes)
    throw UserError(fmt::format("{}: a collective of {} bytes; expected at most {}", trace_.name, bytes,
                                Trace::kMostBytes));
  return static_cast<std::uint32_t>(bytes);
}

}  // namespace psim::net::replay

// SPDX-License-Identifier: Apache-2.0
#include "ranks/replay/dumpi_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/read_file.h"
#include "ranks/replay/collective_sizes.h"
#include "ranks/replay/dumpi_rank.h"

namespace psim::net::replay {
namespace {

using Communicators = DumpiCommunicators;

/// Replaces the rank's numbers of communicators by those of the trace. Returns how many operations are left
/// out, because the members of their communicators are not known.
std::uint64_t resolve(Trace& trace, std::uint32_t rank, const Communicators& communicators) {
  std::uint64_t unknown = 0;
  for (Operation& operation : trace.ranks[rank].operations) {
    if (operation.kind == Kind::Compute || operation.kind == Kind::Wait) continue;
    const std::uint32_t number = communicators.of(rank, operation.communicator);
    const bool message = operation.kind != Kind::Collective;
    if (number == Communicators::kAlone && message) {
      operation.communicator = 0;
      operation.peer = rank;
    } else if (number == Communicators::kAlone || number == Communicators::kUnknown) {
      unknown += number == Communicators::kUnknown;
      operation = {};
    } else {
      operation.communicator = number;
      const std::size_t members = trace.communicators[number].size();
      if (message && operation.peer != kAny && operation.peer >= members)
        throw UserError(fmt::format("{}: rank {}: a message to or from rank {} of a communicator of {}",
                                    trace.name, rank, operation.peer, members));
    }
  }
  return unknown;
}

void add_collectives(Trace& trace, std::uint32_t rank, const std::vector<DumpiRank::Part>& parts,
                     CollectiveSizes& sizes) {
  for (const DumpiRank::Part& part : parts) {
    const Operation& operation = trace.ranks[rank].operations[part.index];
    if (operation.kind != Kind::Collective) continue;  // left out
    const auto& members = trace.communicators[operation.communicator];
    std::uint64_t sent = part.sent, received = part.received;
    if (part.collective == Collective::Allgather || part.collective == Collective::Alltoall)
      received *= members.size();
    if (!part.shares.empty()) {
      if (part.shares.size() != members.size())
        throw UserError(fmt::format("{}: rank {}: a collective with {} counts in a communicator of {}",
                                    trace.name, rank, part.shares.size(), members.size()));
      if (part.collective == Collective::Alltoallv) {
        sizes.add(rank, part.index, part.collective, part.root, sent, received, part.shares);
        continue;
      }
      sent = received = part.shares[static_cast<std::size_t>(std::find(members.begin(), members.end(), rank) -
                                                             members.begin())];
    }
    sizes.add(rank, part.index, part.collective, part.root, sent, received);
  }
}

/// Takes out the receive at `index`, and the wait for it.
void take_out(RankTrace& rank, std::size_t index) {
  const std::uint32_t request = rank.operations[index].request;
  rank.operations[index] = {};
  for (std::size_t i = index + 1; i < rank.operations.size(); ++i)
    if (Operation& each = rank.operations[i]; each.kind == Kind::Wait && each.request == request) {
      each = {};
      return;
    }
}

/// Takes out the receives from any source for which no message is left, and returns their number. In traces
/// of an MPI library whose MPI_PROC_NULL is -1, such as MPICH, a receive from it looks like one from any
/// source.
std::uint64_t take_out_unmatched(Trace& trace) {
  // The messages to ranks with such receives that no receive names, by communicator, receiver and tag.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::map<std::int32_t, std::int64_t>> left;
  const auto from_any = [](const Operation& each) { return each.kind == Kind::Receive && each.peer == kAny; };
  const auto each_operation = [&trace](auto&& visit) {
    for (std::uint32_t rank = 0; rank < trace.ranks.size(); ++rank)
      for (std::size_t i = 0; i < trace.ranks[rank].operations.size(); ++i)
        visit(rank, i, trace.ranks[rank].operations[i]);
  };
  each_operation([&](std::uint32_t rank, std::size_t, const Operation& each) {
    if (from_any(each)) left[{each.communicator, rank}];
  });
  if (left.empty()) return 0;
  each_operation([&](std::uint32_t rank, std::size_t, const Operation& each) {
    const bool sends = each.kind == Kind::Send;
    if (!sends && (each.kind != Kind::Receive || each.peer == kAny)) return;
    const std::uint32_t receiver = sends ? trace.communicators[each.communicator][each.peer] : rank;
    if (const auto found = left.find({each.communicator, receiver}); found != left.end())
      found->second[each.tag] += sends ? 1 : -1;
  });
  std::uint64_t taken = 0;
  const auto match = [&](bool any_tag) {
    each_operation([&](std::uint32_t rank, std::size_t index, const Operation& each) {
      if (!from_any(each) || (each.tag < 0) != any_tag) return;
      auto& tags = left[{each.communicator, rank}];
      const auto message =
          any_tag ? std::find_if(tags.begin(), tags.end(), [](const auto& of) { return of.second > 0; })
                  : tags.find(each.tag);
      if (message != tags.end() && message->second > 0) {
        --message->second;
        return;
      }
      take_out(trace.ranks[rank], index);
      ++taken;
    });
  };
  match(false);
  match(true);
  return taken;
}

/// Returns the value of `numprocs` in the text of NAME.meta.
std::uint32_t ranks_of(const std::string& path, const std::string& bytes) {
  constexpr std::string_view kKey = "numprocs=";
  for (std::size_t at = bytes.find(kKey); at != bytes.npos; at = bytes.find(kKey, at + 1)) {
    std::uint32_t ranks = 0;
    const char* const begin = bytes.data() + at + kKey.size();
    constexpr std::uint32_t kMostRanks = 1 << 24;
    if ((at == 0 || bytes[at - 1] == '\n') &&
        std::from_chars(begin, bytes.data() + bytes.size(), ranks).ec == std::errc() && ranks >= 1 &&
        ranks <= kMostRanks)
      return ranks;
  }
  throw UserError(fmt::format("{}: expected a line numprocs=N, as in the .meta file of a DUMPI trace", path));
}

}  // namespace

Trace parse_dumpi(const std::string& name, std::uint32_t ranks,
                  const std::function<DumpiFile(std::uint32_t rank)>& file) {
  Trace trace;
  trace.name = name;
  trace.ranks.resize(ranks);
  DumpiRank::Omissions omissions;
  std::vector<DumpiHandles> handles;
  std::vector<std::vector<DumpiRank::Part>> parts;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    DumpiRank read(file(rank), trace.ranks[rank], omissions);
    handles.push_back(read.handles());
    parts.push_back(read.parts());
  }
  const Communicators communicators(trace, handles);
  std::uint64_t unknown = 0;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) unknown += resolve(trace, rank, communicators);
  const std::uint64_t unmatched = take_out_unmatched(trace);
  CollectiveSizes sizes(trace, false);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) add_collectives(trace, rank, parts[rank], sizes);
  sizes.finish();
  for (const auto& [function, calls] : omissions.functions)
    trace.left_out.push_back(
        fmt::format("{}: {} calls are not replayed; their time is computed", function, calls));
  if (omissions.unknown_requests != 0)
    trace.left_out.push_back(fmt::format(
        "{} waits are left out: no recorded call begins what they wait for, such as non-blocking collectives",
        omissions.unknown_requests));
  if (unknown != 0)
    trace.left_out.push_back(fmt::format(
        "{} operations on communicators of unknown members, such as intercommunicators, are left out",
        unknown));
  if (unmatched != 0)
    trace.left_out.push_back(
        fmt::format("{} receives without a message are left out: their source was MPI_PROC_NULL", unmatched));
  return trace;
}

bool is_dumpi_file(std::string_view bytes) {
  return bytes.starts_with(
             "\xff\xaa\xdd"
             "DUMPI") ||
         bytes.starts_with("MPI_Init");
}

Trace read_dumpi(const std::string& path, const std::string& who) {
  const FileBytes meta = read_file(path);
  if (!meta.problem.empty()) throw UserError(fmt::format("{} {}: {}", who, path, meta.problem));
  const std::string stem = std::filesystem::path(path).replace_extension().string();
  std::string bytes;
  return parse_dumpi(path, ranks_of(path, meta.bytes), [&](std::uint32_t rank) -> DumpiFile {
    const std::string name = fmt::format("{}-{:04}", stem, rank);
    FileBytes read = read_regular_file(name + ".txt", std::uint64_t{64} << 30);
    if (!read.problem.empty())
      throw UserError(fmt::format("{} {}: {}.txt: {}; expected the output of \"dumpi2ascii -SX {}.bin\"", who,
                                  path, name, read.problem, std::filesystem::path(name).filename().string()));
    bytes = std::move(read.bytes);
    return {name + ".txt", bytes};
  });
}

}  // namespace psim::net::replay

// SPDX-License-Identifier: Apache-2.0
#include "ranks/replay/chakra_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

#include "base/error.h"
#include "base/read_file.h"
#include "ranks/replay/chakra_node.h"

namespace psim::net::replay {
namespace {

constexpr std::uint64_t kPsAMicrosecond = 1'000'000, kMostNodes = 0x7fffffff;

/// One collective in the file of a rank, to be compared among the members of its group.
struct Begun {
  std::uint64_t node;
  Operation operation;
};

/// The process groups of the job, as communicators of the trace.
class Groups {
 public:
  Groups(Trace& trace, const ChakraFile& file) : trace_(trace), file_(file) {
    const auto ranks = static_cast<std::uint32_t>(trace.ranks.size());
    trace_.communicators.resize(1);
    trace_.communicators[0].resize(ranks);
    std::iota(trace_.communicators[0].begin(), trace_.communicators[0].end(), 0u);
    if (file.bytes.empty()) return;
    given_ = true;
    const nlohmann::json groups = nlohmann::json::parse(file.bytes, nullptr, false);
    if (!groups.is_object()) refuse("expected a JSON object {\"GROUP\": [RANK, …], …}");
    for (const auto& [name, ranks_of] : groups.items()) add(name, ranks_of, ranks);
  }

  /// Returns the communicator of group `name`; nothing if no such group is known.
  std::optional<std::uint32_t> find(const std::string& name) {
    if (name.empty()) return 0;
    if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
    if (given_ || !numbers_.empty()) return {};
    trace_.left_out.push_back(
        fmt::format("process group {} is taken for all ranks: there is no file of process groups", name));
    return numbers_[name] = 0;
  }

  std::string known() const {
    std::string names;
    for (const auto& [name, number] : numbers_) names += (names.empty() ? "" : ", ") + name;
    return names;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw UserError(fmt::format("{}: {}", file_.name, what));
  }

  void add(const std::string& name, const nlohmann::json& ranks_of, std::uint32_t ranks) {
    std::vector<std::uint32_t> members;
    if (!ranks_of.is_array() || ranks_of.empty())
      refuse(fmt::format("group {}: expected a list of ranks", name));
    for (const auto& rank : ranks_of) {
      if (!rank.is_number_unsigned() || rank.get<std::uint64_t>() >= ranks)
        refuse(fmt::format("group {}: {}: expected a rank from 0 to {}", name, rank.dump(), ranks - 1));
      members.push_back(rank.get<std::uint32_t>());
    }
    std::vector<std::uint32_t> sorted = members;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      refuse(fmt::format("group {}: a rank occurs twice", name));
    const auto same = std::find(trace_.communicators.begin(), trace_.communicators.end(), members);
    numbers_[name] = static_cast<std::uint32_t>(same - trace_.communicators.begin());
    if (same == trace_.communicators.end()) trace_.communicators.push_back(members);
  }

  Trace& trace_;
  const ChakraFile& file_;
  bool given_ = false;
  std::map<std::string, std::uint32_t> numbers_;
};

/// Reads the nodes of one rank.
class RankReader {
 public:
  RankReader(const ChakraFile& file, std::uint32_t rank, Trace& trace, Groups& groups)
      : file_(file), me_(rank), trace_(trace), groups_(groups) {}

  /// Returns the collectives of each communicator, in order.
  std::map<std::uint32_t, std::vector<Begun>> run() {
    try {
      for_each_chakra_node(file_.bytes, [&](ChakraNode&& node) { add(std::move(node)); });
    } catch (const UserError&) {  // names the file already
      throw;
    } catch (const std::runtime_error& error) {
      throw UserError(fmt::format("{}: {}", file_.name, error.what()));
    }
    resolve();
    return std::move(collectives_);
  }

  std::uint64_t timeless() const { return timeless_; }

 private:
  [[noreturn]] void refuse(const ChakraNode& node, const std::string& what) const {
    throw UserError(fmt::format("{}: node {}: {}", file_.name, node.id, what));
  }

  void add(ChakraNode&& node) {
    auto& operations = trace_.ranks[me_].operations;
    const auto number = static_cast<std::uint32_t>(operations.size());
    if (number == kMostNodes) refuse(node, "too many nodes");
    if (!numbers_.emplace(node.id, number).second) refuse(node, "occurs twice");
    const Operation made = operation(node);
    if (made.kind == Kind::Start) {
      auto& begun = collectives_[made.communicator];
      if (!begun.empty()) dependences_.push_back({number, numbers_.at(begun.back().node), true});
      begun.push_back({node.id, made});
    }
    operations.push_back(made);
    ids_.push_back(node.id);
    for (const std::uint64_t id : node.requires_ids) required_.push_back({number, id});
  }

  Operation operation(const ChakraNode& node) {
    using Type = ChakraNode::Type;
    const bool sends = node.type == Type::Send;
    if ((sends || node.type == Type::Recv) && node.size) return message(node, sends);
    if (node.type == Type::Collective && node.comm) return collective(node);
    if (node.type == Type::Invalid || node.type > Type::Collective)
      refuse(node, fmt::format("type {}; expected 1 (metadata) to 7 (collective)",
                               static_cast<std::uint32_t>(node.type)));
    if (node.micros > ~std::uint64_t{0} / kPsAMicrosecond)
      refuse(node, fmt::format("duration_micros {} is longer than 200 days", node.micros));
    if (node.micros == 0 && node.type != Type::Metadata) ++timeless_;
    Operation made;
    made.amount = node.micros * kPsAMicrosecond;
    made.peer = node.on_cpu ? 0 : 1;
    return made;
  }

  std::uint64_t bytes(const ChakraNode& node) const {
    const std::int64_t size = node.size.value_or(0);
    if (size < 0 || static_cast<std::uint64_t>(size) > Trace::kMostBytes)
      refuse(node, fmt::format("comm_size {}: expected 0 to {} bytes", size, Trace::kMostBytes));
    return static_cast<std::uint64_t>(size);
  }

  std::uint32_t rank(const ChakraNode& node, const char* key, std::optional<std::int64_t> value,
                     std::size_t ranks) const {
    if (!value) refuse(node, fmt::format("{} is missing; expected a rank from 0 to {}", key, ranks - 1));
    if (*value < 0 || static_cast<std::uint64_t>(*value) >= ranks)
      refuse(node, fmt::format("{} {}: expected a rank from 0 to {}", key, *value, ranks - 1));
    return static_cast<std::uint32_t>(*value);
  }

  std::uint32_t group(const ChakraNode& node) const {
    const std::optional<std::uint32_t> found = groups_.find(node.group);
    if (!found)
      refuse(node, fmt::format("pg_name {}: no such process group; expected one of {}", node.group,
                               groups_.known()));
    const auto& members = trace_.communicators[*found];
    if (std::find(members.begin(), members.end(), me_) == members.end())
      refuse(node, fmt::format("process group {} does not contain rank {}", node.group, me_));
    return *found;
  }

  Operation message(const ChakraNode& node, bool sends) const {
    Operation made;
    made.kind = sends ? Kind::Send : Kind::Receive;
    made.amount = bytes(node);
    // comm_src and comm_dst are ranks of the job, also in a process group.
    made.peer = sends ? rank(node, "comm_dst", node.destination, trace_.ranks.size())
                      : rank(node, "comm_src", node.source, trace_.ranks.size());
    const std::int64_t tag = node.tag.value_or(0);
    if (tag < 0 || tag > 0x7fffffff) refuse(node, fmt::format("comm_tag {}: expected 0 to 2147483647", tag));
    made.tag = static_cast<std::int32_t>(tag);
    return made;
  }

  Operation collective(const ChakraNode& node) const {
    using Comm = ChakraNode::Comm;
    if (!node.whole_network)
      refuse(
          node,
          "involved_dim leaves out a dimension of the network; expected a process group (pg_name) instead");
    Operation made;
    made.kind = Kind::Start;
    made.communicator = group(node);
    made.amount = bytes(node);
    const std::size_t members = trace_.communicators[made.communicator].size();
    const auto share = [&] { made.amount = (made.amount + members - 1) / members; };
    switch (const std::int64_t comm = *node.comm; static_cast<Comm>(comm < 0 || comm > 99 ? 99 : comm)) {
      case Comm::AllReduce:
        made.collective = Collective::Allreduce;
        break;
      case Comm::Reduce:
        made.collective = Collective::Reduce;
        break;
      case Comm::AllGather:
        made.collective = Collective::Allgather;
        break;
      case Comm::Gather:
        made.collective = Collective::Gather;
        break;
      case Comm::Scatter:
        made.collective = Collective::Scatter, share();
        break;
      case Comm::Broadcast:
        made.collective = Collective::Bcast;
        break;
      case Comm::AllToAll:
        made.collective = Collective::Alltoall, share();
        break;
      case Comm::ReduceScatter:
      case Comm::ReduceScatterBlock:
        made.collective = Collective::ReduceScatter, share();
        break;
      case Comm::Barrier:
        made.collective = Collective::Barrier, made.amount = 0;
        break;
      default:
        refuse(node, fmt::format("comm_type {}: expected 0 (all-reduce) to 9 (barrier)", comm));
    }
    made.peer = node.root ? rank(node, "root_rank", node.root, members) : 0;
    return made;
  }

  void resolve() {
    for (const auto& [after, id] : required_) {
      const auto found = numbers_.find(id);
      if (found == numbers_.end())
        throw UserError(fmt::format(
            "{}: node {}: requires node {}, which the file does not have; the trace may be cut off",
            file_.name, ids_[after], id));
      dependences_.push_back({after, found->second, false});
    }
    if (const std::optional<std::uint32_t> stuck = set_dependences(trace_.ranks[me_], dependences_))
      throw UserError(fmt::format(
          "{}: node {} requires itself, directly, through other nodes, or through the order of collectives",
          file_.name, ids_[*stuck]));
  }

  const ChakraFile& file_;
  std::uint32_t me_;
  Trace& trace_;
  Groups& groups_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  ///< operations by node
  std::vector<std::uint64_t> ids_;                            ///< nodes by operation
  std::vector<std::pair<std::uint32_t, std::uint64_t>> required_;
  std::vector<Dependence> dependences_;
  std::map<std::uint32_t, std::vector<Begun>> collectives_;
  std::uint64_t timeless_ = 0;
};

}  // namespace

Trace parse_chakra(const std::vector<ChakraFile>& ranks, const ChakraFile& groups_file) {
  Trace trace;
  trace.name = ranks.front().name;
  trace.ranks.resize(ranks.size());
  Groups groups(trace, groups_file);
  std::uint64_t timeless = 0;
  // The collectives of the first member of each communicator, which those of the others must equal.
  std::map<std::uint32_t, std::pair<std::uint32_t, std::vector<Begun>>> firsts;
  std::map<std::uint32_t, std::size_t> users;
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    RankReader reader(ranks[rank], rank, trace, groups);
    for (auto& [communicator, mine] : reader.run()) {
      ++users[communicator];
      const auto [place, is_first] = firsts.try_emplace(communicator, rank, std::move(mine));
      if (is_first) continue;
      const auto& [other, theirs] = place->second;
      const auto differs = std::mismatch(
          mine.begin(), mine.end(), theirs.begin(), theirs.end(), [](const Begun& a, const Begun& b) {
            return a.operation.collective == b.operation.collective && a.operation.peer == b.operation.peer &&
                   a.operation.amount == b.operation.amount;
          });
      if (differs.first == mine.end() && differs.second == theirs.end()) continue;
      const std::uint64_t node = (differs.first == mine.end() ? mine.back() : *differs.first).node;
      throw UserError(fmt::format(
          "{}: node {}: collective {} of its process group differs from that of {}, which has {} of them; "
          "expected the same kind, size and root",
          ranks[rank].name, node, differs.first - mine.begin() + 1, ranks[other].name, theirs.size()));
    }
    timeless += reader.timeless();
  }
  for (const auto& [communicator, count] : users)
    if (const auto& members = trace.communicators[communicator]; count != members.size())
      throw UserError(
          fmt::format("{}: {} of the {} ranks of a process group take part in its collectives; expected all",
                      ranks[firsts.at(communicator).first].name, count, members.size()));
  if (timeless != 0)
    trace.left_out.push_back(fmt::format("{} nodes have no duration and take no time", timeless));
  return trace;
}

Trace read_chakra(const std::string& path, const std::string& who) {
  const std::string stem = std::filesystem::path(path).replace_extension().replace_extension().string();
  std::vector<std::string> bytes;
  std::vector<ChakraFile> files;
  const auto name = [&](std::size_t rank) { return fmt::format("{}.{}.et", stem, rank); };
  std::error_code ignored;
  while (bytes.empty() || std::filesystem::exists(name(bytes.size()), ignored)) {
    FileBytes file = read_regular_file(name(bytes.size()));
    if (!file.problem.empty())
      throw UserError(fmt::format("{} {}: {}: {}; expected NAME.RANK.et for each rank from 0 on", who, path,
                                  name(bytes.size()), file.problem));
    bytes.push_back(std::move(file.bytes));
  }
  for (std::size_t rank = 0; rank < bytes.size(); ++rank) files.push_back({name(rank), bytes[rank]});
  if (std::find_if(files.begin(), files.end(), [&](const ChakraFile& file) {
        return std::filesystem::path(file.name).filename() == std::filesystem::path(path).filename();
      }) == files.end())
    throw UserError(fmt::format("{} {}: {} is missing; expected NAME.RANK.et for each rank from 0 on", who,
                                path, name(files.size())));
  const std::string of_groups = stem + ".groups.json";
  FileBytes groups;
  if (std::filesystem::exists(of_groups, ignored)) {
    groups = read_file(of_groups);
    if (!groups.problem.empty())
      throw UserError(fmt::format("{} {}: {}: {}", who, path, of_groups, groups.problem));
  }
  return parse_chakra(files, {of_groups, groups.bytes});
}

}  // namespace psim::net::replay

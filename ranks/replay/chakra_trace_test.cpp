// SPDX-License-Identifier: Apache-2.0
#include "ranks/replay/chakra_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <protozero/pbf_writer.hpp>

#include "base/error.h"

namespace psim::net::replay {
namespace {

using protozero::pbf_writer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Appends a message with its length before it.
void append(std::string& file, const std::string& message) {
  protozero::write_varint(std::back_inserter(file), message.size());
  file += message;
}

std::string begin(const std::string& version = "0.0.4") {
  std::string message, file;
  pbf_writer(message).add_string(1, version);
  append(file, message);
  return file;
}

struct Node {
  std::uint64_t id;
  int type;
  std::vector<std::uint64_t> data = {};
  std::uint64_t micros = 0;
  std::vector<std::pair<std::string, std::int64_t>> numbers = {};
  std::string group = {};
};
constexpr int kMetadata = 1, kComp = 4, kSend = 5, kRecv = 6, kCollective = 7;

void append(std::string& file, const Node& node) {
  std::string message;
  pbf_writer out(message);
  out.add_uint64(1, node.id);
  out.add_string(2, "a name");
  out.add_enum(3, node.type);
  out.add_uint64(4, 9999);  // a call that the file does not have
  if (node.data.size() > 1)
    out.add_packed_uint64(5, node.data.begin(), node.data.end());
  else  // not packed: both are allowed
    for (const std::uint64_t id : node.data) out.add_uint64(5, id);
  out.add_uint64(7, node.micros);
  for (const auto& [name, value] : node.numbers) {
    pbf_writer attribute(out, 10);
    attribute.add_string(1, name);
    if (name == "is_cpu_op")
      attribute.add_bool(27, value != 0);
    else if (name == "comm_src" || name == "comm_dst" || name == "comm_tag")
      attribute.add_int32(5, static_cast<std::int32_t>(value));
    else
      attribute.add_int64(7, value);
  }
  if (!node.group.empty()) {
    pbf_writer attribute(out, 10);
    attribute.add_string(1, "pg_name");
    attribute.add_string(29, node.group);
  }
  append(file, message);
}

std::string file_of(const std::vector<Node>& nodes) {
  std::string file = begin();
  for (const Node& node : nodes) append(file, node);
  return file;
}

Trace parse(const std::vector<std::string>& files, const std::string& groups = {}) {
  std::vector<ChakraFile> ranks;
  for (const std::string& bytes : files)
    ranks.push_back({"job." + std::to_string(ranks.size()) + ".et", bytes});
  return parse_chakra(ranks, {"job.groups.json", groups});
}

std::string complaint(const std::vector<std::string>& files, const std::string& groups = {}) {
  try {
    parse(files, groups);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

Node collective(std::uint64_t id, int kind, std::int64_t size, std::vector<std::uint64_t> data = {},
                std::string group = {}) {
  return {id,
          kCollective,
          std::move(data),
          0,
          {{"is_cpu_op", 0}, {"comm_type", kind}, {"comm_size", size}},
          std::move(group)};
}

TEST(Chakra, NodesBecomeOperationsOfProcessorAndAccelerator) {
  const std::vector<Node> nodes = {
      {7, kMetadata},
      {8, kComp, {7}, 12},
      {9, kComp, {8, 8}, 3, {{"is_cpu_op", 0}}},
      {10, kCollective, {8}, 5, {{"is_cpu_op", 1}}},
      {11, kSend, {9}, 9, {{"comm_size", 64}, {"comm_dst", 1}, {"comm_tag", 4}}}};
  const Trace trace = parse(
      {file_of(nodes), file_of({{0, kRecv, {}, 0, {{"comm_size", 64}, {"comm_src", 0}, {"comm_tag", 4}}}})});
  const RankTrace& rank = trace.ranks[0];
  ASSERT_EQ(rank.operations.size(), 5u);
  EXPECT_EQ(rank.operations[1].amount, 12'000'000u) << "ps";
  EXPECT_EQ(rank.operations[1].peer, 0u) << "the processor";
  EXPECT_EQ(rank.operations[2].peer, 1u) << "the accelerator";
  EXPECT_EQ(rank.operations[3].kind, Kind::Compute) << "the processor's part of a collective";
  EXPECT_EQ(rank.operations[3].amount, 5'000'000u);
  EXPECT_EQ(rank.operations[4].kind, Kind::Send);
  EXPECT_EQ(rank.operations[4].tag, 4);
  EXPECT_THAT(rank.required, ElementsAre(0u, 1u, 1u, 1u, 1u)) << "8 requires 7 once, 9 requires 8 once";
  EXPECT_EQ(trace.ranks[1].operations[0].kind, Kind::Receive);
  EXPECT_TRUE(trace.left_out.empty());
}

TEST(Chakra, CollectivesHaveTheirShares) {
  std::vector<Node> nodes;
  for (int kind = 0; kind <= 9; ++kind)
    nodes.push_back(collective(static_cast<std::uint64_t>(kind), kind, 300));
  const std::string file = file_of(nodes);
  const std::vector<Operation> operations = parse({file, file, file}).ranks[2].operations;
  const std::vector<std::pair<Collective, std::uint64_t>> expected = {
      {Collective::Allreduce, 300}, {Collective::Reduce, 300},        {Collective::Allgather, 300},
      {Collective::Gather, 300},    {Collective::Scatter, 100},       {Collective::Bcast, 300},
      {Collective::Alltoall, 100},  {Collective::ReduceScatter, 100}, {Collective::ReduceScatter, 100},
      {Collective::Barrier, 0}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(operations[i].kind, Kind::Start);
    EXPECT_EQ(operations[i].collective, expected[i].first) << i;
    EXPECT_EQ(operations[i].amount, expected[i].second) << i;
  }
}

TEST(Chakra, CollectivesOfAGroupBeginInTheOrderOfTheFile) {
  const std::string file = file_of({{1, kComp, {}, 5}, collective(2, 0, 8, {1}), collective(3, 0, 8)});
  const RankTrace rank = parse({file, file}).ranks[0];
  EXPECT_THAT(rank.required, ElementsAre(0u, 1u, 1u));
  EXPECT_THAT(rank.successors, ElementsAre(1u << 1, 2u << 1 | 1u)) << "3 begins when 2 has begun";
}

TEST(Chakra, ProcessGroupsAreCommunicators) {
  const std::string file = file_of({collective(1, 0, 8, {}, "dp"), collective(2, 0, 8)});
  const Trace trace = parse({file, file}, R"({"dp": [1, 0], "all": [0, 1]})");
  EXPECT_THAT(trace.communicators[0], ElementsAre(0u, 1u));
  EXPECT_THAT(trace.communicators[1], ElementsAre(1u, 0u));
  EXPECT_EQ(trace.ranks[0].operations[0].communicator, 1u);
  EXPECT_EQ(trace.ranks[0].operations[1].communicator, 0u);
  EXPECT_THAT(parse({file, file}).left_out,
              ElementsAre(HasSubstr("process group dp is taken for all ranks")));
}

TEST(Chakra, NodesWithoutDurationAreCounted) {
  EXPECT_THAT(parse({file_of({{1, kComp}, {2, kComp, {}, 1}})}).left_out,
              ElementsAre("1 nodes have no duration and take no time"));
}

TEST(Chakra, EveryCutIsRefused) {
  // Of two nodes the first requires the second: even a cut between messages leaves a trace that is not whole.
  const std::string file = file_of({{1, kComp, {2}, 5}, {2, kComp, {}, 5}});
  for (std::size_t bytes = 0; bytes < file.size(); ++bytes) {
    SCOPED_TRACE(bytes);
    if (bytes == begin().size()) continue;
    EXPECT_THAT(complaint({file.substr(0, bytes)}), HasSubstr("job.0.et: "));
  }
  EXPECT_EQ(complaint({begin()}), "accepted") << "a rank may do nothing";
  EXPECT_EQ(complaint({file}), "accepted");
}

TEST(Chakra, ReportsMistakesWithTheirNode) {
  const std::string good = file_of({collective(1, 0, 8)});
  EXPECT_EQ(complaint({""}), "job.0.et: is empty; expected a Chakra execution trace");
  EXPECT_EQ(complaint({begin("2.0")}), "job.0.et: schema 2.0; expected 0.x or 1.x");
  EXPECT_THAT(complaint({"num_ranks 2 rank 0 { }"}), HasSubstr("job.0.et: "));
  EXPECT_EQ(complaint({file_of({{1, kComp}, {1, kComp}})}), "job.0.et: node 1: occurs twice");
  EXPECT_EQ(complaint({file_of({{1, 9}})}),
            "job.0.et: node 1: type 9; expected 1 (metadata) to 7 (collective)");
  EXPECT_THAT(complaint({file_of({{1, kComp, {5}}})}),
              HasSubstr("job.0.et: node 1: requires node 5, which the file does not have"));
  EXPECT_THAT(complaint({file_of({{1, kComp, {2}}, {2, kComp, {1}}})}),
              HasSubstr("job.0.et: node 1 requires itself"));
  EXPECT_THAT(complaint({file_of({{1, kComp, {}, ~std::uint64_t{0}}})}),
              HasSubstr("is longer than 200 days"));
  EXPECT_EQ(complaint({file_of({{1, kSend, {}, 0, {{"comm_size", 64}, {"comm_dst", 2}}}})}),
            "job.0.et: node 1: comm_dst 2: expected a rank from 0 to 0");
  EXPECT_THAT(complaint({file_of({{1, kRecv, {}, 0, {{"comm_size", 64}}}})}),
              HasSubstr("comm_src is missing"));
  EXPECT_EQ(complaint({file_of({collective(1, 0, std::int64_t{1} << 31)})}),
            "job.0.et: node 1: comm_size 2147483648: expected 0 to 2147483647 bytes");
  EXPECT_EQ(complaint({file_of({collective(1, 10, 8)})}),
            "job.0.et: node 1: comm_type 10: expected 0 (all-reduce) to 9 (barrier)");
  EXPECT_THAT(complaint({good, file_of({collective(4, 2, 8)})}),
              HasSubstr("job.1.et: node 4: collective 1 of its process group differs from that of job.0.et"));
  EXPECT_THAT(complaint({good, file_of({})}),
              HasSubstr("job.0.et: 1 of the 2 ranks of a process group take part"));
  const std::string named = file_of({collective(1, 0, 8, {}, "tp")});
  EXPECT_EQ(complaint({named, named}, R"({"dp": [0, 1]})"),
            "job.0.et: node 1: pg_name tp: no such process group; expected one of dp");
  EXPECT_EQ(complaint({named, named}, R"({"tp": [1]})"),
            "job.0.et: node 1: process group tp does not contain rank 0");
  EXPECT_EQ(complaint({named, named}, R"({"tp": [2]})"),
            "job.groups.json: group tp: 2: expected a rank from 0 to 1");
  EXPECT_EQ(complaint({named, named}, R"({"tp": [1, 1]})"), "job.groups.json: group tp: a rank occurs twice");
  EXPECT_THAT(complaint({named, named}, "{"), HasSubstr("job.groups.json: expected a JSON object"));
}

}  // namespace
}  // namespace psim::net::replay

// SPDX-License-Identifier: Apache-2.0
#include "ranks/replay/dumpi_trace.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace psim::net::replay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kSizes =
    "Datatype 0 (MPI_DATATYPE_ERROR) has size 0\n"
    "Datatype 1 (MPI_DATATYPE_NULL) has size 0\n"
    "Datatype 2 (MPI_CHAR) has size 1\n"
    "Datatype 3 (MPI_DOUBLE) has size 8\n"
    "Datatype 4 (user-defined-datatype) has size 24\n";

/// The text of a rank, whose calls take 1 us each and begin every 3 us.
class Text {
 public:
  Text() { call("Init", ""); }
  Text& call(const std::string& name, const std::string& arguments) {
    text_ += fmt::format(
        "MPI_{0} entering at walltime 100.{1:09}, cputime 0.1 seconds in thread 0.\n{2}"
        "MPI_{0} returning at walltime 100.{3:09}, cputime 0.1 seconds in thread 0.\n",
        name, ns_, arguments, ns_ + 1000);
    ns_ += 3000;
    return *this;
  }
  std::string end() { return call("Finalize", "").text_ + std::string(kSizes); }

 private:
  std::string text_;
  unsigned ns_ = 0;
};

std::string message(const std::string& peer, int count, const std::string& rest = "") {
  return fmt::format(
      "int count={}\nMPI_Datatype datatype=3 (MPI_DOUBLE)\nint {}\nint tag=7\nMPI_Comm comm=2 "
      "(MPI_COMM_WORLD)\n{}",
      count, peer, rest);
}

Trace read(const std::vector<std::string>& texts) {
  return parse_dumpi("a.meta", static_cast<std::uint32_t>(texts.size()), [&](std::uint32_t rank) {
    return DumpiFile{fmt::format("a-000{}.txt", rank), texts[rank]};
  });
}

std::string refusal(const std::vector<std::string>& texts) {
  try {
    read(texts);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

std::vector<Operation> without_computing(const RankTrace& rank) {
  std::vector<Operation> all;
  for (const Operation& each : rank.operations)
    if (each.kind != Kind::Compute) all.push_back(each);
  return all;
}

TEST(Dumpi, TimeBetweenCallsAndInLocalOnesIsComputing) {
  const Trace trace = read({Text()
                                .call("Comm_rank", "MPI_Comm comm=2 (MPI_COMM_WORLD)\nint rank=0\n")
                                .call("Send", message("dest=1", 10))
                                .end(),
                            Text().call("Recv", message("source=0", 10)).end()});
  const auto& sender = trace.ranks[0].operations;
  ASSERT_EQ(sender.size(), 4u);
  EXPECT_EQ(sender[0].kind, Kind::Compute);
  EXPECT_EQ(sender[0].amount, 5'000'000u) << "ps from the end of MPI_Init to the beginning of MPI_Send";
  EXPECT_EQ(sender[1].kind, Kind::Send);
  EXPECT_EQ(sender[1].amount, 80u);
  EXPECT_EQ(sender[1].peer, 1u);
  EXPECT_EQ(sender[1].tag, 7);
  EXPECT_EQ(sender[2].kind, Kind::Wait);
  EXPECT_EQ(sender[3].amount, 2'000'000u);
  EXPECT_THAT(trace.left_out, IsEmpty());
}

TEST(Dumpi, AReceiveFromAnySourceIsFromTheRecordedOne) {
  const std::string any = "source=-1 (MPI_ANY_SOURCE)",
                    status = "MPI_Status status=[{bytes=8, cancelled=0, source=1, tag=7, error=0}]\n",
                    nobody = "MPI_Status status=[{bytes=0, cancelled=0, source=-1, tag=-1, error=0}]\n";
  const Trace trace =
      read({Text()
                .call("Irecv", message(any, 1, "MPI_Request request=[5]\n"))
                .call("Wait", "MPI_Request request=[5]\n" + status)
                .call("Recv", message(any, 1, nobody))
                .call("Recv", message(any, 1, "MPI_Status status=<IGNORED>\n"))
                .end(),
            Text().call("Send", message("dest=0", 1)).call("Send", message("dest=0", 1)).end()});
  const auto received = without_computing(trace.ranks[0]);
  ASSERT_EQ(received.size(), 4u);
  EXPECT_EQ(received[0].peer, 1u);
  EXPECT_EQ(received[2].peer, kAny) << "without a status any source stays";
}

TEST(Dumpi, AReceiveThatNoMessageIsLeftForIsFromNobody) {
  const std::string any = "source=-1 (MPI_ANY_SOURCE)", request = "MPI_Request request=[5]\n";
  const Trace trace =
      read({Text()
                .call("Recv", message("source=1", 1))
                .call("Irecv", message(any, 1, request))
                .call("Wait", request)
                .call("Irecv", message(any, 1, request))
                .call("Wait", request)
                .end(),
            Text().call("Send", message("dest=0", 1)).call("Send", message("dest=0", 1)).end()});
  std::vector<Kind> kinds;
  for (const Operation& each : without_computing(trace.ranks[0])) kinds.push_back(each.kind);
  EXPECT_THAT(kinds, ElementsAre(Kind::Receive, Kind::Wait, Kind::Receive, Kind::Wait));
  EXPECT_THAT(trace.left_out, ElementsAre(HasSubstr("1 receives without a message")));
}

TEST(Dumpi, ARequestIsWaitedForWhereItIsFoundComplete) {
  const auto request = [](int number) { return fmt::format("MPI_Request request=[{}]\n", number); };
  const Trace trace = read({Text()
                                .call("Isend", message("dest=0", 1, request(5)))
                                .call("Isend", message("dest=0", 2, request(6)))
                                .call("Test", request(5) + "int flag=0\nMPI_Status status=<IGNORED>\n")
                                .call("Waitany", "int count=2\nMPI_Request requests[2]=[5, 6]\nint index=1\n")
                                .call("Testall", "int count=2\nMPI_Request requests[2]=[5, 1]\nint flag=1\n")
                                .call("Wait", request(9))
                                .end()});
  const auto all = without_computing(trace.ranks[0]);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[2].kind, Kind::Wait);
  EXPECT_EQ(all[2].request, all[1].request);
  EXPECT_EQ(all[3].request, all[0].request);
  EXPECT_THAT(trace.left_out, ElementsAre(HasSubstr("1 waits are left out")));
}

TEST(Dumpi, SizesOfDatatypesAreThoseWhenTheyAreUsed) {
  const std::string
      made = "MPI_Datatype newtype=4 (user-defined-datatype)\n",
      of = "MPI_Datatype oldtype=3 (MPI_DOUBLE)\n",
      send =
          "int count=2\nMPI_Datatype datatype=4 (user-defined-datatype)\nint dest=0\nint tag=0\n"
          "MPI_Comm comm=2 (MPI_COMM_WORLD)\n";
  const Trace trace =
      read({Text()
                .call("Send", send)
                .call("Type_vector", "int count=5\nint blocklength=2\nint stride=9\n" + of + made)
                .call("Send", send)
                .call("Type_struct",
                      "int count=2\nint lengths[2]=[1, 3]\nint indices[2]=[0, 8]\n"
                      "MPI_Datatype oldtypes[2]=[2 (MPI_CHAR), 3 (MPI_DOUBLE)]\n" +
                          made)
                .call("Send", send)
                .call("Type_create_subarray",
                      "int ndims=2\nint sizes[2]=[9, 9]\nint subsizes[2]=[2, 3]\n" + of + made)
                .call("Send", send)
                .end()});
  std::vector<std::uint64_t> sizes;
  for (const Operation& each : trace.ranks[0].operations)
    if (each.kind == Kind::Send) sizes.push_back(each.amount);
  EXPECT_THAT(sizes, ElementsAre(48u, 160u, 50u, 96u));
}

TEST(Dumpi, MembersOfCommunicatorsComeFromAllRanks) {
  const auto rank = [](int me) {
    const std::string color = fmt::format("int color={}\nint key={}\n", me % 2, -me);
    return Text()
        .call("Comm_split",
              "MPI_Comm oldcomm=2 (MPI_COMM_WORLD)\n" + color + "MPI_Comm newcomm=4 (user-defined-comm)\n")
        .call("Barrier", "MPI_Comm comm=4 (user-defined-comm)\n")
        .call("Comm_free", "MPI_Comm comm=4 (user-defined-comm)\n")
        .call("Cart_create",
              "MPI_Comm oldcomm=2 (MPI_COMM_WORLD)\nint ndim=2\nint dims[2]=[2, 2]\nMPI_Comm newcomm=4 "
              "(user-defined-comm)\n")
        .call("Cart_sub",
              "MPI_Comm oldcomm=4 (user-defined-comm)\nint remain_dims[2]=[0, 1]\nMPI_Comm newcomm=5 "
              "(user-defined-comm)\n")
        .call("Barrier", "MPI_Comm comm=5 (user-defined-comm)\n")
        .end();
  };
  const Trace trace = read({rank(0), rank(1), rank(2), rank(3)});
  std::vector<std::vector<std::uint32_t>> used;
  for (const Operation& each : without_computing(trace.ranks[2]))
    used.push_back(trace.communicators[each.communicator]);
  EXPECT_THAT(used, ElementsAre(ElementsAre(2u, 0u), ElementsAre(2u, 3u)));
}

TEST(Dumpi, AnAlltoallvHasTheRecordedBytesToEachRank) {
  const auto rank = [](const std::string& counts) {
    return Text()
        .call("Alltoallv", "int commsize=2\nint sendcounts[2]=[" + counts +
                               "]\nMPI_Datatype sendtype=3 (MPI_DOUBLE)\nMPI_Comm comm=2 (MPI_COMM_WORLD)\n")
        .end();
  };
  const Trace trace = read({rank("1, 3"), rank("2, 2")});
  std::vector<std::vector<std::uint32_t>> sizes;
  for (const RankTrace& each : trace.ranks) {
    const Operation operation = without_computing(each)[0];
    EXPECT_EQ(operation.collective, Collective::AlltoallEach);
    const auto begin = trace.sizes.begin() + operation.sizes;
    sizes.emplace_back(begin, begin + 4);
  }
  EXPECT_THAT(sizes, ElementsAre(ElementsAre(8u, 24u, 8u, 16u), ElementsAre(16u, 16u, 24u, 16u)));
  EXPECT_EQ(without_computing(read({rank("2, 2"), rank("1, 1")}).ranks[1])[0].collective,
            Collective::Alltoallv);
}

TEST(Dumpi, FunctionsThatAreNotReplayedAreNamedAndTakeTheirTime) {
  const Trace trace = read({Text()
                                .call("Win_fence", "int win=1\n")
                                .call("Win_fence", "int win=1\n")
                                .call("Barrier", "MPI_Comm comm=2\n")
                                .end()});
  EXPECT_THAT(trace.left_out, ElementsAre("MPI_Win_fence: 2 calls are not replayed; their time is computed"));
  EXPECT_EQ(trace.ranks[0].operations[0].amount, 8'000'000u);
}

TEST(Dumpi, MistakesHaveAClearLine) {
  const std::string whole = Text().call("Send", message("dest=0", 1)).end();
  EXPECT_EQ(refusal({whole}), "accepted");
  EXPECT_THAT(refusal({whole.substr(0, whole.find("int tag"))}),
              HasSubstr("a-0000.txt: the sizes of datatypes are missing"));
  EXPECT_THAT(refusal({whole.substr(0, whole.find("int tag")) + "\n" + std::string(kSizes)}),
              HasSubstr("a-0000.txt:12: the file ends within MPI_Send; it is cut off"));
  EXPECT_THAT(refusal({whole.substr(0, whole.find("MPI_Finalize")) + std::string(kSizes)}),
              HasSubstr("a-0000.txt: the file ends without MPI_Finalize; it is cut off"));
  EXPECT_THAT(refusal({"num_ranks 2\n"}),
              HasSubstr("a-0000.txt: no call of MPI; expected the output of \"dumpi2ascii -SX\""));
  EXPECT_THAT(refusal({Text().call("Send", message("dest=1", 1)).end()}),
              HasSubstr("rank 1 of a communicator of 1"));
  EXPECT_THAT(refusal({Text().call("Send", message("dest=0", -1)).end()}),
              HasSubstr("a-0000.txt:3: MPI_Send: count = -1; expected at least 0"));
  const std::string barrier = Text().call("Barrier", "MPI_Comm comm=2 (MPI_COMM_WORLD)\n").end();
  EXPECT_THAT(refusal({whole, barrier}), HasSubstr("took part in 0 collectives"));
}

}  // namespace
}  // namespace psim::net::replay

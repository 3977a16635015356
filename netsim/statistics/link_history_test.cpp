// SPDX-License-Identifier: Apache-2.0
#include "netsim/statistics/link_history.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "netsim/testing/script.h"

namespace psim::net {
namespace {

using testing::Script;

constexpr std::uint64_t kFirstSlice = 1 << 16;

std::uint64_t sum(const LinkHistory::Slices& slices) {
  return std::accumulate(slices.begin(), slices.end(), std::uint64_t{0});
}

TEST(LinkHistory, SpreadsPacketsOverTheirSlicesAndMergesSlicesWhenTheRunIsLonger) {
  LinkHistory history({LinkHistory::kNoLink, 0, 1}, 2);
  history.granted(1, kFirstSlice - 100, 300, 7, 0, 64);
  history.granted(0, 5, 10, 7, 0, 64);  // of a node's channel
  ASSERT_EQ(history.slice(), kFirstSlice);
  EXPECT_EQ(history.link(0)->busy[0], 100u);
  EXPECT_EQ(history.link(0)->busy[1], 200u);
  EXPECT_EQ(history.link(1), nullptr);
  history.rested(2, 10, 3 * kFirstSlice);
  history.reach(LinkHistory::kSlices * kFirstSlice);
  EXPECT_EQ(history.slice(), kFirstSlice) << "exactly full";
  EXPECT_EQ(history.link(1)->low[0], kFirstSlice - 10);
  EXPECT_EQ(history.link(1)->low[3], 10u);
  history.reach(LinkHistory::kSlices * kFirstSlice + 1);
  EXPECT_EQ(history.slice(), 2 * kFirstSlice);
  EXPECT_EQ(history.link(0)->busy[0], 300u);
  EXPECT_EQ(history.link(1)->low[0], 2 * kFirstSlice - 10);
  EXPECT_EQ(history.link(1)->low[1], kFirstSlice + 10);
}

TEST(LinkHistory, HasEachSourceOfMoreThanASixteenthAndStatesHowMuchItsCountMayBeTooHigh) {
  LinkHistory history({0}, 1);
  std::map<std::uint32_t, std::uint64_t> sent;
  std::uint64_t all = 0;
  for (std::uint32_t i = 0; i < 3'000; ++i) {
    // Node 900 sends every eighth packet; 200 others take turns.
    const std::uint32_t source = i % 8 == 5 ? 900 : i * 7 % 200;
    history.granted(0, i, 1, source, static_cast<std::uint8_t>(source == 900 ? 2 : 1), 100);
    sent[source] += 100, all += 100;
  }
  const LinkHistory::Link& link = *history.link(0);
  std::uint64_t counted = 0;
  bool found = false;
  for (const LinkHistory::Source& source : link.sources) {
    EXPECT_LE(source.bytes - source.over, sent[source.node]);
    EXPECT_GE(source.bytes, sent[source.node]);
    counted += source.bytes;
    found = found || (source.node == 900 && source.bytes - source.over > 0);
  }
  EXPECT_EQ(counted, all);
  EXPECT_TRUE(found);
  EXPECT_EQ(link.of_owner, (std::vector<std::uint64_t>{0, all - sent[900], sent[900]}));
}

TEST(LinkHistory, OfSeveralProcessesIsThatOfOne) {
  const std::vector<std::uint32_t> links{0, 1, 1, 2};
  LinkHistory one(links, 3), first(links, 3), second(links, 3);
  for (std::uint32_t i = 0; i < 400; ++i) {
    const std::uint32_t channel = i < 100 ? i % 4 : 2 + i % 2;
    const std::uint64_t now = i * 30'000, length = 20'000;
    LinkHistory& part = channel < 2 ? first : second;
    for (LinkHistory* history : {&one, &part}) {
      if (channel == 3)
        history->rested(channel, now, length);
      else
        history->granted(channel, now, length, i % 5, 1, 64);
    }
  }
  ASSERT_LT(first.slice(), second.slice());
  Parcel parcel;
  second.write(parcel);
  first.read(parcel);
  EXPECT_TRUE(parcel.empty());
  ASSERT_EQ(first.slice(), one.slice());
  for (std::uint32_t link = 0; link < 3; ++link) {
    EXPECT_EQ(first.link(link)->busy, one.link(link)->busy);
    EXPECT_EQ(first.link(link)->low, one.link(link)->low);
    EXPECT_EQ(first.link(link)->of_owner, one.link(link)->of_owner);
    std::map<std::uint32_t, std::uint64_t> both[2];
    for (int i = 0; i < 2; ++i)
      for (const LinkHistory::Source& source : (i == 0 ? first : one).link(link)->sources)
        if (source.bytes != 0) both[i][source.node] = source.bytes;
    EXPECT_EQ(both[0], both[1]);
  }
}

TEST(LinkHistory, OfARunHasTheBusyTimeOfTheCountersAndTheRestsOfSleepingLinks) {
  NetworkConfig config = testing::easy_network();
  config.topology = {"mesh", "3", ""};
  config.link.sleep = {SleepPolicy::Fixed, Picoseconds{50'000'000}, Picoseconds{7'000'000}, {}};
  const Network network = make_topology(config, 0);
  std::vector<std::uint32_t> links(network.graph.channels.size());
  std::iota(links.begin(), links.end(), 0);
  LinkHistory history(links, static_cast<std::uint32_t>(links.size()));
  Script script(config, {{0, 0, 2, 20'480}, {300'000'000, 1, 2, 10'240}}, 1, 0, nullptr, &history);
  script.simulation().gather();
  const Simulation& simulation = script.simulation();
  std::uint64_t busy = 0, low = 0;
  for (std::uint32_t router = 0; router < 3; ++router)
    for (std::uint32_t port = 0; port < network.graph.ports(router); ++port) {
      const std::uint32_t channel = network.graph.first_port[router] + port;
      const LinkHistory::Link* const link = history.link(channel);
      ASSERT_EQ(link != nullptr ? sum(link->busy) : 0, simulation.fabric().count(router, port).busy);
      const std::uint64_t rested =
          link == nullptr ? 0 : std::accumulate(link->low.begin(), link->low.end(), std::uint64_t{0});
      ASSERT_EQ(rested, simulation.sleep()->directions()[simulation.sleep()->of_router(router, port)].low);
      if (link != nullptr) busy += sum(link->busy);
      low += rested;
    }
  EXPECT_GT(busy, 0u);
  EXPECT_GT(low, 0u);
  EXPECT_GE(history.slice() * LinkHistory::kSlices, simulation.last());
}

}  // namespace
}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
#include "netsim/rdma/order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace psim::net::rdma {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = Order::Kind;

/// Copies from rank 0 to `destination`, and what each step starts.
struct OrderBench {
  OperationOrder order;
  std::vector<Handle> started;

  explicit OrderBench(std::uint32_t most = 0) : order(most) {}
  std::vector<Handle> add(Order when, std::uint32_t destination = 1, Action action = Action::Copy) {
    started.clear();
    order.add({.action = action, .source = 0, .destination = destination}, when, started);
    return started;
  }
  std::vector<Handle> done(Handle handle) {
    started.clear();
    order.done(handle, started);
    return started;
  }
};

TEST(OperationOrder, WithoutAnOrderAllStartAtOnce) {
  OrderBench bench;
  EXPECT_THAT(bench.add({}), ElementsAre(1));
  EXPECT_THAT(bench.add({}), ElementsAre(2));
}

TEST(OperationOrder, AnOperationIsAllOverOnlyWhenTheEarlierOnesAreOver) {
  OrderBench bench;
  bench.add({}), bench.add({}), bench.add({});
  bench.done(2);
  EXPECT_TRUE(bench.order.complete(2));
  EXPECT_FALSE(bench.order.all_complete(2));
  bench.done(1);
  EXPECT_TRUE(bench.order.all_complete(2));
  EXPECT_FALSE(bench.order.all_complete(3));
  EXPECT_EQ(bench.order.first(), 3u);
}

TEST(OperationOrder, HandlesNeverIssuedAreOver) {
  OrderBench bench;
  bench.add({});
  EXPECT_TRUE(bench.order.complete(2));
  EXPECT_TRUE(bench.order.all_complete(7));
}

TEST(OperationOrder, AfterAllWaitsForEveryEarlierOne) {
  OrderBench bench;
  bench.add({}), bench.add({});
  EXPECT_THAT(bench.add({Kind::AfterAll}), IsEmpty());
  EXPECT_THAT(bench.done(2), IsEmpty());
  EXPECT_THAT(bench.done(1), ElementsAre(3));
}

TEST(OperationOrder, AfterAHandleWaitsForItAndThoseBeforeButNoLater) {
  OrderBench bench;
  bench.add({}), bench.add({}), bench.add({});
  EXPECT_THAT(bench.add({Kind::After, 2}), IsEmpty());
  EXPECT_THAT(bench.done(2), IsEmpty());
  EXPECT_THAT(bench.done(1), ElementsAre(4));
  EXPECT_THAT(bench.add({Kind::After, 2}), ElementsAre(5)) << "it has completed";
}

TEST(OperationOrder, ALaterOneWithoutOrderPassesOneThatWaits) {
  OrderBench bench;
  bench.add({}), bench.add({Kind::AfterAll});
  EXPECT_THAT(bench.add({}), ElementsAre(3));
}

TEST(OperationOrder, ContinuesACopyBetweenTheSameRanksWithoutWaiting) {
  OrderBench bench;
  bench.add({});
  EXPECT_THAT(bench.add({Kind::Continue}), ElementsAre(2));
}

TEST(OperationOrder, ContinuedCopiesBetweenOtherRanksAndAtomicsWaitForAll) {
  OrderBench bench;
  bench.add({});
  EXPECT_THAT(bench.add({Kind::Continue}, 2), IsEmpty());
  EXPECT_THAT(bench.done(1), ElementsAre(2));
  EXPECT_THAT(bench.add({Kind::Continue}, 2, Action::Add), IsEmpty());
  EXPECT_THAT(bench.done(2), ElementsAre(3));
}

TEST(OperationOrder, AnOperationThatContinuesAWaitingOneStartsWithIt) {
  OrderBench bench;
  bench.add({}), bench.add({Kind::AfterAll}), bench.add({Kind::Continue}), bench.add({Kind::Continue});
  EXPECT_THAT(bench.done(1), ElementsAre(2, 3, 4));
}

TEST(OperationOrder, NoMoreThanTheLimitAreUnderWay) {
  OrderBench bench(2);
  bench.add({}), bench.add({});
  EXPECT_THAT(bench.add({}), IsEmpty());
  EXPECT_THAT(bench.add({Kind::Continue}), IsEmpty());
  EXPECT_THAT(bench.done(2), ElementsAre(3));
  EXPECT_THAT(bench.done(1), ElementsAre(4));
}

TEST(OperationOrder, FindsTheOldestUnderWay) {
  OrderBench bench;
  bench.add({}, 3), bench.add({}, 5), bench.add({}, 5);
  const auto to_five = [](const Operation& o) { return o.destination == 5; };
  EXPECT_EQ(bench.order.find(to_five), 2u);
  bench.done(2);
  EXPECT_EQ(bench.order.find(to_five), 3u);
  bench.done(3);
  EXPECT_EQ(bench.order.find(to_five), 0u);
}

TEST(OperationOrder, KeepsItsHandlesThroughManyOperations) {
  OrderBench bench(3);
  for (Handle i = 1; i <= 1000; ++i) {
    bench.add({});
    if (i > 4) {
      EXPECT_THAT(bench.done(i - 4), ElementsAre(i - 1)) << "one goes, the next starts";
    }
  }
  EXPECT_EQ(bench.order.first(), 997u);
  EXPECT_EQ(bench.order.last(), 1000u);
}

TEST(OperationOrder, FindsAHandleByItsLowerHalf) {
  OrderBench bench;
  for (int i = 0; i < 9; ++i) bench.add({});
  bench.done(1), bench.done(2);
  EXPECT_EQ(bench.order.whole(7), 7u);
}

}  // namespace
}  // namespace psim::net::rdma

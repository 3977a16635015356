// SPDX-License-Identifier: Apache-2.0
#include "predict/calibration/calibration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/error.h"

namespace psim::predict {
namespace {

/// Returns what osu_latency and osu_bw print on a machine of these costs, with two decimals and relative
/// noise.
std::vector<BenchmarkTable> measured(const MessageCosts& costs, double noise = 0, bool bandwidth = true) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  const auto printed = [&](double value, double unit) {
    const double noisy = value / unit * (1 + noise * normal(random));
    return std::max(0.01, std::round(noisy * 100) / 100) * unit;
  };
  BenchmarkTable latency{BenchmarkKind::Latency, "osu_latency", 1, {}};
  BenchmarkTable rate{BenchmarkKind::Bandwidth, "osu_bw", 64, {}};
  for (std::uint64_t bytes = 1; bytes <= 4u << 20; bytes *= 2) {
    latency.rows.push_back({bytes, printed(one_way_time(costs, bytes), 1e-6), 0.005e-6, 0, 1});
    rate.rows.push_back({bytes, printed(window_rate(costs, bytes, 64), 1e6), 0.005e6, 0, 1});
  }
  if (!bandwidth) return {latency};
  return {latency, rate};
}

MessageCosts cluster() {
  MessageCosts costs;
  costs.overhead = 0.25e-6;
  costs.path = 0.7e-6;
  costs.bandwidth = 12e9;
  costs.dma_bandwidth = 14e9;
  costs.payload = 4096;
  costs.eager = 16384;
  costs.handshake = 2 * costs.path;
  return costs;
}

TEST(Calibration, FindsTheCostsOfPrintedTables) {
  const Calibration found = calibrate(measured(cluster()), {.routers = 0.1e-6});
  EXPECT_NEAR(found.costs.bandwidth, 12e9, 0.05e9);
  EXPECT_NEAR(found.costs.dma_bandwidth, 14e9, 1e9);
  EXPECT_EQ(found.costs.payload, 4096u);
  EXPECT_EQ(found.costs.eager, 16384u);
  EXPECT_NEAR(found.handshake.value, 1.4e-6, 0.1e-6);
  EXPECT_NEAR(found.empty_message.value, 1.2e-6, 0.02e-6);
  EXPECT_NEAR(found.costs.overhead, 0.25e-6, 0.02e-6);
  EXPECT_NEAR(found.interface_delay, 0.3e-6, 0.03e-6);
}

TEST(Calibration, IsNearWithNoiseOfFivePercent) {
  const Calibration found = calibrate(measured(cluster(), 0.05), {.routers = 0.1e-6});
  EXPECT_NEAR(found.costs.bandwidth, 12e9, 1e9);
  EXPECT_NEAR(found.empty_message.value, 1.2e-6, 0.08e-6);
  EXPECT_EQ(found.costs.eager, 16384u);
  EXPECT_LT(found.mean_error(), 0.08);
}

TEST(Calibration, UsesSeveralEnginesForASteepStart) {
  MessageCosts costs = cluster();
  costs.dma_bandwidth = 4e9;  // a third of the channel's
  costs.dma_engines = 3;
  const Calibration found = calibrate(measured(costs), {});
  EXPECT_EQ(found.costs.dma_engines, 3u);
  EXPECT_NEAR(found.costs.dma_bandwidth, 4e9, 0.3e9);
}

TEST(Calibration, KeepsWhatTheTablesDoNotShow) {
  MessageCosts costs = cluster();
  costs.dma_bandwidth = 0;
  costs.eager = ~std::uint64_t{0};
  const Calibration found = calibrate(measured(costs, 0, false), {.payload = 1024});
  EXPECT_FALSE(found.knee);
  EXPECT_FALSE(found.eager_limit);
  EXPECT_EQ(found.costs.dma_bandwidth, 0);
  EXPECT_EQ(found.costs.payload, 1024u);
  EXPECT_EQ(found.costs.eager, 4u << 20);
  EXPECT_EQ(found.costs.overhead, 0);
  EXPECT_EQ(found.open.size(), 5u);
}

std::string refusal(const std::vector<BenchmarkTable>& tables, const CalibrationBase& base = {}) {
  try {
    calibrate(tables, base);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Calibration, RefusesTooLittle) {
  std::vector<BenchmarkTable> tables = measured(cluster());
  EXPECT_NE(refusal(tables, {.routers = 2e-6}).find("an empty message"), std::string::npos);
  EXPECT_NE(refusal({tables[1]}).find("no latency"), std::string::npos);
  tables[0].rows.resize(5);
  EXPECT_NE(refusal(tables).find("5 sizes from 1 to 16 bytes"), std::string::npos);
  tables = measured(cluster(), 0, false);
  for (BenchmarkRow& row : tables[0].rows) row.value = 1e-6;
  EXPECT_NE(refusal(tables).find("does not grow"), std::string::npos);
}

}  // namespace
}  // namespace psim::predict

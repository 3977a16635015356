// SPDX-License-Identifier: Apache-2.0
#include "predict/calibration/message_time.h"

#include <algorithm>
#include <vector>

namespace psim::predict {
namespace {

constexpr std::uint64_t kAnswer = 4;  // bytes of osu_bw's answer

/// Returns the time of the bytes from the first read to the last write: a flow shop of three stages.
double transfer_time(const MessageCosts& costs, std::uint64_t bytes) {
  if (costs.dma_bandwidth == 0) return static_cast<double>(bytes) / costs.bandwidth;
  const std::uint32_t engines = std::max(1u, costs.dma_engines);
  std::vector<double> reads(engines, 0), writes(engines, 0);  // ends of the last packet of each engine
  double wire = 0, end = 0;
  std::size_t engine = 0;
  do {
    const std::uint64_t packet = std::min(bytes, costs.payload);
    bytes -= packet;
    const double engine_time = static_cast<double>(packet) / costs.dma_bandwidth;
    reads[engine] += engine_time;
    wire = std::max(wire, reads[engine]) + static_cast<double>(packet) / costs.bandwidth;
    writes[engine] = std::max(writes[engine], wire) + engine_time;
    end = std::max(end, writes[engine]);
    engine = engine + 1 == engines ? 0 : engine + 1;
  } while (bytes != 0);
  return end;
}

/// Returns the time that a message takes of the busiest stage.
double stage_time(const MessageCosts& costs, std::uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  const double engines =
      costs.dma_bandwidth == 0 ? 0 : size / costs.dma_bandwidth / std::max(1u, costs.dma_engines);
  return std::max({costs.overhead, engines, size / costs.bandwidth});
}

}  // namespace

double one_way_time(const MessageCosts& costs, std::uint64_t bytes) {
  return 2 * costs.overhead + costs.path + transfer_time(costs, bytes) +
         (bytes > costs.eager ? costs.handshake : 0);
}

double window_rate(const MessageCosts& costs, std::uint64_t bytes, std::uint32_t window) {
  const double time = (window - 1) * stage_time(costs, bytes) + one_way_time(costs, bytes) +
                      one_way_time(costs, std::min(kAnswer, costs.eager));
  return static_cast<double>(bytes) * window / time;
}

double message_gap(const MessageCosts& costs, std::uint64_t bytes, std::uint32_t window, double rate) {
  const double time = static_cast<double>(bytes) * window / rate;
  return (time - one_way_time(costs, bytes) - one_way_time(costs, std::min(kAnswer, costs.eager))) /
         (window - 1);
}

}  // namespace psim::predict

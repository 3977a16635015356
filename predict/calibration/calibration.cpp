// SPDX-License-Identifier: Apache-2.0
#include "predict/calibration/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/error.h"
#include "predict/least_squares.h"

namespace psim::predict {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t kFewestSizes = 6;
constexpr double kLeastSpan = 64;            // between the smallest and the largest size
constexpr double kNoise = 0.01;              // relative error of a measurement, besides its printed digits
constexpr std::uint64_t kSmallMessage = 64;  // bytes up to which a rate is limited by messages, not by bytes
constexpr std::uint64_t kLongMessage = 65536;
constexpr std::uint64_t kLeastPayload = 256, kMostPayload = 65536;
constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};
constexpr std::size_t kPlateau = 3;  // rates of the longest messages whose mean is the bandwidth

enum Column { kEmpty, kFirst, kOther, kStep, kColumns };

/// A curve for one payload and one eager limit.
struct Curve {
  std::uint64_t payload = 0, eager = kNoLimit;
  double coefficients[kColumns] = {}, errors[kColumns] = {};
  double criterion = std::numeric_limits<double>::infinity();
};

struct Point {
  double bytes, seconds, weight;  ///< weight: of the residual
};

std::vector<Point> latency_points(std::span<const BenchmarkTable> tables) {
  std::vector<Point> points;
  for (const BenchmarkTable& table : tables)
    if (table.kind == BenchmarkKind::Latency)
      for (const BenchmarkRow& row : table.rows)
        points.push_back({static_cast<double>(row.bytes), row.value,
                          1 / std::hypot(kNoise * row.value, row.resolution / std::sqrt(3.0))});
  return points;
}

/// The values that are known before the fit of a curve.
struct Known {
  double other = -1;    ///< the time per byte behind the first packet; < 0: unknown
  double overhead = 0;  ///< of either side
  bool free_step =
      false;  ///< the handshake is a coefficient of its own, not that of the simulated rendezvous
};

/// Fits a curve with no coefficient below 0: columns whose coefficient would be negative are left out, the
/// most negative one first. The handshake of the simulated rendezvous is two control messages, 2 (A - 2 o).
Curve fit_curve(std::span<const Point> points, std::uint64_t payload, std::uint64_t eager,
                const Known& known) {
  Curve curve{.payload = payload, .eager = eager};
  std::vector<Column> used{kEmpty, kFirst};
  if (known.other < 0) used.push_back(kOther);
  if (eager != kNoLimit && known.free_step) used.push_back(kStep);
  const auto rows = static_cast<Index>(points.size());
  MatrixXd all(rows, kColumns);
  VectorXd wanted(rows);
  for (Index i = 0; i < rows; ++i) {
    const Point& point = points[static_cast<std::size_t>(i)];
    const double first = std::min(point.bytes, static_cast<double>(payload));
    const bool long_message = point.bytes > static_cast<double>(eager);
    const bool handshake = long_message && !known.free_step;
    all.row(i) << (handshake ? 3 : 1), first, point.bytes - first, long_message ? 1 : 0;
    wanted[i] =
        point.seconds - std::max(0.0, known.other) * all(i, kOther) + (handshake ? 4 * known.overhead : 0);
    all.row(i) *= point.weight;
    wanted[i] *= point.weight;
  }
  curve.coefficients[kOther] = std::max(0.0, known.other);
  while (!used.empty()) {
    MatrixXd matrix(rows, static_cast<Index>(used.size()));
    for (std::size_t c = 0; c < used.size(); ++c) matrix.col(static_cast<Index>(c)) = all.col(used[c]);
    const VectorXd scale = matrix.colwise().norm().cwiseMax(1e-300);
    matrix = matrix * scale.cwiseInverse().asDiagonal();
    const VectorXd solution = least_squares(matrix, wanted);
    Index lowest = 0;
    if (solution.minCoeff(&lowest) < 0) {
      used.erase(used.begin() + lowest);
      continue;
    }
    const double squares = (product(matrix, solution) - wanted).squaredNorm();
    const auto free = static_cast<double>(std::max<Index>(1, rows - static_cast<Index>(used.size())));
    const MatrixXd inverse = pseudo_inverse_of_squares(matrix);
    for (std::size_t c = 0; c < used.size(); ++c) {
      const auto column = static_cast<Index>(c);
      curve.coefficients[used[c]] = solution[column] / scale[column];
      curve.errors[used[c]] = std::sqrt(squares / free * inverse(column, column)) / scale[column];
    }
    const double parameters = static_cast<double>(used.size()) + (eager != kNoLimit);
    curve.criterion = squares + parameters * std::log(static_cast<double>(rows));
    break;
  }
  return curve;
}

/// Returns the best curve over all payloads and eager limits. A payload other than the base's counts as one
/// more parameter.
Curve best_curve(std::span<const Point> points, const CalibrationBase& base, const Known& known) {
  std::set<std::uint64_t> sizes;
  for (const Point& point : points) sizes.insert(static_cast<std::uint64_t>(point.bytes));
  std::vector<std::uint64_t> limits{kNoLimit};
  if (sizes.size() > 4) limits.insert(limits.end(), std::next(sizes.begin(), 2), std::prev(sizes.end(), 2));
  std::set<std::uint64_t> payloads{base.payload};
  for (std::uint64_t payload = kLeastPayload; payload <= kMostPayload; payload *= 2) payloads.insert(payload);
  const double price = std::log(static_cast<double>(points.size()));
  Curve best;
  for (const std::uint64_t payload : payloads)
    for (const std::uint64_t limit : limits) {
      Curve curve = fit_curve(points, payload, limit, known);
      if (payload != base.payload) curve.criterion += price;
      if (curve.criterion < best.criterion) best = curve;
    }
  return best;
}

/// Returns the mean rate of the longest messages; 0 if there are none.
FittedValue plateau(std::span<const BenchmarkTable> tables) {
  std::vector<double> rates;
  for (const BenchmarkTable& table : tables)
    if (table.kind == BenchmarkKind::Bandwidth)
      for (const BenchmarkRow& row : table.rows)
        if (row.bytes >= kLongMessage) rates.push_back(row.value);
  if (rates.empty()) return {};
  std::sort(rates.rbegin(), rates.rend());
  rates.resize(std::min(rates.size(), kPlateau));
  const Eigen::Map<const VectorXd> values(rates.data(), static_cast<Index>(rates.size()));
  const double mean = values.mean();
  return {mean, std::sqrt((values.array() - mean).square().mean())};
}

/// Returns the gap between small messages: the median over the small sizes of all bandwidth tables. `empty`
/// is the time of an empty message.
FittedValue small_message_gap(std::span<const BenchmarkTable> tables, double empty) {
  MessageCosts costs;
  costs.path = empty;
  costs.bandwidth = std::numeric_limits<double>::infinity();
  std::vector<double> gaps;
  for (const BenchmarkTable& table : tables)
    if (table.kind == BenchmarkKind::Bandwidth && table.window > 1)
      for (const BenchmarkRow& row : table.rows)
        if (row.bytes > 0 && row.bytes <= kSmallMessage) {
          // The rate of messages has more digits than that of bytes.
          const double rate = row.messages > 0 ? row.messages * static_cast<double>(row.bytes) : row.value;
          gaps.push_back(message_gap(costs, row.bytes, table.window, rate));
        }
  if (gaps.empty()) return {};
  std::sort(gaps.begin(), gaps.end());
  return {std::max(0.0, gaps[gaps.size() / 2]), (gaps.back() - gaps.front()) / 2};
}

/// Sets channel and DMA engines so that the first packet takes `first` seconds per byte and the others
/// `other`.
void set_rates(Calibration& found, double first, double other) {
  MessageCosts& costs = found.costs;
  costs.bandwidth = 1 / other;
  const double excess = first / other - 1;  // of read and write, in times of the channel
  constexpr double kNone = 0.02;
  constexpr std::uint32_t kMostEngines = 64;
  if (excess < kNone) return;
  // With e engines, read and write of a packet may each take e times as long as the channel.
  const double engines = std::ceil(excess / 2 - 1e-9);
  costs.dma_engines = static_cast<std::uint32_t>(std::clamp(engines, 1.0, double{kMostEngines}));
  costs.dma_bandwidth = std::max(2 / (first - other), 1 / (other * costs.dma_engines));
}

std::string microseconds(double seconds) { return fmt::format("{:.3g} us", seconds * 1e6); }

/// Divides the time of an empty message among processors, interfaces and routers.
void divide_empty_message(Calibration& found, const CalibrationBase& base) {
  MessageCosts& costs = found.costs;
  const double empty = found.empty_message.value;
  if (empty < base.routers)
    throw UserError(fmt::format(
        "the measured time of an empty message, {}, is below the {} that the routers and cables of "
        "the base take; expected another --base or --routers",
        microseconds(empty), microseconds(base.routers)));
  const double most = (empty - base.routers) / 2;
  costs.overhead = std::min(found.gap.value, most);
  costs.path = empty - 2 * costs.overhead;
  found.interface_delay = (costs.path - base.routers) / 2;
  if (found.gap.value == 0)
    found.open.push_back(
        "mpi.send_overhead and mpi.recv_overhead are 0: no table of windows (osu_bw) shows the rate of small "
        "messages");
  else
    found.open.push_back(
        "mpi.send_overhead equals mpi.recv_overhead: the slower side limits the rate of messages, and the "
        "benchmarks do not show which one it is");
  if (found.gap.value > most)
    found.open.push_back(fmt::format(
        "the gap between small messages, {}, exceeds the {} that each side of an empty message can take; the "
        "simulated rate of messages is higher than the measured one",
        microseconds(found.gap.value), microseconds(most)));
  found.open.push_back(fmt::format(
      "the time in routers, {}, is the base's; interfaces take the rest, so longer routes are as in the base",
      microseconds(base.routers)));
}

void set_handshake(Calibration& found, const Curve& curve, std::span<const Point> points, Known known) {
  const double simulated = 2 * (found.costs.path + 1 / found.costs.bandwidth);
  found.eager_limit = curve.eager != kNoLimit;
  if (!found.eager_limit) {
    found.costs.eager = 0;
    for (const Point& point : points)
      found.costs.eager = std::max(found.costs.eager, static_cast<std::uint64_t>(point.bytes));
    found.open.push_back(
        "mpi.eager is the longest measured message: the latency shows no step where a rendezvous begins");
    return;
  }
  found.costs.eager = curve.eager;
  found.costs.handshake = simulated;
  known.free_step = true;
  const Curve free = fit_curve(points, curve.payload, curve.eager, known);
  found.handshake = {free.coefficients[kStep], free.errors[kStep]};
  found.open.push_back(
      fmt::format("the handshake of a rendezvous takes {} in the simulation (two control messages), and {} "
                  "as measured; no "
                  "key sets it",
                  microseconds(simulated), microseconds(found.handshake.value)));
}

void add_rows(Calibration& found, std::span<const BenchmarkTable> tables) {
  for (const BenchmarkTable& table : tables)
    for (const BenchmarkRow& row : table.rows) {
      const double fitted = table.kind == BenchmarkKind::Latency
                                ? one_way_time(found.costs, row.bytes)
                                : window_rate(found.costs, row.bytes, table.window);
      found.rows.push_back({table.name, table.kind, row.bytes, row.value, fitted});
    }
}

void check_sizes(std::span<const Point> points) {
  if (points.empty())
    throw UserError("no latency among the benchmarks; expected the output of osu_latency or IMB PingPong");
  std::set<double> sizes;
  for (const Point& point : points) sizes.insert(point.bytes);
  const double least = std::max(1.0, *sizes.begin());
  if (sizes.size() < kFewestSizes || *sizes.rbegin() / least < kLeastSpan)
    throw UserError(
        fmt::format("the latency has {} sizes from {} to {} bytes; expected at least {}, the largest {} "
                    "times the smallest",
                    sizes.size(), *sizes.begin(), *sizes.rbegin(), kFewestSizes, kLeastSpan));
}

}  // namespace

double Calibration::mean_error() const {
  double sum = 0;
  for (const CalibrationRow& row : rows) sum += std::abs(row.error());
  return sum / static_cast<double>(rows.size());
}

const CalibrationRow& Calibration::worst() const {
  return *std::max_element(rows.begin(), rows.end(), [](const CalibrationRow& a, const CalibrationRow& b) {
    return std::abs(a.error()) < std::abs(b.error());
  });
}

Calibration calibrate(std::span<const BenchmarkTable> tables, const CalibrationBase& base) {
  const std::vector<Point> points = latency_points(tables);
  check_sizes(points);
  const FittedValue rate = plateau(tables);
  Calibration found;
  const double shortest = std::min_element(points.begin(), points.end(), [](const Point& a, const Point& b) {
                            return a.seconds < b.seconds;
                          })->seconds;
  found.gap = small_message_gap(tables, shortest);
  const Known known{.other = rate.value == 0 ? -1 : 1 / rate.value,
                    .overhead = std::clamp(found.gap.value, 0.0, std::max(0.0, shortest - base.routers) / 2)};
  const Curve curve = best_curve(points, base, known);
  found.costs.payload = curve.payload;
  found.empty_message = {curve.coefficients[kEmpty], curve.errors[kEmpty]};
  found.first_byte = {curve.coefficients[kFirst], curve.errors[kFirst]};
  found.other_bytes = {curve.coefficients[kOther], curve.errors[kOther]};
  if (rate.value != 0)
    found.other_bytes.error = rate.error / (rate.value * rate.value);
  else
    found.open.push_back(
        "the bandwidth is that of one message at a time: no osu_bw or IMB Uniband was given");
  double other = found.other_bytes.value;
  if (!(other > 0)) other = found.first_byte.value;  // no message is longer than a packet
  if (!(other > 0))
    throw UserError("the latency does not grow with the size of the message; expected longer messages");
  set_rates(found, found.first_byte.value, other);
  found.knee = found.costs.dma_bandwidth != 0;
  if (!found.knee)
    found.open.push_back(
        "nic.payload is the base's: the first packet costs no more per byte than the others");
  divide_empty_message(found, base);
  set_handshake(found, curve, points, known);
  add_rows(found, tables);
  return found;
}

}  // namespace psim::predict

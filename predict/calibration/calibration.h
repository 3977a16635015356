// SPDX-License-Identifier: Apache-2.0
// Fits latency, bandwidth, overheads, eager limit and gap of a network to point-to-point benchmarks of a real
// machine. docs/decisions/0047 has the reasons.
//
// A latency curve is taken as T(s) = A + a·min(s, P) + b·max(0, s − P) + J·[s > E]: A the time of an empty
// message, a and b the times per byte of the first packet and of all others (read, channel and write follow
// one another in the first, and overlap in the others), P the payload of a packet, E the eager limit, J the
// handshake of a rendezvous, two control messages as in the simulation. All P and E are tried. For each,
// non-negative coefficients minimise the squared errors, relative to 1 % of the value and the printed digits.
// The Bayesian information criterion chooses.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "predict/calibration/benchmark_table.h"
#include "predict/calibration/message_time.h"

namespace psim::predict {

/// Values that the benchmarks cannot show, from the machine that is the base. Times in seconds.
struct CalibrationBase {
  double routers = 0;            ///< time in the routers and cables between the two nodes, without interfaces
  std::uint64_t payload = 2048;  ///< of a packet, in bytes, if the curve does not show it
};

/// A value with its standard error.
struct FittedValue {
  double value = 0, error = 0;
};

/// A row of a benchmark, with the calibrated value.
struct CalibrationRow {
  std::string benchmark;
  BenchmarkKind kind;
  std::uint64_t bytes;
  double measured, fitted;  ///< seconds or bytes per second
  double error() const { return fitted / measured - 1; }
};

struct Calibration {
  MessageCosts costs;
  double interface_delay = 0;           ///< nic.delay: half of the path that the routers do not explain
  FittedValue empty_message;            ///< A
  FittedValue first_byte, other_bytes;  ///< a and b, in seconds per byte
  FittedValue handshake;                ///< J; 0 if the curve shows no eager limit
  FittedValue gap;                      ///< between small messages; 0 without a bandwidth table
  bool knee = false;                    ///< the curve shows the payload of a packet
  bool eager_limit = false;             ///< the curve shows an eager limit
  std::vector<CalibrationRow> rows;
  std::vector<std::string> open;  ///< assumptions that these benchmarks cannot check, and what does not fit

  double mean_error() const;            ///< of the rows, without sign
  const CalibrationRow& worst() const;  ///< row of the largest error
};

/// Throws UserError if the tables cannot give a fit: no latency, or too few sizes.
Calibration calibrate(std::span<const BenchmarkTable> tables, const CalibrationBase& base);

}  // namespace psim::predict

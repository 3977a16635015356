// SPDX-License-Identifier: Apache-2.0
// The order of packets on every channel, written by `psim net --order FILE` and compared by `psim diff`: if
// two runs diverge, this shows where they first do.
//
// The file: "psimord1", the number of channels (32 bits) and 32 bits of 0, the Ends of each channel, then a
// net::Grant for each packet that passed each channel, in order of time. Little-endian.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "netsim/fabric/grant_log.h"
#include "netsim/topology/graphs/graph.h"

namespace psim {

class OrderFile final : public net::GrantLog {
 public:
  /// Opens the file. Throws UserError if it cannot be written.
  explicit OrderFile(const std::string& path) : file_(path, "--order") {}
  /// Begins the file. Call it before the first grant.
  void begin(const net::Graph& graph);
  void granted(const net::Grant& grant) override {
    buffer_.push_back(grant);
    if (buffer_.size() == kBuffered) flush();
  }
  void commit();

 private:
  static constexpr std::size_t kBuffered = 1 << 16;
  void flush();

  OutputFile file_;
  std::vector<net::Grant> buffer_;
};

struct PacketOrder {
  static constexpr std::uint32_t kNode = 0x80000000;  ///< in Ends::to: a node's number follows
  struct Ends {
    std::uint32_t from = 0;  ///< router
    std::uint32_t to = 0;    ///< router; or kNode + node
  };
  std::vector<Ends> ends;            ///< of each channel
  std::vector<std::uint64_t> first;  ///< index into grants of each channel, and one more
  std::vector<net::Grant> grants;    ///< by channel, in order
};

/// Returns whether a file begins as an order file does.
bool is_packet_order(const std::string& path);
/// Reads an order file. Throws UserError.
PacketOrder read_packet_order(const std::string& path);

/// Prints where packets of two runs first pass a channel in different order, and first at different times.
/// Returns true if they never do. Throws UserError if the networks differ.
bool compare_packet_orders(const std::string& first, const std::string& second);

}  // namespace psim

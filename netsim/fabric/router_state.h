// SPDX-License-Identifier: Apache-2.0
// The state of all routers, laid out by router and port: an event touches one or two cache lines. With two
// virtual channels and up to 32 ports a port is one line; Router<true> relies on it and computes less.
//
// A port is one input and one output: PortHead; a request bit for each of the first 64 candidates (input,
// virtual channel) of this output; the input's first Unit; for each virtual channel the input's InputVc and
// the output's credits; then the bits of further candidates, and further Units. So the state of common
// routers has offsets known to the compiler. A router's PortCounts follow its ports.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "netsim/engine/huge_pages.h"
#include "netsim/engine/prefetch.h"
#include "netsim/topology/graphs/graph.h"

namespace psim::net {

/// The state of an output.
struct PortHead {
  std::uint64_t waking : 1 = 0;       ///< a Freed event is pending
  std::uint64_t busy_until : 63 = 0;  ///< ps
  std::uint32_t to_router = Channel::kNowhere;
  std::uint16_t to_port = 0;
  std::uint16_t turn = 0;  ///< the crossbar input, port · input_speedup + unit, with the highest priority
};
/// A connection of an input to the crossbar, for 1/input_speedup of its virtual channels.
struct Unit {
  std::uint64_t waking : 1 = 0;
  std::uint64_t busy_until : 63 = 0;  ///< ps
};
struct InputVc {
  static constexpr std::uint32_t kNone = 0xffffffff;
  std::uint32_t head = kNone;  ///< packets, first in first out
  std::uint32_t tail = kNone;
  std::uint16_t port = 0;  ///< the route of its head, if it requests
  std::uint8_t vc = 0;
  bool requests : 1 = false;
  bool enters : 1 = false;    ///< Route::enters
  std::uint8_t turn : 4 = 0;  ///< of a unit's first: the unit's virtual channel with the highest priority
};
/// The state of a virtual channel of a port: the input's, and the output's credits in bytes.
struct VcState {
  InputVc input;
  std::uint32_t credits = 0;
};
/// Traffic counters of an output.
struct PortCount {
  std::uint64_t busy = 0;   ///< ps during which packets passed
  std::uint64_t bytes = 0;  ///< of these packets
  std::uint32_t packets = 0;
  std::uint8_t kind = 0;  ///< Channel::kind
  CableClass cable = CableClass::Usual;
};
static_assert(sizeof(PortHead) == 16 && sizeof(Unit) == 8 && sizeof(InputVc) == 12 &&
              sizeof(PortCount) == 24);

class RouterStates {
 public:
  /// Number of virtual channels that fit into a line.
  static constexpr std::uint32_t kVcsOfLine = 2;
  /// Returns whether every port of these routers is one line: up to kVcsOfLine virtual channels, one Unit,
  /// candidates of one word.
  static bool one_line(const Graph& graph, std::uint32_t vcs, std::uint32_t speedup);
  /// Gives all virtual channels `buffer` bytes of credit. one_line() routers with one virtual channel have an
  /// unused second one.
  RouterStates(const Graph& graph, std::uint32_t vcs, std::uint32_t speedup, std::uint32_t buffer);

  /// Returns the shift of candidates: port << vc_shift() | virtual channel.
  std::uint32_t vc_shift() const { return vc_shift_; }

  /// One router; if `OneLine`, one for which one_line() holds.
  template <bool OneLine = false>
  class Router {
   public:
    std::uint32_t ports() const { return ports_; }
    std::uint32_t words() const { return OneLine ? 1 : words_; }  ///< of request(), 64 candidates each
    PortHead& head(std::uint32_t port) const { return *reinterpret_cast<PortHead*>(at(port)); }
    std::uint64_t& request(std::uint32_t port, std::uint32_t word) const {
      const std::size_t from = OneLine || word == 0 ? kRequest : more_ + 8 * (std::size_t{word} - 1);
      return *reinterpret_cast<std::uint64_t*>(at(port) + from);
    }
    /// Returns whether a packet requests the output.
    bool requested(std::uint32_t port) const {
      if (request(port, 0) != 0) return true;
      for (std::uint32_t word = 1; word < words(); ++word)
        if (request(port, word) != 0) return true;
      return false;
    }
    Unit& unit(std::uint32_t port, std::uint32_t unit) const {
      const std::size_t from = OneLine || unit == 0 ? kUnit : units_ + 8 * (std::size_t{unit} - 1);
      return *reinterpret_cast<Unit*>(at(port) + from);
    }
    /// Returns the states of the port's virtual channels.
    VcState* vcs(std::uint32_t port) const { return reinterpret_cast<VcState*>(at(port) + kVcs); }
    std::uint32_t& credits(std::uint32_t port, std::uint32_t vc) const { return vcs(port)[vc].credits; }
    InputVc& input(std::uint32_t port, std::uint32_t vc) const { return vcs(port)[vc].input; }
    PortCount& count(std::uint32_t port) const { return reinterpret_cast<PortCount*>(at(ports_))[port]; }

   private:
    friend class RouterStates;
    static constexpr std::size_t kRequest = sizeof(PortHead), kUnit = kRequest + 8,
                                 kVcs = kUnit + sizeof(Unit);

    std::byte* at(std::uint32_t port) const {
      return first_ + std::size_t{port} * (OneLine ? kLine : stride_);
    }

    std::byte* first_ = nullptr;
    std::uint32_t stride_ = 0, more_ = 0, units_ = 0, ports_ = 0, words_ = 0;
  };
  template <bool OneLine = false>
  Router<OneLine> router(std::uint32_t router) const;

  template <bool OneLine>
  void prefetch(std::uint32_t router, std::uint32_t port) const {
    const Location& at = locations_[router];
    prefetch_lines(&bytes_[std::size_t{at.line} * kLine], OneLine ? kLine : std::size_t{at.stride} * kGrain,
                   port);
  }
  /// Prefetches an input and an output port, and the output's traffic counters.
  template <bool OneLine>
  void prefetch(std::uint32_t router, std::uint32_t port, std::uint32_t output) const {
    const Location& at = locations_[router];
    const std::size_t size = OneLine ? kLine : std::size_t{at.stride} * kGrain;
    const std::byte* first = &bytes_[std::size_t{at.line} * kLine];
    prefetch_lines(first, size, port);
    prefetch_lines(first, size, output);
    prefetch_line(first + at.ports * size + output * sizeof(PortCount));
  }

 private:
  static constexpr std::uint32_t kGrain = 16, kLine = 64;
  struct Location {
    std::uint32_t line;  ///< where it begins, in kLine bytes
    std::uint16_t ports;
    std::uint16_t stride;  ///< of a port, in kGrain bytes
  };

  static void prefetch_lines(const std::byte* first, std::size_t size, std::uint32_t port) {
    prefetch_line(first + port * size);
    if (size > kLine) prefetch_line(first + (port + 1) * size - 1);
  }
  std::uint32_t stride(std::uint32_t words) const;

  std::uint32_t vcs_, speedup_, vc_shift_;
  std::vector<Location> locations_;  ///< by router, and one past the last
  mutable HugeVector<std::byte> bytes_;
};

inline std::uint32_t RouterStates::stride(std::uint32_t words) const {
  // Whole lines where that costs little, and a grain for each further word, so that the stride gives their
  // number.
  const std::uint32_t size = 16 + 8 + 8 * speedup_ + 16 * vcs_;
  return (size <= kLine ? kLine : (size + kGrain - 1) / kGrain * kGrain) + kGrain * (words - 1);
}

template <bool OneLine>
RouterStates::Router<OneLine> RouterStates::router(std::uint32_t router) const {
  const Location& at = locations_[router];
  Router<OneLine> result;
  result.first_ = &bytes_[std::size_t{at.line} * kLine];
  result.ports_ = at.ports;
  if constexpr (OneLine) return result;
  result.stride_ = at.stride * kGrain;
  result.words_ = (result.stride_ - stride(1)) / kGrain + 1;
  result.more_ = static_cast<std::uint32_t>(Router<>::kVcs + sizeof(VcState) * vcs_);
  result.units_ = result.more_ + 8 * (result.words_ - 1);
  return result;
}

}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <ios>
#include <ostream>

namespace psim::net {

/// State of std::cout, std::cerr and std::clog that programs change: buffer, format and errors.
class CppStreams {
 public:
  /// Reads the present state.
  CppStreams();
  /// Makes this the present state.
  void enter() const;
  bool operator==(const CppStreams&) const = default;

 private:
  struct State {
    std::streambuf* buffer;
    std::ostream* tied;
    std::streamsize width, precision;
    std::ios::fmtflags flags;
    std::ios::iostate errors, exceptions;
    char fill;
    bool operator==(const State&) const = default;
  };
  static State read(const std::ostream& stream);
  static void set(std::ostream& stream, const State& state);

  std::array<State, 3> states_;
};

}  // namespace psim::net

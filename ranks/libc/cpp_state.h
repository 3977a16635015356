// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <exception>
#include <ios>
#include <ostream>

namespace psim::net {

/// State of the C++ library that programs change: buffer, format and errors of std::cout, std::cerr and
/// std::clog, and the handler of std::terminate().
class CppState {
 public:
  /// Reads the present state.
  CppState();
  /// Makes this the present state.
  void enter() const;
  bool operator==(const CppState&) const = default;

 private:
  struct Stream {
    std::streambuf* buffer;
    std::ostream* tied;
    std::streamsize width, precision;
    std::ios::fmtflags flags;
    std::ios::iostate errors, exceptions;
    char fill;
    bool operator==(const Stream&) const = default;
  };
  static Stream read(const std::ostream& stream);
  static void set(std::ostream& stream, const Stream& state);

  std::array<Stream, 3> streams_;
  std::terminate_handler terminate_;
};

}  // namespace psim::net

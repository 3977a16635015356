// SPDX-License-Identifier: Apache-2.0
#include "ranks/libc/cpp_streams.h"

#include <iostream>

namespace psim::net {

CppStreams::CppStreams() : states_{read(std::cout), read(std::cerr), read(std::clog)} {}

void CppStreams::enter() const {
  set(std::cout, states_[0]);
  set(std::cerr, states_[1]);
  set(std::clog, states_[2]);
}

CppStreams::State CppStreams::read(const std::ostream& stream) {
  return {stream.rdbuf(), stream.tie(),     stream.width(),      stream.precision(),
          stream.flags(), stream.rdstate(), stream.exceptions(), stream.fill()};
}

void CppStreams::set(std::ostream& stream, const State& state) {
  stream.exceptions(std::ios::goodbit);
  stream.rdbuf(state.buffer);
  stream.tie(state.tied);
  stream.width(state.width);
  stream.precision(state.precision);
  stream.flags(state.flags);
  stream.fill(state.fill);
  stream.clear(state.errors);
  try {
    stream.exceptions(state.exceptions);
  } catch (const std::ios::failure&) {  // the rank has had this exception
  }
}

}  // namespace psim::net

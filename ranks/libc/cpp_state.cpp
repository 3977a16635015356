// SPDX-License-Identifier: Apache-2.0
#include "ranks/libc/cpp_state.h"

#include <iostream>

namespace psim::net {

CppState::CppState()
    : streams_{read(std::cout), read(std::cerr), read(std::clog)}, terminate_(std::get_terminate()) {}

void CppState::enter() const {
  set(std::cout, streams_[0]);
  set(std::cerr, streams_[1]);
  set(std::clog, streams_[2]);
  std::set_terminate(terminate_);
}

CppState::Stream CppState::read(const std::ostream& stream) {
  return {stream.rdbuf(), stream.tie(),     stream.width(),      stream.precision(),
          stream.flags(), stream.rdstate(), stream.exceptions(), stream.fill()};
}

void CppState::set(std::ostream& stream, const Stream& state) {
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

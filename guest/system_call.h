// SPDX-License-Identifier: Apache-2.0
// The table of system calls: one row {number, name, arity, handler} per call, in families (calls/*.cpp).
#pragma once

#include <array>
#include <cerrno>
#include <cstdint>
#include <span>
#include <string_view>

namespace psim::isa {

class Process;

/// %o0–%o5.
using Arguments = std::array<std::uint64_t, 6>;

/// The result of a call. `error` is a host errno; the dispatcher translates it.
struct CallResult {
  enum class Kind : std::uint8_t {
    Value,
    Error,
    Interrupted,  ///< EINTR, but repeated if the handler has SA_RESTART
    Done,         ///< the handler has already set the registers (sigreturn, fork, exit)
  };
  Kind kind = Kind::Value;
  std::uint64_t value = 0;
  int error = 0;

  CallResult(std::uint64_t v = 0) : value(v) {}  // NOLINT: a value is a result
  static CallResult fail(int host_errno) {
    CallResult result;
    result.kind = Kind::Error, result.error = host_errno;
    return result;
  }
  static CallResult interrupted() {
    CallResult result;
    result.kind = Kind::Interrupted, result.error = EINTR;
    return result;
  }
  static CallResult done() {
    CallResult result;
    result.kind = Kind::Done;
    return result;
  }
  /// Converts the result of a host call: -1 means errno.
  static CallResult of(std::int64_t host_result) {
    return host_result < 0 ? fail(errno) : CallResult(static_cast<std::uint64_t>(host_result));
  }
  /// Converts 0 or a host errno.
  static CallResult of_error(int host_errno) { return host_errno ? fail(host_errno) : CallResult(0); }
};

struct SystemCall {
  unsigned number;
  std::string_view name;
  unsigned arity;
  CallResult (*handler)(Process&, const Arguments&);
};

/// Returns null for a call that is not implemented.
const SystemCall* find_system_call(std::uint64_t number);

/// The families.
namespace calls {
std::span<const SystemCall> descriptors();
std::span<const SystemCall> input_output();
std::span<const SystemCall> contents();
std::span<const SystemCall> paths();
std::span<const SystemCall> status();
std::span<const SystemCall> directories();
std::span<const SystemCall> memory();
std::span<const SystemCall> time();
std::span<const SystemCall> signals();
std::span<const SystemCall> processes();
std::span<const SystemCall> executing();
std::span<const SystemCall> threads();
std::span<const SystemCall> identity();
std::span<const SystemCall> waiting();
std::span<const SystemCall> events();
std::span<const SystemCall> sockets();
std::span<const SystemCall> system();
}  // namespace calls

}  // namespace psim::isa

// SPDX-License-Identifier: Apache-2.0
// Signal numbers and codes of Linux on SPARC (asm/signal.h), and their counterparts on the host.
#pragma once

#include <cstdint>
#include <string>

namespace psim::isa::sig {

enum : int {
  kHup = 1,
  kInt = 2,
  kQuit = 3,
  kIll = 4,
  kTrap = 5,
  kAbrt = 6,
  kEmt = 7,
  kFpe = 8,
  kKill = 9,
  kBus = 10,
  kSegv = 11,
  kSys = 12,
  kPipe = 13,
  kAlrm = 14,
  kTerm = 15,
  kUrg = 16,
  kStop = 17,
  kTstp = 18,
  kCont = 19,
  kChld = 20,
  kTtin = 21,
  kTtou = 22,
  kIo = 23,
  kXcpu = 24,
  kXfsz = 25,
  kVtalrm = 26,
  kProf = 27,
  kWinch = 28,
  kLost = 29,
  kUsr1 = 30,
  kUsr2 = 31,
  kMost = 64,
};

/// si_code values used here (asm-generic/siginfo.h).
namespace code {
inline constexpr int kUser = 0, kKernel = 0x80, kQueue = -1, kTimer = -2, kTkill = -6, kNoInfo = 32767;
inline constexpr int kIllOpcode = 1, kIllTrap = 4, kPrivileged = 5;
inline constexpr int kIntegerDivide = 1, kFloatDivide = 3, kFloatOverflow = 4, kFloatUnderflow = 5,
                     kFloatInexact = 6, kFloatInvalid = 7;
inline constexpr int kNotMapped = 1, kNotPermitted = 2;
inline constexpr int kMisaligned = 1, kNoObject = 2;
inline constexpr int kBreakpoint = 1, kTagOverflow = 1;
}  // namespace code

/// Returns the host's number, 0 if it has none (SIGEMT). Real-time signals keep their numbers.
int to_host(int guest);
/// Returns the guest's number, 0 if it has none (SIGSTKFLT).
int from_host(int host);
/// Returns "SIGSEGV", "SIGRT40".
std::string name(int guest);

enum class Default : std::uint8_t { Terminate, Ignore, Stop, Continue };
Default default_action(int guest);
/// Returns true if its default action ends the process with a core dump.
bool dumps_core(int guest);

inline constexpr std::uint64_t bit(int guest) { return std::uint64_t{1} << (guest - 1); }
/// Signals that cannot be caught, blocked or ignored.
inline constexpr std::uint64_t kUnblockable = bit(kKill) | bit(kStop);

}  // namespace psim::isa::sig

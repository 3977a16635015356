// SPDX-License-Identifier: Apache-2.0
#include "guest/signal_numbers.h"

#include <array>
#include <csignal>

namespace psim::isa::sig {

namespace {

struct Row {
  int host;
  const char* name;
};
constexpr std::array<Row, 32> kRows{{
    {0, ""},
    {SIGHUP, "SIGHUP"},
    {SIGINT, "SIGINT"},
    {SIGQUIT, "SIGQUIT"},
    {SIGILL, "SIGILL"},
    {SIGTRAP, "SIGTRAP"},
    {SIGABRT, "SIGABRT"},
    {0, "SIGEMT"},
    {SIGFPE, "SIGFPE"},
    {SIGKILL, "SIGKILL"},
    {SIGBUS, "SIGBUS"},
    {SIGSEGV, "SIGSEGV"},
    {SIGSYS, "SIGSYS"},
    {SIGPIPE, "SIGPIPE"},
    {SIGALRM, "SIGALRM"},
    {SIGTERM, "SIGTERM"},
    {SIGURG, "SIGURG"},
    {SIGSTOP, "SIGSTOP"},
    {SIGTSTP, "SIGTSTP"},
    {SIGCONT, "SIGCONT"},
    {SIGCHLD, "SIGCHLD"},
    {SIGTTIN, "SIGTTIN"},
    {SIGTTOU, "SIGTTOU"},
    {SIGIO, "SIGIO"},
    {SIGXCPU, "SIGXCPU"},
    {SIGXFSZ, "SIGXFSZ"},
    {SIGVTALRM, "SIGVTALRM"},
    {SIGPROF, "SIGPROF"},
    {SIGWINCH, "SIGWINCH"},
    {SIGPWR, "SIGLOST"},
    {SIGUSR1, "SIGUSR1"},
    {SIGUSR2, "SIGUSR2"},
}};

}  // namespace

int to_host(int guest) {
  if (guest >= 1 && guest < 32) return kRows[static_cast<std::size_t>(guest)].host;
  return guest >= 32 && guest <= kMost ? guest : 0;
}

int from_host(int host) {
  if (host >= 32 && host <= kMost) return host;
  for (int guest = 1; guest < 32; ++guest)
    if (host != 0 && kRows[static_cast<std::size_t>(guest)].host == host) return guest;
  return 0;
}

std::string name(int guest) {
  if (guest >= 1 && guest < 32) return kRows[static_cast<std::size_t>(guest)].name;
  return "SIGRT" + std::to_string(guest);
}

Default default_action(int guest) {
  switch (guest) {
    case kUrg:
    case kChld:
    case kWinch:
      return Default::Ignore;
    case kCont:
      return Default::Continue;
    case kStop:
    case kTstp:
    case kTtin:
    case kTtou:
      return Default::Stop;
    default:
      return Default::Terminate;
  }
}

bool dumps_core(int guest) {
  switch (guest) {
    case kQuit:
    case kIll:
    case kTrap:
    case kAbrt:
    case kEmt:
    case kFpe:
    case kBus:
    case kSegv:
    case kSys:
    case kXcpu:
    case kXfsz:
      return true;
    default:
      return false;
  }
}

}  // namespace psim::isa::sig

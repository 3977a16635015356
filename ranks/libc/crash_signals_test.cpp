// SPDX-License-Identifier: Apache-2.0
#include "ranks/libc/crash_signals.h"

#include <gtest/gtest.h>

#include "ranks/libc/libc_state.h"

namespace psim::net {
namespace {

#ifndef __clang__
// It ends in a jump to give_up(), which the C library then has called.
[[gnu::optimize("O2")]]
#endif
void end_process(int signal, siginfo_t*, void*) {
  crash_signals::give_up(signal);
}

TEST(CrashSignals, AFaultOfTheSimulatorInARanksTurnEndsIt) {
  EXPECT_EXIT(
      {
        static int owner;
        crash_signals::install(&owner, end_process);
        running_rank = reinterpret_cast<RunningRank*>(8);  // a call of the rank's functions is another fault
        rank_thread = true;
        __builtin_trap();
      },
      ::testing::KilledBySignal(SIGILL), "");
}

}  // namespace
}  // namespace psim::net

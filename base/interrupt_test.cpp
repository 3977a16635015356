// SPDX-License-Identifier: Apache-2.0
#include "base/interrupt.h"

#include <gtest/gtest.h>

#include <csignal>

namespace psim {
namespace {

TEST(Interrupt, TheFirstSignalIsAWishAndTheSecondEndsTheProgram) {
  const InterruptWatch watch;
  EXPECT_FALSE(interrupted());
  std::raise(SIGINT);
  EXPECT_TRUE(interrupted());
  EXPECT_EXIT(std::raise(SIGINT), ::testing::KilledBySignal(SIGINT), "");
}

TEST(Interrupt, AfterTheWatchTheOldHandlerIsBack) {
  { const InterruptWatch watch; }
  EXPECT_EXIT(std::raise(SIGTERM), ::testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace psim

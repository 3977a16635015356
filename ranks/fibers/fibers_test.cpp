// SPDX-License-Identifier: Apache-2.0
#include "ranks/fibers/fibers.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>

namespace psim::net {
namespace {

// Fibers whose body is a function object.
struct Bench {
  using Function = std::function<void(Fibers&, std::uint32_t)>;
  Bench(std::uint32_t count, Function f, Bytes stack = Bytes{65536}, std::uint32_t swapped = 0)
      : function(std::move(f)), fibers(count, stack, &Bench::body, this, swapped) {}
  static void body(void* self, std::uint32_t fiber) {
    auto& bench = *static_cast<Bench*>(self);
    bench.function(bench.fibers, fiber);
  }
  Function function;
  Fibers fibers;
};

using Outcome = Fibers::Outcome;

#ifndef PSIM_SANITIZED  // AddressSanitizer handles the second fault
TEST(FibersDeathTest, AFaultOfTheHostAfterACrashIsReportedAsDamagedMemory) {
  const auto fault = [](bool crashes_first) {
    Bench bench(1, [&](Fibers&, std::uint32_t) {
      if (crashes_first) std::abort();
    });
    bench.fibers.resume(0);
    int* volatile nowhere = nullptr;
    *static_cast<volatile int*>(nowhere) = 1;
  };
  EXPECT_EXIT(fault(true), ::testing::ExitedWithCode(1),
              "psim: the rank that crashed has damaged psim's memory \\(SIGSEGV followed\\): the run ends "
              "without results\n$");
  EXPECT_EXIT(fault(false), ::testing::KilledBySignal(SIGSEGV), "^$");
}
#endif

TEST(Fibers, AFiberContinuesWhereItSuspended) {
  std::string seen;
  Bench bench(2, [&](Fibers& fibers, std::uint32_t fiber) {
    seen += "a" + std::to_string(fiber);
    fibers.suspend();
    seen += "b" + std::to_string(fiber);
  });
  EXPECT_EQ(bench.fibers.resume(0), Outcome::Suspended);
  EXPECT_EQ(bench.fibers.resume(1), Outcome::Suspended);
  EXPECT_EQ(bench.fibers.resume(1), Outcome::Ended);
  EXPECT_EQ(bench.fibers.resume(0), Outcome::Ended);
  EXPECT_EQ(seen, "a0a1b1b0");
  EXPECT_EQ(bench.fibers.running(), Fibers::kNone);
}

#ifndef PSIM_SANITIZED  // AddressSanitizer's stacks are not swapped
TEST(Fibers, SwappedFibersHaveVariablesOfTheirOwnAtTheSameAddresses) {
  constexpr std::uint32_t kFibers = 5;
  std::array<int*, kFibers> where{};
  std::string seen;
  Bench bench(
      kFibers + 1,
      [&](Fibers& fibers, std::uint32_t fiber) {
        volatile int mine = static_cast<int>(fiber) * 10;
        std::array<volatile char, 2'000> more{};  // stacks of different depths
        for (std::size_t i = 0; i < 400 * fiber; ++i) more[i] = 'x';
        if (fiber < kFibers) where[fiber] = const_cast<int*>(&mine);
        fibers.suspend();
        seen += std::to_string(mine) + " ";
      },
      64_KiB, kFibers);
  for (std::uint32_t fiber = 0; fiber <= kFibers; ++fiber)
    EXPECT_EQ(bench.fibers.resume(fiber), Outcome::Suspended);
  EXPECT_EQ(where[1], where[0]);
  EXPECT_GT(bench.fibers.stack_bytes(), 5u * 2'000);
  // The simulator reads and writes variables of fibers that do not run.
  for (std::uint32_t fiber = 0; fiber < kFibers; ++fiber) {
    int* const there = reinterpret_cast<int*>(bench.fibers.memory(fiber, where[fiber], sizeof(int)));
    EXPECT_EQ(*there, static_cast<int>(fiber) * 10);
    *there += 1;
  }
  bench.fibers.enter(3);
  EXPECT_EQ(reinterpret_cast<int*>(bench.fibers.memory(3, where[3], sizeof(int))), where[3]);
  for (std::uint32_t fiber = kFibers + 1; fiber-- > 0;) EXPECT_EQ(bench.fibers.resume(fiber), Outcome::Ended);
  EXPECT_EQ(seen, "50 41 31 21 11 1 ");
}
#endif

TEST(Fibers, AnExceptionMayBeThrownAndCaughtAcrossASuspension) {
  int caught = 0;
  Bench bench(3, [&](Fibers& fibers, std::uint32_t fiber) {
    try {
      fibers.suspend();
      throw std::runtime_error(std::to_string(fiber));
    } catch (const std::runtime_error& error) {
      fibers.suspend();  // the other fibers throw and catch meanwhile
      if (error.what() == std::to_string(fiber)) ++caught;
      try {
        throw;  // this fiber is still the handler
      } catch (const std::runtime_error& again) {
        if (again.what() == std::to_string(fiber)) ++caught;
      }
    }
    if (std::uncaught_exceptions() == 0 && !std::current_exception()) ++caught;
  });
  for (int round = 0; round < 3; ++round)
    for (std::uint32_t i = 0; i < 3; ++i) bench.fibers.resume(round == 2 ? 2 - i : i);
  EXPECT_EQ(caught, 9);
  EXPECT_FALSE(std::current_exception());
}

TEST(Fibers, ADroppedFiberMayStartAgain) {
  int begun = 0;
  Bench bench(2, [&](Fibers& fibers, std::uint32_t) {
    ++begun;
    fibers.suspend();
  });
  bench.fibers.drop(0);  // not yet begun
  bench.fibers.resume(0);
  bench.fibers.drop(0);
  EXPECT_EQ(bench.fibers.resume(0), Outcome::Suspended);
  EXPECT_EQ(bench.fibers.resume(1), Outcome::Suspended);
  EXPECT_EQ(begun, 3);
  EXPECT_EQ(bench.fibers.resume(0), Outcome::Ended);
}

TEST(Fibers, EachFiberHasItsErrno) {
  int wrong = 0;
  Bench bench(2, [&](Fibers& fibers, std::uint32_t fiber) {
    errno = static_cast<int>(10 + fiber);
    fibers.suspend();
    if (errno != static_cast<int>(10 + fiber)) ++wrong;
  });
  errno = 5;
  for (int round = 0; round < 2; ++round)
    for (std::uint32_t i = 0; i < 2; ++i) bench.fibers.resume(i);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(errno, 5);
}

TEST(Fibers, LeavingEndsAFiberFromAnyDepth) {
  Bench bench(1, [](Fibers& fibers, std::uint32_t) {
    const std::function<void(int)> descend = [&](int depth) {
      if (depth == 0) fibers.leave();
      descend(depth - 1);
    };
    descend(20);
    FAIL() << "not reached";
  });
  EXPECT_EQ(bench.fibers.resume(0), Outcome::Ended);
}

TEST(Fibers, ASignalEndsOnlyTheFiberThatRaisedIt) {
  Bench bench(2, [](Fibers& fibers, std::uint32_t fiber) {
    fibers.suspend();
    volatile int* volatile nowhere = reinterpret_cast<int*>(0x18);
    if (fiber == 0) *nowhere = 1;
  });
  bench.fibers.resume(0);
  bench.fibers.resume(1);
  ASSERT_EQ(bench.fibers.resume(0), Outcome::Crashed);
  EXPECT_EQ(bench.fibers.crash().signal, SIGSEGV);
  EXPECT_EQ(bench.fibers.crash().address, reinterpret_cast<void*>(0x18));
  EXPECT_FALSE(bench.fibers.crash().stack_overflow);
  EXPECT_GE(bench.fibers.crash().frames, 1U);
  EXPECT_EQ(bench.fibers.resume(1), Outcome::Ended);
}

TEST(Fibers, AbortIsASignalToo) {
  Bench bench(1, [](Fibers&, std::uint32_t) { std::abort(); });
  ASSERT_EQ(bench.fibers.resume(0), Outcome::Crashed);
  EXPECT_EQ(bench.fibers.crash().signal, SIGABRT);
}

// Writes beyond the stack on purpose, which AddressSanitizer must not report.
[[gnu::noinline, gnu::no_sanitize_address]] int recurse(int depth) {
  volatile char frame[256];
  for (volatile char& byte : frame) byte = static_cast<char>(depth);
  return depth == 0 ? frame[0] : recurse(depth - 1) + frame[1];
}

TEST(Fibers, RecursionIntoTheGuardPageIsAStackOverflow) {
  Bench bench(2, [](Fibers&, std::uint32_t) { recurse(1'000'000); });
  ASSERT_TRUE(bench.fibers.stacks().guarded());
  ASSERT_EQ(bench.fibers.resume(1), Outcome::Crashed);
  EXPECT_EQ(bench.fibers.crash().signal, SIGSEGV);
  EXPECT_TRUE(bench.fibers.crash().stack_overflow);
}

TEST(Fibers, WithoutGuardPagesASwitchDetectsAnOverrun) {
  Bench bench(Stacks::kMostGuarded + 1, [](Fibers& fibers, std::uint32_t fiber) {
    fibers.suspend();
    if (fiber == 1) recurse(64 * 1024 / 256);
    fibers.suspend();
  });
  ASSERT_FALSE(bench.fibers.stacks().guarded());
  for (std::uint32_t i = 0; i < 3; ++i) ASSERT_EQ(bench.fibers.resume(i), Outcome::Suspended);
  EXPECT_EQ(bench.fibers.resume(2), Outcome::Suspended);
  ASSERT_EQ(bench.fibers.resume(1), Outcome::Crashed);
  EXPECT_TRUE(bench.fibers.crash().stack_overflow);
}

TEST(Fibers, AnEndedFibersStackIsReused) {
  std::vector<std::uintptr_t> addresses;
  Bench bench(3, [&](Fibers&, std::uint32_t) {
    volatile int local = 0;
    addresses.push_back(reinterpret_cast<std::uintptr_t>(&local));
  });
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(bench.fibers.resume(i), Outcome::Ended);
  EXPECT_EQ(addresses[0], addresses[2]);
}

std::uint64_t resident_bytes() {
  std::ifstream in("/proc/self/statm");
  std::uint64_t whole = 0, resident = 0;
  in >> whole >> resident;
  return resident * 4096;
}

TEST(Fibers, AHundredThousandStacksUseOnlyTheMemoryTheyTouch) {
  constexpr std::uint32_t kCount = 131'072;
  const std::uint64_t before = resident_bytes();
  Bench bench(
      kCount, [](Fibers& fibers, std::uint32_t) { fibers.suspend(); }, 1_MiB);
  for (std::uint32_t i = 0; i < kCount; ++i) ASSERT_EQ(bench.fibers.resume(i), Outcome::Suspended);
  const std::uint64_t each = (resident_bytes() - before) / kCount;
#ifdef PSIM_SANITIZED
  EXPECT_LT(each, 16'384U);
#else
  EXPECT_LT(each, 4'096U + 256U);  // one page, and the records of Fibers
#endif
  EXPECT_GT(each, 4'000U);
}

}  // namespace
}  // namespace psim::net

// SPDX-License-Identifier: Apache-2.0
#include "guest/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "guest/testing/tiny_program.h"

namespace psim::isa {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::TinyProgram;

constexpr std::uint32_t kSystemCall = 0x91d0206d;  // ta 0x6d
constexpr std::uint32_t mov_g1(std::uint32_t n) { return 0x82102000 | n; }
constexpr std::uint32_t mov_o0(std::uint32_t n) { return 0x90102000 | n; }
constexpr std::uint32_t mov_o1(std::uint32_t n) { return 0x92102000 | n; }
constexpr std::uint32_t kNop = 0x01000000;
constexpr std::uint32_t kLoadFromZero = 0xc2580000;    // ldx [ %g0 ], %g1
constexpr std::uint32_t kLoadMisaligned = 0xc2586001;  // ldx [ %g1 + 1 ], %g1
constexpr std::uint64_t kEver = ~std::uint64_t{0};

Ending run(std::vector<std::uint32_t> words) {
  TinyProgram program(std::move(words), false);
  EXPECT_FALSE(program.process().run(1'000'000));
  return program.process().ending().value_or(Ending{});
}

TEST(Process, TheExitStatusIsTheLowByte) {
  const Ending ending = run({mov_g1(1), mov_o0(0x142), kSystemCall});
  EXPECT_FALSE(ending.by_signal);
  EXPECT_EQ(ending.code, 0x42);
}

TEST(Process, AFaultWithoutHandlerEndsBySignalAndPrintsTheAddress) {
  ::testing::internal::CaptureStderr();
  const Ending ending = run({kNop, kLoadFromZero});
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_TRUE(ending.by_signal);
  EXPECT_EQ(ending.code, sig::kSegv);
  EXPECT_THAT(text, HasSubstr("psim: SIGSEGV: load from unmapped address 0x0 at PC 0x10007c"));
  EXPECT_THAT(text, HasSubstr("ldx [ %g0 ], %g1"));
}

TEST(Process, AFaultBeyondTheStackNamesTheOptionOfItsSize) {
  const std::uint32_t guard_to_g1 = 0x83287026 /* sllx %g1, 38, %g1 */,
                      load_below = 0xc2587ff8 /* ldx [ %g1 - 8 ] */;
  ::testing::internal::CaptureStderr();
  run({mov_g1(1), guard_to_g1, 0xc2586000 /* ldx [ %g1 ] */});
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("give it more with --stack"));
  ::testing::internal::CaptureStderr();
  run({mov_g1(1), guard_to_g1, 0x9c007001 /* add %g1, -4095, %sp */, load_below});
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("give it more with --stack"));
  ::testing::internal::CaptureStderr();
  run({mov_g1(1), guard_to_g1, load_below});
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), Not(HasSubstr("--stack")));
}

TEST(Process, EachFaultHasItsSignal) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(run({kLoadMisaligned}).code, sig::kBus);
  EXPECT_EQ(run({0}).code, sig::kIll);
  EXPECT_EQ(run({0x91d02005 /* ta 5 */}).code, sig::kIll);
  EXPECT_EQ(run({0x91d02001 /* ta 1 */}).code, sig::kTrap);
  EXPECT_EQ(run({0x91d02010 /* ta 0x10 */}).code, sig::kIll);
  ::testing::internal::GetCapturedStderr();
}

TEST(Process, AnUnknownCallIsReportedOnceAndReturnsEnosys) {
  ::testing::internal::CaptureStderr();
  TinyProgram program({mov_g1(329), mov_o0(1), kSystemCall, kSystemCall, mov_g1(1), kSystemCall}, false);
  EXPECT_FALSE(program.process().run(100));
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(text, HasSubstr("psim: system call 329 (fanotify_init) is not implemented: arguments 0x1"));
  EXPECT_THAT(text, HasSubstr("PC 0x100080"));
  EXPECT_EQ(text.find("329"), text.rfind("329"));
  EXPECT_EQ(program.process().ending()->code, 90) << "ENOSYS of SPARC, left in %o0 as the exit status";
}

TEST(Process, ACallThatFailsSetsTheCarryFlagAndOneThatSucceedsClearsIt) {
  TinyProgram program({mov_g1(6), mov_o0(77), kSystemCall, mov_g1(20), kSystemCall});
  Process& process = program.process();
  InstructionRecord record;
  for (int i = 0; i < 3; ++i) ASSERT_EQ(process.executor.step(record, true), Pull::Record);
  EXPECT_EQ(process.executor.state().cc().xcc & 1, 1);
  EXPECT_EQ(process.executor.state().r[8], 9u);  // EBADF
  for (int i = 0; i < 2; ++i) ASSERT_EQ(process.executor.step(record, true), Pull::Record);
  EXPECT_EQ(process.executor.state().cc().xcc & 1, 0);
  EXPECT_EQ(process.executor.state().r[8], ProcessFamily::kFirst);
}

TEST(Process, BadAddressesAreErrorsNeverCrashes) {
  // write(1, -4096, 8)
  TinyProgram program({mov_g1(4), mov_o0(1), mov_o1(0x1000) /* simm13: -4096 */, 0x94102008, kSystemCall,
                       mov_g1(1), kSystemCall},
                      false);
  EXPECT_FALSE(program.process().run(100));
  EXPECT_EQ(program.process().ending()->code, 14);  // EFAULT
}

TEST(Process, AnAlarmFiresInSimulatedTime) {
  // alarm(1), then pause().
  TinyProgram program({mov_g1(27), mov_o0(1), kSystemCall, mov_g1(29), kSystemCall}, false);
  EXPECT_FALSE(program.process().run(kEver));
  EXPECT_TRUE(program.process().ending()->by_signal);
  EXPECT_EQ(program.process().ending()->code, sig::kAlrm);
  // The alarm was set 1 ns (two instructions at 2 GHz) after the start.
  EXPECT_EQ(program.process().clock.now(), SimulatedClock::kSecond + 1);
}

TEST(Process, TheHeapNeverReachesTheReservedWindow) {
  TinyProgram program({kNop}, false);
  AddressSpace& space = program.process().space;
  const std::uint64_t begin = space.set_break(0);
  EXPECT_EQ(space.set_break(begin + 100), begin + 100);
  EXPECT_EQ(space.set_break(AddressSpace::kReserved + 1), begin + 100);
  EXPECT_EQ(space.set_break(kEver), begin + 100);
  EXPECT_EQ(space.set_break(begin), begin);
}

TEST(AddressSpace, NothingIsMappedIntoTheWindowOfThePes) {
  TinyProgram program({kNop}, false);
  AddressSpace& space = program.process().space;
  constexpr std::uint64_t kPage = GuestMemory::kPageBytes, kBegin = AddressSpace::kReserved,
                          kEnd = AddressSpace::kReservedEnd;
  const auto fixed = [&](std::uint64_t address, std::uint64_t bytes) {
    return space.map(address, bytes, kMapped, true, true, {});
  };
  EXPECT_EQ(fixed(kBegin, kPage), -EINVAL);
  EXPECT_EQ(fixed(kEnd - kPage, 2 * kPage), -EINVAL);
  EXPECT_EQ(fixed(kBegin - kPage, 2 * kPage), -EINVAL);
  EXPECT_EQ(fixed(kBegin - kPage, kPage), static_cast<std::int64_t>(kBegin - kPage));
  EXPECT_EQ(fixed(kEnd, kPage), static_cast<std::int64_t>(kEnd));
  EXPECT_EQ(space.remap(kEnd, kPage, kPage, true, true, kBegin), -EINVAL);
  const std::int64_t moved = space.remap(kBegin - kPage, kPage, 2 * kPage, true, false, 0);
  EXPECT_TRUE(moved < 0 || static_cast<std::uint64_t>(moved) >= kEnd);
  EXPECT_EQ(space.set_break(kBegin + 1), space.set_break(0));
}

TEST(AddressSpace, AbsurdRequestsAreRefused) {
  TinyProgram program({kNop}, false);
  AddressSpace& space = program.process().space;
  constexpr std::uint64_t kPage = GuestMemory::kPageBytes;
  EXPECT_EQ(space.map(0, 0, kMapped, false, true, {}), -EINVAL);
  EXPECT_EQ(space.map(0, kEver, kMapped, false, true, {}), -ENOMEM);
  EXPECT_EQ(space.map(1, kPage, kMapped, true, true, {}), -EINVAL);
  EXPECT_EQ(space.map(0, kPage, kMapped, true, true, {}), -EPERM);
  EXPECT_EQ(space.map(GuestMemory::kLimit, kPage, kMapped, true, true, {}), -ENOMEM);
  EXPECT_EQ(space.map(kEver - kPage + 1, kPage, kMapped, true, true, {}), -ENOMEM);
  EXPECT_EQ(space.unmap(kPage, kEver), EINVAL);
  EXPECT_EQ(space.protect(kEver - kPage + 1, kPage, kMapped), ENOMEM);
  EXPECT_EQ(space.remap(kPage, kPage, kEver, true, false, 0), -EINVAL);
  EXPECT_EQ(space.advise(0, kEver - 5, 4), ENOMEM);
}

}  // namespace
}  // namespace psim::isa

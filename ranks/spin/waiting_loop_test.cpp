// SPDX-License-Identifier: Apache-2.0
// Loops as the compiler makes them, and whether they are recognised. poll_in_vain() stands for polling
// functions and saves the registers as libpsim_mpi.so does.
#include "ranks/spin/waiting_loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "ranks/libc/crash_signals.h"

extern "C" {
std::uint64_t spin_test_registers[13];
int poll_in_vain(int* flag, int tag);
int spin_test_poll(int* flag, int tag);
void spin_test_plain(void*);
void spin_test_counting(void*);
void spin_test_bounded(void*);
void spin_test_lock(void*);
void spin_test_delay(void*);
}
asm(".pushsection .text\n.globl poll_in_vain\n.type poll_in_vain,@function\n"
    "poll_in_vain:\n.cfi_startproc\nendbr64\nleaq spin_test_registers(%rip),%rax\n"
    "movq %rbx,(%rax)\nmovq %rbp,8(%rax)\nmovq %r12,16(%rax)\nmovq %r13,24(%rax)\nmovq %r14,32(%rax)\n"
    "movq %r15,40(%rax)\nmovq %rsp,48(%rax)\nmovq %rdi,56(%rax)\nmovq %rsi,64(%rax)\nmovq %rdx,72(%rax)\n"
    "movq %rcx,80(%rax)\nmovq %r8,88(%rax)\nmovq %r9,96(%rax)\njmp spin_test_poll\n"
    ".cfi_endproc\n.size poll_in_vain,.-poll_in_vain\n.popsection\n");

namespace psim::net::spin {
namespace {

int polls;
bool recognised;

bool repeats_call_now(const std::uint64_t* registers) {
  PollCall call;
  call.entry = reinterpret_cast<std::uint64_t>(&poll_in_vain);
  std::copy_n(registers, 7, call.saved.begin());
  std::copy_n(registers + 7, 6, call.arguments.begin());
  call.count = 2;
  call.results[0] = reinterpret_cast<const int*>(call.arguments[0]);
  static Interpreter work;
  std::uint32_t steps = 4096;
  return repeats_call(call, work, steps);
}

/// Returns true if the third poll of a loop is recognised as one that repeats itself; the fifth succeeds.
template <class Loop>
bool is_recognised(Loop loop) {
  polls = 0;
  recognised = false;
  loop();
  EXPECT_EQ(polls, 5);
  return recognised;
}

struct Panel {
  int tag = 7, have = 0;
  unsigned long tries = 0;
};

[[gnu::noinline]] int broadcast(Panel* panel) {
  int come;
  if (poll_in_vain(&come, panel->tag) != 0) return -1;
  if (come == 0) return 0;
  panel->have = 1;
  return 1;
}

#ifdef __clang__
[[gnu::noinline, clang::optnone]]
#else
[[gnu::noinline, gnu::optimize("O0")]]
#endif
int broadcast_unoptimised(Panel* panel) {
  int come;
  poll_in_vain(&come, panel->tag);
  return come != 0;
}

TEST(WaitingLoop, APollAloneInALoopIsRecognised) {
#ifdef PSIM_SANITIZED
  GTEST_SKIP() << "instrumented code calls the sanitizer";
#endif
  EXPECT_TRUE(is_recognised([] {
    for (int come = 0; come == 0;) poll_in_vain(&come, 3);
  }));
}

TEST(WaitingLoop, APollWithinFunctionsIsRecognised) {
#ifdef PSIM_SANITIZED
  GTEST_SKIP() << "instrumented code calls the sanitizer";
#endif
  Panel panel;
  EXPECT_TRUE(is_recognised([&] {
    int (*volatile function)(Panel*) = broadcast;
    while (function(&panel) == 0) continue;
  }));
  EXPECT_TRUE(is_recognised([&] {
    while (broadcast_unoptimised(&panel) == 0) continue;
  }));
}

// HPL's loop calls functions between its polls, whose frames overlap the flag of the last poll.
TEST(WaitingLoop, AFlagThatOthersOverwriteBetweenPollsIsRecognised) {
#ifdef PSIM_SANITIZED
  GTEST_SKIP() << "instrumented code calls the sanitizer";
#endif
  EXPECT_TRUE(is_recognised([] {
    volatile int come = 0;
    while (come == 0) {
      come = 7;
      poll_in_vain(const_cast<int*>(&come), 3);
    }
  }));
}

TEST(WaitingLoop, AnOverwrittenWordBesideTheFlagIsNotRecognised) {
  EXPECT_FALSE(is_recognised([] {
    alignas(8) volatile int words[2] = {0, 0};
    while (words[0] == 0) {
      words[1] = words[1] + 1;
      poll_in_vain(const_cast<int*>(&words[0]), 3);
    }
  }));
}

// SNAP's loop clears arrays by memset, which uses vectors that the interpreter lacks.
TEST(WaitingLoop, APollBetweenCallsOfTheCLibraryIsRecognised) {
#ifdef PSIM_SANITIZED
  GTEST_SKIP() << "instrumented code calls the sanitizer";
#endif
  void* (*volatile clear)(void*, int, std::size_t) = std::memset;
  void* (*volatile copy)(void*, const void*, std::size_t) = std::memcpy;
  char from[100] = "tasks", to[100] = "";
  EXPECT_TRUE(is_recognised([&] {
    for (int come = 0; come == 0;) {
      clear(to, 0, sizeof to);
      copy(to + 3, from, 90);
      poll_in_vain(&come, 3);
    }
  }));
  EXPECT_FALSE(is_recognised([&] {
    unsigned char tries = 0;
    for (int come = 0; come == 0;) {
      clear(to, ++tries, sizeof to);
      poll_in_vain(&come, 3);
    }
  }));
}

TEST(PollLoop, ALoopWithOtherSimulatedTimeIsNotTried) {
  PollCall call;  // with a stack at address 0: an attempt at a proof would end the test
  call.entry = 1;
  PollLoop loop;
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_FALSE(loop.repeats(call, 150 * i, 100));
}

TEST(WaitingLoop, ACountedPollIsNotRecognised) {
  Panel panel;
  EXPECT_FALSE(is_recognised([&] {
    do ++panel.tries;
    while (broadcast(&panel) == 0);
  }));
  EXPECT_EQ(panel.tries, 5U);
  EXPECT_FALSE(is_recognised([] {
    int come = 0;
    volatile int tries = 0;
    while (come == 0) {
      poll_in_vain(&come, 3);
      tries = tries + 1;
    }
  }));
}

TEST(WaitingLoop, APollWithChangingArgumentsIsNotRecognised) {
  EXPECT_FALSE(is_recognised([] {
    int come = 0;
    for (int tag = 0; come == 0; ++tag) poll_in_vain(&come, tag);
  }));
}

TEST(WaitingLoop, ALoopWithASystemCallIsNotRecognised) {
  EXPECT_FALSE(is_recognised([] {
    for (int come = 0; come == 0;) {
      long result = 39;  // getpid
      asm volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
      poll_in_vain(&come, 3);
    }
  }));
}

// Loops without a call: the state is the one that a signal would have interrupted.

/// Returns the state after `steps` instructions of `function(argument)` on an empty stack.
Interpreter inside(void (*function)(void*), void* argument, int steps) {
  static std::uint64_t stack[64];
  Interpreter work;
  work.registers[rsp] = {reinterpret_cast<std::uint64_t>(stack + 48)};
  work.registers[rdi] = {reinterpret_cast<std::uint64_t>(argument)};
  work.pc = reinterpret_cast<std::uint64_t>(function);
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(work.step());
  return work;
}

asm(R"(
.pushsection .text
spin_test_plain:    # while (*p == 0) pause
  pause
  mov (%rdi), %eax
  test %eax, %eax
  je spin_test_plain
  ret
spin_test_counting: # while (*p == 0) ++n
  add $1, %rdx
  mov (%rdi), %eax
  test %eax, %eax
  je spin_test_counting
  ret
spin_test_bounded:  # while (*p == 0 && ++n < most)
  add $1, %rdx
  cmp $1000000000, %rdx
  je 1f
  mov (%rdi), %eax
  test %eax, %eax
  je spin_test_bounded
1: ret
spin_test_lock:     # while (exchange(p, 1) != 0)
  mov $1, %eax
  xchg %eax, (%rdi)
  test %eax, %eax
  jne spin_test_lock
  ret
spin_test_delay:    # while (*p == 0) for (n = 0; n < 50; ++n)
  xor %edx, %edx
1: add $1, %edx
  cmp $50, %edx
  jne 1b
  mov (%rdi), %eax
  test %eax, %eax
  je spin_test_delay
  ret
.popsection
)");

TEST(WaitingLoop, ALoopForAVariableWatchesIt) {
  alignas(8) int variable[2] = {0, 5};
  for (int steps = 0; steps < 4; ++steps) {
    Interpreter work = inside(spin_test_plain, variable, steps);
    ASSERT_TRUE(repeats(work));
    ASSERT_EQ(watched(work).size(), 1U);
    EXPECT_EQ(watched(work)[0].address, reinterpret_cast<std::uint64_t>(variable));
    EXPECT_EQ(watched(work)[0].value, std::uint64_t{5} << 32);
  }
  variable[0] = 1;
  Interpreter work = inside(spin_test_plain, variable, 1);
  EXPECT_FALSE(repeats(work));
}

TEST(WaitingLoop, ACounterInALoopDoesNotMatter) {
  alignas(8) int variable[2] = {0, 0};
  Interpreter work = inside(spin_test_counting, variable, 2);
  EXPECT_TRUE(repeats(work));
  EXPECT_EQ(watched(work).size(), 1U);
}

TEST(WaitingLoop, ALoopThatEndsByCountingIsNotRecognised) {
  alignas(8) int variable[2] = {0, 0};
  Interpreter work = inside(spin_test_bounded, variable, 1);
  EXPECT_FALSE(repeats(work));
}

TEST(WaitingLoop, AHeldLockIsRecognisedAsAWait) {
  alignas(8) int lock[2] = {1, 0};
  Interpreter work = inside(spin_test_lock, lock, 1);
  EXPECT_TRUE(repeats(work));
  EXPECT_EQ(watched(work).size(), 1U);
  EXPECT_EQ(lock[0], 1);
  lock[0] = 0;
  work = inside(spin_test_lock, lock, 1);
  EXPECT_FALSE(repeats(work));
  EXPECT_EQ(lock[0], 0);
}

TEST(WaitingLoop, ALoopThatIsAboutToFaultIsNotRecognised) {
  crash_signals::install(&polls, [](int signal, siginfo_t*, void*) { crash_signals::give_up(signal); });
  Interpreter work;
  work.registers[rdi] = {16};
  for (int time = 0; time < 2; ++time) {
    work.pc = reinterpret_cast<std::uint64_t>(&spin_test_plain);
    EXPECT_FALSE(repeats(work));
    work.pc = 8;  // no code either
    EXPECT_FALSE(repeats(work));
  }
  crash_signals::remove(&polls);
}

TEST(WaitingLoop, ALoopMayContainLoopsThatEnd) {
  alignas(8) int variable[2] = {0, 0};
  for (const int steps : {0, 3, 20, 151}) {
    Interpreter work = inside(spin_test_delay, variable, steps);
    EXPECT_TRUE(repeats(work)) << steps;
  }
}

}  // namespace
}  // namespace psim::net::spin

int spin_test_poll(int* flag, int) {
  using namespace psim::net::spin;
  std::uint64_t registers[13];
  std::copy_n(spin_test_registers, 13, registers);
  *flag = ++polls == 5;
  if (polls == 3) recognised = repeats_call_now(registers);
  return 0;
}

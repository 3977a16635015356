// SPDX-License-Identifier: Apache-2.0
// The interpreter against the host's processor, and its cache of decoded instructions.
#include "ranks/spin/interpreter.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>

extern "C" void spin_test_instructions(std::uint64_t* results);

asm(R"(
.pushsection .text
.macro conditions at  # the byte of each condition code
  seto \at(%rdi)
  setb \at+1(%rdi)
  sete \at+2(%rdi)
  setbe \at+3(%rdi)
  sets \at+4(%rdi)
  setp \at+5(%rdi)
  setl \at+6(%rdi)
  setng \at+7(%rdi)
.endm
.globl spin_test_instructions
.type spin_test_instructions,@function
spin_test_instructions:
  endbr64
  push %rbx
  push %rbp
  push %r12
  movabs $0x8123456789abcdef, %rax
  mov %rax, 256(%rdi)
  mov %rax, 264(%rdi)
  mov $0x7fffffff, %ecx
  add $1, %ecx
  conditions 0
  mov %rcx, 8(%rdi)
  mov %eax, %edx
  sub %edx, 256(%rdi)
  conditions 16
  cmp 264(%rdi), %rax
  conditions 24
  cmp $-1, %ecx
  sbb %rbx, %rbx
  adc $-1, %rbx
  mov %rbx, 32(%rdi)
  mov $0x1234, %ebx
  mov %bh, %bl
  add %bl, %bh
  conditions 40
  mov %rbx, 48(%rdi)
  movzbl %bh, %ebp
  movsbq 263(%rdi), %r12
  movslq 264(%rdi), %r8
  movswl %ax, %r9d
  lea -5(%rbp,%r12,4), %r10
  lea spin_test_number(%rip), %r11
  sub $8, %r11
  mov 8(%r11), %r11
  mov %rbp, 56(%rdi)
  mov %r12, 64(%rdi)
  mov %r8, 72(%rdi)
  mov %r9, 80(%rdi)
  mov %r10, 88(%rdi)
  mov %r11, 96(%rdi)
  imul $-3, %r8, %r9
  imul %r9, %r8
  mov %r8, 104(%rdi)
  mov %r9d, %eax
  mul %r12d
  mov %rdx, 112(%rdi)
  mov %rax, 120(%rdi)
  mov $1000003, %eax
  neg %eax
  conditions 128
  cltd
  mov $17, %ecx
  idiv %ecx
  mov %rdx, 136(%rdi)
  cltq
  mov %rax, 144(%rdi)
  mov 264(%rdi), %r8
  shr $3, %r8
  sar %cl, %r8
  shl %r8d
  rol $9, %r8
  ror %cl, %r8d
  bswap %r8
  bt $5, %r8d
  adc $0, %r8
  not %r8
  mov %r8, 152(%rdi)
  mov %r8, %r9
  xchg %r9, 264(%rdi)
  xadd %r9, 264(%rdi)
  mov %r9, 160(%rdi)
  mov $3, %eax
  lock cmpxchg %r8, 264(%rdi)
  mov %rax, 168(%rdi)
  lock cmpxchg %r8, 264(%rdi)
  incl 264(%rdi)
  decw 266(%rdi)
  conditions 176
  xor %eax, %eax
  conditions 184
  test $0x80, %r8b
  cmove %r9, %rax
  mov %rax, 192(%rdi)
  movups 256(%rdi), %xmm0
  movq %xmm0, %xmm1
  movd %r8d, %xmm2
  punpcklqdq %xmm2, %xmm1
  movups %xmm1, 200(%rdi)
  movhps %xmm0, 216(%rdi)
  pxor %xmm0, %xmm0
  movsd spin_test_number(%rip), %xmm3
  ucomisd %xmm3, %xmm0
  conditions 224
  pushq $-7
  push 256(%rdi)
  pop %rdx
  pop %r8
  mov %r8, 232(%rdi)
  mov %rdx, 240(%rdi)
  call 2f
  jmp 3f
2: mov $4, %ecx
1: sub $1, %ecx
  jnz 1b
  ret
3: pop %r12
  pop %rbp
  pop %rbx
  ret
.size spin_test_instructions,.-spin_test_instructions
.p2align 3
spin_test_number: .quad 0x40091eb851eb851f
.popsection
)");

namespace psim::net::spin {
namespace {

constexpr std::uint64_t kCaller = 0x123456789;

/// Executes the function at `code` until it returns. Returns false if an instruction is refused.
bool call(Interpreter& work, const void* code) {
  static std::array<std::uint64_t, 64> stack;
  stack[48] = kCaller;
  work.registers[rsp] = {reinterpret_cast<std::uint64_t>(&stack[48])};
  work.pc = reinterpret_cast<std::uint64_t>(code);
  while (work.pc != kCaller)
    if (!work.step()) return false;
  return true;
}

TEST(Interpreter, ComputesAsTheHost) {
  std::array<std::uint64_t, 40> host{}, memory{};
  spin_test_instructions(host.data());
  for (int run = 0; run < 2; ++run) {  // decodes, then uses the decoded instructions
    Interpreter work;
    work.registers[rdi] = {reinterpret_cast<std::uint64_t>(memory.data())};
    const auto* code = reinterpret_cast<const std::uint8_t*>(&spin_test_instructions);
    ASSERT_TRUE(call(work, code)) << "at byte " << work.pc - reinterpret_cast<std::uint64_t>(code);
    std::array<std::uint64_t, 40> result{};
    for (const Word& word : work.words())
      if (const std::uint64_t at = (word.address - work.registers[rdi].bits) / 8; at < result.size())
        result[at] = word.now;
    for (std::size_t i = 0; i < host.size(); ++i) EXPECT_EQ(result[i], host[i]) << "at " << 8 * i;
  }
}

/// Two pages, the second of which is not mapped.
class Page {
 public:
  static constexpr std::size_t kSize = 4'096;
  Page()
      : at_(static_cast<std::uint8_t*>(
            ::mmap(nullptr, 2 * kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    ::munmap(at_ + kSize, kSize);
  }
  ~Page() { ::munmap(at_, kSize); }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  /// Returns the result of the code, written at `offset`.
  std::uint64_t run(std::size_t offset, std::initializer_list<std::uint8_t> code) {
    std::ranges::copy(code, at_ + offset);
    Interpreter work;
    return call(work, at_ + offset) ? work.registers[rax].bits : ~std::uint64_t{0};
  }
  void put(std::size_t offset, std::uint64_t value) { std::memcpy(at_ + offset, &value, sizeof value); }

 private:
  std::uint8_t* at_;
};

TEST(Interpreter, ExecutesOtherCodeAtTheSameAddress) {
  Page page;
  EXPECT_EQ(page.run(64, {0xb8, 1, 0, 0, 0, 0xc3}), 1U);  // mov $1, %eax; ret
  EXPECT_EQ(page.run(64, {0xb8, 2, 0, 0, 0, 0xc3}), 2U);
  EXPECT_EQ(page.run(64, {0x0f, 0x05, 0xc3}), ~std::uint64_t{0});  // syscall
  EXPECT_EQ(page.run(64, {0xb8, 1, 0, 0, 0, 0xc3}), 1U);
}

TEST(Interpreter, TakesAddressesAndJumpsOfEachCopyOfACode) {
  Page first, second;
  first.put(64, 11);
  second.put(64, 22);
  const std::initializer_list<std::uint8_t> code{0xeb, 0x00,  // jmp to the next instruction
                                                 0x48, 0x8b, 0x05, 0x37,
                                                 0x00, 0x00, 0x00,  // mov 55(%rip), %rax
                                                 0xc3};
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(first.run(0, code), 11U);
    EXPECT_EQ(second.run(0, code), 22U);
  }
}

TEST(Interpreter, ReadsNoFurtherThanTheLastInstructionOfAPage) {
  Page page;
  for (int run = 0; run < 2; ++run) EXPECT_EQ(page.run(Page::kSize - 6, {0xb8, 3, 0, 0, 0, 0xc3}), 3U);
}

TEST(Interpreter, ForgetsInstructionsWhenItsCacheIsFull) {
  Page page;
  for (std::uint32_t value = 0; value < 10'000; ++value)
    ASSERT_EQ(page.run(0, {0xb8, static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value >> 8), 0,
                           0, 0xc3}),
              value);
}

}  // namespace
}  // namespace psim::net::spin

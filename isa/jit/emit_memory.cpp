// SPDX-License-Identifier: Apache-2.0
// Loads and stores: the checks of isa/state/access.h, on the same page table.
#include <bit>
#include <cstddef>

#include "isa/jit/emitter.h"
#include "isa/memory/guest_memory.h"

namespace psim::isa::jit {

using namespace asmjit;
using namespace asmjit::x86;

namespace {
constexpr std::uint64_t kGuestPages = GuestMemory::kLimit >> GuestMemory::kPageBits;
static_assert(kGuestPages <= 0x7fff'ffff, "the number of pages is an immediate operand");
}  // namespace

/// Returns the register with the effective address: rax, or the home of rs1.
Gp Emitter::address(unsigned first, const Second& y) {
  const Gp base = in(first, rax);
  if (y.constant) {
    if (y.value == 0) return base;
    as_.lea(rax, Mem(base, static_cast<std::int32_t>(y.value)));
  } else if (now_.at_home(y.number)) {
    as_.lea(rax, Mem(base, in(y.number, rcx), 0, 0));
  } else {
    if (base != rax) as_.mov(rax, base);
    as_.add(rax, r(y.number));
  }
  return rax;
}

/// Jumps to `refused` unless the access is aligned and allowed. Rotating the alignment bits to the top makes
/// one comparison check them and the range.
void Emitter::check(Gp address, unsigned bytes, bool write, Label refused) {
  const int alignment = std::countr_zero(bytes);
  as_.mov(rcx, address);
  if (alignment != 0) as_.ror(rcx, alignment);
  as_.shr(rcx, static_cast<int>(GuestMemory::kPageBits) - alignment);
  as_.cmp(rcx, static_cast<std::int32_t>(kGuestPages));
  as_.jae(refused);
  if (write) {
    // Most pages have these permissions; all others are looked at in detail.
    const Label other = as_.newLabel(), allowed = as_.newLabel();
    as_.cmp(byte_ptr(r13, rcx), kMapped | kRead | kWrite);
    as_.jne(other);
    as_.bind(allowed);
    cold_.push_back([=, this] {
      as_.bind(other);
      as_.movzx(ecx, byte_ptr(r13, rcx));
      as_.and_(ecx, kWrite | kCode);
      as_.cmp(ecx, kWrite);
      as_.je(allowed);
      as_.jmp(refused);
    });
  } else {
    as_.test(byte_ptr(r13, rcx), kRead);
    as_.jz(refused);
  }
}

void Emitter::access(const Action* a, const Decoded& d, bool immediate) {
  const unsigned bytes = d.spec->bytes;
  const Meaning meaning = bindings_[*d.spec].meaning;
  const bool integer = a->rd <= 8 * 32;  // else a floating-point register, which has no home
  const unsigned number = integer ? a->rd / 8u : 32;
  const bool write = meaning == Meaning::Store;
  const Gp at = address(a->rs1 / 8u, second(a, immediate));
  if (write && integer && now_.at_home(number)) in(number, rcx);  // before the handler's way parts
  const Label after = as_.newLabel();
  check(at, bytes, write, to_handler(a, after, write ? -1 : static_cast<int>(number)));
  const Mem memory = Mem(r12, at, 0, 0, bytes);
  if (write) {
    Gp value = rcx;
    if (!integer)
      as_.mov(bytes == 8 ? Gp(rcx) : Gp(ecx), state(a->rd, bytes));
    else if (number == 0)
      as_.mov(ecx, 0);
    else if (bytes == 1 && now_.at_home(number))
      value = in(number, rcx);
    else
      load(rcx, number);
    switch (bytes) {
      case 1:
        as_.mov(memory, value.r8());
        break;
      case 2:
        as_.rol(cx, 8);
        as_.mov(memory, cx);
        break;
      case 4:
        as_.bswap(ecx);
        as_.mov(memory, ecx);
        break;
      default:
        as_.bswap(rcx);
        as_.mov(memory, rcx);
    }
    as_.bind(after);
    return;
  }
  const Gp value = out(number, rcx);
  const bool is_signed = meaning == Meaning::LoadSigned;
  switch (bytes) {
    case 1:
      if (is_signed)
        as_.movsx(value, memory);
      else
        as_.movzx(value.r32(), memory);
      break;
    case 2:
      as_.movzx(value.r32(), memory);
      as_.rol(value.r16(), 8);
      if (is_signed) as_.movsx(value, value.r16());
      break;
    case 4:
      as_.mov(value.r32(), memory);
      as_.bswap(value.r32());
      if (is_signed) as_.movsxd(value, value.r32());
      break;
    default:
      as_.mov(value, memory);
      as_.bswap(value);
  }
  if (integer)
    done(number, value);
  else
    as_.mov(state(a->rd, bytes), bytes == 8 ? Gp(rcx) : Gp(ecx));
  as_.bind(after);
}

}  // namespace psim::isa::jit

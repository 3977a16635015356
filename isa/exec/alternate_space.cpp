// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomics with an address space identifier (V9 manual, 6.3.1.3, A.26, A.44, A.52; the VIS
// and UltraSPARC ASIs of the JPS1 manual, appendix L; Niagara's twin loads and block-init stores). In Linux
// user mode the secondary space is the primary one, and ASIs below 0x80 are privileged.
#include "isa/exec/alternate_space.h"

#include <type_traits>

#include "isa/exec/access.h"
#include "isa/exec/context.h"
#include "isa/exec/handler.h"
#include "isa/fields.h"
#include "isa/simd/sbm.h"

namespace psim::isa {

namespace {
using u64 = std::uint64_t;
using u32 = std::uint32_t;

enum class Space : std::uint8_t {
  Unknown,
  Privileged,
  Plain,
  NoFault,
  BlockInit,
  Block,
  Partial,
  Short,
  Sbm
};

struct AsiMeaning {
  Space space = Space::Unknown;
  bool little = false;     ///< little-endian
  std::uint8_t bytes = 0;  ///< of an element of a partial or short access
};

constexpr AsiMeaning meaning_of(std::uint8_t asi) {
  if (asi < 0x80) return {Space::Privileged, false, 0};
  switch (asi) {
    case 0x80:
    case 0x81:
      return {Space::Plain, false, 0};
    case 0x88:
    case 0x89:
      return {Space::Plain, true, 0};
    case 0x82:
    case 0x83:
      return {Space::NoFault, false, 0};
    case 0x8a:
    case 0x8b:
      return {Space::NoFault, true, 0};
    case 0xe2:
    case 0xe3:
    case 0xf2:
    case 0xf3:
      return {Space::BlockInit, false, 0};
    case 0xea:
    case 0xeb:
    case 0xfa:
    case 0xfb:
      return {Space::BlockInit, true, 0};
    case 0xe0:
    case 0xe1:
    case 0xf0:
    case 0xf1:
      return {Space::Block, false, 0};
    case 0xf8:
    case 0xf9:
      return {Space::Block, true, 0};
    case kAsiSbm:
      return {Space::Sbm, false, 0};
    case 0xc0:
    case 0xc1:
      return {Space::Partial, false, 1};
    case 0xc2:
    case 0xc3:
      return {Space::Partial, false, 2};
    case 0xc4:
    case 0xc5:
      return {Space::Partial, false, 4};
    case 0xc8:
    case 0xc9:
      return {Space::Partial, true, 1};
    case 0xca:
    case 0xcb:
      return {Space::Partial, true, 2};
    case 0xcc:
    case 0xcd:
      return {Space::Partial, true, 4};
    case 0xd0:
    case 0xd1:
      return {Space::Short, false, 1};
    case 0xd2:
    case 0xd3:
      return {Space::Short, false, 2};
    case 0xd8:
    case 0xd9:
      return {Space::Short, true, 1};
    case 0xda:
    case 0xdb:
      return {Space::Short, true, 2};
    default:
      return {};
  }
}

/// i = 0: the ASI is in the word; i = 1: in %asi.
template <bool I>
std::uint8_t asi_of(const Context* c, const Action* a) {
  return I ? c->asi : imm_asi(a->word);
}

const Action* bad_asi(Context* c, const Action* a, std::uint8_t asi, u64 address) {
  const bool privileged = meaning_of(asi).space == Space::Privileged;
  return trouble(c, a, privileged ? FaultKind::PrivilegedInstruction : FaultKind::UnknownAsi, address, asi);
}

template <class T>
T swapped_if(bool little, T value) {
  return little ? big_endian(value) : value;
}

/// Offset and PE of an access by ASI_SBM. False: the block has been left.
bool find_sbm(Context* c, const Action* a, u64 address, unsigned bytes, bool store, u64& offset,
              unsigned& pe) {
  const u64 number = address >> kSbmAddressBits;
  offset = address & ((u64{1} << kSbmAddressBits) - 1);
  pe = static_cast<unsigned>(number);
  if (c->simd.pes == 0) return trouble(c, a, FaultKind::UnknownAsi, address, kAsiSbm) != nullptr;
  if (address % bytes != 0) return trouble(c, a, FaultKind::Misaligned, address) != nullptr;
  if (number >= c->simd.pes) return trouble(c, a, FaultKind::PeAccess, address) != nullptr;
  return simd::may_access(c, a, offset, bytes, bytes, store);
}

/// One T of an integer or register-sized load. False: the block has been left.
template <class T>
bool load_element(Context* c, const Action* a, std::uint8_t asi, u64 address, T& value) {
  const AsiMeaning meaning = meaning_of(asi);
  if (meaning.space == Space::Sbm) {
    u64 offset;
    unsigned pe;
    if (!find_sbm(c, a, address, sizeof(T), false, offset, pe)) return false;
    value = static_cast<T>(simd::read_sbm(c->simd, pe, offset, sizeof(T)));
    return true;
  }
  if (meaning.space != Space::Plain && meaning.space != Space::NoFault && meaning.space != Space::BlockInit) {
    bad_asi(c, a, asi, address);
    return false;
  }
  if (!c->memory->load<T>(address, value)) {
    // A no-fault load reads 0 where nothing can be read; it must still be aligned.
    if (meaning.space != Space::NoFault || address % sizeof(T) != 0) {
      bad_access(c, a, address, sizeof(T), kRead);
      return false;
    }
    value = 0;
  }
  value = swapped_if(meaning.little, value);
  return true;
}
template <class T>
bool store_element(Context* c, const Action* a, std::uint8_t asi, u64 address, T value) {
  const AsiMeaning meaning = meaning_of(asi);
  if (meaning.space == Space::Sbm) {
    u64 offset;
    unsigned pe;
    if (!find_sbm(c, a, address, sizeof(T), true, offset, pe)) return false;
    simd::write_sbm(c->simd, pe, offset, sizeof(T), value);
    return true;
  }
  if (meaning.space != Space::Plain && meaning.space != Space::BlockInit) {
    bad_asi(c, a, asi, address);
    return false;
  }
  if (!may_store_slowly(c, a, address, sizeof(T), sizeof(T))) return false;
  c->memory->store<T>(address, swapped_if(meaning.little, value));
  return true;
}

// Each operation is a function of its own, which may hold references, called from a handler that ends in the
// tail call.
using Operation = const Action* (*)(Context*, const Action*, std::uint8_t asi, u64 address);
template <Operation F, bool I>
PSIM_HANDLER(alternate) {
  const Action* const after = F(c, a, asi_of<I>(c, a), effective<I>(c, a));
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}

template <class T>
const Action* load_register(Context* c, const Action* a, std::uint8_t asi, u64 address) {
  using U = std::make_unsigned_t<T>;
  U value;
  if (!load_element<U>(c, a, asi, address, value)) return nullptr;
  put(c, a->rd, static_cast<u64>(static_cast<std::int64_t>(static_cast<T>(value))));
  return a + 1;
}
/// String functions of glibc read through ASI 0x82.
template <class T, bool I>
PSIM_HANDLER(load_alternate) {
  using U = std::make_unsigned_t<T>;
  const u64 address = effective<I>(c, a);
  if ((asi_of<I>(c, a) & 0xfd) == 0x80 && readable<U>(pages, address)) [[likely]] {
    put(c, a->rd, static_cast<u64>(static_cast<std::int64_t>(static_cast<T>(load_raw<U>(host, address)))));
    PSIM_NEXT;
  }
  const Action* const after = load_register<T>(c, a, asi_of<I>(c, a), address);
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}
template <class T>
const Action* store_register(Context* c, const Action* a, std::uint8_t asi, u64 address) {
  return store_element<T>(c, a, asi, address, get<T>(c, a->rd)) ? a + 1 : nullptr;
}

/// ldtwa; with a block-init ASI it is ldtxa, a load of two aligned doublewords.
const Action* load_twin(Context* c, const Action* a, std::uint8_t asi, u64 address) {
  u64 first, second;
  if (meaning_of(asi).space == Space::BlockInit) {
    if (address % 16 != 0) return bad_access(c, a, address, 16, kRead);
    if (!load_element<u64>(c, a, asi, address, first) || !load_element<u64>(c, a, asi, address + 8, second))
      return nullptr;
  } else {
    u32 high, low;
    if (address % 8 != 0) return bad_access(c, a, address, 8, kRead);
    if (!load_element<u32>(c, a, asi, address, high) || !load_element<u32>(c, a, asi, address + 4, low))
      return nullptr;
    first = high, second = low;
  }
  put(c, a->rd, first);
  put(c, a->rs3, second);
  return a + 1;
}
const Action* store_twin(Context* c, const Action* a, std::uint8_t asi, u64 address) {
  if (address % 8 != 0) return bad_access(c, a, address, 8, kWrite);
  const u32 high = get<u32>(c, a->rd), low = get<u32>(c, a->rs3);
  const bool done =
      store_element<u32>(c, a, asi, address, high) && store_element<u32>(c, a, asi, address + 4, low);
  return done ? a + 1 : nullptr;
}

template <class T>
const Action* exchange(Context* c, const Action* a, std::uint8_t asi, u64 address, bool compare, T expected,
                       T replacement) {
  T old;
  if (!may_store_slowly(c, a, address, sizeof(T), sizeof(T))) return nullptr;
  if (!load_element<T>(c, a, asi, address, old)) return nullptr;
  if (!compare || old == expected)
    if (!store_element<T>(c, a, asi, address, replacement)) return nullptr;
  put<u64>(c, a->rd, old);
  return a + 1;
}
const Action* ldstub(Context* c, const Action* a, std::uint8_t asi, u64 address) {
  return exchange<std::uint8_t>(c, a, asi, address, false, 0, 0xff);
}
const Action* swap(Context* c, const Action* a, std::uint8_t asi, u64 address) {
  return exchange<u32>(c, a, asi, address, false, 0, get<u32>(c, a->rs3));
}
/// casa, casxa: [rs1] with rs2; the address has no second operand.
template <class T, bool I>
PSIM_HANDLER(compare_and_swap) {
  const Action* const after =
      exchange<T>(c, a, asi_of<I>(c, a), get(c, a->rs1), true, get<T>(c, a->rs2), get<T>(c, a->rs3));
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}

const Action* load_single(Context* c, const Action* a, std::uint8_t asi, u64 address) {
  u32 value;
  if (!load_element<u32>(c, a, asi, address, value)) return nullptr;
  put<u32>(c, a->rd, value);
  return a + 1;
}
const Action* load_quad(Context* c, const Action* a, std::uint8_t asi, u64 address) {
  u64 high, low;
  if (!load_element<u64>(c, a, asi, address, high) || !load_element<u64>(c, a, asi, address + 8, low))
    return nullptr;
  put(c, a->rd, high);
  put(c, static_cast<std::uint16_t>(a->rd + 8), low);
  return a + 1;
}
const Action* store_quad(Context* c, const Action* a, std::uint8_t asi, u64 address) {
  if (asi != kAsiSbm &&
      (!may_store_slowly(c, a, address, 8, 8) || !may_store_slowly(c, a, address + 8, 8, 8)))
    return nullptr;
  const bool done = store_element<u64>(c, a, asi, address, get(c, a->rd)) &&
                    store_element<u64>(c, a, asi, address + 8, get(c, static_cast<std::uint16_t>(a->rd + 8)));
  return done ? a + 1 : nullptr;
}

constexpr unsigned kBlockBytes = 64;
/// A block access names the first of eight double registers: %f0, %f16, %f32 or %f48.
bool block_register(std::uint32_t word) { return rd_double(word) % 16 == 0; }

const Action* load_double(Context* c, const Action* a, std::uint8_t asi, u64 address) {
  const AsiMeaning meaning = meaning_of(asi);
  if (meaning.space == Space::Block) {
    if (!block_register(a->word)) return trouble(c, a, FaultKind::IllegalInstruction);
    if (address % kBlockBytes != 0 || (c->memory->permission(address) & kRead) == 0)
      return bad_access(c, a, address, kBlockBytes, kRead);
    for (unsigned n = 0; n < kBlockBytes; n += 8) {
      u64 value = 0;
      c->memory->load<u64>(address + n, value);
      put(c, static_cast<std::uint16_t>(a->rd + n), swapped_if(meaning.little, value));
    }
    return a + 1;
  }
  if (meaning.space == Space::Short) {
    u64 value = 0;
    if (meaning.bytes == 1) {
      std::uint8_t byte;
      if (!c->memory->load(address, byte)) return bad_access(c, a, address, 1, kRead);
      value = byte;
    } else {
      std::uint16_t half;
      if (!c->memory->load(address, half)) return bad_access(c, a, address, 2, kRead);
      value = swapped_if(meaning.little, half);
    }
    put(c, a->rd, value);
    return a + 1;
  }
  u64 value;
  if (!load_element<u64>(c, a, asi, address, value)) return nullptr;
  put(c, a->rd, value);
  return a + 1;
}

/// Each bit of `mask` as `bytes` bytes of ones; bit 0 is the least significant element.
u64 widened(unsigned mask, unsigned bytes) {
  u64 result = 0;
  const u64 ones = (u64{1} << (8 * bytes)) - 1;
  for (unsigned n = 0; n < 8 / bytes; ++n)
    if ((mask >> n & 1) != 0) result |= ones << (8 * bytes * n);
  return result;
}

template <bool I>
PSIM_HANDLER(store_double) {
  struct Operations {
    [[gnu::noinline]] static const Action* run(Context* c, const Action* a, std::uint8_t asi) {
      const AsiMeaning meaning = meaning_of(asi);
      const u64 value = get(c, a->rd);
      if (meaning.space == Space::Partial) {
        // The address is rs1 alone: rs2 holds the mask (JPS1 A.42).
        const u64 address = get(c, a->rs1);
        if (!may_store_slowly(c, a, address, 8, 8)) return nullptr;
        u64 old = 0;
        if (!c->memory->load<u64>(address, old)) return bad_access(c, a, address, 8, kRead);
        const u64 mask = swapped_if(meaning.little, widened(get<u32>(c, a->rs2), meaning.bytes));
        c->memory->store<u64>(address, (swapped_if(meaning.little, value) & mask) | (old & ~mask));
        return a + 1;
      }
      const u64 address = effective<I>(c, a);
      if (meaning.space == Space::Block) {
        if (!block_register(a->word)) return trouble(c, a, FaultKind::IllegalInstruction);
        if (!may_store_slowly(c, a, address, kBlockBytes, kBlockBytes)) return nullptr;
        for (unsigned n = 0; n < kBlockBytes; n += 8)
          c->memory->store<u64>(address + n,
                                swapped_if(meaning.little, get(c, static_cast<std::uint16_t>(a->rd + n))));
        return a + 1;
      }
      if (meaning.space == Space::Short) {
        if (!may_store_slowly(c, a, address, meaning.bytes, meaning.bytes)) return nullptr;
        if (meaning.bytes == 1)
          c->memory->store(address, static_cast<std::uint8_t>(value));
        else
          c->memory->store(address, swapped_if(meaning.little, static_cast<std::uint16_t>(value)));
        return a + 1;
      }
      return store_element<u64>(c, a, asi, address, value) ? a + 1 : nullptr;
    }
  };
  const Action* const after = Operations::run(c, a, asi_of<I>(c, a));
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}

Binding form(Handler i0, Handler i1, Bank rd, void (*prepare)(Action&) = nullptr) {
  return {.handler = i0, .immediate = i1, .rd = rd, .rs1 = Bank::Int, .rs2 = Bank::Int, .prepare = prepare};
}
template <Operation F>
Binding form(Bank rd, void (*prepare)(Action&) = nullptr) {
  return form(alternate<F, false>, alternate<F, true>, rd, prepare);
}
template <class T>
Binding load_form() {
  return form(load_alternate<T, false>, load_alternate<T, true>, Bank::Int);
}

PSIM_HANDLER(illegal) { PSIM_TROUBLE(FaultKind::IllegalInstruction); }

/// A stored %g0 is 0, not the sink that its writes go to.
void store_source(Action& a) { a.rd = int_offset(rd(a.word)); }
void datum(Action& a) { a.rs3 = int_offset(rd(a.word)); }
void twin(Action& a) {
  if (rd(a.word) % 2 != 0) a.handler = illegal;
  a.rs3 = int_offset(rd(a.word) + 1u);
}
void stored_twin(Action& a) { twin(a), store_source(a); }
template <class T>
Binding store_form() {
  return form<store_register<T>>(Bank::Int, store_source);
}
}  // namespace

bool is_plain_asi(std::uint8_t asi) {
  const AsiMeaning meaning = meaning_of(asi);
  return !meaning.little && (meaning.space == Space::Plain || meaning.space == Space::NoFault ||
                             meaning.space == Space::BlockInit);
}
bool is_block_asi(std::uint8_t asi) {
  const AsiMeaning meaning = meaning_of(asi);
  return meaning.space == Space::Block && !meaning.little;
}

u64 sbm_offset(const Context& c, u32 word, u64 address) {
  if (is_alternate_access(word) && (has_immediate(word) ? c.asi : imm_asi(word)) == kAsiSbm)
    return address & ((u64{1} << kSbmAddressBits) - 1);
  return c.simd.on ? c.simd.window_offset(address) : SimdState::kNoWindow;
}

void bind_alternate_space(Bindings& b) {
  b[Op::Lduba] = load_form<std::uint8_t>(), b[Op::Lduha] = load_form<std::uint16_t>();
  b[Op::Lduwa] = load_form<u32>(), b[Op::Ldxa] = load_form<u64>();
  b[Op::Ldsba] = load_form<std::int8_t>(), b[Op::Ldsha] = load_form<std::int16_t>();
  b[Op::Ldswa] = load_form<std::int32_t>();
  b[Op::Stba] = store_form<std::uint8_t>(), b[Op::Stha] = store_form<std::uint16_t>();
  b[Op::Stwa] = store_form<u32>(), b[Op::Stxa] = store_form<u64>();
  b[Op::Ldtwa] = form<load_twin>(Bank::Int, twin), b[Op::Sttwa] = form<store_twin>(Bank::Int, stored_twin);
  b[Op::Ldstuba] = form<ldstub>(Bank::Int), b[Op::Swapa] = form<swap>(Bank::Int, datum);
  b[Op::Casa] = form(compare_and_swap<u32, false>, compare_and_swap<u32, true>, Bank::Int, datum);
  b[Op::Casxa] = form(compare_and_swap<u64, false>, compare_and_swap<u64, true>, Bank::Int, datum);
  b[Op::Ldfa] = form<load_single>(Bank::Single), b[Op::Lddfa] = form<load_double>(Bank::Double);
  b[Op::Ldqfa] = form<load_quad>(Bank::Quad);
  b[Op::Stfa] = form<store_register<u32>>(Bank::Single);
  b[Op::Stdfa] = form(store_double<false>, store_double<true>, Bank::Double);
  b[Op::Stqfa] = form<store_quad>(Bank::Quad);
}

}  // namespace psim::isa

// SPDX-License-Identifier: Apache-2.0
// Shared parts of the handlers of SIMD state.
//
//   struct AddDoubles {
//     PSIM_BODY { … }  // loops over D4
//   };
//   Binding adds_doubles(FmaRounding) { return {.handler = pe_handler<AddDoubles>(), .floating = true}; }
//
// Rows name such a function as Execution::in_simd. Operands of floating-point registers are then rows of
// SimdState::f.
//
// The same body is compiled for every x86-64 host and for those with AVX2, and chosen when psim starts.
// Unusual cases (an enabled trap, a NaN, a result rounded to the least normal number) go to by_lanes(),
// before any state changes, and so do singles while a PE is disabled.
#pragma once

#include "isa/state/context.h"

namespace psim::isa::simd {

// Four lanes. Rows are aligned to 64 bytes.
typedef double D4 __attribute__((vector_size(32), may_alias));
typedef std::int64_t L4 __attribute__((vector_size(32), may_alias));
inline constexpr unsigned kStep = 4;

/// Returns the row of a register of the PEs; for a single, its half in PE 0.
inline std::byte* row_at(Context* c, std::uint16_t offset) {
  return reinterpret_cast<std::byte*>(c->simd.f.data()) + offset;
}
template <class V>
inline V& vector_at(Context* c, std::uint16_t offset, unsigned pe) {
  return *reinterpret_cast<V*>(row_at(c, offset) + 8 * pe);
}
inline std::uint64_t& lane_at(Context* c, std::uint16_t offset, unsigned pe) {
  return reinterpret_cast<std::uint64_t*>(row_at(c, offset))[pe];
}
inline const L4& enabled_at(const Context* c, unsigned pe) {
  return *reinterpret_cast<const L4*>(&c->simd.enabled_lanes[pe]);
}
/// Reads four lanes; with Masked those of disabled PEs are 0, so that they raise no exception.
template <bool Masked>
[[gnu::always_inline]] inline void read_lanes(D4& to, Context* c, std::uint16_t offset, unsigned pe) {
  to = vector_at<D4>(c, offset, pe);
  if constexpr (Masked) reinterpret_cast<L4&>(to) &= enabled_at(c, pe);
}
/// Replaces four lanes; with Masked those of disabled PEs stay.
template <bool Masked>
[[gnu::always_inline]] inline void replace_lanes(L4& to, const L4& value, Context* c, unsigned pe) {
  if constexpr (Masked)
    to ^= (to ^ value) & enabled_at(c, pe);
  else
    to = value;
}
inline bool any(const L4& mask) { return (mask[0] | mask[1] | mask[2] | mask[3]) != 0; }
/// Marks the lanes whose magnitude is that of the least normal number: fp::host::is_least_normal().
[[gnu::always_inline]] inline void mark_least_normal(const D4& x, L4& marks) {
  marks |= (reinterpret_cast<const L4&>(x) & INT64_MAX) == 0x0010'0000'0000'0000;
}

/// Computes z = x y + z or x y - z, rounded once; only for bodies of on_avx2().
template <bool Subtract>
[[gnu::always_inline]] inline void multiply_add(D4& z, const D4& x, const D4& y) {
#if defined(__clang__)  // checks the operands of asm before it inlines this into a function with AVX2
  for (int lane = 0; lane < 4; ++lane)
    z[lane] = __builtin_fma(x[lane], y[lane], Subtract ? -z[lane] : z[lane]);
#else
  if constexpr (Subtract)
    asm("vfmsub231pd %2, %1, %0" : "+x"(z) : "x"(x), "x"(y));
  else
    asm("vfmadd231pd %2, %1, %0" : "+x"(z) : "x"(x), "x"(y));
#endif
}

/// Returns true if some PEs are disabled, or if the host's results may not be SPARC's.
inline bool unusual(const Context* c) { return c->fp_traps || c->simd.partial; }

/// Executes any operation on registers with the scalar handler, on each enabled PE. If the operation writes
/// an integer register, the PEs must agree about its value. Precise: if one PE traps, no PE has changed.
PSIM_HANDLER(by_lanes);

/// Returns true if an integer register may get `value`, that of the lowest enabled PE: all enabled PEs have
/// it, or `divergence` lets the lowest decide. `others`: the PEs that differ; `other`: the value of the
/// lowest of them. Returns false if the block has been left.
inline bool may_differ(Context* c, const Action* a, std::uint64_t value, std::uint32_t others,
                       std::uint64_t other) {
  if (others == 0 || c->simd.divergence == Divergence::Pe0) [[likely]]
    return true;
  trouble(c, a, FaultKind::PeInteger, value);
  c->fault.pes = others, c->fault.other = other;
  return false;
}

/// Returns fccn of the enabled PEs if they agree, or as `divergence` decides; -1: the block has been left.
int agreed_fcc(Context* c, const Action* a, unsigned n);
/// Decides a branch on an fcc into Context::taken. The Action is that of decide_handler().
PSIM_HANDLER(decide_agreed);

bool host_has_avx2();
template <class Body>
PSIM_HANDLER(on_any_host) {
  return Body::run(c, a, host, pages);
}
template <class Body>
[[gnu::target("avx2,fma")]] PSIM_HANDLER(on_avx2) {
  return Body::run(c, a, host, pages);
}
template <class Body>
Handler pe_handler() {
  return host_has_avx2() ? on_avx2<Body> : on_any_host<Body>;
}

#define PSIM_BODY                                                                          \
  [[gnu::always_inline]] static inline const Action* run(Context* c, const Action* a,      \
                                                         [[maybe_unused]] std::byte* host, \
                                                         [[maybe_unused]] const std::uint8_t* pages)

/// Calls Body::compute<Masked>(c, a), which returns false, without effect, if by_lanes() must do the
/// instruction. Masked: some PEs are disabled.
template <class Body>
struct OnLanes {
  PSIM_BODY {
    if (c->fp_traps) [[unlikely]]
      return by_lanes(c, a, host, pages);
    const bool done =
        c->simd.partial ? Body::template compute<true>(c, a) : Body::template compute<false>(c, a);
    if (!done) [[unlikely]]
      return by_lanes(c, a, host, pages);
    PSIM_NEXT;
  }
};
#define PSIM_COMPUTE     \
  template <bool Masked> \
  [[gnu::always_inline]] static inline bool compute(Context* c, const Action* a)

/// Refuses division and square roots: the PEs have no divider.
Binding refuses_division(FmaRounding);

}  // namespace psim::isa::simd

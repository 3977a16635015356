// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "guest/fault_report.h"
#include "isa/simd/transfer.h"
#include "isa/state/simd_state.h"

namespace psim::isa {

namespace {

/// Returns "PE 3", "PEs 1, 4–15".
std::string pe_list(std::uint32_t mask) {
  std::string text;
  unsigned count = 0;
  for (unsigned pe = 0; pe < kMostPes; ++pe) {
    if ((mask >> pe & 1) == 0) continue;
    unsigned last = pe;
    while (last + 1 < kMostPes && (mask >> (last + 1) & 1) != 0) ++last;
    count += last - pe + 1;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", pe);
    if (last > pe + 1) text += fmt::format("–{}", last), pe = last;
  }
  return fmt::format("PE{} {}", count == 1 ? "" : "s", text);
}

/// The text of a fault and its remedy.
struct FaultText {
  std::string text, remedy;
};

FaultText divergence(const SimdState& s, const Fault& fault) {
  constexpr const char* kValues[] = {"equal", "less", "greater", "unordered"};
  const unsigned first = s.first();
  const auto other = static_cast<unsigned>(__builtin_ctz(fault.pes | 1u << 31));
  return {fmt::format("SIMD divergence: %fcc{} is \"{}\" in PE {}, \"{}\" in PE {}, not alike in {}",
                      fault.detail, kValues[s.fcc[fault.detail][first]], first,
                      kValues[s.fcc[fault.detail][other]], other, pe_list(fault.pes | 1u << first)),
          fmt::format(
              "PEs cannot branch on their own data: compute both values and choose one with a select, as "
              "psim_select_gt(x, y, a, b) for x > y ? a : b (psim_simd.h, psim_simd.f90), or fmov on %fcc{}",
              fault.detail)};
}

FaultText one_value(const SimdState& s, const Fault& fault) {
  const unsigned first = s.first();
  const bool load = fault.word >> 30 == 3;
  return {fmt::format(
              "SIMD divergence: an integer register has one value for all PEs, but this is {:#x} in PE {}, "
              "{:#x} in PE {}, not alike in {}",
              fault.address, first, fault.other, static_cast<unsigned>(__builtin_ctz(fault.pes | 1u << 31)),
              pe_list(fault.pes | 1u << first)),
          fmt::format(
              "{}, or read one PE on purpose (fgetd, or ASI 0xb8)",
              load ? "load it into a floating-point register (gcc: copy the members of structures, not the "
                     "whole, or -mno-vis3)"
                   : "keep it in floating-point registers (gcc: -mno-vis3)")};
}

FaultText outside(const SimdState& s, const Fault& fault) {
  const bool below =
      s.stack_bytes != 0 && fault.address < s.stack_window && s.stack_window - fault.address <= s.sbm_bytes;
  if (below)
    return {fmt::format(
                "SIMD stack overflow: store of PE registers to {:#x}, {} bytes below the stack window of {} "
                "bytes",
                fault.address, s.stack_window - fault.address, s.stack_bytes),
            "give it more of the SBM (PSIM_SIMD_STACK_BYTES)"};
  return {fmt::format(
              "SIMD store of PE registers to {:#x}, outside the data window ({:#x}, {} bytes) and the stack "
              "window ({:#x}, {} bytes)",
              fault.address, s.data_window, s.sbm_bytes, s.stack_window, s.stack_bytes),
          "store to SBM and use sbmput, or fgetd in scalar state"};
}

}  // namespace

FaultDescription describe_simd_fault(Executor& executor, const Fault& fault) {
  FaultDescription d;
  d.signal.address = fault.pc;
  d.of_simd = true;
  const SimdState& s = executor.simd();
  const auto set = [&](int number, int code, FaultText text) {
    d.signal.number = number, d.signal.code = code;
    d.text = std::move(text.text), d.remedy = std::move(text.remedy);
  };
  switch (fault.kind) {
    case FaultKind::NoPes:
      set(sig::kIll, sig::code::kIllOpcode,
          {fmt::format("illegal instruction {:#010x}: this core has no SIMD-PEs", fault.word),
           "machine simd16 has (or set simd.pes=16)"});
      break;
    case FaultKind::PeDivide:
      set(sig::kIll, sig::code::kIllOpcode,
          {"no division or square root in SIMD state: PEs have no divider",
           "use psim_simd_div or psim_simd_sqrt (psim_simd_math.h, psim_simd.f90), or divide in scalar state "
           "and "
           "broadcast the quotient"});
      break;
    case FaultKind::PeDivergence:
      set(sig::kIll, sig::code::kIllOpcode, divergence(s, fault));
      break;
    case FaultKind::PeInteger:
      set(sig::kIll, sig::code::kIllOpcode, one_value(s, fault));
      break;
    case FaultKind::PeStore:
      set(sig::kSegv, sig::code::kNotMapped, outside(s, fault));
      d.signal.address = fault.address;
      break;
    case FaultKind::PeAccess:
      set(sig::kSegv, sig::code::kNotMapped,
          {fmt::format(
               "SBM access at {:#x}: beyond {} PEs of {} bytes, or an atomic or store of PE registers, which "
               "SBM does not have there",
               fault.address, s.pes, s.sbm_bytes),
           ""});
      d.signal.address = fault.address;
      break;
    case FaultKind::PeOperand:
      set(sig::kIll, sig::code::kIllOpcode,
          {fmt::format(
               "operand {:#x} is wrong: expected a PE from 0 to {}, or for %simdstack an address that is a "
               "multiple of 64 and at most {} bytes",
               fault.address, s.pes - 1, s.sbm_bytes),
           ""});
      break;
    case FaultKind::PeState:
      set(sig::kIll, sig::code::kIllOpcode,
          {"cross operation in scalar state", "PEs do it in SIMD state (simd_on, psim_simd_call)"});
      break;
    case FaultKind::TransferRace:
      set(sig::kSegv, sig::code::kNotPermitted,
          {fmt::format("SBM offset {:#x} is part of a block transfer with tag {} that is outstanding",
                       fault.address, fault.detail),
           "wait for it with sbmsync, or set simd.transfer_race=ignore"});
      d.signal.address = fault.address;
      break;
    default:
      set(sig::kIll, sig::code::kIllOpcode,
          {fmt::format("block transfer descriptor: {} ({:#x})",
                       text_of(static_cast<DescriptorProblem>(fault.detail)), fault.address),
           ""});
      break;
  }
  return d;
}

}  // namespace psim::isa

// SPDX-License-Identifier: Apache-2.0
#include "guest/fault_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "guest/address_space.h"
#include "isa/state/windows.h"
#include "isa/table/disassemble.h"

namespace psim::isa {

namespace {

const char* access_name(Executor& executor, const Fault& fault) {
  const StaticInstruction* instruction = executor.text(fault.pc);
  if (!instruction) return "access to";
  if (instruction->load && instruction->store) return "atomic access to";
  return instruction->store ? "store to" : "load from";
}

// Returns whether the address is just below the first thread's stack, or in a frame that does not fit into
// it.
bool beyond_stack(Executor& executor, std::uint64_t address) {
  const std::uint64_t frame = executor.state().r[14] + kStackBias;
  const bool below = frame > AddressSpace::kStackGuard / 2;  // and not a damaged stack pointer
  const std::uint64_t begin = below ? std::min(frame, AddressSpace::kStackGuard) : AddressSpace::kStackGuard;
  return begin <= address && address < AddressSpace::kStack;
}

// Converts %fsr.cexc to si_code; bit order NV OF UF DZ NX (V9 manual 5.1.7.10).
int ieee_code(std::uint64_t fsr) {
  if (fsr & 0x10) return sig::code::kFloatInvalid;
  if (fsr & 0x08) return sig::code::kFloatOverflow;
  if (fsr & 0x04) return sig::code::kFloatUnderflow;
  if (fsr & 0x02) return sig::code::kFloatDivide;
  return fsr & 0x01 ? sig::code::kFloatInexact : 0;
}

const char* ieee_name(int code) {
  switch (code) {
    case sig::code::kFloatInvalid:
      return "invalid operation";
    case sig::code::kFloatOverflow:
      return "overflow";
    case sig::code::kFloatUnderflow:
      return "underflow";
    case sig::code::kFloatDivide:
      return "division by zero";
    default:
      return "inexact result";
  }
}

}  // namespace

FaultDescription describe_fault(const GuestMemory& memory, Executor& executor, const Fault& fault) {
  FaultDescription d;
  d.signal.address = fault.pc;
  const auto set = [&](int number, int code) { d.signal.number = number, d.signal.code = code; };
  switch (fault.kind) {
    case FaultKind::IllegalInstruction:
      set(sig::kIll, sig::code::kIllOpcode);
      d.text = fmt::format("illegal instruction {:#010x}", fault.word);
      break;
    case FaultKind::PrivilegedInstruction:
      set(sig::kIll, sig::code::kPrivileged);
      d.text = fmt::format("privileged instruction {:#010x}", fault.word);
      break;
    case FaultKind::Misaligned:
      set(sig::kBus, sig::code::kMisaligned);
      d.signal.address = fault.address;
      d.text = fmt::format("{} misaligned address {:#x}", access_name(executor, fault), fault.address);
      break;
    case FaultKind::NotMapped:
    case FaultKind::NotPermitted: {
      const StaticInstruction* instruction = executor.text(fault.pc);
      if (memory.hidden(fault.address, instruction && instruction->store ? kWrite : kRead)) {
        set(sig::kBus, sig::code::kNoObject);
        d.signal.address = fault.address;
        d.text = fmt::format("{} address {:#x}, beyond the end of its file", access_name(executor, fault),
                             fault.address);
        break;
      }
      const bool mapped = memory.permission(fault.address) & kMapped;
      set(sig::kSegv, mapped ? sig::code::kNotPermitted : sig::code::kNotMapped);
      d.signal.address = fault.address;
      d.text = fmt::format("{} {} address {:#x}", access_name(executor, fault),
                           mapped ? "forbidden" : "unmapped", fault.address);
      if (beyond_stack(executor, fault.address))
        d.remedy = "the stack has no more room: give it more with --stack";
      break;
    }
    case FaultKind::NotExecutable: {
      if (memory.hidden(fault.pc, kExecute)) {
        set(sig::kBus, sig::code::kNoObject);
        d.text = fmt::format("an instruction at {:#x}, beyond the end of its file", fault.pc);
        break;
      }
      const bool mapped = memory.permission(fault.pc) & kMapped;
      set(sig::kSegv, mapped ? sig::code::kNotPermitted : sig::code::kNotMapped);
      d.text = fmt::format("no executable memory at {:#x}", fault.pc);
      break;
    }
    case FaultKind::DivisionByZero:
      set(sig::kFpe, sig::code::kIntegerDivide);
      d.text = "integer division by zero";
      break;
    case FaultKind::FpIeee:
      set(sig::kFpe, ieee_code(executor.read_fsr()));
      d.text = fmt::format("floating-point exception, {}", ieee_name(d.signal.code));
      break;
    case FaultKind::FpUnimplemented:
      set(sig::kIll, sig::code::kIllOpcode);
      d.text = fmt::format("unimplemented floating-point operation {:#010x}", fault.word);
      break;
    case FaultKind::TagOverflow:
      set(sig::kEmt, sig::code::kTagOverflow);
      d.text = "tag overflow";
      break;
    case FaultKind::UnknownAsi:
      set(sig::kSegv, sig::code::kNotMapped);
      d.signal.address = fault.address;
      d.text = fmt::format("{} address {:#x} by unknown or privileged ASI {:#04x}",
                           access_name(executor, fault), fault.address, fault.asi);
      break;
    case FaultKind::WindowMemory:
      set(sig::kSegv, sig::code::kNotMapped);
      if (memory.hidden(fault.address, kRead | kWrite)) set(sig::kBus, sig::code::kNoObject);
      d.signal.address = fault.address;
      d.text = fmt::format("no memory to spill or fill a register window at {:#x}", fault.address);
      break;
    case FaultKind::NoPes:
    case FaultKind::PeDivide:
    case FaultKind::PeDivergence:
    case FaultKind::PeInteger:
    case FaultKind::PeStore:
    case FaultKind::PeAccess:
    case FaultKind::PeOperand:
    case FaultKind::PeState:
    case FaultKind::TransferRace:
    case FaultKind::Descriptor:
      return describe_simd_fault(executor, fault);
  }
  return d;
}

std::string instruction_text(const GuestMemory& memory, std::uint64_t pc) {
  std::uint32_t word = 0;
  if (!memory.load(pc, word)) return "";
  return fmt::format(" ({:#010x}: {})", word, disassemble(word, pc));
}

std::string describe_source(const SourceMap& sources, std::uint64_t pc) {
  const std::string text = sources.locate(pc).text();
  return text.empty() ? "" : ", " + text;
}

std::string describe_calls(const SourceMap& sources, const CallSite& site) {
  constexpr std::size_t kMost = 6;
  std::string lines;
  for (std::size_t i = 0; i < std::min(kMost, site.calls.size()); ++i) {
    const std::string text = sources.locate(site.calls[i]).text();
    if (text.empty()) break;
    lines += fmt::format("psim:   called from {:#x} {}\n", site.calls[i], text);
  }
  return lines;
}

std::string describe_callers(const SourceMap& sources, const GuestMemory& memory, const CpuState& state) {
  return describe_calls(sources, call_site(state, memory, state.pc));
}

}  // namespace psim::isa

// SPDX-License-Identifier: Apache-2.0
#include "guest/trace/testing/recordings.h"

#include <fmt/format.h>

#include "guest/testing/tiny_program.h"
#include "guest/trace/recording_source.h"
#include "isa/assembler/assembler.h"
#include "isa/trace/trace_source.h"

namespace psim::isa::trace::testing {

using isa::testing::kTinyEntry;
using isa::testing::TinyProgram;

const std::string_view kBusyProgram = R"(
      sub %sp, -2047, %g2
      sub %g2, 2048, %g2            ! data, in a page without code
      mov 40, %g1
loop: stx %g1, [%g2 + 8]
      ldx [%g2 + 8], %g3
      add %g2, 24, %g4
      ldub [%g4 + %g1], %g5
      subcc %g1, 1, %g1
      bne,a %xcc, loop
      nop
      mov 10, %o0
      .word 0x013051d1              ! region marker: begin, one argument
      call deep
      mov 3, %o1
      .word 0x013051e0              ! end
      ! code that changes itself: patch becomes mov 7, %g6
here: rd %pc, %l0
      lduw [%l0 + (other - here)], %l1
      stw %l1, [%l0 + (patch - here)]
      flush [%l0 + 0]
patch: mov 5, %g6
      ba after
      nop
other: mov 7, %g6
after: cmp %g6, 7
      bne,pn %icc, bad
      nop
      rd %tick, %g7
      mov 188, %g1
      ta 0x6d
bad:  illtrap 0
deep: save %sp, -176, %sp
      brz %i0, up
      nop
      call deep
      sub %i0, 1, %o0
up:   ret
      restore
)";

// Line i of 64 leads to line 37 i + 11 modulo 64, which is one circle.
const std::string_view kPointerProgram = R"(
      sub %sp, -2047, %g2
      sub %g2, 4032, %g2
      sub %g2, 2112, %g2            ! the lines, of 64 bytes
      mov 0, %g1
make: smul %g1, 37, %g3
      add %g3, 11, %g3
      and %g3, 63, %g3
      sllx %g3, 6, %g3
      add %g2, %g3, %g3
      sllx %g1, 6, %g4
      add %g2, %g4, %g4
      stx %g3, [%g4]
      inc %g1
      cmp %g1, 64
      bne %icc, make
      nop
      mov 5, %g5
again: mov 64, %g1
      mov %g2, %g3
next: ldx [%g3], %g3
      ldub [%g3 + 9], %g4
      subcc %g1, 1, %g1
      bne %icc, next
      nop
      subcc %g5, 1, %g5
      bne %icc, again
      nop
      mov 1, %g4                    ! an address that is no multiple of 8
      stx %g4, [%g2 + 1728]
      mov 64, %g1
last: ldx [%g3], %g3
      ldub [%g3 + 9], %g4
      subcc %g1, 1, %g1
      bne %icc, last
      nop
      illtrap 0
)";

const std::string_view kSimdProgram = R"(
      sub %sp, -2047, %g2
      sub %g2, 2048, %g2            ! the descriptor; data 256 bytes behind
      add %g2, 256, %g3
      mov 8, %g1
      mov 1, %g4
      sethi %hi(0xfc00), %g5
      or %g5, 0x3ff, %g5
      stx %g3, [%g2]                ! memory
      stx %g1, [%g2 + 8]            ! 8 bytes from PE to PE
      stx %g0, [%g2 + 16]
      stw %g0, [%g2 + 24]
      stw %g1, [%g2 + 28]
      stw %g1, [%g2 + 32]           ! one row of 8 bytes
      stw %g4, [%g2 + 36]
      stw %g5, [%g2 + 40]           ! 16 PEs
      stw %g0, [%g2 + 44]           ! tag 0
      sbmget [%g2 + 0]
      sbmsync 1
      .word 0x91802001              ! wr %g0, 1, %simd
      sethi %hi(0xf0000000), %l0    ! the data window
      mov 3, %l1
again: ldd [%l0], %f0
      faddd %f0, %f0, %f2
      std %f2, [%l0 + 8]
      ldd [%g3], %f4                ! read once, broadcast
      subcc %l1, 1, %l1
      bne,pt %xcc, again
      add %l0, 16, %l0
      .word 0x91802000              ! wr %g0, 0, %simd
      stw %g1, [%g2 + 24]
      sbmput [%g2 + 0]
      sbmsync 1
      mov 0, %o0
      mov 188, %g1
      ta 0x6d
)";

const std::string_view kBothStatesProgram = R"(
      sub %sp, -2047, %l7
      sub %l7, 2048, %l7            ! memory
      sethi %hi(0xf0000000), %l6    ! the data window
      mov %l7, %l0
      mov 3, %l2                    ! rounds: scalar on memory, SIMD on SBM, SIMD reading memory
round: mov 4, %l1
      mov %l0, %l3
shared: ldd [%l3], %f0
      fcmpd %fcc0, %f0, %f0
      add %l3, 8, %l3
      fbg,a shared                  ! never: annuls its slot
      ldd [%l3], %f2
      fbe next                      ! always, with an access in its slot
      ldd [%l3 + 8], %f4
      illtrap 0
next: subcc %l1, 1, %l1
      bne,a,pt %xcc, shared
      ldub [%l3], %g3
      cmp %l2, 3
      bne second
      mov %l6, %l0
      .word 0x91802001              ! wr %g0, 1, %simd
      ba,a round_again
second: mov %l7, %l0
      wr %g0, 0xff, %pemask
round_again: subcc %l2, 1, %l2
      bne round
      nop
      .word 0x91802000              ! wr %g0, 0, %simd
      mov 6, %l1                    ! SBM of PE after PE
      mov 8, %l3
      sethi %hi(0x100000), %l4
pes:  ldda [%l3] 0xb8, %f6
      stda %f6, [%l3 + %l4] 0xb8
      lduha [%l7] 0x80, %g3
      wr %g0, 0xb8, %asi
      ldxa [%l3 + 8] %asi, %g3
      wr %g0, 0x80, %asi
      ldxa [%l7 + 8] %asi, %g3
      subcc %l1, 1, %l1
      bne pes
      add %l3, %l4, %l3
      .word 0x91802001              ! wr %g0, 1, %simd
      mov 2, %l1
      mov %l6, %l0
store: std %f6, [%l0 + 16]          ! into the window, then to memory, where it may not
      subcc %l1, 1, %l1
      bne store
      mov %l7, %l0
      ba store
      nop
)";

std::string to_text(const InstructionRecord& r) {
  return fmt::format("{:#x} {:#010x} kind {} window {} @{:#x} {}{:#x}{}{}{}{}{}{} pes {}", r.pc,
                     r.instruction->word, static_cast<int>(r.kind), r.window, r.address,
                     r.taken ? "taken " : "", r.target, r.annulled_slot ? " annulled" : "",
                     r.region_marker ? " marker" : "", r.first_of_trap ? " trap" : "",
                     r.signal ? " signal" : "", r.simd ? " simd" : "", r.sbm ? " sbm" : "", r.pes);
}

namespace {
std::vector<std::uint32_t> words_of(std::string_view assembly) {
  return assembler::words(assembly, kTinyEntry);
}
}  // namespace

std::vector<std::string> stepped(std::string_view assembly) {
  TinyProgram program(words_of(assembly), false);
  std::vector<std::string> records;
  for (InstructionRecord record; program.process().executor.step(record, true) == Pull::Record;) {
    record.region_marker = is_region_marker(record.instruction->word);
    records.push_back(to_text(record));
  }
  return records;
}

std::vector<std::string> pulled(InstructionSource& source) {
  std::vector<std::string> records;
  InstructionRecord record;
  for (std::uint64_t cycle = 0;; ++cycle) {
    Pull pull = source.next(cycle, false, record);
    if (pull == Pull::WaitUntilOldest) {
      records.emplace_back("wait");
      pull = source.next(++cycle, true, record);
    }
    if (pull == Pull::End) return records;
    records.push_back(to_text(record));
  }
}

std::string recorded(std::string_view assembly, Window window) {
  std::string trace;
  TinyProgram program(words_of(assembly), false);
  TraceFileWriter file(std::make_unique<MemorySink>(trace));
  ProgramRecorder recorder(program.process(), file, {{"program", "tiny"}}, std::move(window));
  recorder.run([] {});
  recorder.finish({{"exit_status", "0"}});
  return trace;
}

std::string recorded_live(std::string_view assembly) {
  std::string trace;
  TinyProgram program(words_of(assembly));
  TraceFileWriter file(std::make_unique<MemorySink>(trace));
  LiveSource live(program.process());
  RecordingSource source(live, program.process(), file, {});
  pulled(source);
  source.finish({});
  return trace;
}

std::vector<std::string> replayed(const std::string& trace) {
  MemoryBytes bytes(trace);
  TraceFile file("memory", bytes);
  TraceSource source(file);
  std::vector<std::string> records;
  for (InstructionRecord record; source.next(0, true, record) == Pull::Record;)
    records.push_back(to_text(record));
  source.check_used();
  return records;
}

}  // namespace psim::isa::trace::testing

// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/call_frames.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "base/error.h"
#include "isa/assembler/assembler.h"
#include "isa/assembler/object_file.h"
#include "isa/assembler/relocation.h"
#include "isa/table/testing/objdump.h"

namespace psim::isa::assembler {
namespace {

using ::testing::HasSubstr;
using testing::ScratchFile;

/// Returns the bytes and relocations of .eh_frame and .debug_frame.
std::string frames_of(const std::string& bytes) {
  const ObjectFile file = parse_object_file("object", {bytes.begin(), bytes.end()});
  std::string text;
  for (const ObjectFile::Section& section : file.sections) {
    if (section.name != ".eh_frame" && section.name != ".debug_frame") continue;
    text += fmt::format("{} {}:", section.name, section.flags);
    for (std::size_t i = 0; i < section.bytes.size(); ++i)
      text += fmt::format("{}{:02x}", i % 16 == 0 ? "\n  " : " ", section.bytes[i]);
    text += '\n';
  }
  std::set<std::string> relocations;
  for (const ObjectFile::Relocation& relocation : file.relocations) {
    const std::string& name = file.sections[relocation.section].name;
    if (name == ".eh_frame" || name == ".debug_frame")
      relocations.insert(fmt::format("{} {:#x}: {} {} {:+}\n", name, relocation.offset,
                                     relocation_name(relocation.type), relocation.symbol, relocation.addend));
  }
  for (const std::string& relocation : relocations) text += relocation;
  return text;
}

std::string ours(const std::string& text) { return frames_of(object(assemble(text))); }
std::string theirs(const std::string& text) {
  const ScratchFile source(".s"), made(".o");
  std::ofstream(source.name()) << text;
  EXPECT_EQ(std::system(("sparc64-linux-gnu-as -Av9m -o " + made.name() + " " + source.name()).c_str()), 0);
  std::ifstream in(made.name(), std::ios::binary);
  return frames_of({std::istreambuf_iterator<char>(in), {}});
}

std::string refusal(const std::string& text) {
  try {
    assemble(text);
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

/// Every directive, advances of all lengths, functions that share a CIE and functions that do not.
constexpr char kFrames[] = R"(
        .text
        .global one
one:    .cfi_startproc
        .cfi_personality 0x9b,DW.ref.personality
        .cfi_lsda 0x1b,.LLSDA0
        save    %sp, -176, %sp
        .cfi_window_save
        .cfi_register 15, 31
        .cfi_def_cfa_register 30
        nop
        .cfi_remember_state
        nop
        .cfi_def_cfa 14, 2223
        .cfi_offset %l0, -16
        .cfi_offset 40, -128
        .cfi_offset 70, -256
        .cfi_offset 16, 24
        .cfi_val_offset 17, -32
        .cfi_val_offset 17, 32
        nop
        .cfi_restore_state
        .cfi_restore 16, 70
        .cfi_undefined %g1
        .cfi_same_value 18
        nop
        .cfi_escape 0x2e, 0x10
        .cfi_endproc
two:    .cfi_startproc
        .skip   252
        .cfi_def_cfa_offset 2063
        .skip   256
        .cfi_adjust_cfa_offset 16
        .cfi_rel_offset %i0, 2047 + 32 - 8
        .skip   1024
        .cfi_def_cfa_offset -16
        .skip   262144
        .cfi_def_cfa 30, -8
        ret
        restore
        .cfi_endproc
three:  .cfi_startproc
        retl
        nop
        .cfi_endproc
        .section .text.other,"ax",@progbits
four:   .cfi_startproc
        .cfi_signal_frame
        .cfi_return_column 31
        nop
        .cfi_endproc
five:   .cfi_startproc simple
        .cfi_def_cfa %sp, 2047
        nop
        .cfi_endproc
six:    .cfi_startproc
        .cfi_personality 0,personality
        .cfi_lsda 0,.LLSDA6
        nop
        .cfi_endproc
        .section .gcc_except_table,"a",@progbits
        .word 1
.LLSDA0: .word 2
.LLSDA6: .word 3
)";

TEST(CallFrames, EveryDirectiveBecomesTheBytesOfGnuAs) {
  if (!testing::have("sparc64-linux-gnu-as")) GTEST_SKIP() << "sparc64-linux-gnu-as is not installed";
  for (const char* const sections :
       {"", ".cfi_sections .debug_frame\n", ".cfi_sections .eh_frame, .debug_frame\n"})
    EXPECT_EQ(ours(sections + std::string(kFrames)), theirs(sections + std::string(kFrames))) << sections;
}

TEST(CallFrames, OutsideAFunctionThereIsNoFrame) {
  EXPECT_THAT(refusal("nop\n .cfi_window_save\n"),
              HasSubstr(":2:2: got .cfi_window_save, expected .cfi_startproc"));
  EXPECT_THAT(refusal(" .cfi_startproc\n .data\n .cfi_def_cfa_register %fp\n"), HasSubstr(":3:2: "));
}

TEST(CallFrames, AFunctionEndsBeforeTheNextBegins) {
  EXPECT_THAT(refusal(" .cfi_startproc\n nop\n .cfi_startproc\n"),
              HasSubstr(":3:2: got .cfi_startproc again"));
  EXPECT_THAT(refusal(" .cfi_startproc\n nop\n"),
              HasSubstr(":1:2: got .cfi_startproc, expected .cfi_endproc"));
}

TEST(CallFrames, OperandsMustFitTheDirective) {
  const auto inside = [](const std::string& line) {
    return refusal(" .cfi_startproc\n" + line + "\n .cfi_endproc\n");
  };
  EXPECT_THAT(inside(" .cfi_offset 16, -12"), HasSubstr(":2:18: got -12, expected a multiple of 8"));
  EXPECT_THAT(inside(" .cfi_register 15"), HasSubstr("with 1 operands, expected two registers"));
  EXPECT_THAT(inside(" .cfi_def_cfa_register %zz"), HasSubstr("%zz"));
  EXPECT_THAT(inside(" .cfi_def_cfa_register %fsr"), HasSubstr("got %fsr, expected a register"));
  EXPECT_THAT(inside(" .cfi_lsda 0x1a, x"), HasSubstr("got 0x1a, expected 0xff for none"));
  EXPECT_THAT(inside(" .cfi_restore_state"), HasSubstr("expected .cfi_remember_state before it"));
  EXPECT_THAT(inside(" .cfi_def_cfa_ofset 8"), HasSubstr("did you mean .cfi_def_cfa_offset?"));
}

}  // namespace
}  // namespace psim::isa::assembler

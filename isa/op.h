// SPDX-License-Identifier: Apache-2.0
// One name for each meaning of the user-level instruction set: SPARC-V9, VIS 1, VIS 2, VIS 3, FMA,
// compare-and-branch and the SIMD extension. The register and the immediate form of an instruction share
// their name; so do forms that differ only in a condition or a condition-code field. Rows of the instruction
// table (isa/table) bind names to encodings.
#pragma once

#include <cstddef>
#include <cstdint>

namespace psim::isa {

// clang-format off
enum class Op : std::uint16_t {
  // No meaning in user mode.
  Illegal,     ///< no row has this word: illegal_instruction
  Illtrap,     ///< V9 A.22
  Privileged,  ///< done, retry, rdpr, wrpr, saved, restored, …: privileged_opcode

  // Integer arithmetic and logic.
  Add, Addcc, Addc, Addccc, Sub, Subcc, Subc, Subccc,
  And, Andcc, Andn, Andncc, Or, Orcc, Orn, Orncc, Xor, Xorcc, Xnor, Xnorcc,
  Taddcc, Taddcctv, Tsubcc, Tsubcctv,
  Sll, Srl, Sra, Sllx, Srlx, Srax,
  Mulscc, Umul, Umulcc, Smul, Smulcc, Mulx, Udiv, Udivcc, Sdiv, Sdivcc, Udivx, Sdivx,
  Popc, Sethi, Nop,
  Movcc,   ///< move register on icc or xcc
  Movfcc,  ///< move register on fccn
  Movr,    ///< move register on register condition

  // Control transfer.
  Call, Jmpl, Return,
  Bicc, Bpcc, Fbfcc, Fbpfcc, Bpr,
  Cwb, Cxb,  ///< compare 32 or 64 bits and branch; no delay slot
  Tcc,

  // Register windows.
  Save, Restore, Flushw,

  // Loads and stores of integer registers; the -a forms take an ASI.
  Ldsb, Ldsh, Ldsw, Ldub, Lduh, Lduw, Ldx, Ldtw,
  Ldsba, Ldsha, Ldswa, Lduba, Lduha, Lduwa, Ldxa, Ldtwa,
  Stb, Sth, Stw, Stx, Sttw,
  Stba, Stha, Stwa, Stxa, Sttwa,
  // Loads and stores of floating-point registers. Block and short forms are the ASIs of Lddfa and Stdfa.
  Ldf, Lddf, Ldqf, Ldfsr, Ldxfsr,
  Ldfa, Lddfa, Ldqfa,
  Stf, Stdf, Stqf, Stfsr, Stxfsr,
  Stfa, Stdfa, Stqfa,
  // Atomics, prefetch, ordering.
  Ldstub, Ldstuba, Swap, Swapa, Casa, Casxa,
  Prefetch, Prefetcha, Membar, Stbar, Flush,

  // State registers.
  Rdy, Rdccr, Rdasi, Rdtick, Rdpc, Rdfprs, Rdgsr, Rdstick,
  Wry, Wrccr, Wrasi, Wrfprs, Wrgsr,
  Wrpause,  ///< wr %asr27: wait that many cycles at most

  // Floating-point arithmetic.
  Fadds, Faddd, Faddq, Fsubs, Fsubd, Fsubq, Fmuls, Fmuld, Fmulq, Fsmuld, Fdmulq, Fdivs, Fdivd, Fdivq,
  Fsqrts, Fsqrtd, Fsqrtq,
  Fmovs, Fmovd, Fmovq, Fnegs, Fnegd, Fnegq, Fabss, Fabsd, Fabsq,
  // Conversions: i is a 32-bit, x a 64-bit signed integer.
  Fstox, Fdtox, Fqtox, Fstoi, Fdtoi, Fqtoi,
  Fxtos, Fxtod, Fxtoq, Fitos, Fitod, Fitoq,
  Fstod, Fstoq, Fdtos, Fdtoq, Fqtos, Fqtod,
  // Compares.
  Fcmps, Fcmpd, Fcmpq, Fcmpes, Fcmped, Fcmpeq,
  // Conditional moves on icc or xcc, on fccn, on an integer register.
  Fmovscc, Fmovdcc, Fmovqcc, Fmovsfcc, Fmovdfcc, Fmovqfcc, Fmovrs, Fmovrd, Fmovrq,
  // Multiply-add, IMPDEP2.
  Fmadds, Fmaddd, Fmsubs, Fmsubd, Fnmsubs, Fnmsubd, Fnmadds, Fnmaddd,
  Fpmaddx, Fpmaddxhi,

  // VIS 1.
  Edge8cc, Edge8lcc, Edge16cc, Edge16lcc, Edge32cc, Edge32lcc,
  Array8, Array16, Array32, Alignaddr, Alignaddrl, Faligndata,
  Fpcmple16, Fpcmpne16, Fpcmpgt16, Fpcmpeq16, Fpcmple32, Fpcmpne32, Fpcmpgt32, Fpcmpeq32,
  Fmul8x16, Fmul8x16au, Fmul8x16al, Fmul8sux16, Fmul8ulx16, Fmuld8sux16, Fmuld8ulx16,
  Fpack16, Fpack32, Fpackfix, Fexpand, Fpmerge, Pdist,
  Fpadd16, Fpadd16s, Fpadd32, Fpadd32s, Fpsub16, Fpsub16s, Fpsub32, Fpsub32s,
  Fzerod, Fzeros, Foned, Fones, Fsrc1d, Fsrc1s, Fsrc2d, Fsrc2s, Fnot1d, Fnot1s, Fnot2d, Fnot2s,
  Fandd, Fands, Fandnot1d, Fandnot1s, Fandnot2d, Fandnot2s, Fnandd, Fnands,
  Ford, Fors, Fornot1d, Fornot1s, Fornot2d, Fornot2s, Fnord, Fnors, Fxord, Fxors, Fxnord, Fxnors,
  // VIS 2.
  Edge8n, Edge8ln, Edge16n, Edge16ln, Edge32n, Edge32ln, Bmask, Bshuffle, Siam,
  // VIS 3.
  Addxc, Addxccc, Umulxhi, Lzcnt, Xmulx, Xmulxhi, Cmask8, Cmask16, Cmask32,
  Movdtox, Movstouw, Movstosw, Movxtod, Movwtos,
  Fsll16, Fsrl16, Fslas16, Fsra16, Fsll32, Fsrl32, Fslas32, Fsra32,
  Fchksm16, Fmean16, Pdistn, Fpadd64, Fpsub64,
  Fpadds16, Fpadds16s, Fpadds32, Fpadds32s, Fpsubs16, Fpsubs16s, Fpsubs32, Fpsubs32s,
  Fpcmpule8, Fpcmpune8, Fpcmpugt8, Fpcmpueq8,
  Fnadds, Fnaddd, Fnmuls, Fnmuld, Fnsmuld, Fhadds, Fhaddd, Fhsubs, Fhsubd, Fnhadds, Fnhaddd,
  Flcmps, Flcmpd,

  // SIMD extension (docs/isa.md). State: the state bit, the PE mask, the stack window.
  Rdsimd, Rdpemask, Rdsimdstack, Wrsimd, Wrpemask, Wrsimdstack,
  // Between scalar and PE registers; the number of each PE; sums across PEs.
  Fbcasts, Fbcastd, Fputs, Fputd, Fgets, Fgetd, Fpeid, Fsums, Fsumd, Fsumbs, Fsumbd,
  // Cross operations: the odd PE takes rs2 from its partner,
  Fxmovs, Fxmovd, Fxadds, Fxaddd, Fxsubs, Fxsubd, Fxmuls, Fxmuld,
  Fxmadds, Fxmaddd, Fxmsubs, Fxmsubd, Fxnmsubs, Fxnmsubd, Fxnmadds, Fxnmaddd,
  // the even PE does,
  Fxemovs, Fxemovd, Fxeadds, Fxeaddd, Fxesubs, Fxesubd, Fxemuls, Fxemuld,
  Fxemadds, Fxemaddd, Fxemsubs, Fxemsubd, Fxenmsubs, Fxenmsubd, Fxenmadds, Fxenmaddd,
  // both do,
  Fxbmovs, Fxbmovd, Fxbadds, Fxbaddd, Fxbsubs, Fxbsubd, Fxbmuls, Fxbmuld,
  Fxbmadds, Fxbmaddd, Fxbmsubs, Fxbmsubd, Fxbnmsubs, Fxbnmsubd, Fxbnmadds, Fxbnmaddd,
  // both do, and the even (c) or the odd (j) PE subtracts: times i, times -i.
  Fxcadds, Fxcaddd, Fxcmadds, Fxcmaddd, Fxjadds, Fxjaddd, Fxjmadds, Fxjmaddd,
  // Block transfers between memory and SBM.
  Sbmget, Sbmput, Sbmsync,
};
// clang-format on
inline constexpr std::size_t kOps = static_cast<std::size_t>(Op::Sbmsync) + 1;

}  // namespace psim::isa

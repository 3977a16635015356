// SPDX-License-Identifier: Apache-2.0
#include "energy/coefficients.h"

namespace psim::energy {

namespace {

using enum Coefficient;
constexpr Dimension kBits = Dimension::Count, kEnergy = Dimension::Energy, kPower = Dimension::Power;
constexpr std::uint64_t kPico = 1'000, kNano = 1'000'000, kWatt = 1'000'000;

// No per-stage latch count of SPARC64 V is published; the widths are derived from the contents of a stage.
// Words of 64 bits have 8 bits of parity (JPS1-V: results are checked), instructions 4.
constexpr std::string_view kWidth = "assumption: width of its contents";
// McPAT 1.3 (logic.cc), evaluated at 90 nm and 1.0 V: 0.170 nJ per ALU operation, multiply and divide twice,
// floating point three times that.
constexpr std::string_view kMcPat = "published: McPAT 1.3 at 90 nm, 1.0 V";
constexpr std::string_view kFromMcPat = "assumption: from McPAT 1.3 at 90 nm, 1.0 V";
// A McPAT run of an Alpha 21364 template with SPARC64 V's sizes at 90 nm gives the order of magnitude.
constexpr std::string_view kArray = "assumption: order of McPAT 1.3 at 90 nm";
constexpr std::string_view kLeakage = "assumption: 20 % of 40 W";

constexpr std::array<CoefficientRow, kCoefficients> kTable{{
    {LatchCore, "latch.core", kEnergy, 1'693,
     "a latch of the scalar core, clocked once, with the clock, logic and wires that move with it",
     "fitted: 40 W in region dgemm of workloads/kernels/dgemm_blocked.c, N = 128, gcc -O3 -mcpu=niagara3, "
     "perfect "
     "L1 caches"},
    {LatchPe, "latch.pe", kEnergy, 1'048, "a latch of a PE, likewise",
     "fitted: 0.47 of the scalar energy in region dgemm of workloads/kernels/paper/dgemm.c on 16 PEs, N = "
     "128, perfect L1D (paper 003 table 2)"},

    {BitsIa, "bits.ia", kBits, 96, "a block in IA: address 64, context 13, control 19", kWidth},
    {BitsIt, "bits.it", kBits, 112, "a block in IT: address 64, history index and tag 30, control 18",
     kWidth},
    {BitsIm, "bits.im", kBits, 144, "a block in IM: two physical tags 58, target 64, control 22", kWidth},
    {BitsIb, "bits.ib", kBits, 44, "an instruction in IB: word 36, predecoded 8", kWidth},
    {BitsIr, "bits.ir", kBits, 44, "an instruction in IR: as IB", kWidth},
    {BitsE, "bits.e", kBits, 60, "an instruction in E: word 36, predecoded 8, prediction 4, low address 12",
     kWidth},
    {BitsD, "bits.d", kBits, 142,
     "an instruction in D: control 48, four register names 32, immediate 22, rename tags 24, queue indices "
     "16",
     kWidth},
    {BitsP, "bits.p", kBits, 104,
     "an instruction in P: control 48, source tags 21, result tag 7, immediate 22, "
     "index 6",
     kWidth},
    {BitsBInteger, "bits.b_integer", kBits, 205, "in B of an integer pipe: two operands 144, control 61",
     kWidth},
    {BitsBFp, "bits.b_fp", kBits, 277, "in B of a floating-point pipe: three operands 216, control 61",
     kWidth},
    {BitsBAddress, "bits.b_address", kBits, 277,
     "in B of an address pipe: two operands and datum 216, control 61", kWidth},
    {BitsBBranch, "bits.b_branch", kBits, 197, "in B of the branch pipe: operand 72, target 64, control 61",
     kWidth},
    {BitsXInteger, "bits.x_integer", kBits, 141,
     "in a cycle of X of an integer pipe: result 72, conditions 8, "
     "control 61",
     kWidth},
    {BitsXFp, "bits.x_fp", kBits, 411,
     "in a cycle of X of a floating-point pipe: sum and carry 216, addend 108, exponents 26, control 61",
     kWidth},
    {BitsXAddress, "bits.x_address", kBits, 205, "in X of an address pipe: address 72, datum 72, control 61",
     kWidth},
    {BitsXBranch, "bits.x_branch", kBits, 133, "in X of the branch pipe: target 64, conditions 8, control 61",
     kWidth},
    {BitsPs, "bits.ps", kBits, 205, "an access in Ps: address 72, datum 72, control 61", kWidth},
    {BitsTs, "bits.ts", kBits, 205, "an access in Ts: as Ps", kWidth},
    {BitsMs, "bits.ms", kBits, 221, "an access in Ms: data of two ways 160, control 61", kWidth},
    {BitsBs, "bits.bs", kBits, 133, "an access in Bs: datum 72, control 61", kWidth},
    {BitsRs, "bits.rs", kBits, 133, "an access in Rs: datum 72, control 61", kWidth},
    {BitsU, "bits.u", kBits, 109,
     "an instruction in U: result 72, tag 7, conditions 8, exceptions 16, index 6", kWidth},
    {BitsW, "bits.w", kBits, 110,
     "an instruction in W: result 72, register 8, address 12, conditions 8, control 10", kWidth},
    {BitsC, "bits.c", kBits, 158,
     "an operation in C, once for each PE it goes to: control 48, register names 32, operand 72, index 6",
     kWidth},
    {BitsPeB, "bits.pe_b", kBits, 277, "an operation in B of a PE: as a scalar floating-point pipe", kWidth},
    {BitsPeX, "bits.pe_x", kBits, 411, "in a cycle of X of a PE: as a scalar floating-point pipe", kWidth},
    {BitsPeU, "bits.pe_u", kBits, 109, "an operation in U of a PE: as U", kWidth},
    {BitsW1, "bits.w1", kBits, 22, "a notice in W1, from each PE: index 6, exceptions 16", kWidth},

    {EntryBuffer, "entry.instruction_buffer", kBits, 48,
     "an instruction in the buffer: word 36, predecoded 12", kWidth},
    {EntryStation, "entry.station", kBits, 113, "a reservation station entry: as P, ready bits 3, age 6",
     kWidth},
    {EntryCommit, "entry.commit_stack", kBits, 70,
     "a commit stack entry: address 12, registers 16, status 26, store and branch 16", kWidth},
    {EntryFetchPort, "entry.fetch_port", kBits, 90, "a fetch port: address 64, status 20, index 6", kWidth},
    {EntryStorePort, "entry.store_port", kBits, 162, "a store port: address 64, datum 72, status 26", kWidth},
    {EntrySimdStation, "entry.simd_station", kBits, 113, "a SIMD reservation station entry: as a scalar one",
     kWidth},

    {InstructionRead, "array.instruction_read", kEnergy, 600 * kPico,
     "instruction cache: tags and 32 bytes of each way", kArray},
    {InstructionFill, "array.instruction_fill", kEnergy, 900 * kPico,
     "instruction cache: a line of 64 bytes written", kArray},
    {DataRead, "array.data_read", kEnergy, 500 * kPico, "data cache: tags and 8 bytes of each way", kArray},
    {DataWrite, "array.data_write", kEnergy, 450 * kPico, "data cache: tags, then 8 bytes of one way",
     kArray},
    {DataLine, "array.data_line", kEnergy, 900 * kPico,
     "data cache: a line written by a fill, or read to be written back", kArray},
    {PrefetchLookup, "array.prefetch_lookup", kEnergy, 60 * kPico,
     "first-level cache: tags compared for a prefetch of the hardware, no data", kArray},
    {TlbLookup, "array.tlb_lookup", kEnergy, 20 * kPico, "micro-TLB: 32 entries compared", kArray},
    {TlbRefill, "array.tlb_refill", kEnergy, 120 * kPico, "main TLB read, micro-TLB entry written", kArray},
    {HistorySearch, "array.history_search", kEnergy, 150 * kPico, "branch history: four ways read", kArray},
    {HistoryUpdate, "array.history_update", kEnergy, 150 * kPico, "branch history: an entry read and written",
     kArray},
    {ReturnStack, "array.return_stack", kEnergy, 5 * kPico, "return stack: a push or pop", kArray},
    {MapLookup, "array.map_lookup", kEnergy, 8 * kPico, "rename map: a register looked up", kArray},
    {MapUpdate, "array.map_update", kEnergy, 10 * kPico, "rename map: a destination entered", kArray},
    {WakeUpEntry, "array.wake_up_entry", kEnergy, 500,
     "a result tag compared in one reservation station entry: three comparators of 7 bits", kArray},
    {Select, "array.select", kEnergy, 10 * kPico, "an instruction chosen and read from its station", kArray},
    {GprRead, "array.gpr_read", kEnergy, 20 * kPico, "integer register file of 160 × 64 bits: a read",
     kArray},
    {GprWrite, "array.gpr_write", kEnergy, 25 * kPico, "integer register file of 160 × 64 bits: a write",
     kArray},
    {GubRead, "array.gub_read", kEnergy, 12 * kPico, "integer rename registers (GUB), 8 read ports: a read",
     kArray},
    {GubWrite, "array.gub_write", kEnergy, 15 * kPico, "integer rename registers (GUB): a write", kArray},
    {FprRead, "array.fpr_read", kEnergy, 14 * kPico, "floating-point register file of 32 × 64 bits: a read",
     kArray},
    {FprWrite, "array.fpr_write", kEnergy, 17 * kPico,
     "floating-point register file of 32 × 64 bits: a write", kArray},
    {FubRead, "array.fub_read", kEnergy, 12 * kPico, "floating-point rename registers (FUB): a read", kArray},
    {FubWrite, "array.fub_write", kEnergy, 15 * kPico, "floating-point rename registers (FUB): a write",
     kArray},
    {QueueSearch, "array.queue_search", kEnergy, 20 * kPico, "store queue: all entries compared with a load",
     kArray},
    {L2Line, "array.l2_line", kEnergy, 2 * kNano, "second-level cache: tags, and a line read or written",
     kArray},
    {MemoryByte, "array.memory_byte", kEnergy, 160 * kPico, "a byte between chip and memory",
     "assumption: 20 pJ per bit"},
    {SfprRead, "array.sfpr_read", kEnergy, 14 * kPico, "PE registers: a read of 64 bits", kArray},
    {SfprWrite, "array.sfpr_write", kEnergy, 17 * kPico, "PE registers: a write of 64 bits", kArray},
    {SbmRead, "array.sbm_read", kEnergy, 150 * kPico, "SBM of 64 KB, no tags: a read of 8 bytes", kArray},
    {SbmWrite, "array.sbm_write", kEnergy, 150 * kPico, "SBM of 64 KB, no tags: a write", kArray},
    {CrossOperand, "array.cross_operand", kEnergy, 20 * kPico, "an operand of 64 bits from another PE",
     kArray},
    {ScalarMove, "array.scalar_move", kEnergy, 40 * kPico,
     "an operand of 64 bits between the scalar part and a PE", kArray},
    {TransferRequest, "array.transfer_request", kEnergy, 200 * kPico,
     "a memory request of the transfer engine", kArray},
    {TransferByte, "array.transfer_byte", kEnergy, 20 * kPico,
     "a byte between memory bus and SBM, SBM access included", kArray},

    {ExecuteIntSimple, "execute.int_simple", kEnergy, 170 * kPico, "add, logical, shift", kMcPat},
    {ExecuteIntMultiply, "execute.int_multiply", kEnergy, 340 * kPico, "integer multiply", kMcPat},
    {ExecuteIntDivide, "execute.int_divide", kEnergy, 1'360 * kPico, "integer divide: four multiplies",
     kFromMcPat},
    {ExecuteFpMove, "execute.fp_move", kEnergy, 170 * kPico,
     "fmov, VIS logicals and partitioned adds: an ALU", kFromMcPat},
    {ExecuteFpAdd, "execute.fp_add", kEnergy, 510 * kPico, "floating-point add, compare, convert", kMcPat},
    {ExecuteFpMultiply, "execute.fp_multiply", kEnergy, 510 * kPico, "floating-point multiply", kMcPat},
    {ExecuteFpMultiplyAdd, "execute.fp_multiply_add", kEnergy, 1'020 * kPico, "a multiply and an add",
     kMcPat},
    {ExecuteFpDivideSingle, "execute.fp_divide_single", kEnergy, 1'530 * kPico,
     "single divide: three multiplies", kFromMcPat},
    {ExecuteFpDivideDouble, "execute.fp_divide_double", kEnergy, 2'550 * kPico,
     "double divide: five multiplies", kFromMcPat},
    {ExecuteFpSqrtSingle, "execute.fp_sqrt_single", kEnergy, 2'040 * kPico,
     "single square root: four multiplies", kFromMcPat},
    {ExecuteFpSqrtDouble, "execute.fp_sqrt_double", kEnergy, 3'060 * kPico,
     "double square root: six multiplies", kFromMcPat},
    {ExecuteFpQuad, "execute.fp_quad", kEnergy, 51 * kNano, "quad operation, emulated: a hundred operations",
     kFromMcPat},
    {ExecuteAddress, "execute.address", kEnergy, 170 * kPico, "address of a load or store: an ALU",
     kFromMcPat},
    {ExecuteBranch, "execute.branch", kEnergy, 170 * kPico, "branch: condition and target, an ALU",
     kFromMcPat},

    {LeakageCore, "leakage.core", kPower, 6 * kWatt, "scalar core with first-level caches", kLeakage},
    {LeakageL2, "leakage.l2", kPower, 2 * kWatt, "second-level cache and memory controller", kLeakage},
    {LeakagePe, "leakage.pe", kPower, 562'500, "one PE with its SBM: area of 16 is 1.5 × the scalar core",
     "paper 003 3.3 (area), leakage of the core"},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kTable.size(); ++i)
    if (kTable[i].id != static_cast<Coefficient>(i)) return false;
  return true;
}
static_assert(in_order());

}  // namespace

std::span<const CoefficientRow, kCoefficients> coefficient_table() { return kTable; }

Coefficients::Coefficients() : values() {
  for (std::size_t i = 0; i < kCoefficients; ++i) values[i] = kTable[i].value;
}

}  // namespace psim::energy

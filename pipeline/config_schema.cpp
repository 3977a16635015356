// SPDX-License-Identifier: Apache-2.0
#include "pipeline/config_schema.h"

#include <bit>
#include <string>

#include "pipeline/stages.h"

namespace psim::pipeline {
namespace {

constexpr const char* kPaper = "paper 003 table 1";
constexpr const char* kSimd = "paper 003 3.3";
constexpr const char* kFrontEnd = "JPS1-V pp. 6, 31";
constexpr const char* kBuffers = "JPS1-V pp. 6, 33";
constexpr std::uint32_t kLongestLatency = 400;  // within WakeUp's horizon, with the stages around X

void describe(Schema& schema, FetchConfig& config) {
  schema.section("core.fetch", "instruction fetch, IA to IR");
  schema.add("core.fetch.width", config.width, {1, 64, kPowerOfTwo},
             "instructions of one access, an aligned block", kFrontEnd);
  schema.add("core.fetch.instruction_buffer", config.instruction_buffer, {1, 1024},
             "instructions fetched and not yet decoded", kFrontEnd);
  schema.rule(
      {"core.fetch.instruction_buffer", "core.fetch.width"},
      [&config] { return config.instruction_buffer >= config.width; },
      "the instruction buffer must hold one access");
}

void describe(Schema& schema, BranchConfig& config) {
  schema.section("core.branch", "branch history and return stack");
  schema.add("core.branch.history_entries", config.history_entries, {1, 1u << 24},
             "entries of the branch history", kFrontEnd);
  schema.add("core.branch.history_ways", config.history_ways, {1, 64}, "its associativity", kFrontEnd);
  schema.add("core.branch.counter_bits", config.counter_bits, {1, 7},
             "saturating counter of each entry; taken in its upper half", kAssumption);
  schema.add("core.branch.return_stack", config.return_stack, {1, 1024}, "entries of the return stack",
             kAssumption);
  schema.add("core.branch.taken_bubble", config.taken_bubble, Dimension::Cycles, {0, 64},
             "fetch cycles lost after a predicted-taken branch", kAssumption);
  schema.add("core.branch.redirect_cycles", config.redirect_cycles, Dimension::Cycles, {0, 256},
             "from the end of X of a mispredicted branch to IA of the right path, above 1", kAssumption);
  schema.rule(
      {"core.branch.history_entries", "core.branch.history_ways"},
      [&config] {
        return config.history_entries % config.history_ways == 0 &&
               std::has_single_bit(config.history_entries / config.history_ways);
      },
      "entries must be ways times a power of two");
}

void describe(Schema& schema, StageDepths& config) {
  constexpr const char* kStages = "JPS1-V pp. 31-34";
  schema.section(
      "core.stages",
      "cycles in each stage; l1i.latency covers IA to the first cycle of IB, l1d.latency Ps Ts Ms Bs");
  const auto stage = [&schema](const char* name, std::uint32_t& depth, const char* doc, const char* source) {
    schema.add(std::string("core.stages.") + name, depth, Dimension::Cycles, {1, kDeepestStage}, doc, source);
  };
  stage("ib", config.ib, "IB: a fetched block enters the instruction buffer", kStages);
  stage("ir", config.ir, "IR: end of fetch", kStages);
  stage("e", config.e, "E: instructions enter decode from the instruction buffer", kStages);
  stage("d", config.d, "D: decode, rename, entry of a reservation station", kStages);
  stage("b", config.b, "B: operands are read, between dispatch (P) and execution (X)", kStages);
  stage("rs", config.rs, "Rs: end of an operand access, behind Bs", kStages);
  stage("u", config.u, "U: the result enters its rename register; commit (W) follows", kStages);
  stage("c", config.c, "C: from the scalar part to the PEs, before X or SBM", kSimd);
  stage("w1", config.w1, "W1: from the PEs to the scalar part, between U and W", kSimd);
}

void describe(Schema& schema, WindowConfig& config) {
  schema.section("core.window", "decode, rename and commit");
  schema.add("core.window.decode_width", config.decode_width, {1, 16}, "instructions decoded per cycle",
             kPaper);
  schema.add("core.window.commit_stack", config.commit_stack, {1, 4096},
             "instructions between decode and commit (reorder buffer)", kPaper);
  schema.add("core.window.commit_width", config.commit_width, {1, 16}, "instructions committed per cycle",
             kAssumption);
  schema.add("core.window.integer_rename", config.integer_rename, {2, 4096}, "integer rename registers (GUB)",
             kBuffers);
  schema.add("core.window.fp_rename", config.fp_rename, {8, 4096},
             "floating-point rename registers of 64 bits (FUB)", kBuffers);
}

void describe(Schema& schema, PipeConfig& config) {
  schema.section("core.pipes", "execution pipes");
  schema.add("core.pipes.integer", config.integer, {1, kMaxPipes},
             "integer pipes, each with a reservation station", kPaper);
  schema.add("core.pipes.fp", config.fp, {1, kMaxPipes},
             "floating-point pipes, each with a reservation station and a multiply-add per cycle", kPaper);
  schema.add("core.pipes.address", config.address, {1, kMaxPipes},
             "address pipes of loads and stores, all fed by one station", kPaper);
}

void describe(Schema& schema, StationConfig& config) {
  schema.section("core.stations", "reservation stations");
  schema.add("core.stations.integer", config.integer, {1, 1024},
             "entries of the station of each integer pipe", kPaper);
  schema.add("core.stations.fp", config.fp, {1, 1024}, "entries of the station of each floating-point pipe",
             kPaper);
  schema.add("core.stations.address", config.address, {1, 1024}, "entries of the station of loads and stores",
             kAssumption);
  schema.add("core.stations.branch", config.branch, {1, 1024}, "entries of the station of branches",
             kAssumption);
}

void describe(Schema& schema, LatencyTable& table) {
  using isa::LatencyClass;
  struct Row {
    LatencyClass latency;
    const char *name, *doc;
  };
  // The published sources state no latency of SPARC64 V. Classes whose time is determined elsewhere have no
  // row.
  static constexpr Row kRows[] = {
      {LatencyClass::IntSimple, "int_simple", "add, logical, shift"},
      {LatencyClass::IntMultiply, "int_multiply", "integer multiply"},
      {LatencyClass::IntDivide, "int_divide", "integer divide"},
      {LatencyClass::FpMove, "fp_move", "fmov, fneg, fabs, VIS logicals and partitioned adds"},
      {LatencyClass::FpAdd, "fp_add", "floating-point add, compare, convert"},
      {LatencyClass::FpMultiply, "fp_multiply", "floating-point and VIS multiply"},
      {LatencyClass::FpMultiplyAdd, "fp_multiply_add", "multiply-add"},
      {LatencyClass::FpDivideSingle, "fp_divide_single", "single divide"},
      {LatencyClass::FpDivideDouble, "fp_divide_double", "double divide"},
      {LatencyClass::FpSqrtSingle, "fp_sqrt_single", "single square root"},
      {LatencyClass::FpSqrtDouble, "fp_sqrt_double", "double square root"},
      {LatencyClass::FpQuad, "fp_quad", "quad operation, trapped and emulated"},
      {LatencyClass::PeMove, "pe_move", "move between scalar and PE registers or within a pair of PEs"},
      {LatencyClass::PeSum, "pe_sum", "sum across PEs"},
  };
  schema.section("core.latency", "cycles in X until a dependent instruction may start X");
  for (const Row& row : kRows)
    schema.add(std::string("core.latency.") + row.name, table[static_cast<std::size_t>(row.latency)].cycles,
               Dimension::Cycles, {1, kLongestLatency}, row.doc, kAssumption);
  schema.section("core.pipelined", "whether the unit takes a new instruction each cycle");
  for (const Row& row : kRows)
    schema.add(std::string("core.pipelined.") + row.name,
               table[static_cast<std::size_t>(row.latency)].pipelined, row.doc, kAssumption);
}

void describe(Schema& schema, LoadStoreConfig& config) {
  schema.section("core.load_store", "operand access: queues and forwarding");
  schema.add("core.load_store.fetch_ports", config.fetch_ports, {1, 1024},
             "loads, atomics and prefetches from D to W", kAssumption);
  schema.add("core.load_store.store_ports", config.store_ports, {1, 1024},
             "stores from D until written or moved to the write buffer", kAssumption);
  schema.add("core.load_store.write_buffer", config.write_buffer, {1, 1024},
             "committed stores on their way to L1", kAssumption);
  schema.add("core.load_store.fp_load_extra", config.fp_load_extra, Dimension::Cycles, {0, 64},
             "from L1 to a floating-point register, above the latency of L1", kAssumption);
  schema.add("core.load_store.forward_extra", config.forward_extra, Dimension::Cycles, {0, 64},
             "from the store queue, above the latency of an L1 hit", kAssumption);
  schema.add("core.load_store.store_address", config.store_address,
             {{"wait", StoreAddressPolicy::Wait}, {"perfect", StoreAddressPolicy::Perfect}},
             "loads wait for the addresses of older stores, or predict dependence perfectly", kAssumption);
}

void describe(Schema& schema, SimdTiming& config) {
  schema.section("simd.timing", "resources of the SIMD-PEs; their latencies are those of core.latency");
  schema.add("simd.timing.station", config.station, {1, 1024}, "entries of the SIMD reservation station",
             kPaper);
  schema.add("simd.timing.rename", config.rename, {8, 4096}, "rename registers of 64 bits of each PE",
             kAssumption);
  schema.add("simd.timing.arithmetic_pipes", config.arithmetic_pipes, {1, kMaxPipes},
             "arithmetic pipes of each PE, each with a multiply-add per cycle", kSimd);
  schema.add("simd.timing.load_pipes", config.load_pipes, {1, kMaxPipes}, "SBM loads of each PE per cycle",
             kSimd);
  schema.add("simd.timing.store_pipes", config.store_pipes, {1, kMaxPipes}, "SBM stores of each PE per cycle",
             kSimd);
  schema.add("simd.timing.sbm_latency", config.sbm_latency, Dimension::Cycles, {2, 64},
             "read of SBM, from the address in the PE to the datum usable", kAssumption);
  schema.add("simd.timing.transfers", config.transfers, {1, 1024},
             "block transfers between memory and SBM outstanding", kPaper);
  schema.add("simd.timing.transfer_requests", config.transfer_requests, {1, 1024},
             "lines of block transfers requested from memory and not yet received", kAssumption);
}

void describe(Schema& schema, WindowTrapConfig& config) {
  schema.section("core.window_trap", "register-window spill and fill traps");
  schema.add("core.window_trap.entry", config.entry, Dimension::Cycles, {1, 10'000},
             "from an empty pipeline to the fetch of the handler", kAssumption);
  schema.add("core.window_trap.leave", config.leave, Dimension::Cycles, {1, 10'000},
             "from the end of the handler to the fetch of the trapped instruction", kAssumption);
}

}  // namespace

void describe(Schema& schema, CoreConfig& config) {
  schema.section("core", "the scalar core");
  schema.add("core.clock", config.clock_hz, Dimension::Frequency, {1'000'000, 100'000'000'000}, "clock",
             kPaper);
  schema.add("core.watchdog", config.watchdog, Dimension::Cycles, {1000, 1'000'000'000},
             "busy cycles without a commit after which the run ends with a diagnosis; waiting is not busy",
             kAssumption);
  describe(schema, config.fetch);
  describe(schema, config.branch);
  describe(schema, config.stages);
  describe(schema, config.window);
  describe(schema, config.pipes);
  describe(schema, config.stations);
  describe(schema, config.latency);
  describe(schema, config.load_store);
  describe(schema, config.window_trap);
  describe(schema, config.simd);
  // While the oldest instruction waits, the younger ones fill the buffers, execute and cancel, and stores are
  // written.
  schema.rule(
      {"core.watchdog", "core.window.commit_stack", "core.fetch.instruction_buffer",
       "core.load_store.store_ports", "core.load_store.write_buffer"},
      [&config] {
        return config.watchdog >=
               std::uint64_t{12} * (config.window.commit_stack + config.fetch.instruction_buffer +
                                    config.load_store.store_ports + config.load_store.write_buffer);
      },
      "the watchdog must allow 12 cycles for each entry of the commit stack, instruction buffer, store ports "
      "and write buffer");
}

}  // namespace psim::pipeline

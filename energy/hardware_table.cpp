// SPDX-License-Identifier: Apache-2.0
#include "energy/hardware_table.h"

#include <algorithm>

namespace psim::energy {

using enum Coefficient;
using isa::LatencyClass;
using pipeline::Stage;

Pipe pipe_of(LatencyClass latency) {
  switch (latency) {
    case LatencyClass::FpMove:
    case LatencyClass::FpAdd:
    case LatencyClass::FpMultiply:
    case LatencyClass::FpMultiplyAdd:
    case LatencyClass::FpDivideSingle:
    case LatencyClass::FpDivideDouble:
    case LatencyClass::FpSqrtSingle:
    case LatencyClass::FpSqrtDouble:
    case LatencyClass::FpQuad:
    case LatencyClass::PeMove:
    case LatencyClass::PeSum:
      return Pipe::Fp;
    case LatencyClass::Load:
    case LatencyClass::Store:
    case LatencyClass::Atomic:
    case LatencyClass::Prefetch:
    case LatencyClass::BlockTransfer:
      return Pipe::Address;
    case LatencyClass::Branch:
      return Pipe::Branch;
    default:
      return Pipe::Integer;
  }
}

Component units_of(Pipe pipe) {
  constexpr Component kUnits[] = {Component::IntegerUnits, Component::FpUnits, Component::AddressUnits,
                                  Component::BranchUnit};
  return kUnits[static_cast<std::size_t>(pipe)];
}

PipeBits pipe_bits(Pipe pipe) {
  constexpr PipeBits kBits[] = {{BitsBInteger, BitsXInteger},
                                {BitsBFp, BitsXFp},
                                {BitsBAddress, BitsXAddress},
                                {BitsBBranch, BitsXBranch}};
  return kBits[static_cast<std::size_t>(pipe)];
}

Coefficient execution_of(LatencyClass latency) {
  switch (latency) {
    case LatencyClass::IntMultiply:
      return ExecuteIntMultiply;
    case LatencyClass::IntDivide:
      return ExecuteIntDivide;
    case LatencyClass::FpMove:
    case LatencyClass::PeMove:
      return ExecuteFpMove;
    case LatencyClass::FpAdd:
    case LatencyClass::PeSum:
      return ExecuteFpAdd;
    case LatencyClass::FpMultiply:
      return ExecuteFpMultiply;
    case LatencyClass::FpMultiplyAdd:
      return ExecuteFpMultiplyAdd;
    case LatencyClass::FpDivideSingle:
      return ExecuteFpDivideSingle;
    case LatencyClass::FpDivideDouble:
      return ExecuteFpDivideDouble;
    case LatencyClass::FpSqrtSingle:
      return ExecuteFpSqrtSingle;
    case LatencyClass::FpSqrtDouble:
      return ExecuteFpSqrtDouble;
    case LatencyClass::FpQuad:
      return ExecuteFpQuad;
    case LatencyClass::Load:
    case LatencyClass::Store:
    case LatencyClass::Atomic:
    case LatencyClass::Prefetch:
    case LatencyClass::BlockTransfer:
      return ExecuteAddress;
    case LatencyClass::Branch:
      return ExecuteBranch;
    default:
      return ExecuteIntSimple;
  }
}

bool takes_fetch_port(LatencyClass latency) {
  return pipe_of(latency) == Pipe::Address && latency != LatencyClass::Store;
}

bool takes_store_port(LatencyClass latency) {
  return latency == LatencyClass::Store || latency == LatencyClass::Atomic;
}

std::uint32_t station_entries(const pipeline::CoreConfig& core) {
  return core.stations.integer * core.pipes.integer + core.stations.fp * core.pipes.fp +
         core.stations.address + core.stations.branch;
}

std::vector<LatchPool> latch_pools(const Coefficients& c, const Hardware& hardware) {
  const pipeline::CoreConfig& core = hardware.core;
  const auto& pipes = core.pipes;
  // Returns the cycles of X that have their own latches.
  const auto depth = [&](Pipe pipe) {
    std::uint32_t most = 1;
    for (std::size_t i = 0; i < isa::kLatencyClasses; ++i)
      if (pipe_of(static_cast<LatencyClass>(i)) == pipe && core.latency[i].pipelined)
        most = std::max(most, core.latency[i].cycles);
    return most;
  };
  constexpr std::uint32_t kBranchPipes = 1;
  const std::uint32_t all_pipes = pipes.integer + pipes.fp + pipes.address + kBranchPipes;
  std::vector<LatchPool> pools;
  const auto add = [&](Component component, std::uint64_t components, Coefficient bits,
                       Coefficient latch = LatchCore) {
    pools.push_back({component, components * c[bits], latch});
  };
  const auto stage = [&](Stage s, std::uint64_t components, Coefficient bits) {
    add(component_of(s), components, bits);
  };
  stage(Stage::IA, 1, BitsIa), stage(Stage::IT, 1, BitsIt), stage(Stage::IM, 1, BitsIm);
  const pipeline::StageDepths& cycles = core.stages;
  const std::uint64_t fetched = core.fetch.width, decoded = core.window.decode_width;
  stage(Stage::IB, fetched * cycles.ib, BitsIb), stage(Stage::IR, fetched * cycles.ir, BitsIr);
  stage(Stage::E, decoded * cycles.e, BitsE), stage(Stage::D, decoded * cycles.d, BitsD);
  stage(Stage::P, all_pipes, BitsP);
  const std::uint64_t b = cycles.b;
  stage(Stage::B, pipes.integer * b, BitsBInteger), stage(Stage::B, pipes.fp * b, BitsBFp);
  stage(Stage::B, pipes.address * b, BitsBAddress), stage(Stage::B, kBranchPipes * b, BitsBBranch);
  stage(Stage::X, std::uint64_t{pipes.integer} * depth(Pipe::Integer), BitsXInteger);
  stage(Stage::X, std::uint64_t{pipes.fp} * depth(Pipe::Fp), BitsXFp);
  stage(Stage::X, pipes.address, BitsXAddress), stage(Stage::X, kBranchPipes, BitsXBranch);
  stage(Stage::Ps, pipes.address, BitsPs), stage(Stage::Ts, pipes.address, BitsTs);
  stage(Stage::Ms, pipes.address, BitsMs), stage(Stage::Bs, pipes.address, BitsBs);
  stage(Stage::Rs, std::uint64_t{pipes.address} * cycles.rs, BitsRs);
  stage(Stage::U, std::uint64_t{all_pipes} * cycles.u, BitsU),
      stage(Stage::W, core.window.commit_width, BitsW);
  add(Component::InstructionBuffer, core.fetch.instruction_buffer, EntryBuffer);
  add(Component::Stations, station_entries(core), EntryStation);
  add(Component::CommitStack, core.window.commit_stack, EntryCommit);
  add(Component::FetchPorts, core.load_store.fetch_ports, EntryFetchPort);
  add(Component::StoreQueue, core.load_store.store_ports + core.load_store.write_buffer, EntryStorePort);
  if (hardware.pes == 0) return pools;
  // Each PE has one arithmetic pipe, two of loads and one of stores (paper 003 table 1).
  constexpr std::uint32_t kPePipes = 4;
  stage(Stage::C, std::uint64_t{hardware.pes} * cycles.c, BitsC);
  stage(Stage::W1, std::uint64_t{hardware.pes} * cycles.w1, BitsW1);
  add(Component::SimdStation, hardware.simd_station, EntrySimdStation);
  add(Component::PeB, std::uint64_t{kPePipes} * hardware.pes, BitsPeB, LatchPe);
  add(Component::PeX, std::uint64_t{depth(Pipe::Fp) + kPePipes - 1} * hardware.pes, BitsPeX, LatchPe);
  add(Component::PeU, std::uint64_t{kPePipes} * hardware.pes * cycles.u, BitsPeU, LatchPe);
  return pools;
}

}  // namespace psim::energy

// SPDX-License-Identifier: Apache-2.0
// What it costs to run another rank: the switch of stacks, and of globals by their size.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <string>

#include "ranks/fibers/fibers.h"
#include "ranks/program/fortran_library.h"
#include "ranks/program/globals.h"
#include "ranks/testing/build_program.h"

namespace psim::net {
namespace {

void switch_fibers(benchmark::State& state) {
  const auto count = static_cast<std::uint32_t>(state.range(0));
  static Fibers* fibers;
  Fibers all(
      count, 1_MiB,
      [](void*, std::uint32_t) {
        for (;;) fibers->suspend();
      },
      nullptr);
  fibers = &all;
  for (std::uint32_t i = 0; i < count; ++i) all.resume(i);
  std::uint32_t next = 0;
  for (auto _ : state) {
    all.resume(next);
    next = next + 1 == count ? 0 : next + 1;
  }
}
BENCHMARK(switch_fibers)
    ->Arg(1)
    ->Arg(1'024)
    ->Arg(16'384)
    ->Arg(131'072)
    ->Name("resume and suspend, of n fibers");

// Enters ranks in turn; each writes a byte of every `step` bytes of its variables, which begin with zeros.
void enter_globals(benchmark::State& state, GlobalsMode mode, std::uint64_t step) {
  static const testing::TestFolder folder;
  const auto bytes = static_cast<std::uint64_t>(state.range(0));
  const auto ranks = static_cast<std::uint32_t>(state.range(1));
  const Program program(
      testing::build_program(folder, "globals.c", "-DFIRST=0 -DBYTES=" + std::to_string(bytes)));
  const auto globals = Globals::make(program, ranks, mode);
  auto* block = static_cast<volatile char*>(globals->image(0).symbol("block"));
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < ranks; ++i) globals->enter(i);
  for (auto _ : state) {
    globals->enter(next);
    for (std::uint64_t i = 0; i < bytes; i += step) block[i] = block[i] + 1;
    next = next + 1 == ranks ? 0 : next + 1;
  }
}
constexpr std::uint64_t kLine = 64, kTwoPages = 8'192;
BENCHMARK_CAPTURE(enter_globals, swapped_every_line, GlobalsMode::Swapped, kLine)
    ->ArgsProduct({{8'192, 65'536, 262'144, 1'048'576}, {600}});
BENCHMARK_CAPTURE(enter_globals, remapped_every_line, GlobalsMode::Remapped, kLine)
    ->ArgsProduct({{8'192, 65'536, 262'144, 1'048'576}, {600}});
BENCHMARK_CAPTURE(enter_globals, swapped_every_other_page, GlobalsMode::Swapped, kTwoPages)
    ->ArgsProduct({{8'192, 65'536, 262'144, 1'048'576}, {600, 16'384}});
BENCHMARK_CAPTURE(enter_globals, remapped_every_other_page, GlobalsMode::Remapped, kTwoPages)
    ->ArgsProduct({{8'192, 65'536, 262'144, 1'048'576}, {600, 2'048}});

// Enters ranks of Fortran in turn, with or without a call of gfortran's library in each turn.
void enter_fortran(benchmark::State& state, bool calls) {
  static const testing::TestFolder folder;
  const auto ranks = static_cast<std::uint32_t>(state.range(0));
  const Program program(testing::build_program(folder, "saved.f90"));
  const Image image(program);
  const auto fortran = FortranLibrary::of(image, ranks);
  std::uint32_t next = 0;
  for (auto _ : state) {
    fortran->enter(next);
    if (calls) FortranLibrary::acquire();
    next = next + 1 == ranks ? 0 : next + 1;
  }
}
BENCHMARK_CAPTURE(enter_fortran, without_calls, false)->Arg(64)->Arg(16'384);
BENCHMARK_CAPTURE(enter_fortran, with_a_call_in_each_turn, true)->Arg(64)->Arg(1'024)->Arg(16'384);

}  // namespace
}  // namespace psim::net

BENCHMARK_MAIN();

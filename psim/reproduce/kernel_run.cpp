// SPDX-License-Identifier: Apache-2.0
#include "psim/reproduce/kernel_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "isa/linux/live_source.h"
#include "isa/linux/process.h"
#include "psim/commands/core_run.h"
#include "psim/reproduce/kernel_files.h"

namespace psim::reproduce {
namespace {

/// Standard input is empty, what the program prints is kept aside.
class AsideOutput {
 public:
  AsideOutput() : file_(::memfd_create("output", MFD_CLOEXEC)) {
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (file_ < 0 || nothing < 0 || ::dup2(nothing, 0) < 0 || ::dup2(file_, 1) < 0 || ::dup2(file_, 2) < 0)
      throw std::runtime_error("standard streams cannot be redirected");
    ::close(nothing);
  }
  /// The first line that has something to say.
  std::string line() const {
    char text[400];
    const ssize_t size = ::pread(file_, text, sizeof text, 0);
    const std::string_view all(text, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    return std::string(all.substr(0, all.find('\n')));
  }

 private:
  int file_;
};

/// Tells how far the run is.
class WatchedSource final : public isa::InstructionSource {
 public:
  WatchedSource(isa::InstructionSource& source, std::atomic<std::uint64_t>& cycles)
      : source_(source), cycles_(cycles) {}
  isa::Pull next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) override {
    constexpr std::uint64_t kStep = 1 << 16;
    if (++calls_ % kStep == 0) cycles_.store(cycle, std::memory_order_relaxed);
    return source_.next(cycle, oldest, out);
  }
  const isa::StaticInstruction* text(std::uint64_t pc, bool simd = false) override {
    return source_.text(pc, simd);
  }
  isa::BlockTransfer transfer(const isa::InstructionRecord& record) const override {
    return source_.transfer(record);
  }

 private:
  isa::InstructionSource& source_;
  std::atomic<std::uint64_t>& cycles_;
  std::uint64_t calls_ = 0;
};

/// The same wherever psim is installed and whatever its environment: both lie on the stack of a program.
isa::ProcessOptions options_of(const KernelRun& run, const Machine& machine) {
  isa::ProcessOptions options;
  options.arguments = {run.kernel};
  options.arguments.insert(options.arguments.end(), run.arguments.begin(), run.arguments.end());
  options.sandbox.root = kernel_directory();
  options.fixed_start = true;
  options.fma = isa::FmaRounding::Fused;  // what they are compiled for
  options.seed = 1;
  options.timed = true;
  options.simd = machine.simd;
  options.cycles_per_second = static_cast<std::uint64_t>(machine.core.clock_hz);
  return options;
}

}  // namespace

std::string KernelRun::label() const { return fmt::format("{} {}", kernel, fmt::join(arguments, " ")); }

KernelCost simulate_kernel(const KernelRun& run, std::atomic<std::uint64_t>& cycles) {
  const std::string bytes = read_kernel_file(run.kernel);
  const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
  isa::ElfImage image = isa::parse_elf("/" + run.kernel, {begin, begin + bytes.size()});
  commands::CoreRunOptions options;
  options.common.machine = run.machine;
  options.common.sets = run.settings;
  options.common.quiet = true;
  options.energy = true;
  const AsideOutput output;
  commands::CoreRun core("reproduce", options);
  core.open_outputs({});
  isa::Process process(std::move(image), options_of(run, core.machine()));
  isa::LiveSource live(process);
  WatchedSource watched(live, cycles);
  core.simulate(watched, [&live] { return live.take_region(); });
  if (process.ending()->by_signal || process.ending()->code != 0)
    throw std::runtime_error(fmt::format("{} failed ({} {}): {}", run.label(),
                                         process.ending()->by_signal ? "signal" : "status",
                                         process.ending()->code, output.line()));
  const nlohmann::ordered_json& regions = core.result().body()["regions"];
  if (regions.empty()) throw std::runtime_error(run.label() + " marks no region");
  const nlohmann::ordered_json& region = regions[0];
  KernelCost cost;
  cost.cycles = region["cycles"].get<std::uint64_t>();
  cost.instructions = region["instructions"].get<std::uint64_t>();
  cost.flops = region["flops"].get<std::uint64_t>();
  cost.seconds = static_cast<double>(cost.cycles) / core.machine().core.clock_hz;
  cost.joules = region["energy_joules"].get<double>();
  return cost;
}

}  // namespace psim::reproduce

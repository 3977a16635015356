// SPDX-License-Identifier: Apache-2.0
// lockstep: one program under qemu-sparc64 and under psim's executor, an instruction at a time; prints the
// first instruction after which a register differs. psim's stack is made a copy of qemu's, so that addresses
// agree; results of system calls are taken from qemu, since the numbers and times of the host
// may differ.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/child_process.h"
#include "base/error.h"
#include "guest/elf/elf_image.h"
#include "guest/process.h"
#include "isa/table/disassemble.h"
#include "isa/table/spec.h"
#include "tests/lockstep/qemu_log.h"

namespace {

using namespace psim;
using namespace psim::lockstep;

/// qemu as a child process, its log as a stream, its guest's memory through /proc (guest_base is 0: -B is
/// given).
class Qemu {
 public:
  explicit Qemu(const std::vector<std::string>& program) {
    char pattern[] = "/tmp/lockstep-XXXXXX";
    directory_ = ::mkdtemp(pattern);
    const std::string fifo = directory_ + "/log";
    ::mkfifo(fifo.c_str(), 0600);
    std::vector<std::string> words{"qemu-sparc64", "-singlestep", "-d", "nochain,cpu,fpu", "-D", fifo};
    words.insert(words.end(), program.begin(), program.end());
    child_.emplace([&] {
      const int null = ::open("/dev/null", O_RDWR);
      ::dup2(null, 0), ::dup2(null, 1), ::dup2(null, 2);
      execute(words[0].c_str(), words);
      return 127;
    });
    log_ = std::fopen(fifo.c_str(), "r");
    // A short pipe keeps qemu only a few instructions ahead, so that its memory is what the log speaks of.
    if (log_) ::fcntl(::fileno(log_), F_SETPIPE_SZ, 4096);
    memory_ = ::open(("/proc/" + std::to_string(child_->id()) + "/mem").c_str(), O_RDONLY);
  }
  ~Qemu() {
    child_->send(SIGKILL);
    child_->wait();
    if (log_) std::fclose(log_);
    std::filesystem::remove_all(directory_);
  }
  std::FILE* log() const { return log_; }
  /// Bytes of the guest's memory; fewer where they are not readable.
  std::vector<std::byte> memory(std::uint64_t address, std::size_t bytes) const {
    std::vector<std::byte> result(bytes);
    const ssize_t n = ::pread(memory_, result.data(), bytes, static_cast<off_t>(address));
    result.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return result;
  }

 private:
  std::string directory_;
  std::optional<ChildProcess> child_;
  std::FILE* log_ = nullptr;
  int memory_ = -1;
};

StrandState state_of(isa::Executor& executor) {
  const isa::CpuState& s = executor.state();
  StrandState state;
  state.pc = s.pc, state.npc = s.npc;
  for (unsigned i = 0; i < 32; ++i) state.r[i] = s.r[i], state.f[i] = s.f[i];
  state.ccr = s.cc().byte(), state.y = s.y, state.asi = s.asi;
  state.cansave = s.cansave, state.canrestore = s.canrestore, state.cwp = s.cwp;
  state.fsr = executor.read_fsr();
  return state;
}

/// Registers as qemu has them, where they answer a system call.
void adopt_system_call(isa::Process& process, const Qemu& qemu, const StrandState& before,
                       const StrandState& after) {
  isa::CpuState& state = process.executor.state();
  state.o(0) = after.r[8], state.o(1) = after.r[9];
  state.set_cc({static_cast<std::uint8_t>(after.ccr & 15), static_cast<std::uint8_t>(after.ccr >> 4)});
  for (unsigned i = 8; i < 14; ++i) {
    constexpr std::size_t kLargestAnswer = 1024;
    const std::size_t bytes = process.memory.accessible(before.r[i], kLargestAnswer, isa::kWrite);
    if (bytes != 0) process.memory.copy_in(before.r[i], qemu.memory(before.r[i], bytes));
  }
}

int compare(const std::vector<std::string>& program, std::uint64_t limit) {
  isa::ProcessOptions options;
  options.arguments = program;
  isa::Process process(isa::read_elf(program[0]), options);
  Qemu qemu(program);
  QemuLog log(qemu.log());
  StrandState theirs;
  if (!qemu.log() || !log.next(theirs)) {
    std::fprintf(stderr, "lockstep: qemu-sparc64 did not start\n");
    return 2;
  }
  // psim's stack lies where qemu's does; its random bytes and the order of the environment differ.
  const std::uint64_t sp = theirs.r[14] + 2047;
  process.memory.copy_in(sp, qemu.memory(sp, process.space.stack_top() - sp));
  process.executor.state().o(6) = theirs.r[14];
  process.executor.state().fprs = 0;

  for (std::uint64_t count = 0; count < limit; ++count) {
    const StrandState ours = state_of(process.executor);
    if (const auto text = first_difference(theirs, ours)) {
      std::printf("after %" PRIu64 " instructions, before %016" PRIx64 ": %s\n", count, ours.pc,
                  text->c_str());
      return 1;
    }
    std::uint32_t word = 0;
    process.memory.load<std::uint32_t>(ours.pc, word);
    const StrandState before = theirs;
    // A window trap makes qemu log its instruction twice.
    do {
      if (!log.next(theirs)) {
        std::printf("%" PRIu64 " instructions alike to the end of qemu's run\n", count + 1);
        return 0;
      }
    } while (theirs.pc == before.pc && theirs.npc == before.npc &&
             (theirs.cansave != before.cansave || theirs.canrestore != before.canrestore) &&
             theirs.cwp == before.cwp);
    isa::InstructionRecord record;
    isa::Pull pull;
    do {
      pull = process.executor.step(record, true);
    } while (pull == isa::Pull::Record && record.kind != isa::RecordKind::Instruction);
    if (pull == isa::Pull::End) {
      std::printf("psim's process ended after %" PRIu64 " instructions, at %016" PRIx64
                  " %s; qemu's goes on\n",
                  count + 1, ours.pc, isa::disassemble(word, ours.pc).c_str());
      return 1;
    }
    if (isa::decode(word).flow == isa::Flow::Trap) adopt_system_call(process, qemu, before, theirs);
    if (const auto text = first_difference(theirs, state_of(process.executor))) {
      std::printf("instruction %" PRIu64 " at %016" PRIx64 ": %s\n  %s\n", count + 1, ours.pc,
                  isa::disassemble(word, ours.pc).c_str(), text->c_str());
      return 1;
    }
  }
  std::printf("%" PRIu64 " instructions alike; limit reached\n", limit);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  std::uint64_t limit = ~std::uint64_t{0};
  if (words.size() >= 2 && words[0] == "-n") {
    limit = std::strtoull(words[1].c_str(), nullptr, 10);
    words.erase(words.begin(), words.begin() + 2);
  }
  if (words.empty() || words[0][0] == '-') {
    std::fprintf(stderr,
                 "usage: lockstep [-n INSTRUCTIONS] PROGRAM [ARGUMENT…]\n"
                 "Runs a static sparc64 program under qemu-sparc64 and psim, prints the first difference.\n"
                 "Exit status: 0 alike, 1 a difference, 2 not started.\n");
    return 2;
  }
  try {
    return compare(words, limit);
  } catch (const UserError& error) {
    std::fprintf(stderr, "lockstep: %s\n", error.what());
    return 2;
  }
}

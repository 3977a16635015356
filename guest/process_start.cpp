// SPDX-License-Identifier: Apache-2.0
// The start of a program in a process: its memory, stack and registers, at first and by execve.
#include <fmt/format.h>

#include <cerrno>
#include <filesystem>

#include "base/error.h"
#include "guest/initial_stack.h"
#include "guest/process.h"

namespace psim::isa {

void Process::begin(const ElfImage& image, const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment, const std::string& file_name) {
  command_name = std::filesystem::path(image.path).filename().string().substr(0, 15);
  load_bias_ = space.load(image);
  space.map_stack(stack_bytes, image.executable_stack);

  InitialStack stack;
  stack.arguments = arguments, stack.environment = environment;
  stack.executable = file_name;
  stack.program_headers = image.program_headers ? image.program_headers + load_bias_ : 0;
  stack.program_header_count = image.program_header_count;
  stack.entry = image.entry + load_bias_;
  // flush, stbar, swap, multiply and divide, V9: glibc then makes the same choices as under qemu-sparc64.
  stack.hardware_capabilities = 0x1F;
  stack.flags = flags_;
  stack.user = start.identity.user, stack.effective_user = start.identity.effective_user;
  stack.group = start.identity.group, stack.effective_group = start.identity.effective_group;
  for (std::uint64_t& word : stack.random) word = random.next();
  const std::uint64_t sp = stack.write(memory, space.stack_top(), stack_bytes);
  if (sp == 0)
    throw UserError(
        fmt::format("arguments and environment do not fit in the stack of {} bytes", stack_bytes));

  CpuState& state = executor.state();
  state.r[14] = sp;
  state.asi = 0x82;  // primary no-fault, as the kernel starts a process
  state.pc = image.entry + load_bias_, state.npc = state.pc + 4;
}

int Process::execute(const ElfImage& image, const std::vector<std::string>& arguments,
                     const std::vector<std::string>& environment, const std::string& file_name,
                     const std::string& executable) {
  std::uint64_t bytes = 0;
  for (const auto* words : {&arguments, &environment})
    for (const std::string& word : *words) bytes += word.size() + 1 + sizeof(std::uint64_t);
  if (bytes > stack_bytes / 4) return E2BIG;  // as Linux, execve(2)
  release_robust_futexes();
  for (const auto& thread : threads.all())
    if (thread.get() != &threads.current() && thread->state != Thread::State::Ended)
      executor.release_strand(thread->strand);
  threads.keep_current(family.self(), cycle());
  Thread& thread = threads.current();
  thread.clear_child_tid = 0;
  signals.keep_thread(thread.id);
  space.clear();

  // Handlers are gone; what is ignored or blocked stays so.
  signals.alternate = {};
  for (int number = 1; number <= sig::kMost; ++number)
    if (signals.has_handler(number)) {
      signals.action(number) = {};
      host_signals.follow(number, signals.action(number));
    }
  timers.clear_created();
  for (unsigned fd = 0; fd < files.size(); ++fd)
    if (files.close_on_exec(fd)) files.close(fd);

  executor.write_fsr(0);
  CpuState& state = executor.state();
  CpuState fresh;
  fresh.instructions = state.instructions;
  fresh.fp_on_host = state.fp_on_host, fresh.fp_traps = state.fp_traps;
  state = fresh;
  program_path_ = image.path, executable_ = executable;
  try {
    begin(image, arguments, environment, file_name);
  } catch (const UserError& error) {  // too late to return
    report_once("execve", fmt::format("execve: {}", error.what()));
    die(sig::kSegv);
  }
  parent_waits = UniqueFd();
  return 0;
}

}  // namespace psim::isa

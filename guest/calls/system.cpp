// SPDX-License-Identifier: Apache-2.0
// Calls about the system: names, limits, scheduling, random bytes.
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "guest/calls/support.h"

namespace psim::isa::calls {

namespace {

CallResult uname(Process& p, const Arguments& a) {
  constexpr const char* kFields[] = {"Linux", "psim", "6.1.0", "#1 SMP", "sparc64", "(none)"};
  GuestStruct<65 * 6> out;
  for (std::size_t i = 0; i < 6; ++i)
    std::memcpy(out.bytes().data() + i * 65, kFields[i], std::strlen(kFields[i]));
  return out.write_to(p.memory, a[0]) ? CallResult(0) : CallResult::fail(EFAULT);
}

CallResult sysinfo(Process& p, const Arguments& a) {
  GuestStruct<112> out;
  out.put64(0, p.clock.now() / SimulatedClock::kSecond);
  out.put64(32, kMemoryBytes), out.put64(40, free_memory(p));
  out.put16(80, 1);   // procs
  out.put32(104, 1);  // mem_unit
  return out.write_to(p.memory, a[0]) ? CallResult(0) : CallResult::fail(EFAULT);
}

// ---- limits ----

CallResult put_limit(Process& p, unsigned which, std::uint64_t address) {
  GuestStruct<16> out;
  out.put64(0, p.limits[which].soft), out.put64(8, p.limits[which].hard);
  return out.write_to(p.memory, address) ? CallResult(0) : CallResult::fail(EFAULT);
}
// Remembers the limits; psim itself stays within the host's.
CallResult take_limit(Process& p, unsigned which, std::uint64_t address) {
  GuestStruct<16> in;
  if (!in.read_from(p.memory, address)) return CallResult::fail(EFAULT);
  const ResourceLimit limit{in.get<std::uint64_t>(0), in.get<std::uint64_t>(8)};
  if (limit.soft > limit.hard) return CallResult::fail(EINVAL);
  if (limit.hard > p.limits[which].hard) return CallResult::fail(EPERM);
  p.limits[which] = limit;
  if (which == ResourceLimit::kStack) p.limits[which].soft = p.stack_bytes;  // the stack keeps its size
  if (which == ResourceLimit::kFiles) p.files.set_limit(static_cast<unsigned>(limit.soft));
  return 0;
}
CallResult getrlimit(Process& p, const Arguments& a) {
  return a[0] >= p.limits.size() ? CallResult::fail(EINVAL) : put_limit(p, static_cast<unsigned>(a[0]), a[1]);
}
CallResult setrlimit(Process& p, const Arguments& a) {
  return a[0] >= p.limits.size() ? CallResult::fail(EINVAL)
                                 : take_limit(p, static_cast<unsigned>(a[0]), a[1]);
}
CallResult prlimit64(Process& p, const Arguments& a) {
  const auto which = static_cast<std::uint32_t>(a[1]);
  if (which >= p.limits.size()) return CallResult::fail(EINVAL);
  if (as_int(a[0]) != 0 && static_cast<std::uint32_t>(a[0]) != p.family.self())
    return CallResult::fail(ESRCH);
  if (a[3] != 0)
    if (CallResult r = put_limit(p, which, a[3]); r.kind != CallResult::Kind::Value) return r;
  return a[2] != 0 ? take_limit(p, which, a[2]) : CallResult(0);
}

// ---- scheduling: the processors are the cores ----

CallResult nothing(Process&, const Arguments&) { return 0; }
std::uint64_t all_cores(const Process& p) { return (std::uint64_t{1} << p.threads.placement().cores) - 1; }
CallResult get_affinity(Process& p, const Arguments& a) {
  if (a[1] < 8 || a[1] % 8 != 0) return CallResult::fail(EINVAL);
  return p.memory.store<std::uint64_t>(a[2], all_cores(p)) ? CallResult(8) : CallResult::fail(EFAULT);
}
CallResult set_affinity(Process& p, const Arguments& a) {
  std::uint64_t mask;
  if (a[1] < 8) return CallResult::fail(EINVAL);
  if (!p.memory.load(a[2], mask)) return CallResult::fail(EFAULT);
  return mask & all_cores(p) ? CallResult(0) : CallResult::fail(EINVAL);
}
CallResult get_param(Process& p, const Arguments& a) {
  return p.memory.store<std::uint32_t>(a[1], 0) ? CallResult(0) : CallResult::fail(EFAULT);
}
CallResult set_scheduler(Process& p, const Arguments& a) {
  std::uint32_t priority;
  if (!p.memory.load(a[2], priority)) return CallResult::fail(EFAULT);
  if (as_int(a[1]) == 1 || as_int(a[1]) == 2) return CallResult::fail(EPERM);
  return priority == 0 ? CallResult(0) : CallResult::fail(EINVAL);
}
CallResult set_param(Process& p, const Arguments& a) {
  std::uint32_t priority;
  if (!p.memory.load(a[1], priority)) return CallResult::fail(EFAULT);
  return priority == 0 ? CallResult(0) : CallResult::fail(EINVAL);
}
bool policy_known(std::uint64_t policy) {
  return as_int(policy) >= 0 && as_int(policy) <= 6 && as_int(policy) != 4;
}
bool real_time(std::uint64_t policy) { return as_int(policy) == 1 || as_int(policy) == 2; }
CallResult priority_max(Process&, const Arguments& a) {
  return policy_known(a[0]) ? CallResult(real_time(a[0]) ? 99 : 0) : CallResult::fail(EINVAL);
}
CallResult priority_min(Process&, const Arguments& a) {
  return policy_known(a[0]) ? CallResult(real_time(a[0]) ? 1 : 0) : CallResult::fail(EINVAL);
}
CallResult round_robin_interval(Process& p, const Arguments& a) {
  return write_timespec(p, a[1], {0, 100'000'000}) ? CallResult(0) : CallResult::fail(EFAULT);
}
CallResult getcpu(Process& p, const Arguments& a) {
  if (a[0] != 0 && !p.memory.store<std::uint32_t>(a[0], p.threads.current().core))
    return CallResult::fail(EFAULT);
  return a[1] == 0 || p.memory.store<std::uint32_t>(a[1], 0) ? CallResult(0) : CallResult::fail(EFAULT);
}
// Returns true if the arguments name this process, a group or a user: all have its niceness. The call returns
// 20 − niceness, which is never negative.
bool names_self(const Process& p, const Arguments& a) {
  return as_int(a[0]) != 0 || as_int(a[1]) == 0 || static_cast<std::uint32_t>(a[1]) == p.family.self();
}
CallResult getpriority(Process& p, const Arguments& a) {
  if (a[0] > 2) return CallResult::fail(EINVAL);
  return static_cast<std::uint64_t>(20 - (names_self(p, a) ? p.niceness : 0));
}
CallResult renice(Process& p, int niceness) {
  niceness = std::clamp(niceness, -20, 19);
  if (niceness < p.niceness && p.start.identity.effective_user != 0) return CallResult::fail(EACCES);
  p.niceness = niceness;
  return 0;
}
CallResult setpriority(Process& p, const Arguments& a) {
  if (a[0] > 2) return CallResult::fail(EINVAL);
  return names_self(p, a) ? renice(p, as_int(a[2])) : CallResult(0);
}
CallResult nice(Process& p, const Arguments& a) {
  return renice(p, p.niceness + std::clamp(as_int(a[0]), -40, 40));
}

// ---- the rest ----

CallResult getrandom(Process& p, const Arguments& a) {
  if (a[2] & ~std::uint64_t{7}) return CallResult::fail(EINVAL);
  const std::uint64_t count = std::min<std::uint64_t>(a[1], 33554431);
  const auto bytes = buffer(p, a[0], count, kWrite);
  if (bytes.empty() && count != 0) return CallResult::fail(EFAULT);
  p.random.fill(bytes);
  return bytes.size();
}

CallResult prctl(Process& p, const Arguments& a) {
  enum {
    kSetDeathSignal = 1,
    kGetDeathSignal,
    kGetDumpable,
    kSetDumpable,
    kSetName = 15,
    kGetName,
    kSetNoNewPrivileges = 38,
    kGetNoNewPrivileges
  };
  switch (as_int(a[0])) {
    case kSetName: {
      std::string name;
      if (!p.memory.read_string(a[1], name, 16) && p.memory.accessible(a[1], 16, kRead) < 16)
        return CallResult::fail(EFAULT);
      p.command_name = name.substr(0, 15);
      return 0;
    }
    case kGetName: {
      GuestStruct<16> out;
      std::memcpy(out.bytes().data(), p.command_name.data(), p.command_name.size());
      return out.write_to(p.memory, a[1]) ? CallResult(0) : CallResult::fail(EFAULT);
    }
    case kGetDumpable:
    case kGetNoNewPrivileges:
      return 1;
    case kSetDeathSignal:
    case kSetDumpable:
    case kSetNoNewPrivileges:
      return 0;
    case kGetDeathSignal:
      return p.memory.store<std::uint32_t>(a[1], 0) ? CallResult(0) : CallResult::fail(EFAULT);
    default:
      return CallResult::fail(EINVAL);
  }
}

CallResult personality(Process&, const Arguments&) { return 0; }
CallResult getpagesize(Process&, const Arguments&) { return GuestMemory::kPageBytes; }
CallResult kern_features(Process&, const Arguments&) { return 1; }  // KERN_FEATURE_MIXED_MODE_STACK
CallResult getdomainname(Process& p, const Arguments& a) {
  constexpr char kName[] = "(none)";
  if (as_int(a[1]) < static_cast<int>(sizeof kName)) return CallResult::fail(EINVAL);
  return p.memory.copy_in(a[0], std::as_bytes(std::span(kName))) == sizeof kName ? CallResult(0)
                                                                                 : CallResult::fail(EFAULT);
}
// Creates an anonymous file, which lies outside every directory tree and so needs no sandbox check.
CallResult memfd_create(Process& p, const Arguments& a) {
  std::string name;
  if (const int error = read_path(p, a[0], name)) return CallResult::fail(error);
  if (a[1] & ~std::uint64_t{3}) return CallResult::fail(EINVAL);
  auto file = std::make_shared<OpenFile>();
  file->host =
      UniqueFd(::memfd_create(name.substr(0, 200).c_str(), static_cast<unsigned>(a[1]) | MFD_CLOEXEC));
  if (!file->host) return CallResult::fail(errno);
  file->own = true;
  const int fd = p.files.add(std::move(file), a[1] & 1);
  return fd < 0 ? CallResult::fail(EMFILE) : CallResult(static_cast<std::uint64_t>(fd));
}
// Fails without a message: libraries try these calls first and have a fallback.
CallResult not_there(Process&, const Arguments&) { return CallResult::fail(ENOSYS); }
CallResult reserved_for_root(Process&, const Arguments&) { return CallResult::fail(EPERM); }
CallResult no_attribute(Process& p, const Arguments& a) {
  PathTarget target;
  const int error = resolve(p, kAtCwd, a[0], true, target);
  return CallResult::fail(error ? error : EOPNOTSUPP);
}

constexpr SystemCall kSystemCalls[] = {
    {34, "nice", 1, nice},
    {45, "umount2", 2, reserved_for_root},
    {55, "reboot", 4, reserved_for_root},
    {64, "getpagesize", 0, getpagesize},
    {76, "vhangup", 0, reserved_for_root},
    {88, "sethostname", 2, reserved_for_root},
    {96, "setpriority", 3, setpriority},
    {100, "getpriority", 2, getpriority},
    {144, "getrlimit", 2, getrlimit},
    {145, "setrlimit", 2, setrlimit},
    {147, "prctl", 5, prctl},
    {160, "sched_set_affinity", 3, set_affinity},
    {161, "sched_get_affinity", 3, get_affinity},
    {162, "getdomainname", 2, getdomainname},
    {163, "setdomainname", 2, reserved_for_root},
    {167, "mount", 5, reserved_for_root},
    {169, "setxattr", 5, no_attribute},
    {172, "getxattr", 4, no_attribute},
    {189, "uname", 1, uname},
    {191, "personality", 1, personality},
    {214, "sysinfo", 1, sysinfo},
    {241, "sched_setparam", 2, set_param},
    {242, "sched_getparam", 2, get_param},
    {243, "sched_setscheduler", 3, set_scheduler},
    {244, "sched_getscheduler", 1, nothing},
    {246, "sched_get_priority_max", 1, priority_max},
    {247, "sched_get_priority_min", 1, priority_min},
    {248, "sched_rr_get_interval", 2, round_robin_interval},
    {260, "sched_getaffinity", 3, get_affinity},
    {261, "sched_setaffinity", 3, set_affinity},
    {308, "getcpu", 3, getcpu},
    {331, "prlimit64", 4, prlimit64},
    {340, "kern_features", 0, kern_features},
    {347, "getrandom", 3, getrandom},
    {348, "memfd_create", 2, memfd_create},
    {351, "membarrier", 2, not_there},
    {365, "rseq", 4, not_there},
    {435, "clone3", 2, not_there},
};

}  // namespace

std::span<const SystemCall> system() { return kSystemCalls; }

}  // namespace psim::isa::calls

// SPDX-License-Identifier: Apache-2.0
// Who the process is: numbers of processes are the guest's own, users and groups are the host's.
#include <grp.h>
#include <unistd.h>

#include "isa/linux/calls/support.h"

namespace psim::isa::calls {

namespace {

CallResult getpid(Process& p, const Arguments&) { return p.relatives.self(); }
CallResult getppid(Process& p, const Arguments&) { return p.relatives.parent(); }
CallResult getuid(Process&, const Arguments&) { return ::getuid(); }
CallResult geteuid(Process&, const Arguments&) { return ::geteuid(); }
CallResult getgid(Process&, const Arguments&) { return ::getgid(); }
CallResult getegid(Process&, const Arguments&) { return ::getegid(); }

CallResult three(Process& p, const Arguments& a, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return p.memory.store(a[0], x) && p.memory.store(a[1], y) && p.memory.store(a[2], z)
             ? CallResult(0)
             : CallResult::fail(EFAULT);
}
CallResult getresuid(Process& p, const Arguments& a) {
  return three(p, a, ::getuid(), ::geteuid(), ::getuid());
}
CallResult getresgid(Process& p, const Arguments& a) {
  return three(p, a, ::getgid(), ::getegid(), ::getgid());
}

// A guest may become only who it is: psim's own rights never change.
bool is(std::uint64_t wanted, std::uint32_t current) {
  const auto id = static_cast<std::uint32_t>(wanted);
  return id == 0xFFFFFFFF || id == current;
}
CallResult permitted(bool yes) { return yes ? CallResult(0) : CallResult::fail(EPERM); }
CallResult set_user(Process&, const Arguments& a) { return permitted(is(a[0], ::getuid())); }
CallResult set_group(Process&, const Arguments& a) { return permitted(is(a[0], ::getgid())); }
CallResult set_users(Process&, const Arguments& a) {
  return permitted(is(a[0], ::getuid()) && is(a[1], ::geteuid()));
}
CallResult set_groups(Process&, const Arguments& a) {
  return permitted(is(a[0], ::getgid()) && is(a[1], ::getegid()));
}
CallResult setfsuid(Process&, const Arguments&) { return ::geteuid(); }
CallResult setfsgid(Process&, const Arguments&) { return ::getegid(); }
CallResult getgroups(Process& p, const Arguments& a) {
  gid_t groups[256];
  const int count = ::getgroups(256, groups);
  if (count < 0) return CallResult::fail(errno);
  if (as_int(a[0]) < 0 || (as_int(a[0]) != 0 && as_int(a[0]) < count)) return CallResult::fail(EINVAL);
  for (int i = 0; as_int(a[0]) != 0 && i < count; ++i)
    if (!p.memory.store(a[1] + static_cast<std::uint64_t>(i) * 4, static_cast<std::uint32_t>(groups[i])))
      return CallResult::fail(EFAULT);
  return static_cast<std::uint64_t>(count);
}

// Process groups and sessions are numbers only.
bool names_self(Process& p, std::uint64_t pid) {
  return as_int(pid) == 0 || as_int(pid) == static_cast<int>(p.relatives.self());
}
CallResult getpgid(Process& p, const Arguments& a) {
  if (names_self(p, a[0])) return p.group;
  return p.relatives.host_of(static_cast<std::uint32_t>(a[0])) > 0 ? CallResult(Relatives::kFirst)
                                                                   : CallResult::fail(ESRCH);
}
CallResult getpgrp(Process& p, const Arguments&) { return p.group; }
CallResult setpgid(Process& p, const Arguments& a) {
  if (as_int(a[1]) < 0) return CallResult::fail(EINVAL);
  if (!names_self(p, a[0]))
    return p.relatives.host_of(static_cast<std::uint32_t>(a[0])) > 0 ? CallResult(0)
                                                                     : CallResult::fail(ESRCH);
  p.group = as_int(a[1]) == 0 ? p.relatives.self() : static_cast<std::uint64_t>(as_int(a[1]));
  return 0;
}
CallResult getsid(Process& p, const Arguments& a) {
  return names_self(p, a[0]) ? CallResult(p.session) : CallResult::fail(ESRCH);
}
CallResult setsid(Process& p, const Arguments&) {
  if (p.group == p.relatives.self()) return CallResult::fail(EPERM);
  return p.session = p.group = p.relatives.self();
}

constexpr SystemCall kCalls[] = {
    {20, "getpid", 0, getpid},        {23, "setuid", 1, set_user},      {24, "getuid", 0, getuid},
    {46, "setgid", 1, set_group},     {47, "getgid", 0, getgid},        {49, "geteuid", 0, geteuid},
    {50, "getegid", 0, getegid},      {79, "getgroups", 2, getgroups},  {81, "getpgrp", 0, getpgrp},
    {108, "setresuid", 3, set_users}, {109, "getresuid", 3, getresuid}, {110, "setresgid", 3, set_groups},
    {111, "getresgid", 3, getresgid}, {126, "setreuid", 2, set_users},  {127, "setregid", 2, set_groups},
    {143, "gettid", 0, getpid},       {175, "setsid", 0, setsid},       {185, "setpgid", 2, setpgid},
    {197, "getppid", 0, getppid},     {224, "getpgid", 1, getpgid},     {228, "setfsuid", 1, setfsuid},
    {229, "setfsgid", 1, setfsgid},   {252, "getsid", 1, getsid},
};

}  // namespace

std::span<const SystemCall> identity() { return kCalls; }

}  // namespace psim::isa::calls

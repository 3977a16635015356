// SPDX-License-Identifier: Apache-2.0
// Identity of the process: process numbers are the guest's own, users and groups those of its start.
#include "guest/calls/support.h"

namespace psim::isa::calls {

namespace {

CallResult getpid(Process& p, const Arguments&) { return p.family.self(); }
CallResult getppid(Process& p, const Arguments&) { return p.family.parent(); }
const Identity& own(const Process& p) { return p.start.identity; }
CallResult getuid(Process& p, const Arguments&) { return own(p).user; }
CallResult geteuid(Process& p, const Arguments&) { return own(p).effective_user; }
CallResult getgid(Process& p, const Arguments&) { return own(p).group; }
CallResult getegid(Process& p, const Arguments&) { return own(p).effective_group; }

CallResult three(Process& p, const Arguments& a, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return p.memory.store(a[0], x) && p.memory.store(a[1], y) && p.memory.store(a[2], z)
             ? CallResult(0)
             : CallResult::fail(EFAULT);
}
CallResult getresuid(Process& p, const Arguments& a) {
  return three(p, a, own(p).user, own(p).effective_user, own(p).user);
}
CallResult getresgid(Process& p, const Arguments& a) {
  return three(p, a, own(p).group, own(p).effective_group, own(p).group);
}

// Returns true if `wanted` leaves the id unchanged: the guest cannot change its identity.
bool is(std::uint64_t wanted, std::uint32_t current) {
  const auto id = static_cast<std::uint32_t>(wanted);
  return id == 0xFFFFFFFF || id == current;
}
CallResult permitted(bool yes) { return yes ? CallResult(0) : CallResult::fail(EPERM); }
CallResult set_user(Process& p, const Arguments& a) { return permitted(is(a[0], own(p).user)); }
CallResult set_group(Process& p, const Arguments& a) { return permitted(is(a[0], own(p).group)); }
CallResult set_users(Process& p, const Arguments& a) {
  return permitted(is(a[0], own(p).user) && is(a[1], own(p).effective_user));
}
CallResult set_groups(Process& p, const Arguments& a) {
  return permitted(is(a[0], own(p).group) && is(a[1], own(p).effective_group));
}
CallResult setfsuid(Process& p, const Arguments&) { return own(p).effective_user; }
CallResult setfsgid(Process& p, const Arguments&) { return own(p).effective_group; }
CallResult getgroups(Process& p, const Arguments& a) {
  const std::vector<std::uint32_t>& groups = own(p).groups;
  const int count = static_cast<int>(groups.size());
  if (as_int(a[0]) < 0 || (as_int(a[0]) != 0 && as_int(a[0]) < count)) return CallResult::fail(EINVAL);
  for (std::size_t i = 0; as_int(a[0]) != 0 && i < groups.size(); ++i)
    if (!p.memory.store(a[1] + i * 4, groups[i])) return CallResult::fail(EFAULT);
  return static_cast<std::uint64_t>(count);
}

// Returns true for the process itself: process groups and sessions are numbers only.
bool names_self(Process& p, std::uint64_t pid) {
  return as_int(pid) == 0 || as_int(pid) == static_cast<int>(p.family.self());
}
CallResult getpgid(Process& p, const Arguments& a) {
  if (names_self(p, a[0])) return p.group;
  return p.family.host_of(static_cast<std::uint32_t>(a[0])) > 0 ? CallResult(ProcessFamily::kFirst)
                                                                : CallResult::fail(ESRCH);
}
CallResult getpgrp(Process& p, const Arguments&) { return p.group; }
CallResult setpgid(Process& p, const Arguments& a) {
  if (as_int(a[1]) < 0) return CallResult::fail(EINVAL);
  if (!names_self(p, a[0]))
    return p.family.host_of(static_cast<std::uint32_t>(a[0])) > 0 ? CallResult(0) : CallResult::fail(ESRCH);
  p.group = as_int(a[1]) == 0 ? p.family.self() : static_cast<std::uint64_t>(as_int(a[1]));
  return 0;
}
CallResult getsid(Process& p, const Arguments& a) {
  return names_self(p, a[0]) ? CallResult(p.session) : CallResult::fail(ESRCH);
}
CallResult setsid(Process& p, const Arguments&) {
  if (p.group == p.family.self()) return CallResult::fail(EPERM);
  return p.session = p.group = p.family.self();
}

constexpr SystemCall kIdentityCalls[] = {
    {20, "getpid", 0, getpid},        {23, "setuid", 1, set_user},      {24, "getuid", 0, getuid},
    {46, "setgid", 1, set_group},     {47, "getgid", 0, getgid},        {49, "geteuid", 0, geteuid},
    {50, "getegid", 0, getegid},      {79, "getgroups", 2, getgroups},  {81, "getpgrp", 0, getpgrp},
    {108, "setresuid", 3, set_users}, {109, "getresuid", 3, getresuid}, {110, "setresgid", 3, set_groups},
    {111, "getresgid", 3, getresgid}, {126, "setreuid", 2, set_users},  {127, "setregid", 2, set_groups},
    {175, "setsid", 0, setsid},       {185, "setpgid", 2, setpgid},     {197, "getppid", 0, getppid},
    {224, "getpgid", 1, getpgid},     {228, "setfsuid", 1, setfsuid},   {229, "setfsgid", 1, setfsgid},
    {252, "getsid", 1, getsid},
};

}  // namespace

std::span<const SystemCall> identity() { return kIdentityCalls; }

}  // namespace psim::isa::calls

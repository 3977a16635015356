// SPDX-License-Identifier: Apache-2.0
#include "ranks/containment.h"

#include <dlfcn.h>

#include <csignal>
#include <span>
#include <string_view>

namespace psim::net {
namespace {

/// Returns the base of the object that contains the address, or null.
const void* object_of(const void* address) {
  Dl_info info{};
  return ::dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

/// Returns true for glibc functions that raise the signal while they hold no lock.
bool raises_without_lock(const void* address) {
  Dl_info info{};
  if (::dladdr(address, &info) == 0 || info.dli_sname == nullptr) return false;
  const std::string_view name = info.dli_sname;
  return name == "abort" || name == "__assert_fail" || name == "__assert_perror_fail";
}

/// Returns the first frame of the program if the frames inside it are harmless, else frames.size().
std::size_t first_of_program(std::span<void* const> frames, const Image& image, int signal) {
  if (image.contains(frames[0])) return 0;
  const void* const inside = object_of(frames[0]);
  if (inside == nullptr) return 1;  // a call of no code
  std::size_t at = 0;
  while (at < frames.size() && !image.contains(frames[at]) && object_of(frames[at]) == inside) ++at;
  return signal == SIGABRT && raises_without_lock(frames[at - 1]) ? at : frames.size();
}

}  // namespace

bool contained(const Crash& crash, const Image& image, const void* library) {
  if (crash.signal == 0 || crash.frames < 2) return false;
  const std::span<void* const> frames(crash.frame.data(), crash.frames);
  const std::size_t first = first_of_program(frames, image, crash.signal);
  if (first >= frames.size() || !image.contains(frames[first])) return false;
  const void* const messages = object_of(library);
  const void* const psim = object_of(reinterpret_cast<const void*>(&contained));
  for (std::size_t i = first + 1; i < frames.size(); ++i) {
    if (image.contains(frames[i])) continue;
    const void* const object = object_of(frames[i]);
    if (object == psim && object != nullptr) return true;
    if (object != messages || object == nullptr) return false;
  }
  return true;  // deeper than the record, and all frames are the program's
}

}  // namespace psim::net

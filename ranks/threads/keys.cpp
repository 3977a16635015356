// SPDX-License-Identifier: Apache-2.0
#include "ranks/threads/keys.h"

#include <pthread.h>
#include <threads.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "ranks/libc/libc_caller.h"
#include "ranks/threads/rank_threads.h"

using psim::net::LibcState;
using psim::net::running_rank;

namespace {

// The C library's keys are below 1024.
constexpr pthread_key_t kFirst = 1u << 20;

std::vector<void*>& values() {
  psim::net::RankThreads* threads = running_rank->threads();
  return threads == nullptr || threads->number() == 0 ? running_rank->libc().specific
                                                      : threads->running().specific;
}

LibcState::Key* find(pthread_key_t key) {
  std::vector<LibcState::Key>& keys = running_rank->libc().keys;
  return key - kFirst < keys.size() && keys[key - kFirst].used ? &keys[key - kFirst] : nullptr;
}

void forget(std::vector<void*>& values, std::size_t at) {
  if (at < values.size()) values[at] = nullptr;
}

int create(pthread_key_t* key, void (*destructor)(void*)) {
  std::vector<LibcState::Key>& keys = running_rank->libc().keys;
  const auto free = std::ranges::find(keys, false, &LibcState::Key::used);
  const auto at = static_cast<std::size_t>(free - keys.begin());
  if (free == keys.end()) keys.emplace_back();
  keys[at] = {true, destructor};
  // A deleted key with this index may have left values.
  forget(running_rank->libc().specific, at);
  if (const auto* threads = running_rank->threads())
    for (const auto& thread : threads->all())
      if (thread) forget(thread->specific, at);
  *key = kFirst + static_cast<pthread_key_t>(at);
  return 0;
}

int set(pthread_key_t key, const void* value) {
  if (running_rank != nullptr && find(key) == nullptr) return EINVAL;
  if (running_rank == nullptr || !psim::net::rank_thread) {
    psim::net::value_of_host_thread(key) = const_cast<void*>(value);
    return 0;
  }
  std::vector<void*>& mine = values();
  if (mine.size() <= key - kFirst) mine.resize(key - kFirst + 1);
  mine[key - kFirst] = const_cast<void*>(value);
  return 0;
}

}  // namespace

void*& psim::net::value_of_host_thread(pthread_key_t key) {
  thread_local std::map<std::tuple<const void*, std::uint32_t, pthread_key_t>, void*> all;
  return all[{running_rank, running_rank ? running_rank->number() : 0, key}];
}

void psim::net::destroy_values_of_keys() {
  std::vector<void*>& mine = values();
  // Destructors may set values of other keys (POSIX: PTHREAD_DESTRUCTOR_ITERATIONS).
  for (int round = 0; round < 4; ++round) {
    bool any = false;
    for (std::size_t i = 0; i < mine.size(); ++i) {
      const LibcState::Key* key = find(kFirst + static_cast<pthread_key_t>(i));
      if (mine[i] == nullptr || key == nullptr || key->destructor == nullptr) continue;
      any = true;
      key->destructor(std::exchange(mine[i], nullptr));
    }
    if (!any) return;
  }
}

extern "C" {

PSIM_SEES_CALLER int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  // A key of the rank counts too: a constructor that ends with this call seems to be called from here.
  if (PSIM_CALLED_BY_PROGRAM || psim::net::belongs_to_program(key)) return create(key, destructor);
  return PSIM_REAL(pthread_key_create)(key, destructor);
}

int pthread_key_delete(pthread_key_t key) noexcept {
  if (key >= kFirst && running_rank != nullptr) {
    LibcState::Key* found = find(key);
    if (found == nullptr) return EINVAL;
    *found = {};
    return 0;
  }
  return PSIM_REAL(pthread_key_delete)(key);
}

void* pthread_getspecific(pthread_key_t key) noexcept {
  if (key >= kFirst) {
    if (running_rank == nullptr || !psim::net::rank_thread) return psim::net::value_of_host_thread(key);
    const std::vector<void*>& mine = values();
    return key - kFirst < mine.size() ? mine[key - kFirst] : nullptr;
  }
  return PSIM_REAL(pthread_getspecific)(key);
}

int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
  if (key >= kFirst) return set(key, value);
  return PSIM_REAL(pthread_setspecific)(key, value);
}

PSIM_SEES_CALLER int tss_create(tss_t* key, tss_dtor_t destructor) {
  if (PSIM_CALLED_BY_PROGRAM) return create(key, destructor) == 0 ? thrd_success : thrd_error;
  return PSIM_REAL(tss_create)(key, destructor);
}

void tss_delete(tss_t key) { ::pthread_key_delete(key); }
void* tss_get(tss_t key) { return ::pthread_getspecific(key); }
int tss_set(tss_t key, void* value) {
  return ::pthread_setspecific(key, value) == 0 ? thrd_success : thrd_error;
}

}  // extern "C"

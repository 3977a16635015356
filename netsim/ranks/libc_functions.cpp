// SPDX-License-Identifier: Apache-2.0
// Functions of the C library that keep state, per rank. Outside of ranks each does what it always did.
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "netsim/ranks/libc_next.h"
#include "netsim/ranks/libc_state.h"
#include "netsim/ranks/threads/rank_threads.h"

// Defined here so that who uses it links these functions, too.
psim::net::RunningRank* psim::net::running_rank = nullptr;

using psim::net::LibcState;
using psim::net::running_rank;
using psim::net::Stream;

namespace {

random_data& random_of_rank() {
  auto& random = running_rank->libc().random;
  if (!random) random = std::make_unique<LibcState::Random>();
  return random->data;
}

drand48_data& rand48_of_rank() {
  auto& rand48 = running_rank->libc().rand48;
  if (!rand48) rand48 = std::make_unique<drand48_data>();
  return *rand48;
}

// The next word of a sequence of its own for each rank (SplitMix64).
std::uint64_t entropy_of_rank() {
  std::uint64_t x = (std::uint64_t{running_rank->number()} << 32) + ++running_rank->libc().entropy;
  x *= 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Descriptors that are output of the ranks': 0, or 1 or 2 by which they go. Fortran opens more than two.
std::array<std::uint8_t, 1 << 16> outputs{0, 1, 2};

bool is_output(int descriptor) {
  const auto at = static_cast<unsigned>(descriptor);
  return at < outputs.size() && outputs[at] != 0;
}
Stream stream_of(int descriptor) {
  return outputs[static_cast<unsigned>(descriptor)] == 2 ? Stream::Error : Stream::Out;
}

}  // namespace

extern "C" {

void exit(int status) {
  if (running_rank) running_rank->exit(status, true);
  PSIM_NEXT(exit);
  real(status);
  __builtin_unreachable();
}

void _exit(int status) {
  if (running_rank) running_rank->exit(status, false);
  ::syscall(SYS_exit_group, status);
  __builtin_unreachable();
}

void _Exit(int status) noexcept { _exit(status); }

void quick_exit(int status) noexcept {
  if (running_rank) running_rank->exit(status, false);
  PSIM_NEXT(quick_exit);
  real(status);
  __builtin_unreachable();
}

int __cxa_atexit(void (*function)(void*), void* argument, void* object) {
  if (running_rank && running_rank->in_program(object)) {
    running_rank->libc().at_exit.push_back({function, argument});
    return 0;
  }
  PSIM_NEXT(__cxa_atexit);
  return real(function, argument, object);
}

int __cxa_thread_atexit_impl(void (*function)(void*), void* argument, void* object) {
  if (running_rank && running_rank->in_program(object)) {
    psim::net::RankThreads* threads = running_rank->threads();
    const bool first = threads == nullptr || threads->number() == 0;
    (first ? running_rank->libc().at_thread_exit : threads->running().at_exit)
        .push_back({function, argument});
    return 0;
  }
  PSIM_NEXT(__cxa_thread_atexit_impl);
  return real(function, argument, object);
}

/// For Fortran's units: see netsim/mpi/fortran/units.h.
void psim_output_descriptor(int descriptor, int standard) {
  const auto at = static_cast<unsigned>(descriptor);
  if (at < outputs.size()) outputs[at] = static_cast<std::uint8_t>(standard);
}

ssize_t write(int descriptor, const void* data, size_t size) {
  if (running_rank && is_output(descriptor)) {
    running_rank->write(stream_of(descriptor), {static_cast<const char*>(data), size});
    return static_cast<ssize_t>(size);
  }
  return ::syscall(SYS_write, descriptor, data, size);
}

ssize_t writev(int descriptor, const iovec* pieces, int count) {
  if (!running_rank || !is_output(descriptor)) return ::syscall(SYS_writev, descriptor, pieces, count);
  ssize_t total = 0;
  for (int i = 0; i < count; ++i) total += write(descriptor, pieces[i].iov_base, pieces[i].iov_len);
  return total;
}

long random() noexcept {
  if (!running_rank) {
    PSIM_NEXT(random);
    return real();
  }
  std::int32_t value = 0;
  ::random_r(&random_of_rank(), &value);
  return value;
}

int rand() noexcept {
  if (running_rank) return static_cast<int>(random());
  PSIM_NEXT(rand);
  return real();
}

void srandom(unsigned seed) noexcept {
  if (!running_rank) {
    PSIM_NEXT(srandom);
    return real(seed);
  }
  ::srandom_r(seed, &random_of_rank());
}

void srand(unsigned seed) noexcept {
  if (running_rank) return srandom(seed);
  PSIM_NEXT(srand);
  real(seed);
}

char* initstate(unsigned seed, char* state, size_t size) noexcept {
  if (!running_rank) {
    PSIM_NEXT(initstate);
    return real(seed, state, size);
  }
  random_data& data = random_of_rank();
  auto& random = *running_rank->libc().random;
  char* old = random.state;
  if (::initstate_r(seed, state, size, &data) != 0) return nullptr;
  random.state = state;
  return old;
}

char* setstate(char* state) noexcept {
  if (!running_rank) {
    PSIM_NEXT(setstate);
    return real(state);
  }
  random_data& data = random_of_rank();
  auto& random = *running_rank->libc().random;
  char* old = random.state;
  if (::setstate_r(state, &data) != 0) return nullptr;
  random.state = state;
  return old;
}

double drand48() noexcept {
  if (!running_rank) {
    PSIM_NEXT(drand48);
    return real();
  }
  double value = 0;
  ::drand48_r(&rand48_of_rank(), &value);
  return value;
}

long lrand48() noexcept {
  if (!running_rank) {
    PSIM_NEXT(lrand48);
    return real();
  }
  long value = 0;
  ::lrand48_r(&rand48_of_rank(), &value);
  return value;
}

long mrand48() noexcept {
  if (!running_rank) {
    PSIM_NEXT(mrand48);
    return real();
  }
  long value = 0;
  ::mrand48_r(&rand48_of_rank(), &value);
  return value;
}

void srand48(long seed) noexcept {
  if (!running_rank) {
    PSIM_NEXT(srand48);
    return real(seed);
  }
  ::srand48_r(seed, &rand48_of_rank());
}

// A run is repeatable even if its program asks for chance (as RANDOM_NUMBER of Fortran does).
ssize_t getrandom(void* buffer, size_t size, unsigned flags) {
  if (!running_rank) return ::syscall(SYS_getrandom, buffer, size, flags);
  for (size_t at = 0; at < size; at += sizeof(std::uint64_t)) {
    const std::uint64_t word = entropy_of_rank();
    std::memcpy(static_cast<char*>(buffer) + at, &word, std::min(sizeof word, size - at));
  }
  return static_cast<ssize_t>(size);
}

int getentropy(void* buffer, size_t size) {
  if (!running_rank) {
    PSIM_NEXT(getentropy);
    return real(buffer, size);
  }
  getrandom(buffer, size, 0);
  return 0;
}

char* strtok(char* text, const char* separators) noexcept {
  if (!running_rank) {
    PSIM_NEXT(strtok);
    return real(text, separators);
  }
  return ::strtok_r(text, separators, &running_rank->libc().strtok);
}

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0
// Random numbers of C, separately for each rank. Outside of ranks each function behaves as always.
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "ranks/libc/libc_next.h"
#include "ranks/libc/libc_state.h"
#include "ranks/libc/linked.h"

using psim::net::LibcState;
using psim::net::running_rank;

const char psim::net::linked::random_numbers = 0;

// Makes the initial state of random(), as after srandom(1).
LibcState::Random::Random() { ::initstate_r(1, default_state, sizeof default_state, &data); }

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

// Returns the next word of the rank's own sequence (SplitMix64).
std::uint64_t entropy_of_rank() {
  std::uint64_t x = (std::uint64_t{running_rank->number()} << 32) + ++running_rank->libc().entropy;
  x *= 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

}  // namespace

/// A function that returns the next number of the rank's state, and one of the program's own state.
#define PSIM_RAND48(result, name)          \
  result name() noexcept {                 \
    PSIM_OUTSIDE_RANKS(name)               \
    result value = 0;                      \
    ::name##_r(&rand48_of_rank(), &value); \
    return value;                          \
  }
#define PSIM_RAND48_OF(result, name)              \
  result name(unsigned short state[3]) noexcept { \
    PSIM_OUTSIDE_RANKS(name, state)               \
    result value = 0;                             \
    ::name##_r(state, &rand48_of_rank(), &value); \
    return value;                                 \
  }

extern "C" {

long random() noexcept {
  PSIM_OUTSIDE_RANKS(random)
  std::int32_t value = 0;
  ::random_r(&random_of_rank(), &value);
  return value;
}

int rand() noexcept {
  if (running_rank) return static_cast<int>(random());
  return PSIM_REAL(rand)();
}

void srandom(unsigned seed) noexcept {
  PSIM_OUTSIDE_RANKS(srandom, seed)
  ::srandom_r(seed, &random_of_rank());
}

void srand(unsigned seed) noexcept {
  if (running_rank) return srandom(seed);
  PSIM_REAL(srand)(seed);
}

char* initstate(unsigned seed, char* state, size_t size) noexcept {
  PSIM_OUTSIDE_RANKS(initstate, seed, state, size)
  random_data& data = random_of_rank();
  auto& random = *running_rank->libc().random;
  char* old = random.state;
  if (::initstate_r(seed, state, size, &data) != 0) return nullptr;
  random.state = state;
  return old;
}

char* setstate(char* state) noexcept {
  PSIM_OUTSIDE_RANKS(setstate, state)
  random_data& data = random_of_rank();
  auto& random = *running_rank->libc().random;
  char* old = random.state;
  if (::setstate_r(state, &data) != 0) return nullptr;
  random.state = state;
  return old;
}

PSIM_RAND48(double, drand48)
PSIM_RAND48(long, lrand48)
PSIM_RAND48(long, mrand48)

void srand48(long seed) noexcept {
  PSIM_OUTSIDE_RANKS(srand48, seed)
  ::srand48_r(seed, &rand48_of_rank());
}

unsigned short* seed48(unsigned short seed[3]) noexcept {
  PSIM_OUTSIDE_RANKS(seed48, seed)
  ::seed48_r(seed, &rand48_of_rank());
  return rand48_of_rank().__old_x;
}

void lcong48(unsigned short parameters[7]) noexcept {
  PSIM_OUTSIDE_RANKS(lcong48, parameters)
  ::lcong48_r(parameters, &rand48_of_rank());
}

PSIM_RAND48_OF(double, erand48)
PSIM_RAND48_OF(long, nrand48)
PSIM_RAND48_OF(long, jrand48)

// A run is repeatable even if its program requests entropy (as Fortran's RANDOM_NUMBER does).
ssize_t getrandom(void* buffer, size_t size, unsigned flags) {
  if (!running_rank) return ::syscall(SYS_getrandom, buffer, size, flags);
  for (size_t at = 0; at < size; at += sizeof(std::uint64_t)) {
    const std::uint64_t word = entropy_of_rank();
    std::memcpy(static_cast<char*>(buffer) + at, &word, std::min(sizeof word, size - at));
  }
  return static_cast<ssize_t>(size);
}

int getentropy(void* buffer, size_t size) {
  PSIM_OUTSIDE_RANKS(getentropy, buffer, size)
  getrandom(buffer, size, 0);
  return 0;
}

}  // extern "C"

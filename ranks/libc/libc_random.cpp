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

extern "C" {

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

unsigned short* seed48(unsigned short seed[3]) noexcept {
  if (!running_rank) {
    PSIM_NEXT(seed48);
    return real(seed);
  }
  ::seed48_r(seed, &rand48_of_rank());
  return rand48_of_rank().__old_x;
}

void lcong48(unsigned short parameters[7]) noexcept {
  if (!running_rank) {
    PSIM_NEXT(lcong48);
    return real(parameters);
  }
  ::lcong48_r(parameters, &rand48_of_rank());
}

double erand48(unsigned short state[3]) noexcept {
  if (!running_rank) {
    PSIM_NEXT(erand48);
    return real(state);
  }
  double value = 0;
  ::erand48_r(state, &rand48_of_rank(), &value);
  return value;
}

long nrand48(unsigned short state[3]) noexcept {
  if (!running_rank) {
    PSIM_NEXT(nrand48);
    return real(state);
  }
  long value = 0;
  ::nrand48_r(state, &rand48_of_rank(), &value);
  return value;
}

long jrand48(unsigned short state[3]) noexcept {
  if (!running_rank) {
    PSIM_NEXT(jrand48);
    return real(state);
  }
  long value = 0;
  ::jrand48_r(state, &rand48_of_rank(), &value);
  return value;
}

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
  if (!running_rank) {
    PSIM_NEXT(getentropy);
    return real(buffer, size);
  }
  getrandom(buffer, size, 0);
  return 0;
}

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0
// Keys (pthread_key_t) that gfortran's library makes when it is loaded, for no rank: RANDOM_NUMBER has its
// state under one. All ranks share the key, and each of their threads has a value. Keys of other libraries
// stay the host's, as their threads are.
#pragma once

#include <pthread.h>

#include <vector>

namespace psim::net {

/// What one thread has under all these keys. Destroyed with it, or with its rank.
class FortranValues {
 public:
  FortranValues() = default;
  ~FortranValues();
  FortranValues(const FortranValues&) = delete;
  FortranValues& operator=(const FortranValues&) = delete;

  void*& of(pthread_key_t key);

 private:
  std::vector<void*> values_;
};

namespace fortran_keys {

// Above the C library's, below those of ranks.
constexpr pthread_key_t kFirst = 1u << 19, kEnd = 1u << 20;

inline bool has(pthread_key_t key) { return key >= kFirst && key < kEnd; }
/// Whether an address is in gfortran's library.
bool of_library(const void* address);
pthread_key_t create(void (*destructor)(void*));
/// Of the thread that runs.
void* value(pthread_key_t key);
void set(pthread_key_t key, void* value, const void* caller);

}  // namespace fortran_keys

}  // namespace psim::net

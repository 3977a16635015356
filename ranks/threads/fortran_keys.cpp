// SPDX-License-Identifier: Apache-2.0
#include "ranks/threads/fortran_keys.h"

#include <dlfcn.h>

#include <cstdint>
#include <string_view>

#include "ranks/libc_state.h"
#include "ranks/threads/keys.h"
#include "ranks/threads/rank_threads.h"

namespace psim::net {

namespace {

using Destructor = void (*)(void*);

std::vector<Destructor>& destructors() {
  static std::vector<Destructor> all;
  return all;
}

void*& running_value(pthread_key_t key) {
  if (running_rank == nullptr || !rank_thread) return value_of_host_thread(key);
  RankThreads* threads = running_rank->threads();
  const bool first = threads == nullptr || threads->number() == 0;
  return (first ? running_rank->libc().fortran : threads->running().fortran).of(key);
}

/// A thread's generator begins where the library's one seed, which ranks share, leads it. It is to begin with
/// what the rank's own chance gives, in whatever order ranks come here. `caller`: who sets a value; the
/// library has another key, for texts of errors.
void seed_generator(const void* caller) {
  Dl_info library{};
  if (::dladdr(caller, &library) == 0 || library.dli_sname == nullptr) return;
  if (std::string_view(library.dli_sname).find("rand") == std::string_view::npos) return;
  void* handle = ::dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return;
  using RandomSeed = void(std::int32_t * size, void* put, void* get);
  if (const auto seed = reinterpret_cast<RandomSeed*>(::dlsym(handle, "_gfortran_random_seed_i4")))
    seed(nullptr, nullptr, nullptr);
  ::dlclose(handle);
}

}  // namespace

FortranValues::~FortranValues() {
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (values_[i] != nullptr && destructors()[i] != nullptr) destructors()[i](values_[i]);
}

void*& FortranValues::of(pthread_key_t key) {
  const std::size_t at = key - fortran_keys::kFirst;
  if (values_.size() <= at) values_.resize(at + 1);
  return values_[at];
}

bool fortran_keys::of_library(const void* address) {
  Dl_info library{};
  if (::dladdr(address, &library) == 0 || library.dli_fname == nullptr) return false;
  const std::string_view path = library.dli_fname;
  return path.substr(path.rfind('/') + 1).starts_with("libgfortran.");
}

pthread_key_t fortran_keys::create(Destructor destructor) {
  destructors().push_back(destructor);
  return kFirst + static_cast<pthread_key_t>(destructors().size() - 1);
}

void* fortran_keys::value(pthread_key_t key) { return running_value(key); }

void fortran_keys::set(pthread_key_t key, void* value, const void* caller) {
  running_value(key) = value;
  if (running_rank != nullptr && rank_thread && value != nullptr) seed_generator(caller);
}

}  // namespace psim::net

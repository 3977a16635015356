// SPDX-License-Identifier: Apache-2.0
#include "netsim/parallel/host_processes.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/error.h"

namespace psim::net {

void HostProcesses::gather(const std::function<void(Parcel&)>& write,
                           const std::function<void(Parcel&)>& read) {
  std::vector<Parcel> out(size()), in(size());
  if (!first()) write(out[0]);
  exchange(out, in);
  if (first())
    for (std::uint32_t process = 1; process < size(); ++process) read(in[process]);
}

void HostProcesses::together(const std::function<void()>& work) {
  std::string problem;
  try {
    work();
  } catch (const UserError& error) {
    problem = error.what();
    if (size() == 1) throw;
  }
  std::vector<Parcel> out(size()), in(size());
  for (Parcel& parcel : out) parcel.put_text(problem);
  exchange(out, in);
  bool failed = !problem.empty();
  for (std::uint32_t process = 0; process < size(); ++process) {
    if (process == rank()) continue;
    const std::string other = in[process].take_text();
    failed |= !other.empty();
    if (problem.empty()) problem = other;
  }
  if (!failed) return;
  all_leave_ = true;
  if (first()) throw UserError(problem);
  throw Elsewhere{};
}

std::unique_ptr<HostProcesses> connect_host_processes() {
  const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (size == nullptr || std::atoi(size) < 2) return std::make_unique<OneProcess>();
  // Beside the program in a build tree, where it was installed otherwise.
  const std::filesystem::path root =
      std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
  std::filesystem::path file = root / "lib/psim/libpsim_processes.so";
  if (!std::filesystem::exists(file)) file = root / PSIM_LIBDIR / "libpsim_processes.so";
  // Its names stay its own: programs of ranks have functions called MPI_… too.
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw UserError(std::string("mpirun: ") + ::dlerror() +
                    "; to run on several host processes, psim must have been built with Open MPI installed "
                    "(Debian: libopenmpi-dev)");
  using Connect = HostProcesses*();
  return std::unique_ptr<HostProcesses>(
      reinterpret_cast<Connect*>(::dlsym(library, "psim_connect_processes"))());
}

}  // namespace psim::net

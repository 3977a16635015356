// SPDX-License-Identifier: Apache-2.0
#include "netsim/parallel/host_processes.h"

#include <dlfcn.h>

#include <climits>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/executable_path.h"
#include "netsim/parallel/transport.h"

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

namespace {

/// Returns a number that mpirun passes by the environment, or 0.
std::uint32_t number_from(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

/// A process started by Open MPI's mpirun. Loads Open MPI at the first exchange: its MPI_… functions are
/// visible to libraries loaded later, and a program of ranks, loaded before, must get those of psim.
class UnderMpirun final : public HostProcesses {
 public:
  UnderMpirun()
      : rank_(number_from("OMPI_COMM_WORLD_RANK")),
        size_(number_from("OMPI_COMM_WORLD_SIZE")),
        file_(find()) {
    if (std::filesystem::exists(file_)) return;
    if (rank_ != 0) throw Elsewhere{};
    throw UserError("mpirun: " + file_.string() +
                    " is missing; expected a psim that was built with Open MPI installed (Debian: "
                    "libopenmpi-dev) for several host processes");
  }
  ~UnderMpirun() override {
    if (transport_) transport_->leave(all_leave_ || std::uncaught_exceptions() == 0);
  }

  std::uint32_t rank() const override { return rank_; }
  std::uint32_t size() const override { return size_; }
  void exchange(const std::vector<Parcel>& out, std::vector<Parcel>& in) override {
    if (!transport_) load();
    for (const Parcel& parcel : out)
      if (parcel.bytes().size() > INT_MAX)  // the count of a message of MPI
        throw UserError(
            "mpirun: more than 2 GiB for another host process in one window; start fewer host processes");
    transport_->exchange(out, in);
  }

 private:
  /// Returns the library's path: next to the program in a build tree, else where it was installed.
  static std::filesystem::path find() {
    const std::filesystem::path root = executable_path().parent_path().parent_path();
    std::filesystem::path file = root / "lib/psim/libpsim_processes.so";
    return std::filesystem::exists(file) ? file : root / PSIM_LIBDIR / "libpsim_processes.so";
  }
  void load() {
    void* library = ::dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw UserError(std::string("mpirun: ") + ::dlerror());
    using Connect = ProcessTransport*();
    transport_.reset(reinterpret_cast<Connect*>(::dlsym(library, "psim_connect_processes"))());
  }

  std::uint32_t rank_, size_;
  std::filesystem::path file_;
  std::unique_ptr<ProcessTransport> transport_;
};

}  // namespace

bool first_of_host_processes() { return number_from("OMPI_COMM_WORLD_RANK") == 0; }

std::unique_ptr<HostProcesses> connect_host_processes() {
  if (number_from("OMPI_COMM_WORLD_SIZE") < 2) return std::make_unique<OneProcess>();
  return std::make_unique<UnderMpirun>();
}

}  // namespace psim::net

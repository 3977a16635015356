// SPDX-License-Identifier: Apache-2.0
// psim_mpi_run [-n ranks] [-k ranks-of-a-node] [-e eager] [-p call|async] [-a algorithms] [-o overhead-ps]
// [-s] [-v] [-1] program.so [arguments]: runs a program on the constant-latency host. -s: size only; -1: one
// copy of its globals.
#include <dlfcn.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "mpi/attach.h"
#include "mpi/testing/constant_latency_host.h"

namespace {

using Main = int(int, char**);

struct Options {
  std::uint32_t ranks = 4, node = 2;
  psim::net::MpiConfig mpi;
  bool one_copy = false, verbose = false;
  std::size_t stack = 256 << 10;
};

void* load(const std::string& file) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(2);
  }
  return library;
}

Main* main_of(void* program) {
  void* symbol = dlsym(program, "MGEN_Main");
  if (symbol == nullptr) symbol = dlsym(program, "main");
  return reinterpret_cast<Main*>(symbol);
}

std::vector<Main*> load_copies(const std::string& program, std::uint32_t ranks) {
  char folder[] = "/tmp/psim-mpi-XXXXXX";
  if (mkdtemp(folder) == nullptr) std::exit(2);
  std::vector<Main*> mains;
  for (std::uint32_t i = 0; i < ranks; ++i) {
    const std::string copy = std::string(folder) + "/" + std::to_string(i) + ".so";
    std::filesystem::copy_file(program, copy);
    mains.push_back(main_of(load(copy)));
  }
  std::filesystem::remove_all(folder);
  return mains;
}

Options parse(int argc, char** argv) {
  Options o;
  for (int option; (option = getopt(argc, argv, "+n:k:e:p:a:o:c:s1vS:")) != -1;) switch (option) {
      case 'n':
        o.ranks = static_cast<std::uint32_t>(std::atoi(optarg));
        break;
      case 'k':
        o.node = static_cast<std::uint32_t>(std::atoi(optarg));
        break;
      case 'e':
        o.mpi.eager.count = std::strtoull(optarg, nullptr, 10);
        break;
      case 'p':
        o.mpi.progress = optarg[0] == 'c' ? psim::net::Progress::Call : psim::net::Progress::Async;
        break;
      case 'a':
        o.mpi.algorithms = optarg;
        break;
      case 'o':
        o.mpi.send_overhead = o.mpi.recv_overhead = psim::Picoseconds{std::atoll(optarg)};
        break;
      case 'c':
        o.mpi.carry = std::strtoull(optarg, nullptr, 10);
        break;
      case 'S':
        o.stack = std::strtoull(optarg, nullptr, 10);
        break;
      case 's':
        o.mpi.carry = 0;
        break;
      case '1':
        o.one_copy = true;
        break;
      case 'v':
        o.verbose = true;
        break;
      default:
        std::exit(2);
    }
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  const Options o = parse(argc, argv);
  if (optind >= argc) return 2;
  const std::string program = std::filesystem::absolute(argv[optind]);
  const std::vector<Main*> mains =
      o.one_copy ? std::vector<Main*>(o.ranks, main_of(load(program))) : load_copies(program, o.ranks);
  void* any = load(program);
  auto* attach = reinterpret_cast<psim_attach_function*>(dlsym(any, "psim_attach_library"));
  psim::net::testing::ConstantLatencyHost host(o.ranks, o.node, psim::Picoseconds{1'000'000}, o.stack);
  psim::net::Library* library;
  try {
    library = attach(host, o.mpi);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  int status = 0;
  const auto before = std::chrono::steady_clock::now();
  const bool ended = host.run(*library, [&](std::uint32_t rank) {
    std::vector<char*> arguments(argv + optind, argv + argc);
    arguments.push_back(nullptr);
    const int result = mains[rank](argc - optind, arguments.data());
    if (result != 0) status = result;
  });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
  if (o.verbose)
    std::fprintf(stderr, "%llu messages, %.3f s, %.0f ns per message\n",
                 static_cast<unsigned long long>(host.messages()), took.count(),
                 took.count() * 1e9 / static_cast<double>(host.messages()));
  std::fflush(stdout);
  return ended ? status : 3;
}

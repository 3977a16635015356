// SPDX-License-Identifier: Apache-2.0
// differential: random programs under psim and qemu-sparc64; prints the first instruction and register that
// differ.
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "isa/memory/guest_memory.h"
#include "isa/table/disassemble.h"
#include "tests/differential/code_builder.h"
#include "tests/differential/generator.h"

namespace {

using namespace psim;
using namespace psim::differential;

struct Outcome {
  std::string output;
  int status = 0;  // as wait() gives it
};

Outcome run(const std::string& command, const std::string& elf, const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / "program";
  std::ofstream(path, std::ios::binary).write(elf.data(), static_cast<std::streamsize>(elf.size()));
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  std::FILE* pipe = ::popen(
      ("cd " + directory.string() + " && exec timeout 10 " + command + " ./program 2>stderr").c_str(), "r");
  Outcome outcome;
  char buffer[65536];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) outcome.output.append(buffer, n);
  outcome.status = ::pclose(pipe);
  return outcome;
}

std::uint64_t word_at(const std::string& output, std::size_t offset) {
  std::uint64_t raw = 0;
  if (offset + 8 <= output.size()) output.copy(reinterpret_cast<char*>(&raw), 8, offset);
  return isa::big_endian(raw);
}

bool is_nan(std::uint32_t single) { return (single & 0x7FFFFFFF) > 0x7F800000; }
bool is_nan(std::uint64_t number) { return (number & ~(1ull << 63)) > 0x7FF0000000000000; }

/// NaNs in floating-point registers count as equal: qemu 7.2 chooses among two NaN operands by another rule.
bool same(std::uint64_t a, std::uint64_t b, bool floating) {
  if (a == b) return true;
  if (!floating) return false;
  const auto half = [](std::uint64_t x, std::uint64_t y) {
    const auto p = static_cast<std::uint32_t>(x), q = static_cast<std::uint32_t>(y);
    return p == q || (is_nan(p) && is_nan(q));
  };
  return (is_nan(a) && is_nan(b)) || (half(a, b) && half(a >> 32, b >> 32));
}

/// Offset in the output of the first 64-bit word that differs, or npos.
std::size_t first_difference(const std::string& a, const std::string& b) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); i += 8) {
    const std::size_t word = i % kRecordBytes / 8;
    const bool floating = word >= kStateWords + 38 && word < 2 * kStateWords;
    if (same(word_at(a, i), word_at(b, i), floating)) continue;
    const bool low_half_of_quad = floating && (word - kStateWords - 38) % 2 == 1;
    if (low_half_of_quad && is_nan(word_at(a, i - 8)) && is_nan(word_at(b, i - 8))) continue;
    return i;
  }
  return a.size() == b.size() ? std::string::npos : std::min(a.size(), b.size());
}

std::string place_name(std::size_t offset) {
  const std::size_t word = offset % kRecordBytes / 8;
  if (word < kStateWords) return "initial " + state_word_name(static_cast<unsigned>(word));
  if (word < 2 * kStateWords) return state_word_name(static_cast<unsigned>(word - kStateWords));
  return "scratch+" + std::to_string((word - 2 * kStateWords) * 8);
}

void explain(Options options, unsigned chunk, const std::string& reference, const std::string& subject,
             const std::filesystem::path& directory) {
  const Program whole = generate(options);
  const std::vector<std::uint32_t>& body = whole.bodies[chunk];
  options.only_chunk = static_cast<int>(chunk);
  for (std::size_t length = 0; length <= body.size(); ++length) {
    options.truncate = static_cast<int>(length);
    const Program program = generate(options);
    const Outcome expected = run(reference, program.elf, directory),
                  got = run(subject, program.elf, directory);
    const std::size_t position = first_difference(expected.output, got.output);
    if (position == std::string::npos && expected.status == got.status) continue;
    std::printf("seed %llu chunk %u:\n", static_cast<unsigned long long>(options.seed), chunk);
    for (std::size_t i = length < 12 ? 0 : length - 12; i < length; ++i)
      std::printf("  %s%08x  %s\n", i + 1 == length ? "> " : "  ", body[i],
                  isa::disassemble(body[i], 4 * i).c_str());
    if (position == std::string::npos)
      std::printf("  wait status: qemu %x, psim %x\n", expected.status, got.status);
    else
      std::printf("  %s: qemu %016llx, psim %016llx (initially %016llx)\n", place_name(position).c_str(),
                  static_cast<unsigned long long>(word_at(expected.output, position)),
                  static_cast<unsigned long long>(word_at(got.output, position)),
                  static_cast<unsigned long long>(word_at(expected.output, position - 8 * kStateWords)));
    return;
  }
  std::printf("seed %llu chunk %u differs only as a whole\n", static_cast<unsigned long long>(options.seed),
              chunk);
}

/// The generator must make programs that the reference finishes: prints the instruction that ends one early.
void blame_generator(Options options, const std::string& reference, const std::filesystem::path& directory) {
  const Program whole = generate(options);
  for (unsigned chunk = 0; chunk < options.chunks; ++chunk) {
    options.only_chunk = static_cast<int>(chunk), options.truncate = -1;
    if (run(reference, generate(options).elf, directory).status == 0) continue;
    for (std::size_t length = 0; length <= whole.bodies[chunk].size(); ++length) {
      options.truncate = static_cast<int>(length);
      if (run(reference, generate(options).elf, directory).status == 0) continue;
      const std::uint32_t word = length ? whole.bodies[chunk][length - 1] : 0;
      std::printf("  chunk %u ends at %08x %s\n", chunk, word, isa::disassemble(word, 0).c_str());
      return;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Random programs made from the instruction table, run under qemu-sparc64 and psim and compared"};
  Options options;
  unsigned programs = 10;
  std::string psim_path, reference = "qemu-sparc64";
  app.add_option("--psim", psim_path, "the psim program")->required();
  app.add_option("--reference", reference, "the reference's command")->capture_default_str();
  app.add_option("--seed", options.seed, "seed of the first program; the next ones count up")
      ->capture_default_str();
  app.add_option("--programs", programs, "number of programs")->capture_default_str();
  app.add_option("--chunks", options.chunks, "chunks per program")->capture_default_str();
  app.add_option("--length", options.length, "random instructions per chunk")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  // The programs run each instruction once: blocks are translated to host code at once.
  const std::string subject = std::filesystem::absolute(psim_path).string() + " exec --translate-after 1";
  char pattern[] = "/tmp/differential-XXXXXX";
  const std::filesystem::path directory = ::mkdtemp(pattern);
  unsigned different = 0, compared = 0;
  for (unsigned n = 0; n < programs; ++n, ++options.seed) {
    const Program program = generate(options);
    const Outcome expected = run(reference, program.elf, directory),
                  got = run(subject, program.elf, directory);
    if (expected.output.size() != std::size_t{kRecordBytes} * options.chunks) {
      std::printf("seed %llu: the reference wrote %zu bytes, status %x\n",
                  static_cast<unsigned long long>(options.seed), expected.output.size(), expected.status);
      blame_generator(options, reference, directory);
      ++different;
      continue;
    }
    ++compared;
    const std::size_t position = first_difference(expected.output, got.output);
    if (position == std::string::npos && expected.status == got.status) continue;
    ++different;
    if (got.output.size() != expected.output.size()) {
      std::printf("seed %llu: psim wrote %zu bytes, status %x; trying chunk by chunk\n",
                  static_cast<unsigned long long>(options.seed), got.output.size(), got.status);
      for (unsigned chunk = 0; chunk < options.chunks; ++chunk) {
        Options one = options;
        one.only_chunk = static_cast<int>(chunk);
        const Program part = generate(one);
        if (run(reference, part.elf, directory).output == run(subject, part.elf, directory).output) continue;
        explain(options, chunk, reference, subject, directory);
        break;
      }
    } else {
      explain(options, static_cast<unsigned>(position / kRecordBytes), reference, subject, directory);
    }
  }
  std::filesystem::remove_all(directory);
  std::printf("%u programs, %u compared, %u differ\n", programs, compared, different);
  return different != 0 || compared == 0;
}

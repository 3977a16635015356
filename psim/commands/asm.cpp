// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "base/console.h"
#include "base/error.h"
#include "base/output_file.h"
#include "base/read_file.h"
#include "isa/assembler/assembler.h"
#include "isa/assembler/listing.h"
#include "psim/commands/command.h"

namespace psim::commands {
namespace {

struct Options {
  std::string input, output;
  bool object = false, list = false;
};

std::string read_text(const std::string& path) {
  FileBytes file = path == "-" ? read_standard_input() : read_file(path);
  if (!file.problem.empty())
    throw UserError(
        fmt::format("{}: cannot be read: {}", path == "-" ? "(standard input)" : path, file.problem));
  return std::move(file.bytes);
}

std::string default_output(const Options& options) {
  if (!options.object) return "a.out";
  std::string stem = options.input.substr(options.input.rfind('/') + 1);
  if (stem == "-") stem = "a";
  if (const std::size_t dot = stem.rfind('.'); dot != std::string::npos && dot != 0) stem.resize(dot);
  return stem + ".o";
}

int assemble(const Options& options) {
  const std::string text = read_text(options.input);
  isa::assembler::Options how;
  how.file = options.input == "-" ? "(standard input)" : options.input;
  const isa::assembler::Assembly assembly = isa::assembler::assemble(text, how);
  const bool program = !options.object;
  const bool write = !options.list || !options.output.empty();
  if (write) {
    const std::string bytes =
        program ? isa::assembler::executable(assembly) : isa::assembler::object(assembly);
    OutputFile file(options.output.empty() ? default_output(options) : options.output, "--output", program);
    file.write(bytes);
    file.commit();
  }
  if (options.list) console::print("{}", isa::assembler::listing(assembly, program));
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("FILE", options->input, "assembly text (- is standard input)")->required();
  app.add_option("-o,--output", options->output, "file to write [a.out; with -c the name of FILE with .o]")
      ->type_name("FILE");
  app.add_flag("-c,--object", options->object, "a relocatable object for a linker instead of an executable");
  app.add_flag("--list", options->list,
               "print address, word, text and line of every instruction; without -o no file is written");
  return [options] { return assemble(*options); };
}

}  // namespace

const Command kAsm{
    .name = "asm",
    .usage = "FILE",
    .summary = "assemble SPARC text to a program or an object",
    .examples =
        "  psim asm hello.s -o hello && psim exec ./hello\n"
        "  psim asm -c kernel.s && sparc64-linux-gnu-gcc -static main.c kernel.o\n"
        "  psim asm --list loop.s\n"
        "The language: docs/assembler.md.\n",
    .setup = setup,
};

}  // namespace psim::commands

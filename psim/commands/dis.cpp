// SPDX-License-Identifier: Apache-2.0
#include <elf.h>
#include <fmt/format.h>

#include <memory>

#include "base/console.h"
#include "base/error.h"
#include "base/parse_number.h"
#include "isa/assembler/object_file.h"
#include "isa/assembler/relocation.h"
#include "isa/table/listing.h"
#include "psim/commands/command.h"

namespace psim::commands {
namespace {

using isa::ObjectFile;

struct DisOptions {
  std::string file, section, start, stop, address = "0";
  bool words = false;
};

std::uint64_t number(const std::string& text, std::string_view what) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const std::string_view digits = std::string_view(text).substr(hexadecimal ? 2 : 0);
  const auto value = parse_number<std::uint64_t>(digits, hexadecimal ? 16 : 10);
  if (!value)
    throw UserError(fmt::format("{}: got {}, expected a number such as 4096 or 0x1000", what, text));
  return *value;
}

/// Returns the address that `text` states, or that of the symbol that it names.
std::uint64_t address_of(const ObjectFile& file, const std::string& text, std::string_view option) {
  if (!text.empty() && text[0] >= '0' && text[0] <= '9') return number(text, option);
  std::vector<std::string> names;
  for (const ObjectFile::Symbol& symbol : file.symbols) {
    if (symbol.name == text) return symbol.value;
    names.push_back(symbol.name);
  }
  throw UserError(fmt::format("{}: got {}, expected an address or a symbol of the file{}", option, text,
                              did_you_mean(text, names)));
}

isa::CodeNames names_of(const ObjectFile& file, std::size_t index) {
  isa::CodeNames names;
  for (const ObjectFile::Symbol& symbol : file.symbols)
    if (!file.relocatable || symbol.section == index) names.symbols.emplace(symbol.value, symbol.name);
  for (const ObjectFile::Relocation& relocation : file.relocations) {
    if (relocation.section != index) continue;
    std::string text =
        fmt::format("{} {}", isa::assembler::relocation_name(relocation.type), relocation.symbol);
    if (relocation.addend != 0) text += fmt::format("{:+}", relocation.addend);
    names.notes.emplace(relocation.offset & ~std::uint64_t{3}, std::move(text));
  }
  return names;
}

int disassemble_words(const std::vector<std::string>& words, std::uint64_t address) {
  std::vector<std::uint8_t> bytes;
  for (const std::string& text : words) {
    const std::uint64_t word = number(text.starts_with("0x") ? text : "0x" + text, "--words");
    if (word > UINT32_MAX) throw UserError(fmt::format("--words: got {}, expected words of 32 bits", text));
    for (const int shift : {24, 16, 8, 0}) bytes.push_back(static_cast<std::uint8_t>(word >> shift));
  }
  console::print("{}", isa::list_code(bytes, address, {}));
  return 0;
}

int disassemble(const DisOptions& options) {
  const ObjectFile file = isa::read_object_file(options.file);
  const std::uint64_t start = options.start.empty() ? 0 : address_of(file, options.start, "--start");
  const std::uint64_t stop = options.stop.empty() ? UINT64_MAX : address_of(file, options.stop, "--stop");
  if (start >= stop)
    throw UserError(fmt::format("--stop: got {:#x}, expected more than --start, {:#x}", stop, start));
  bool any = false;
  std::vector<std::string> sections;
  for (std::size_t i = 0; i < file.sections.size(); ++i) {
    const ObjectFile::Section& section = file.sections[i];
    if (section.bytes.empty()) continue;
    sections.push_back(section.name);
    const bool chosen =
        options.section.empty() ? (section.flags & SHF_EXECINSTR) != 0 : section.name == options.section;
    const std::uint64_t base = file.relocatable ? 0 : section.address, end = base + section.bytes.size();
    if (!chosen || stop <= base || start >= end) continue;
    const std::uint64_t from = std::max(start, base) & ~std::uint64_t{3};
    const std::uint64_t first = from < base ? base : from, last = std::min(stop, end);
    console::print(
        "{}section {}\n{}", any ? "\n" : "", section.name,
        isa::list_code(section.bytes.subspan(first - base, last - first), first, names_of(file, i)));
    any = true;
  }
  if (any) return 0;
  if (!options.section.empty())
    throw UserError(fmt::format("{}: got --section {}, expected a section with contents there{}",
                                options.file, options.section, did_you_mean(options.section, sections)));
  throw UserError(
      fmt::format("{}: no code {}", options.file,
                  options.start.empty() && options.stop.empty() ? "in it" : "between --start and --stop"));
}

std::function<int()> set_up_dis(CLI::App& app) {
  auto options = std::make_shared<DisOptions>();
  auto words = std::make_shared<std::vector<std::string>>();
  app.add_option("FILE", options->file, "a program or an object");
  app.add_option("--section", options->section,
                 "disassemble only this section, code or not [all sections with code]")
      ->type_name("NAME");
  app.add_option("--start", options->start, "address or symbol at which to begin")->type_name("PLACE");
  app.add_option("--stop", options->stop, "address or symbol before which to end")->type_name("PLACE");
  app.add_option("--words", *words, "instruction words in hexadecimal, instead of a file")
      ->type_name("WORD…");
  app.add_option("--address", options->address, "address of the first of --words [0]")->type_name("N");
  return [options, words] {
    if (words->empty() == options->file.empty())
      throw UserError("dis: expected a file or --words; see `psim dis --help`");
    return words->empty() ? disassemble(*options)
                          : disassemble_words(*words, number(options->address, "--address"));
  };
}

}  // namespace

const Command kDis{
    .name = "dis",
    .usage = "FILE",
    .summary = "disassemble a program, an object or single words",
    .examples =
        "  psim dis ./dgemm --start main --stop 0x100400\n"
        "  psim dis kernel.o\n"
        "  psim dis --words 9de3bf50 81c7e008 --address 0x100000\n",
    .setup = set_up_dis,
};

}  // namespace psim::commands

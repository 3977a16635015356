// SPDX-License-Identifier: Apache-2.0
// The state of a file during assembly: position of each section, values of symbols so far, fields that wait
// for later symbols, and mistakes found.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "isa/assembler/assembler.h"
#include "isa/assembler/assembly.h"
#include "isa/assembler/call_frames.h"
#include "isa/assembler/syntax.h"
#include "isa/assembler/value.h"

namespace psim::isa::assembler {

/// Returns a section without contents.
Section section_named(std::string name, std::uint32_t type, std::uint64_t flags, std::uint64_t alignment);

/// Returns executable filler for a gap of `words` in code: nops, preceded by a branch over them if there are
/// more than two. Gaps are smaller than the branch's reach.
std::vector<std::uint32_t> code_filler(std::uint64_t words);

class Unit final : public Symbols {
 public:
  explicit Unit(const Options& options);

  // Records a mistake in the current line.
  void complain(const Complaint& complaint) { complain(line, complaint); }
  /// Records a mistake. Throws UserError at once when there are too many.
  void complain(std::uint32_t at_line, const Complaint& complaint);
  std::uint32_t line = 0;  ///< line being assembled
  std::string within;      ///< macro or included file that the line comes from

  CallFrames call_frames;  ///< from .cfi_… directives

  // Sections.
  void enter_section(Section section);  ///< creates it, or continues the one of that name
  Section& section() { return assembly_.sections[current_]; }
  std::uint64_t offset() const { return assembly_.sections[current_].size; }
  /// Enters part `number` of the current section: parts are ordered by number, 0 is the section itself.
  void enter_subsection(std::int64_t number);
  void previous_section() { std::swap(current_, previous_); }
  /// Throws Complaint for a size beyond the limits; `column` is the position of the request.
  void skip(std::uint64_t bytes, std::uint8_t fill, std::uint32_t column);
  void align(std::uint64_t alignment, std::uint32_t column);
  void emit(std::string_view bytes, std::uint32_t column);
  /// Emits a big-endian number of 1, 2, 4 or 8 bytes.
  void emit(std::uint64_t value, unsigned bytes, std::uint32_t column);
  /// Emits a whole instruction whose field may wait for a symbol.
  void emit_instruction(std::uint32_t word, std::uint32_t column);

  // Symbols.
  void define_label(const Statement::Label& label);
  void equate(const std::string& name, const Expression& expression, std::uint32_t column);
  struct Definition {
    Symbol symbol;
    enum class State : std::uint8_t { Undefined, Label, Equated, Later } state = State::Undefined;
    Value value;                  ///< Equated
    Expression expression;        ///< Later: refers to symbols further down
    Expression size;              ///< of .size
    std::uint32_t line = 0;       ///< where it was defined
    bool used_ahead = false;      ///< used before it was defined
    bool declared_local = false;  ///< by .local
    bool being_evaluated = false;
    std::uint32_t used_line = 0, used_column = 0;
  };
  Definition& named(const std::string& name) { return definitions_[number_of(name)]; }
  /// Declares a symbol that the linker allocates, or .bss if it is local.
  void common(const std::string& name, std::uint64_t size, std::uint64_t alignment, std::uint32_t column);

  // Expressions.
  /// Binds numeric labels and "." to their meaning here.
  void localise(Expression& expression);
  /// Returns the value now; localises first.
  Value value_now(Expression& expression);
  /// Returns a number that is known now. Throws Complaint.
  std::int64_t number_now(Argument& argument);
  /// Fills `field` at the current offset when everything is defined.
  void fill_later(Field field, const Expression& expression);

  /// Finishes after everything was read. Throws UserError if there was a mistake.
  Assembly finish();

  // Symbols
  Value value_of(const Item& item) override;
  std::optional<SectionOffset> location_of(std::int32_t symbol) const override;
  std::int32_t symbol_at(std::uint32_t section, std::uint64_t offset) override;

 private:
  struct Fixup {
    std::uint32_t section;
    std::uint64_t offset;
    Field field;
    Expression expression;
    std::uint32_t line;
  };
  std::size_t number_of(const std::string& name);
  void reserve(std::uint64_t bytes, std::uint32_t column);
  void name_as_written(const Expression& expression, Value& value);
  void resolve(const Fixup& fixup);
  void put(const Fixup& fixup, std::uint64_t bits);
  void join_subsections();
  void settle(std::size_t symbol);
  [[noreturn]] void give_up();
  bool exported(const Symbol& symbol) const;

  Options options_;
  Assembly assembly_;
  std::map<std::string, std::uint32_t, std::less<>> section_numbers_;
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> subsections_;  ///< by section and number
  std::uint32_t current_ = 0, previous_ = 0;
  std::uint64_t used_ = 0;  ///< bytes of all sections but SHT_NOBITS
  std::map<std::string, std::size_t, std::less<>> symbol_numbers_;
  std::vector<Definition> definitions_;
  std::map<std::string, unsigned, std::less<>> numeric_labels_;  ///< number of definitions of each so far
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::int32_t> symbols_at_;
  std::vector<Fixup> fixups_;
  std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, std::string>> problems_;  ///< line, column
  unsigned depth_ = 0;
  bool final_ = false;
};

}  // namespace psim::isa::assembler

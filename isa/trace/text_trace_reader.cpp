// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>

#include "base/error.h"
#include "isa/state/simd_config.h"
#include "isa/table/disassemble.h"
#include "isa/trace/record_writer.h"
#include "isa/trace/text_line.h"
#include "isa/trace/text_trace.h"

namespace psim::isa::trace {

namespace {
using Kind = TextLine::Kind;

class Builder {
 public:
  explicit Builder(TraceFileWriter& file) : file_(file) {}

  void add(TextLine line);
  void finish();

 private:
  void instruction(const TextLine& line);
  InstructionRecord record_of(const TextLine& line);
  /// Passes on waits, signals and window traps of the next instruction, at `pc`. Returns true if the
  /// instruction has a signal.
  bool give_pending(std::uint64_t pc);
  void text(const TextLine& line);
  void start(const Path& path);
  Path in_state(Path path) const;
  std::uint64_t address(const TextLine& line, std::size_t index, std::uint64_t multiple) const;

  TraceFileWriter& file_;
  Properties properties_;
  TextImage image_;
  std::optional<RecordWriter> writer_;
  std::vector<TextLine> pending_;
  std::optional<RegionMarker> marker_;
  std::optional<std::uint8_t> window_;
  std::optional<TextLine> simd_;  ///< the state from the next instruction on
  struct Transfer {
    std::uint64_t number = 0;
    BlockTransfer fields;
  };
  static Transfer transfer_of(const TextLine& line);
  std::optional<Transfer> transfer_;  ///< of the next instruction
  bool head_ = false;
};

std::uint64_t Builder::address(const TextLine& line, std::size_t index, std::uint64_t multiple) const {
  const std::uint64_t value = line.numbers[index];
  if (value % multiple != 0)
    throw TextComplaint{line.column,
                        fmt::format("address {:#x}: expected a multiple of {}", value, multiple)};
  return value;
}

std::uint8_t window_number(const TextLine& line, std::size_t index) {
  if (line.numbers[index] >= kWindows)
    throw TextComplaint{line.column,
                        fmt::format("window {}: expected 0 to {}", line.numbers[index], kWindows - 1)};
  return static_cast<std::uint8_t>(line.numbers[index]);
}

std::uint32_t word_of(const TextLine& line, std::uint64_t value) {
  if (value > ~std::uint32_t{0})
    throw TextComplaint{line.column, fmt::format("word {:#x}: expected 32 bits", value)};
  return static_cast<std::uint32_t>(value);
}

Builder::Transfer Builder::transfer_of(const TextLine& line) {
  const std::vector<std::int64_t>& f = line.arguments;
  const auto small = [&](std::size_t i, std::int64_t most) {
    if (f[i] < 0 || f[i] > most)
      throw TextComplaint{line.column, fmt::format("field {} is {}; expected 0 to {}", i + 1, f[i], most)};
    return static_cast<std::uint32_t>(f[i]);
  };
  constexpr std::int64_t kMost = ~std::uint32_t{0};
  Transfer t;
  t.number = static_cast<std::uint64_t>(f[0]);
  t.fields.put = small(1, 1) != 0;
  t.fields.tag = static_cast<std::uint8_t>(small(2, 15));
  t.fields.pes = small(3, kMost);
  t.fields.memory = static_cast<std::uint64_t>(f[4]);
  t.fields.pe_stride = f[5], t.fields.row_stride = f[6];
  t.fields.sbm_offset = small(7, kMost), t.fields.sbm_pitch = small(8, kMost);
  t.fields.row_bytes = small(9, kMost), t.fields.rows = small(10, kMost);
  return t;
}

/// Returns the path with the state that the lines before the instruction set.
Path Builder::in_state(Path path) const {
  if (simd_) path.simd = simd_->numbers[0] != 0, path.pes = static_cast<std::uint8_t>(simd_->numbers[1]);
  return path;
}

void Builder::start(const Path& path) {
  file_.properties(properties_);
  file_.text(image_);
  writer_.emplace(file_, image_, path);
}

void Builder::text(const TextLine& line) {
  const std::uint64_t at = address(line, 0, 4);
  std::vector<std::uint32_t> words;
  for (std::size_t i = 1; i < line.numbers.size(); ++i) words.push_back(word_of(line, line.numbers[i]));
  if (at + 4 * words.size() < at) throw TextComplaint{line.column, "the words reach beyond the last address"};
  if (writer_)
    writer_->text(at, words);
  else
    image_.set(at, words);
}

void Builder::add(TextLine line) {
  if (line.kind == Kind::Empty) return;
  if (!head_) {
    if (line.kind != Kind::Head || line.numbers[0] != kTextVersion)
      throw TextComplaint{line.column,
                          fmt::format("expected \"psim-trace {}\" at the beginning", kTextVersion)};
    head_ = true;
    return;
  }
  switch (line.kind) {
    case Kind::Empty:
      return;
    case Kind::Head:
      throw TextComplaint{line.column, "a second psim-trace"};
    case Kind::Property:
      if (writer_) throw TextComplaint{line.column, "properties come before the first instruction"};
      properties_[line.name] = line.text;
      return;
    case Kind::Text:
      return text(line);
    case Kind::NoText:
      if (!writer_) throw TextComplaint{line.column, "notext comes after the first instruction"};
      return writer_->no_text(address(line, 0, 4), address(line, 1, 4));
    case Kind::Zeros:
      if (writer_ || line.numbers[1] > TextImage::kMostPages)
        throw TextComplaint{
            line.column,
            fmt::format("zeros come before the first instruction, at most {} pages", TextImage::kMostPages)};
      return image_.set_zero_pages(address(line, 0, TextImage::kPageBytes), line.numbers[1]);
    case Kind::Window:
      window_ = window_number(line, 0);
      return;
    case Kind::Simd:
      if (line.numbers[0] > 1 || line.numbers[1] > kMostPes)
        throw TextComplaint{line.column, fmt::format("expected 0 or 1, and 0 to {} PEs", kMostPes)};
      simd_ = line;
      return;
    case Kind::Transfer:
      transfer_ = transfer_of(line);
      return;
    case Kind::Spill:
    case Kind::Fill:
      window_number(line, 1);
      [[fallthrough]];
    case Kind::Wait:
    case Kind::Signal:
      pending_.push_back(std::move(line));
      return;
    case Kind::Begin:
    case Kind::End:
      if (marker_) throw TextComplaint{line.column, "a second region marker; expected its instruction"};
      if (line.arguments.size() > region_marker::kMostArguments)
        throw TextComplaint{line.column,
                            fmt::format("expected at most {} arguments", region_marker::kMostArguments)};
      marker_ = RegionMarker{line.name, line.arguments, line.kind == Kind::Begin};
      return;
    case Kind::Instruction:
      return instruction(line);
  }
}

bool Builder::give_pending(std::uint64_t pc) {
  bool signal = false;
  for (const TextLine& line : std::exchange(pending_, {})) {
    if (line.kind == Kind::Wait) {
      writer_->waited();
    } else if (line.kind == Kind::Signal) {
      signal = true;
    } else {
      InstructionRecord record{.pc = pc, .address = line.numbers[0]};
      record.kind = line.kind == Kind::Spill ? RecordKind::SpillStore : RecordKind::FillLoad;
      record.window = window_number(line, 1);
      record.first_of_trap = 1;
      record.signal = std::exchange(signal, false);
      const Path state = in_state(writer_->path());
      record.simd = state.simd, record.pes = state.pes;
      writer_->add(record);
    }
  }
  return signal;
}

/// Makes the record of a line. Throws if a part is missing or superfluous for its word.
InstructionRecord Builder::record_of(const TextLine& line) {
  const std::uint64_t pc = line.numbers[0];
  const TextImage::Entry& entry = *image_.at(pc);
  const Outcome outcome = outcome_of(entry);
  const auto complain = [&](std::string_view what) {
    throw TextComplaint{line.column, fmt::format("{}: {}", disassemble(entry.instruction->word, pc), what)};
  };
  if (entry.address && !line.address) complain("accesses memory; expected @ADDRESS");
  if (!entry.address && line.address) complain("accesses no memory; expected no @ADDRESS");
  if (outcome == Outcome::Branch && !line.taken) complain("is conditional; expected taken or untaken");
  if (outcome != Outcome::Branch && outcome != Outcome::Trap && line.taken)
    complain("is not conditional; expected neither taken nor untaken");
  if (outcome == Outcome::Target && !line.target) complain("jumps; expected -> TARGET");
  Path path = in_state(writer_->path());
  const std::uint8_t window = window_.value_or(path.window);
  window_.reset();
  if (path.pc != pc || path.window != window) path.go_to(pc, window);
  InstructionRecord record;
  path.pass(entry, line.taken.value_or(false), line.target.value_or(0), record);
  if (line.target && *line.target != record.target)
    complain(is_transfer(entry.flow) ? fmt::format("-> {:#x}: it leads to {:#x}", *line.target, record.target)
                                     : "is no control transfer; expected no -> TARGET");
  if (line.address) record.address = *line.address;
  if (line.sbm && !entry.address) complain("accesses no memory; expected no sbm");
  if (line.sbm) record.sbm = 1, record.target = *line.sbm;
  const LatencyClass latency = record.instruction->latency;
  if ((latency == LatencyClass::BlockTransfer) != transfer_.has_value())
    complain(transfer_ ? "is no sbmget or sbmput; expected no transfer before it"
                       : "expected a transfer before it");
  if ((latency == LatencyClass::TransferSync) != line.tags.has_value())
    complain(line.tags ? "is no sbmsync; expected no tags" : "expected tags MASK");
  if (line.tags) record.target = *line.tags;
  if (transfer_) record.target = transfer_->number;
  return record;
}

void Builder::instruction(const TextLine& line) {
  const std::uint64_t pc = address(line, 0, 4);
  const std::uint32_t word = word_of(line, line.numbers[1]);
  if (!writer_) start(in_state({pc, pc + 4, window_.value_or(0)}));
  if (!image_.holds(pc, word)) writer_->text(pc, {&word, 1});
  const bool signal = give_pending(pc);
  InstructionRecord record = record_of(line);
  record.signal = signal;
  record.region_marker = marker_.has_value();
  writer_->add(record, marker_ ? &*marker_ : nullptr, transfer_ ? &transfer_->fields : nullptr);
  marker_.reset(), transfer_.reset(), simd_.reset();
}

void Builder::finish() {
  if (!head_) throw TextComplaint{1, fmt::format("expected \"psim-trace {}\"", kTextVersion)};
  if (!writer_) throw TextComplaint{1, "holds no instruction"};
  if (marker_) throw TextComplaint{1, "a region marker without its instruction"};
  give_pending(writer_->path().pc);
  writer_->finish();
  file_.finish({});
}
}  // namespace

bool is_text_trace(std::string_view beginning) {
  // Comments and empty lines may come first.
  while (!beginning.empty()) {
    const std::string_view line = beginning.substr(0, beginning.find('\n'));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && line[first] != '#' && line[first] != '!')
      return line.substr(first).starts_with("psim-trace");
    if (line.size() == beginning.size()) break;
    beginning.remove_prefix(line.size() + 1);
  }
  return false;
}

void write_from_text(std::string_view text, const std::string& path, TraceFileWriter& file) {
  Builder builder(file);
  std::size_t number = 0;
  try {
    while (!text.empty()) {
      ++number;
      const std::size_t end = text.find('\n');
      builder.add(parse_text_line(text.substr(0, end)));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    builder.finish();
  } catch (const BadTrace& error) {
    throw UserError(fmt::format("{}:{}: {}", path, number, error.what()));
  } catch (const TextComplaint& complaint) {
    throw UserError(fmt::format("{}:{}:{}: {}", path, std::max<std::size_t>(1, number), complaint.column,
                                complaint.text));
  }
}

}  // namespace psim::isa::trace

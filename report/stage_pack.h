// SPDX-License-Identifier: Apache-2.0
// The instructions of a stage view, packed for a page: one byte stream of variable-length numbers, mostly
// differences, in base64, and tables in which each text occurs once. web/stage_data.js reads it.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace psim::report {

struct PackedSpan {
  std::uint32_t name;        ///< of StagePack::stage() or cause()
  std::uint64_t begin, end;  ///< cycles [begin, end)
};
struct PackedWakeup {
  std::uint64_t producer;  ///< id
  std::uint64_t cycle;
};

enum class Fate : std::uint8_t { Retired, Flushed, CutOff };  ///< cut off: the dump ends before it

struct StageRow {
  std::uint64_t id = 0;      ///< the id in wake-ups; greater than those of all earlier rows
  std::uint64_t number = 0;  ///< the simulator's, as shown
  Fate fate = Fate::Retired;
  std::uint64_t retired = 0;         ///< order of retirement
  std::uint64_t begin = 0, end = 0;  ///< cycles [begin, end)
  std::string_view text, details;
  std::span<const PackedSpan> stages, stalls;
  std::span<const PackedWakeup> wakeups;
};

class StagePack {
 public:
  StagePack();
  /// Returns the number of a name; psim's own names come first, in pipeline order.
  std::uint32_t stage(std::string_view name);
  std::uint32_t cause(std::string_view name);
  /// Adds a row. Throws UserError for a cycle of 2^52 or more, which a page's script could not count.
  void add(const StageRow& row);
  std::uint64_t rows() const { return ids_.size(); }
  std::uint64_t begin() const { return begin_; }  ///< first cycle of a row
  std::uint64_t end() const { return end_; }      ///< after the last one
  /// Returns the data for the page's script.
  nlohmann::ordered_json json() const;

 private:
  class Table {
   public:
    std::uint32_t number(std::string_view text);
    const std::vector<std::string>& texts() const { return texts_; }

   private:
    std::vector<std::string> texts_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
  };
  struct Wakeup {
    std::uint64_t row, producer;
    std::int64_t cycle;  ///< after the row's begin
  };

  Table stages_, causes_, texts_, details_;
  std::string bytes_;
  std::vector<std::uint64_t> ids_;  ///< by row
  std::vector<Wakeup> wakeups_;     ///< packed at the end: a producer may follow its consumer
  std::uint64_t last_number_ = 0, last_retired_ = 0, last_begin_ = 0;
  std::uint64_t begin_ = 0, end_ = 0;
};

}  // namespace psim::report

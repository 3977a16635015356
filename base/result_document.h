// SPDX-License-Identifier: Apache-2.0
// The JSON result of a command. Keys common to all: schema, version, command, machine, inputs, seed,
// result_hash (SHA-256 of everything but host, keys sorted), host. Times are seconds, sizes bytes.
//
//     ResultDocument result("run", options.json);       // an unwritable path is told here, before the run
//     result.input("program", path, bytes);
//     result.machine("sparc64v", schema);
//     result.seed(options.seed);
//     … run …
//     result.body()["cycles"] = cycles;                  // needs <nlohmann/json.hpp>
//     result.speed("instructions_per_second", count);    // what may differ between hosts goes to host()
//     result.finish();
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/output_file.h"

namespace psim {

class Schema;

/// The layout of the keys; counted up when a key changes its meaning or goes.
inline constexpr int kResultSchema = 2;

/// "0.1.0"
std::string_view version();

/// The result_hash that a document with these keys must have: everything counts but host and result_hash.
std::string result_hash_of(nlohmann::json document);

class ResultDocument {
 public:
  /// Empty `path`: the document is made, finish() writes nothing. Starts the clocks of `host`.
  /// Throws UserError if the path cannot be written.
  ResultDocument(std::string_view command, const std::string& path);
  ~ResultDocument();

  /// An input by what it is to the run ("program", "trace"). Its path is not part of the result's identity.
  void input(std::string_view role, const std::string& path, std::string_view bytes);
  /// One that is too large to be in memory at once: its SHA-256 as hexadecimal digits, and its size.
  void input(std::string_view role, const std::string& path, const std::string& sha256_digits,
             std::uint64_t bytes);
  /// The effective configuration.
  void machine(std::string_view name, const Schema& schema);
  void seed(std::uint64_t seed);
  /// The run was ended early ("interrupted", "instruction limit"): the document says so in `partial`.
  void partial(std::string_view why);

  /// `count` things were simulated: finish() sets host[key] to count per second of psim's CPU time.
  void speed(std::string_view key, std::uint64_t count);

  /// What other processes of the same run took, added to this one's in `host`.
  void others(double cpu_seconds, std::uint64_t peak_rss_bytes);

  nlohmann::ordered_json& body();
  nlohmann::ordered_json& host();

  /// Completes `host` (wall_seconds, cpu_seconds, peak_rss_bytes, processes) and `result_hash`, and writes
  /// the file. Throws UserError.
  void finish();
  /// The document as finish() left it.
  std::string text() const;

 private:
  std::unique_ptr<nlohmann::ordered_json> body_, host_, document_;
  std::optional<OutputFile> file_;
  std::string speed_key_;
  std::uint64_t speed_count_ = 0;
  double others_cpu_ = 0;
  std::uint64_t others_rss_ = 0;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace psim

// SPDX-License-Identifier: Apache-2.0
// The JSON result of a command. Keys common to all: schema, version, command, machine, inputs, seed,
// result_hash (SHA-256 of everything but host and page, keys sorted), host. Times are seconds, sizes bytes.
//
//     ResultDocument result("run", options.json);       // reports an unwritable path before the run
//     result.input("program", path, bytes);
//     result.machine("sparc64v", schema);
//     result.seed(options.seed);
//     … run …
//     result.body()["cycles"] = cycles;                  // needs <nlohmann/json.hpp>
//     result.speed("instructions_per_second", count);    // values that may differ between hosts go to host()
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

/// The version of the keys; increased when a key changes its meaning or is removed.
inline constexpr int kResultSchema = 2;

/// Returns the version, such as "0.1.0".
std::string_view version();

/// Returns the result_hash of a document with these keys: all count except host, page and result_hash.
std::string result_hash_of(nlohmann::json document);
/// Returns the SHA-256 that the key `page` of a document states of its other keys.
std::string page_hash_of(nlohmann::json page);

class ResultDocument {
 public:
  /// Starts a document and the clocks of `host`. With an empty `path` finish() writes nothing. Throws
  /// UserError if the path cannot be written.
  ResultDocument(std::string_view command, const std::string& path);
  ~ResultDocument();

  /// Adds an input by its role in the run ("program", "trace"). Its path does not count for result_hash.
  void input(std::string_view role, const std::string& path, std::string_view bytes);
  /// Adds an input too large for memory, by its SHA-256 in hexadecimal digits and its size.
  void input(std::string_view role, const std::string& path, const std::string& sha256_digits,
             std::uint64_t bytes);
  /// Sets the effective configuration.
  void machine(std::string_view name, const Schema& schema);
  void seed(std::uint64_t seed);
  /// Records in `partial` that the run ended early, and why ("interrupted", "instruction limit").
  void partial(std::string_view why);

  /// Makes finish() set host[key] to `count` simulated items divided by psim's CPU time, per second.
  void speed(std::string_view key, std::uint64_t count);

  /// Adds the resources of other processes of the same run to those in `host`.
  void others(double cpu_seconds, std::uint64_t peak_rss_bytes);

  nlohmann::ordered_json& body();
  nlohmann::ordered_json& host();
  /// Returns what pages show in addition to the body, such as series over time. It does not count for
  /// result_hash, since options decide how much of it a result keeps.
  nlohmann::ordered_json& page();

  /// Completes `host` (wall_seconds, cpu_seconds, peak_rss_bytes, processes), and writes the file with
  /// `result_hash`. Throws UserError.
  void finish();
  /// Returns the document, after finish().
  std::string text() const;

 private:
  std::unique_ptr<nlohmann::ordered_json> body_, host_, page_;
  std::optional<OutputFile> file_;
  std::string speed_key_;
  std::uint64_t speed_count_ = 0;
  double others_cpu_ = 0;
  std::uint64_t others_rss_ = 0;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace psim

// SPDX-License-Identifier: Apache-2.0
// The keys of results at every depth, from which `psim schema result` is made. A new key of a result is a row
// in the table of its command.
#pragma once

#include <span>
#include <string_view>

namespace psim {

/// A key of the results of some commands, or of a part that several keys share.
struct ResultKey {
  /// Names of commands with blanks between them; "all": of every command; "reproduce:NAME": of an experiment;
  /// "#NAME": of the part NAME.
  std::string_view commands;
  /// Keys with dots between them: "regions[].cycles". [] is each element of a list, * any key, and {a,b} both
  /// keys.
  std::string_view path;
  /// integer, number, boolean, string, object (with any keys), or #NAME: a part. With ? at the end the value
  /// may be null.
  std::string_view type;
  std::string_view meaning = "";
  bool always = false;  ///< every such result has the first key of the path
};

/// Keys of all results, and of exec, run, replay, trace and fit.
std::span<const ResultKey> core_result_keys();
/// Keys of net, compare, calibrate and roofline.
std::span<const ResultKey> network_result_keys();
/// Keys of cosim.
std::span<const ResultKey> node_result_keys();
/// Keys of reproduce.
std::span<const ResultKey> reproduction_result_keys();

}  // namespace psim

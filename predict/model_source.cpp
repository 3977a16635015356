// SPDX-License-Identifier: Apache-2.0
#include "predict/model_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace psim::predict {
namespace {

std::string identifier(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    out += good ? c : '_';
  }
  return out;
}

/// Returns names that are no words of the language and do not begin with psim_.
std::vector<std::string> argument_names(const std::vector<std::string>& parameters) {
  std::vector<std::string> names;
  for (const std::string& parameter : parameters) names.push_back("arg_" + parameter);
  return names;
}

/// A function of a model: its name, meaning, expression and divisor.
struct SourceFunction {
  std::string name, meaning, expression;
  std::uint64_t clock_hz = 1;
};

std::vector<SourceFunction> functions_of(const RegionFit& fit) {
  const std::string name = identifier(fit.region);
  std::string range;
  for (std::size_t i = 0; i < fit.ranges.size(); ++i)
    range += fmt::format("{}{} = {} to {}", i == 0 ? "; fitted for " : ", ", fit.parameters[i],
                         fit.ranges[i].low, fit.ranges[i].high);
  const std::string place = fit.machine.empty() ? "" : " on " + fit.machine;
  const bool cycles = !fit.cycles.empty();
  std::vector<SourceFunction> functions{
      {"psim_seconds_" + name, fmt::format("Seconds of one execution of {}{}{}", name, place, range),
       cycles ? fit.cycles : fit.seconds, cycles ? fit.clock_hz : 1}};
  if (!fit.joules.empty())
    functions.push_back({"psim_joules_" + name,
                         fmt::format("Joules of one execution of {}{}{}", name, place, range), fit.joules,
                         1});
  return functions;
}

/// Breaks a line of Fortran at blanks. Lines have at most 132 characters.
std::string continued(const std::string& text) {
  constexpr std::size_t kWidth = 110;
  std::string out;
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (column != 0 && column + word.size() + 1 > kWidth) {
      out += " &\n      ";
      column = 6;
    } else if (column != 0) {
      out += ' ', ++column;
    }
    out += word, column += word.size();
    at = end + 1;
  }
  return out;
}

}  // namespace

std::string c_header(const std::vector<Model>& models) {
  std::string out =
      "/* Models of regions, written by psim fit. */\n#ifndef PSIM_MODEL_H\n#define PSIM_MODEL_H\n\n"
      "#include <math.h>\n";
  for (const Model& model : models) {
    const std::vector<std::string> names = argument_names(model.fit().parameters);
    for (const SourceFunction& function : functions_of(model.fit())) {
      std::vector<std::string> declared;
      for (const std::string& name : names) declared.push_back("double " + name);
      if (declared.empty()) declared.emplace_back("void");
      out += fmt::format(
          "\n/* {}. */\nstatic inline double {}({}) {{\n  return {} / {}.0;\n}}\n", function.meaning,
          function.name, fmt::join(declared, ", "),
          Expression::parse(function.expression, model.fit().parameters).in(Expression::Language::C, names),
          function.clock_hz);
    }
  }
  return out + "\n#endif\n";
}

std::string fortran_module(const std::vector<Model>& models, const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  const bool usable = !stem.empty() && Expression::is_parameter_name(identifier(stem));
  const std::string module = usable ? identifier(stem) : "psim_model";
  std::string out = fmt::format(
      "! Models of regions, written by psim fit.\nmodule {}\n  implicit none\n  private :: psim_floor\n"
      "contains\n\n  pure function psim_floor(x) result(value_)\n    double precision, intent(in) :: x\n"
      "    double precision :: value_\n    value_ = aint(x)\n    if (value_ > x) value_ = value_ - 1d0\n"
      "  end function psim_floor\n",
      module);
  for (const Model& model : models) {
    const std::vector<std::string> names = argument_names(model.fit().parameters);
    for (const SourceFunction& function : functions_of(model.fit())) {
      out += fmt::format("\n  ! {}.\n  pure function {}({}) result(value_)\n", function.meaning,
                         function.name, fmt::join(names, ", "));
      for (const std::string& name : names)
        out += fmt::format("    double precision, intent(in) :: {}\n", name);
      out += "    double precision :: value_\n    ";
      out += continued(fmt::format("value_ = {} / {}d0",
                                   Expression::parse(function.expression, model.fit().parameters)
                                       .in(Expression::Language::Fortran, names),
                                   function.clock_hz));
      out += fmt::format("\n  end function {}\n", function.name);
    }
  }
  return out + fmt::format("end module {}\n", module);
}

}  // namespace psim::predict

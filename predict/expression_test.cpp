// SPDX-License-Identifier: Apache-2.0
#include "predict/expression.h"

#include <gtest/gtest.h>

#include <cmath>

namespace psim::predict {
namespace {

double value_of(const std::string& text, double n = 10, double m = 3) {
  const double arguments[] = {n, m};
  return Expression::parse(text, {"n", "m"}).evaluate(arguments);
}

std::string refusal_of(const std::string& text) {
  try {
    Expression::parse(text, {"n", "m"});
  } catch (const ExpressionError& error) {
    return error.what();
  }
  return "accepted";
}

std::string failure_of(const std::string& text, double n) {
  try {
    value_of(text, n);
  } catch (const EvaluationError& error) {
    return error.what();
  }
  return "a value";
}

TEST(Expression, OperatorsHaveTheirUsualStrengthAndGroupFromTheLeft) {
  EXPECT_EQ(value_of("1 + 2 * 3"), 7);
  EXPECT_EQ(value_of("(1 + 2) * 3"), 9);
  EXPECT_EQ(value_of("10 - 4 - 3"), 3);
  EXPECT_EQ(value_of("24 / 4 / 3"), 2);
  EXPECT_EQ(value_of("2 * n^3"), 2000);
  EXPECT_EQ(value_of("-n^2"), -100);
  EXPECT_EQ(value_of("n^-1"), 0.1);
  EXPECT_EQ(value_of("n^0.5"), std::sqrt(10.0));
  EXPECT_EQ(value_of(" 7//2*2 "), 6);
  EXPECT_EQ(value_of("n*-m"), -30);
}

TEST(Expression, FunctionsAreThoseOfTheHost) {
  EXPECT_EQ(value_of("ceil(n / m)"), 4);
  EXPECT_EQ(value_of("floor(n / m)"), 3);
  EXPECT_EQ(value_of("div(n, m)"), 3);
  EXPECT_EQ(value_of("log2(8)"), 3);
  EXPECT_EQ(value_of("log(n)"), std::log(10.0));
  EXPECT_EQ(value_of("sqrt(n + 6)"), 4);
  EXPECT_EQ(value_of("min(n, m) + 100 * max(n, m)"), 1003);
}

TEST(Expression, NumbersAreReadToTheLastBit) {
  EXPECT_EQ(value_of("1.2345678901234567e-9"), 1.2345678901234567e-9);
  EXPECT_EQ(value_of("0.1"), 0.1);
  EXPECT_EQ(value_of(".5e1"), 5);
}

TEST(Expression, ThePapersFormOfACostIsWrittenAsPrinted) {
  const auto paper = [](double n, double m) {
    return 2e-10 * n * m * (std::floor((m + 31) / 32) * 32) + 5e-7;
  };
  EXPECT_DOUBLE_EQ(value_of("2e-10 * n * m * ((m + 31) // 32 * 32) + 5e-7", 100, 70), paper(100, 70));
}

TEST(Expression, ErrorsNameTheColumnAndTheNearestName) {
  EXPECT_EQ(refusal_of("1 + "), "column 5: expected an operand, found the end");
  EXPECT_EQ(refusal_of(""), "column 1: expected an operand, found the end");
  EXPECT_EQ(refusal_of("2 * k"), "column 5: unknown parameter k; expected n, m");
  EXPECT_EQ(refusal_of("ciel(n)"), "column 1: unknown function ciel; did you mean ceil?");
  EXPECT_EQ(refusal_of("min(n)"), "column 1: min has 1 arguments; expected 2");
  EXPECT_EQ(refusal_of("n m"), "column 3: expected an operator, found 'm'");
  EXPECT_EQ(refusal_of("(n"), "column 3: expected ')', found the end");
  EXPECT_EQ(refusal_of("2^n^m"), "column 4: expected an operator, found '^'");
  EXPECT_EQ(refusal_of("1e999"), "column 1: 1e999: expected a number up to 1e308");
  EXPECT_EQ(refusal_of("n + \xc3\xa4"), "column 5: a character that expressions do not have");
  EXPECT_EQ(refusal_of(std::string(40, '(') + "n"), "column 33: parentheses nest more than 32 deep");
  EXPECT_EQ(refusal_of(std::string(5000, '1')), "5000 characters; an expression has at most 4096");
}

TEST(Expression, ValuesThatDoNotExistAreErrors) {
  EXPECT_EQ(failure_of("1 / n", 0), "division by zero");
  EXPECT_EQ(failure_of("1 // n", 0), "division by zero");
  EXPECT_EQ(failure_of("n^-2", 0), "division by zero");
  EXPECT_EQ(failure_of("n^8 * n^8", 1e30), "overflow");
  EXPECT_EQ(failure_of("log2(n)", 0), "logarithm of 0");
  EXPECT_EQ(failure_of("sqrt(n)", -4), "square root of -4");
  EXPECT_EQ(failure_of("n^0.5", -4), "-4 to the power of 0.5");
}

TEST(Expression, ExpressionsAreWrittenInCAndFortran) {
  const Expression expression = Expression::parse("1.5 * n^3 + 2e-9 * ceil(n / 32) * log2(m)", {"n", "m"});
  EXPECT_EQ(expression.in(Expression::Language::C, {"n", "m"}),
            "((1.5 * pow(n, 3.0)) + ((2e-09 * ceil((n / 32.0))) * log2(m)))");
  EXPECT_EQ(expression.in(Expression::Language::Fortran, {"n", "m"}),
            "((1.5d0 * (n**3)) + ((2d-09 * (-psim_floor((-(n / 32d0))))) * (log(m) / log(2d0))))");
  EXPECT_EQ(Expression::parse("n // 2 // 3", {"n"}).in(Expression::Language::Fortran, {"n"}),
            "psim_floor((psim_floor((n / 2d0)) / 3d0))");
}

}  // namespace
}  // namespace psim::predict

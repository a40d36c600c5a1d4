// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/requirement.h"

#include <charconv>
#include <cmath>
#include <optional>

#include "snellen/base/error.h"
#include "snellen/report/stored_run.h"

namespace snellen::report {
namespace {

constexpr size_t kLongest = 1000;
constexpr std::string_view kBaseline = "baseline";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

[[noreturn]] void refuse(std::string_view text, const std::string& what) {
  throw Error{ErrorCode::kUsage,
              what,
              fmt::format("--require '{}'", fit_text(text, 120)),
              "write METRIC>=NUMBER or METRIC>=baseline-MARGIN, e.g. "
              "\"probe-c/composition/group>=0.30\"; signs are >= <= > <"};
}

std::optional<double> number_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || stop != text.data() + text.size() || !std::isfinite(number))
    return std::nullopt;
  return number;
}

void parse_threshold(std::string_view text, std::string_view threshold, Requirement& requirement) {
  std::string_view rest = threshold;
  if (rest.starts_with(kBaseline)) {
    requirement.is_against_baseline = true;
    rest = trimmed(rest.substr(kBaseline.size()));
    if (rest.empty()) return;
    bool is_less = rest.front() == '-';
    std::string_view size = trimmed(rest.substr(1));
    bool has_digit =
        !size.empty() && (size.front() == '.' || (size.front() >= '0' && size.front() <= '9'));
    std::optional<double> margin =
        (is_less || rest.front() == '+') && has_digit ? number_of(size) : std::nullopt;
    if (!margin) refuse(text, fmt::format("'{}' is no margin", fit_text(rest, 40)));
    requirement.number = is_less ? -*margin : *margin;
    return;
  }
  std::optional<double> number = number_of(rest);
  if (!number)
    refuse(text,
           rest.empty()
               ? "nothing after the sign"
               : fmt::format("'{}' is neither a finite number nor baseline", fit_text(rest, 40)));
  requirement.number = *number;
}

void parse_metric(std::string_view text, std::string_view metric, Requirement& requirement) {
  requirement.metric = metric;
  for (Bound bound : {Bound::kPoint, Bound::kLow, Bound::kHigh}) {
    std::string open = fmt::format("{}(", name_of(bound));
    if (!metric.starts_with(open) || !metric.ends_with(')')) continue;
    requirement.bound = bound;
    requirement.metric = trimmed(metric.substr(open.size(), metric.size() - open.size() - 1));
  }
  if (requirement.metric.empty()) refuse(text, "names no metric");
}

}  // namespace

std::string_view name_of(Bound bound) {
  switch (bound) {
    case Bound::kPoint:
      return "point";
    case Bound::kLow:
      return "low";
    case Bound::kHigh:
      return "high";
  }
  return "point";
}

Bound bound_of(std::string_view name) {
  for (Bound bound : {Bound::kPoint, Bound::kLow, Bound::kHigh}) {
    if (name == name_of(bound)) return bound;
  }
  throw Error{ErrorCode::kUsage,
              fmt::format("'{}' is no bound", fit_text(name, 40)),
              "--bound",
              "use point, low or high"};
}

std::string_view sign_of(Relation relation) {
  switch (relation) {
    case Relation::kAtLeast:
      return ">=";
    case Relation::kAtMost:
      return "<=";
    case Relation::kAbove:
      return ">";
    case Relation::kBelow:
      return "<";
  }
  return ">=";
}

bool Requirement::is_met_by(double value, double threshold) const {
  switch (relation) {
    case Relation::kAtLeast:
      return value >= threshold;
    case Relation::kAtMost:
      return value <= threshold;
    case Relation::kAbove:
      return value > threshold;
    case Relation::kBelow:
      return value < threshold;
  }
  return false;
}

Requirement parse_requirement(std::string_view text, Bound bound) {
  if (text.size() > kLongest)
    refuse(text, fmt::format("has {} characters, expected at most {}", text.size(), kLongest));
  // The last sign: a category in a metric's id may hold one, a threshold cannot.
  size_t at = text.find_last_of("<>");
  if (at == std::string_view::npos) refuse(text, "has no sign");
  bool has_equal = at + 1 < text.size() && text[at + 1] == '=';
  Requirement requirement{.text = std::string(text), .metric = {}, .bound = bound};
  if (text[at] == '>') {
    requirement.relation = has_equal ? Relation::kAtLeast : Relation::kAbove;
  } else {
    requirement.relation = has_equal ? Relation::kAtMost : Relation::kBelow;
  }
  parse_metric(text, trimmed(text.substr(0, at)), requirement);
  parse_threshold(text, trimmed(text.substr(at + (has_equal ? 2 : 1))), requirement);
  return requirement;
}

}  // namespace snellen::report

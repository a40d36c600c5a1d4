// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/golden.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include "snellen/base/files.h"

namespace snellen::golden {

void Tally::start(std::string name) {
  cases_.push_back({std::move(name)});
}

void Tally::expect(bool holds, std::string_view what) {
  if (cases_.empty()) start("file");
  if (holds) return;
  cases_.back().has_failed = true;
  failures_.push_back(fmt::format("{}: {}", cases_.back().name, what));
}

void Tally::near(double got, const Json& want, double tolerance, std::string_view what) {
  if (want.is_null()) {
    expect(std::isnan(got), fmt::format("{}: got {}, want undefined", what, got));
    return;
  }
  double wanted = want.get<double>();
  expect(std::abs(got - wanted) <= tolerance,
         fmt::format("{}: got {}, want {}", what, got, wanted));
}

void Tally::near_relative(double got, const Json& want, double tolerance, std::string_view what) {
  double scale = want.is_number() ? std::max(1.0, std::abs(want.get<double>())) : 1.0;
  near(got, want, tolerance * scale, what);
}

void Tally::same(
    const Json& got, const Json& want, double tolerance, std::string_view what, bool key_order) {
  if (got.is_number() && want.is_number()) {
    near(got.get<double>(), want, tolerance, what);
  } else if (got.is_array() && want.is_array()) {
    expect(got.size() == want.size(),
           fmt::format("{}: {} entries, want {}", what, got.size(), want.size()));
    for (size_t i = 0; i < std::min(got.size(), want.size()); ++i) {
      same(got[i], want[i], tolerance, fmt::format("{}[{}]", what, i), key_order);
    }
  } else if (got.is_object() && want.is_object()) {
    std::vector<std::string> got_keys;
    std::vector<std::string> want_keys;
    for (const auto& [key, value] : got.items()) got_keys.push_back(key);
    for (const auto& [key, value] : want.items()) want_keys.push_back(key);
    if (!key_order) {
      std::sort(got_keys.begin(), got_keys.end());
      std::sort(want_keys.begin(), want_keys.end());
    }
    expect(got_keys == want_keys, fmt::format("{}: keys differ", what));
    for (const auto& [key, value] : want.items()) {
      if (got.contains(key))
        same(got[key], value, tolerance, fmt::format("{}.{}", what, key), key_order);
    }
  } else {
    expect(got == want, fmt::format("{}: got {}, want {}", what, got.dump(), want.dump()));
  }
}

int Tally::num_passed() const {
  return static_cast<int>(
      std::count_if(cases_.begin(), cases_.end(), [](const Case& one) { return !one.has_failed; }));
}

int Tally::num_failed() const {
  return static_cast<int>(cases_.size()) - num_passed();
}

Json Context::json() const {
  return Json::parse(read_text_file(file));
}

std::filesystem::path Context::find_data(const std::filesystem::path& relative) const {
  for (const std::filesystem::path& root : data_roots) {
    if (std::filesystem::exists(root / relative)) return root / relative;
  }
  return {};
}

KnownFile vector_file(std::string name, void (*check)(const Context&, Tally&)) {
  return {.name = std::move(name), .check = check};
}

KnownFile companion(std::string name) {
  return {.name = std::move(name), .is_companion = true};
}

KnownFile pending_file(std::string name) {
  return {.name = std::move(name), .is_pending = true};
}

}  // namespace snellen::golden

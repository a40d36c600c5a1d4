// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "snellen/base/error.h"
#include "snellen/models/network.h"

namespace snellen::models::nn {

// A picture as one network keeps it.
template <typename State>
struct Seen final : SeenImage {
  explicit Seen(State kept) : state(std::move(kept)) {}
  State state;
};

// One for each of `count` pictures: what `keep(i)` returns.
template <typename Function>
SeenImages seen_images(int64_t count, Function keep) {
  using State = std::invoke_result_t<Function, int64_t>;
  SeenImages seen;
  seen.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) seen.push_back(std::make_shared<const Seen<State>>(keep(i)));
  return seen;
}

// What seen_images() of the same network kept.
template <typename State>
const State& state_of(const SeenImage& image) {
  const auto* seen = dynamic_cast<const Seen<State>*>(&image);
  SNELLEN_CHECK(seen != nullptr);
  return seen->state;
}

}  // namespace snellen::models::nn

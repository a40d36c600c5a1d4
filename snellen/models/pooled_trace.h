// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace snellen::models {

// What the head of a PairScorer is given of the first text: every match() that has a Trace records
// it under this name.
inline constexpr std::string_view kPooledTrace = "pooled";

}  // namespace snellen::models

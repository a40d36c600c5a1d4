// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snellen {

// The known names nearest to `name` by edit distance (insert, delete, replace, exchange of
// neighbours), nearest first, at most three, none further than half of the name's length; ties in
// the order given.
std::vector<std::string> nearest_names(std::string_view name, std::span<const std::string> known);

// "did you mean 'probe-c'?" or, with nothing near, "known: a, b, c".
std::string suggest(std::string_view name, std::span<const std::string> known);

}  // namespace snellen

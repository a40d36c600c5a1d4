// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace snellen::stats {

// Fleiss' kappa (1971): agreement of raters beyond chance. `counts` is [items, categories]: how
// many raters put the item into the category. Every item needs the same number of raters, else
// kInvalidInput is thrown. Nothing when there is no item, fewer than two raters, or only one
// category was ever used (chance agreement is then complete).
std::optional<double> fleiss_kappa(std::span<const uint64_t> counts, size_t num_categories);

}  // namespace snellen::stats

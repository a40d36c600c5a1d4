// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/network/scorer.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/run/network/scorers.h"

namespace snellen::run {

std::unique_ptr<Scorer> make_scorer(const NetworkParts& parts) {
  const models::Network& network = *parts.network;
  const std::vector<std::string>& heads = network.facts().heads;
  if (std::find(heads.begin(), heads.end(), parts.head) == heads.end()) {
    throw Error{ErrorCode::kUsage,
                fmt::format("this {} has no head '{}'", network.facts().family, parts.head),
                "--score",
                fmt::format("it has {}", fmt::join(heads, ", "))};
  }
  if (network.video()) return make_video_scorer(parts);
  if (parts.head == "likelihood")
    return parts.processor ? make_seen_likelihood_scorer(parts) : make_likelihood_scorer(parts);
  if (parts.head == "itm" && network.pair()) return make_pair_scorer(parts);
  if (network.dual()) return make_dual_scorer(parts);
  throw Error{ErrorCode::kUsage,
              fmt::format("a {} scores no pictures and no texts", network.facts().family),
              "--model"};
}

}  // namespace snellen::run

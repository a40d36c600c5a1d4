// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/backend.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/inference/backends/backends.h"

namespace snellen::inference {

void NetworkParts::check_memory(size_t count) const {
  if (pretended_memory > 0 && count > pretended_memory) throw PretendedOutOfMemory();
}

bool NetworkParts::has_run_out(const std::exception& thrown) const {
  if (dynamic_cast<const PretendedOutOfMemory*>(&thrown) != nullptr) return true;
  return is_out_of_memory && is_out_of_memory(thrown);
}

Error too_large(const NetworkParts& parts) {
  return Error{ErrorCode::kInvalidInput,
               "does not fit into the device's memory, not even alone",
               parts.network->facts().family,
               "use --device cpu, or --dtype bf16"};
}

WorkCounts& WorkCounts::operator+=(const WorkCounts& more) {
  constexpr size_t kMostListed = 5;
  decoded += more.decoded;
  visuals += more.visuals;
  texts += more.texts;
  pairs += more.pairs;
  same_content += more.same_content;
  splits += more.splits;
  known_visuals += more.known_visuals;
  known_texts += more.known_texts;
  num_truncated += more.num_truncated;
  for (const std::string& text : more.truncated) {
    bool is_listed = std::find(truncated.begin(), truncated.end(), text) != truncated.end();
    if (!is_listed && truncated.size() < kMostListed) truncated.push_back(text);
  }
  return *this;
}

std::unique_ptr<Backend> make_backend(const NetworkParts& parts) {
  const models::Network& network = *parts.network;
  const std::vector<std::string>& heads = network.facts().heads;
  if (std::find(heads.begin(), heads.end(), parts.head) == heads.end()) {
    throw Error{ErrorCode::kUsage,
                fmt::format("this {} has no head '{}'", network.facts().family, parts.head),
                "--score",
                fmt::format("it has {}", fmt::join(heads, ", "))};
  }
  if (network.video()) return make_video_backend(parts);
  if (parts.head == "likelihood")
    return parts.processor ? make_shown_likelihood_backend(parts) : make_likelihood_backend(parts);
  if (parts.head == "itm" && network.pair()) return make_pair_backend(parts);
  if (network.dual()) return make_dual_backend(parts);
  throw Error{ErrorCode::kUsage,
              fmt::format("a {} scores no pictures and no texts", network.facts().family),
              "--model"};
}

}  // namespace snellen::inference

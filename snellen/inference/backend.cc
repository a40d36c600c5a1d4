// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/backend.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/inference/backends/backends.h"

namespace snellen::inference {
namespace {

[[noreturn]] void not_a_unit() {
  throw Error{ErrorCode::kInternal, "a network was asked for a unit of work that it does not have"};
}

}  // namespace

models::Matrix Backend::embed_visuals(PixelBatch&) const {
  not_a_unit();
}
models::Matrix Backend::embed_texts(std::span<const models::TokenIds>) const {
  not_a_unit();
}
std::optional<Error> Backend::refuse(const models::TokenIds&, std::string_view) const {
  return std::nullopt;
}
double Backend::score(std::span<const float>, std::span<const float>) const {
  not_a_unit();
}
models::SeenImages Backend::see(const models::PixelsView&) const {
  not_a_unit();
}
std::vector<double> Backend::match(const models::SeenImage&,
                                   std::span<const models::TokenIds>) const {
  not_a_unit();
}
std::vector<float> Backend::joint_features(const models::SeenImage&,
                                           const models::TokenIds&) const {
  not_a_unit();
}

Error too_large(const NetworkParts& parts) {
  return Error{ErrorCode::kInvalidInput,
               "does not fit into the device's memory, not even alone",
               parts.network().facts().family,
               "use --device cpu, or --dtype bf16"};
}

std::unique_ptr<Backend> make_backend(const NetworkParts& parts) {
  if (parts.opened->worker) return make_worker_backend(*parts.opened->worker);
  const models::Network& network = parts.network();
  const std::vector<std::string>& heads = network.facts().heads;
  const bool is_pooled = parts.head == kMeanPooling && network.dual() && !network.video();
  if (is_pooled) return make_dual_backend(parts);
  if (std::find(heads.begin(), heads.end(), parts.head) == heads.end()) {
    throw Error{ErrorCode::kUsage,
                fmt::format("this {} has no head '{}'", network.facts().family, parts.head),
                "--score",
                fmt::format("it has {}", fmt::join(heads, ", "))};
  }
  if (network.video()) return make_video_backend(parts);
  if (parts.head == "likelihood") {
    return parts.opened->processor ? make_shown_likelihood_backend(parts)
                                   : make_likelihood_backend(parts);
  }
  if (parts.head == "itm" && network.pair()) return make_pair_backend(parts);
  if (network.dual()) return make_dual_backend(parts);
  throw Error{ErrorCode::kUsage,
              fmt::format("a {} scores no pictures and no texts", network.facts().family),
              "--model"};
}

}  // namespace snellen::inference

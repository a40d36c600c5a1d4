// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/corruptions/mismatch.h"

#include <map>
#include <numeric>

#include "snellen/media/corruptions/noise_stream.h"

namespace snellen::media {
namespace {

// Shuffles until nothing stands in its place: every derangement is equally likely, and e shuffles
// are expected.
void derange(const std::vector<size_t>& members, SplitMixStream& stream, std::vector<size_t>& out) {
  std::vector<size_t> order = members;
  bool is_deranged = false;
  while (!is_deranged) {
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[stream.below(i)]);
    is_deranged = true;
    for (size_t i = 0; i < order.size(); ++i) is_deranged = is_deranged && order[i] != members[i];
  }
  for (size_t i = 0; i < order.size(); ++i) out[members[i]] = order[i];
}

Error lonely(std::string_view where) {
  return Error{ErrorCode::kInvalidInput,
               "one item alone has no other picture to be shown",
               std::string(where),
               "add items, or use mismatch without categories"};
}

}  // namespace

Result<std::vector<size_t>> mismatched(size_t num_items, uint64_t seed) {
  if (num_items == 1) return lonely("mismatch");
  std::vector<size_t> members(num_items);
  std::iota(members.begin(), members.end(), size_t{0});
  std::vector<size_t> out(num_items);
  SplitMixStream stream(
      NoiseKey{.seed = seed, .image_id = "", .level = "mismatch", .replicate = 0});
  derange(members, stream, out);
  return out;
}

Result<std::vector<size_t>> mismatched_in_category(std::span<const std::string> categories,
                                                   uint64_t seed) {
  std::map<std::string_view, std::vector<size_t>> members;
  for (size_t i = 0; i < categories.size(); ++i) members[categories[i]].push_back(i);
  std::vector<size_t> out(categories.size());
  for (const auto& [category, items] : members) {
    if (items.size() == 1) return lonely(fmt::format("category '{}'", category));
    SplitMixStream stream(NoiseKey{
        .seed = seed, .image_id = category, .level = "mismatch-in-category", .replicate = 0});
    derange(items, stream, out);
  }
  return out;
}

}  // namespace snellen::media

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "snellen/base/distinct_ids.h"
#include "snellen/base/error.h"
#include "snellen/run/plan.h"

namespace snellen::run {

// Whose pictures an item is shown under `mismatch`. Within a part, what items share (their first
// cluster: a picture, a video, a pair of pictures) changes places so that nothing stays
// (media/corruptions/mismatch.h); the k-th picture of one group is shown in the place of the k-th
// of the other. So items of one picture stay together, and no item sees a picture of its own group
// first. Memory is some bytes per picture.
class OtherPictures {
 public:
  struct Request {
    const OpenTask& task;
    uint64_t limit = 0;  // items per part that are scored; 0: all
    uint64_t seed = 0;
    bool in_category = false;  // pictures stay within the category of their item
  };
  // An error where a part, or a category, has a single group.
  static Result<OtherPictures> of(const Request& request);

  // The position of the item whose pictures this one, which stands at `position`, is shown.
  std::optional<uint64_t> shown_at(uint64_t position, const tasks::Item& item) const;

 private:
  explicit OtherPictures(bool in_category) : in_category_(in_category) {}
  ContentKey group_of(const tasks::Item& item, uint32_t part) const;
  ContentKey picture_of(const tasks::Item& item, uint32_t part) const;

  bool in_category_;
  std::vector<uint64_t> part_ends_;
  DistinctIds pictures_;             // that items begin with, by group
  std::vector<uint64_t> positions_;  // by picture: of the item whose pictures stand in its place
};

}  // namespace snellen::run

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "snellen/metrics/text/meteor/meteor.h"
#include "snellen/text/string_pool.h"

namespace snellen::metrics::meteor {

// METEOR of generated answers against reference sets. Const methods are safe from many threads:
// each call borrows a Scratch that an earlier one has left behind.
class SetScorer {
 public:
  // In compat a "|||" inside a reference splits it in two. `sets` must outlive this.
  SetScorer(std::shared_ptr<const text::meteor::MeteorData> data,
            const text::StringSets& sets,
            bool is_compat = false,
            Parameters parameters = {});

  const text::meteor::MeteorData& data() const { return meteor_.data(); }
  // The best score over the references of a set, which must not be empty.
  double score(std::string_view generation, size_t set) const;

 private:
  // Gives the Scratch back whatever happens.
  class BorrowedScratch;

  Meteor meteor_;
  const text::StringSets& sets_;
  bool is_compat_;
  mutable std::mutex mutex_;  // guards idle_
  mutable std::vector<std::unique_ptr<Scratch>> idle_;
};

}  // namespace snellen::metrics::meteor

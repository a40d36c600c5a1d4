// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "snellen/tasks/item.h"

namespace snellen::tasks {

// A question about a picture of an item whose features a report maps, and what its texts are called
// there.
struct MappedQuestion {
  questions::Question question;
  std::vector<std::string> names;
};

// A Task that has such a question is a MapsFeatures too.
class MapsFeatures {
 public:
  virtual ~MapsFeatures() = default;
  virtual MappedQuestion mapped(const Item& item) const = 0;
};

}  // namespace snellen::tasks

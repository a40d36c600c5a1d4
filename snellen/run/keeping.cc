// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/keeping.h"

#include "snellen/config/groups.h"

namespace snellen::run {

std::vector<config::Option> keeping_options() {
  using config::option;
  using S = KeepingSettings;
  return config::joined(
      {config::grouped("What to run",
                       {option(&S::marks,
                               "leave-out",
                               "leave out the items that these mark files of `snellen view` name")
                            .many()
                            .rare()
                            .identity(false)
                            .value("RUN.marks.jsonl")}),
       config::grouped(
           "Where results go",
           {option(&S::picture_mb,
                   "pictures",
                   "keep small pictures and model inputs for `snellen view`, up to this many MB")
                .rare()
                .range(0, 1e6)
                .identity(false)
                .value("MB"),
            option(&S::feature_groups,
                   "features",
                   "keep the features of up to N items for the map of `snellen report`")
                .rare()
                .range(0, 1e6)
                .identity(false)})});
}

}  // namespace snellen::run

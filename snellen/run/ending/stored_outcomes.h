// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/run/plan.h"
#include "snellen/store/samples.h"

namespace snellen::run {

// The scored items of one task as its pooled metrics and seed files read them.
class StoredOutcomes : public tasks::OutcomeReader {
 public:
  StoredOutcomes(store::Samples& samples, const OpenTask& task, uint32_t number);

  void for_each_scored(std::string_view part,
                       const std::function<void(const tasks::StoredItem&)>& visit) override;

 private:
  store::Samples& samples_;
  const OpenTask& task_;
  uint32_t number_;
  size_t num_columns_;
  tasks::NamedValuesReader reader_;
};

}  // namespace snellen::run

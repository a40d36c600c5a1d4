// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace snellen::builders {

// A group of a built set that breaks a rule of its construction.
struct Violation {
  std::string group;  // where: "relation_eval_subject.json: '2317469'"
  std::string rule;   // which: "positive-shares-object"
  std::string what;   // how, with the names and numbers
};

// What a check found: everything counted, the first ones kept to be named.
struct CheckReport {
  static constexpr size_t kMostNamed = 1000;

  uint64_t num_groups = 0;  // looked at
  uint64_t num_violations = 0;
  std::vector<Violation> violations;

  void add(Violation violation) {
    ++num_violations;
    if (violations.size() < kMostNamed) violations.push_back(std::move(violation));
  }
  void add(CheckReport&& part) {
    num_groups += part.num_groups;
    num_violations += part.num_violations - part.violations.size();
    for (Violation& violation : part.violations) add(std::move(violation));
  }
};

}  // namespace snellen::builders

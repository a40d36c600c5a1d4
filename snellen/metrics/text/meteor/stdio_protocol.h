// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "snellen/metrics/text/meteor/meteor.h"

namespace snellen::metrics::meteor {

// Answers the lines that captioning toolkits write to `java -jar meteor-1.5.jar - - -stdio -l en
// -norm`, as the jar they redistribute does (docs/spec/visdial.md 3.3):
//   SCORE ||| reference ||| ... ||| hypothesis   one line of statistics
//   EVAL ||| statistics ||| ...                  a score for each block, then that of their sum
//   SING ||| statistics                          one score
// and an error line for anything else. Statistics that are not 23 numbers end the jar; here they
// are an error line. One thread at a time.
class StdioProtocol {
 public:
  // `meteor` must outlive this.
  explicit StdioProtocol(const Meteor& meteor) : meteor_(meteor), scratch_(meteor) {}

  // Appends the answer to `line` (no line end), each answer line ended by LF.
  void answer(std::string_view line, std::string& out);

 private:
  void answer_score(std::string& out);
  void answer_eval(std::string& out) const;
  void answer_single(std::string& out) const;
  void append_score(const Statistics& statistics, std::string& out) const;

  const Meteor& meteor_;
  Scratch scratch_;
  std::vector<std::string_view> pieces_;
};

}  // namespace snellen::metrics::meteor

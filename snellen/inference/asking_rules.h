// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace snellen::inference {

// What flags of a run change about how pictures and texts are given and scores are made.
struct AskingRules {
  bool alpha_on_white = false;      // transparent pictures; else alpha is dropped
  bool prepends_bos = false;        // texts of language models begin with the start token
  std::string itm_score = "match";  // of two logits: the second, or `margin`, or `prob`
  // Where no head is named: the plain dot product, as the reference scripts ask FLAVA in Probe-B.
  bool prefers_raw_dot = false;
};

}  // namespace snellen::inference

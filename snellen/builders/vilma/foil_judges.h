// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "snellen/builders/build_record.h"

namespace snellen::builders::vilma {

// What language models say of foils (docs/spec/vilma.md 7.4d, 7.6, 7.7). The functions are called
// from many threads; one that is absent judges nothing.
struct FoilJudges {
  struct Label {
    std::string name;  // in lower case
    double probability = 0;
  };
  std::function<Label(const std::string& caption, const std::string& foil)> nli = {};
  std::function<double(const std::string& foil)> gruen = {};
  double least_gruen = 0.8;
  // For the record.
  std::string nli_model = {};
  std::string gruen_models = {};

  bool is_active() const { return nli || gruen; }
  // Whether the foil is written well enough and does not follow from its caption.
  bool lets_pass(const std::string& caption, const std::string& foil) const;
};

// A foil with this label is left out: it says what the caption says, or nobody knows whether.
bool is_left_out(std::string_view label);
// The label of an answer that holds no label.
inline constexpr std::string_view kUnreadableLabel = "unreadable";

// Adds the settings of those judges that there are to a builder's record.
void add_to_record(const FoilJudges& judges, BuildRecord& record);

}  // namespace snellen::builders::vilma

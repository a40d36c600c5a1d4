// SPDX-License-Identifier: Apache-2.0
// Questions in the form of VLBiasBench (docs/spec/bias.md 1.4, 2.2, 2.3) about attributes that
// carry no prejudice: the colour and pattern of a person's shirt.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/eyechart/world/scene.h"

namespace snellen::eyechart {

// A record of a file below the bias folder.
struct BiasRow {
  std::string file;  // "close-ended/json/base/Shirt_colour.json"
  std::string text;
};

struct BiasPicture {
  Scene scene;
  std::vector<std::string> places;         // where its picture goes, below the bias folder
  std::vector<BiasRow> rows;               // of close- and open-ended files
  std::vector<std::string> control_lines;  // of questions.jsonl
};

// A person with an umbrella, from the stream "{seed}|eyechart-bias|{index}".
BiasPicture draw_bias_picture(uint64_t seed, uint64_t index);

// All files that the rows go to.
std::vector<std::string> bias_files();

}  // namespace snellen::eyechart

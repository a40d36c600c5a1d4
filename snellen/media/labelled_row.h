// SPDX-License-Identifier: Apache-2.0
// Pictures in a row for people, each with a line of text below it.
#pragma once

#include <span>
#include <string>

#include "snellen/media/image.h"

namespace snellen::media {

struct LabelledPicture {
  const Image* picture = nullptr;
  std::string label;  // small letters, digits and ".:-_ "; any other character is left blank
};

// On white, with a gap around every picture; a label that is wider than its picture is cut. At
// least one picture; those that are lower than the highest stand at the top.
Image labelled_row(std::span<const LabelledPicture> pictures);

}  // namespace snellen::media

// SPDX-License-Identifier: Apache-2.0
// The same words, wrongly put together: pairs of pictures and, of each, what is true of it and what
// is true of the other one, as items of tasks without C++ (docs/your-own-task.md). Every text is
// right as often as it is wrong, so that a model that does not look is right half of the time.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "snellen/eyechart/world/scene.h"

namespace snellen::eyechart {

// Two pictures of the same things, and a line for each question about one of them.
struct ContrastPair {
  std::array<Scene, 2> scenes;
  std::string lines;
};

struct ContrastTask {
  std::string_view name;
  // Pair number `index` of a world.
  ContrastPair (*draw)(uint64_t seed, uint64_t index);
};

// Who does it to whom: the predicate exchanged for its opposite (category "opposite"), subject and
// object exchanged ("exchanged"); the tag is the kind of direction.
ContrastTask direction_task();
// Which colour belongs to what: the colours of two things exchanged.
ContrastTask binding_task();

// From the tree's root, of one of the two.
std::string contrast_picture(std::string_view task, uint64_t index, size_t which);

}  // namespace snellen::eyechart

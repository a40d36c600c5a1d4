// SPDX-License-Identifier: Apache-2.0
// Direction on trial: pictures of the tree with a relation that holds, and the same words in the
// wrong direction, as items of a task without C++ (docs/your-own-task.md).
#pragma once

#include <cstdint>
#include <string>

#include "snellen/eyechart/scene.h"

namespace snellen::eyechart {

// The first line of the file.
std::string relation_items_head();
// The items of one scene, a line each: the predicate exchanged for its opposite (category
// "opposite"), and subject and object exchanged ("exchanged"), where that is false of the scene.
// `picture` is the path from the tree's root.
std::string relation_items(const Scene& scene, const std::string& picture);

}  // namespace snellen::eyechart

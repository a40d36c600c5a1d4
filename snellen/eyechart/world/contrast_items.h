// SPDX-License-Identifier: Apache-2.0
// The same words, wrongly put together: pictures of the tree with what is true of them and the same
// words in another order, as items of tasks without C++ (docs/your-own-task.md).
#pragma once

#include <string>
#include <string_view>

#include "snellen/eyechart/world/scene.h"

namespace snellen::eyechart {

// A file of such items, and the lines of one scene, whose picture lies at `picture` from the tree's
// root. A scene may have none.
struct ContrastTask {
  std::string_view name;
  std::string (*items)(const Scene& scene, const std::string& picture);
};

// Who does it to whom: the predicate exchanged for its opposite (category "opposite"), subject and
// object exchanged ("exchanged"), where that is false of the scene.
ContrastTask direction_task();
// Which colour belongs to what: the colours of two things exchanged.
ContrastTask binding_task();

}  // namespace snellen::eyechart

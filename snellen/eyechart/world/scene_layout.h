// SPDX-License-Identifier: Apache-2.0
// Puts two things where a predicate can be seen.
#pragma once

#include "snellen/base/rng.h"
#include "snellen/eyechart/world/scene.h"

namespace snellen::eyechart {

// The longest side of a medium thing of this noun, as a share of the picture: an elephant's is
// larger than a key's.
double usual_side(size_t noun);
// How large a thing is drawn in a scene of so many things: the longest side, as a share.
double side_of(const Thing& thing, size_t num_things);
// A box of that longest side, standing on `base` around `center_x`.
Box box_at(const Thing& thing, double side, double center_x, double base);

// Sets boxes, facing and angles of things 0 (subject) and 1 (object) so that the predicate holds
// and both lie inside the picture.
void lay_out_pair(Rng& rng, Scene& scene, Predicate predicate, size_t num_things);

}  // namespace snellen::eyechart

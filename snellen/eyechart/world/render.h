// SPDX-License-Identifier: Apache-2.0
// Scenes to pictures.
#pragma once

#include <vector>

#include "snellen/eyechart/draw/canvas.h"
#include "snellen/eyechart/world/scene.h"
#include "snellen/media/image.h"
#include "snellen/media/masks/mask.h"

namespace snellen::eyechart {

struct Picture {
  media::Image image;
  std::vector<media::Mask> visible;  // of each thing: the pixels where it is what one sees
};

inline constexpr int kPictureSide = 224;

// Same scene and side, same bytes. Safe from many threads. `side` at least 16.
Picture render(const Scene& scene, int side = kPictureSide);
// Without masks, for training.
media::Image render_image(const Scene& scene, int side = kPictureSide);
// The empty place.
media::Image render_backdrop(const Backdrop& backdrop, int side = kPictureSide);

// A scene over a backdrop that was painted before: the frames of a clip share theirs.
media::Image render_over(const Canvas& backdrop, const Scene& scene);

// Where a thing's drawing goes on a picture of this side.
Affine placing_of(const Thing& thing, int side);

}  // namespace snellen::eyechart

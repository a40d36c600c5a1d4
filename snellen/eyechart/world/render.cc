// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/world/render.h"

#include <algorithm>
#include <utility>

#include "snellen/base/error.h"
#include "snellen/eyechart/draw/marks.h"
#include "snellen/eyechart/draw/painter.h"
#include "snellen/eyechart/world/nouns.h"

namespace snellen::eyechart {
namespace {

class SceneRenderer {
 public:
  SceneRenderer(const Scene& scene, int side, bool wants_masks)
      : scene_(scene), side_(side), canvas_(Canvas::blank(side, side)) {
    SNELLEN_CHECK(side >= 16);
    paint_backdrop(canvas_, scene.backdrop);
    if (!wants_masks) return;
    masks_.assign(scene.things.size(), media::Mask::blank(side, side));
  }

  SceneRenderer(const Scene& scene, Canvas backdrop)
      : scene_(scene), side_(backdrop.width), canvas_(std::move(backdrop)) {}

  Picture render() {
    for (const size_t i : scene_.order) {
      const bool is_holder = scene_.holding && scene_.holding->object == i;
      shadow(scene_.things[i]);
      if (is_holder) {
        add(i, Parts::kBack);
        add(scene_.holding->subject, Parts::kAll);
        add(i, Parts::kFront);
      } else {
        add(i, Parts::kAll);
      }
    }
    paint_marks(canvas_, scene_);
    return {image_of(canvas_), std::move(masks_)};
  }

 private:
  void shadow(const Thing& thing) {
    const Box& box = thing.box;
    if (thing.copies > 1) return;
    const double x = box.center_x() * side_;
    const double y = (box.y1 + thing.lift) * side_ - 1;
    const double width = 0.56 * box.width() * side_;
    if (!thing.is_grounded) return drop_shadow(canvas_, x, y, 0.8 * width, 0.10 * width, 0.30F);
    const auto nearness = static_cast<float>(1 - std::min(0.6, 2 * thing.lift));
    drop_shadow(canvas_, x, y, width, 0.24 * width, 0.42F * nearness);
  }

  void add(size_t index, Parts parts) {
    const Thing& thing = scene_.things[index];
    const Sketch sketch = sketch_of(thing.noun, thing.look);
    const uint64_t salt = scene_.backdrop.salt + index;
    if (thing.copies == 1) {
      return put(index, paint(sketch, thing.look, {placing_of(thing, side_), salt, parts}));
    }
    const double width = thing.box.width() / 4;
    for (size_t k = 0; k < thing.copies; ++k) {
      Thing copy = thing;
      copy.copies = 1;
      const double x = thing.box.x0 + width * (static_cast<double>(k % 4) + (k < 4 ? 0.0 : 0.5));
      const double base = k < 4 ? thing.box.y1 - 0.055 : thing.box.y1;
      const double height = width / aspect_of(thing.noun, thing.look);
      copy.box = {x, base - height, x + width, base};
      drop_shadow(canvas_,
                  (x + width / 2) * side_,
                  base * side_ - 1,
                  0.5 * width * side_,
                  0.12 * width * side_,
                  0.4F);
      put(index, paint(sketch, thing.look, {placing_of(copy, side_), salt + k, parts}));
    }
  }

  void put(size_t index, const Layer& layer) {
    lay_over(canvas_, layer);
    for (size_t i = 0; i < masks_.size(); ++i) {
      if (i != index) unmark(masks_[i], layer);
    }
    if (!masks_.empty()) mark(masks_[index], layer);
  }

  const Scene& scene_;
  int side_;
  Canvas canvas_;
  std::vector<media::Mask> masks_;
};

}  // namespace

Affine placing_of(const Thing& thing, int side) {
  const Box drawn = sketch_of(thing.noun, thing.look).box();
  const double sx = thing.box.width() * side / drawn.width();
  const double sy = thing.box.height() * side / drawn.height();
  return shifted(thing.box.center_x() * side, thing.box.center_y() * side) * turned(thing.angle) *
         scaled(thing.faces_left ? -sx : sx, sy) * shifted(-drawn.center_x(), -drawn.center_y());
}

Picture render(const Scene& scene, int side) {
  return SceneRenderer(scene, side, /*wants_masks=*/true).render();
}

media::Image render_image(const Scene& scene, int side) {
  return SceneRenderer(scene, side, /*wants_masks=*/false).render().image;
}

media::Image render_over(const Canvas& backdrop, const Scene& scene) {
  return SceneRenderer(scene, backdrop).render().image;
}

media::Image render_backdrop(const Backdrop& backdrop, int side) {
  Canvas canvas = Canvas::blank(side, side);
  paint_backdrop(canvas, backdrop);
  return image_of(canvas);
}

}  // namespace snellen::eyechart

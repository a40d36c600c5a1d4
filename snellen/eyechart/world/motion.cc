// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/world/motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "snellen/base/error.h"
#include "snellen/eyechart/draw/shared_chroma.h"
#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/world/render.h"

namespace snellen::eyechart {
namespace {

Key key_at(const std::vector<Key>& keys, double seconds) {
  SNELLEN_CHECK(!keys.empty());
  if (seconds <= keys.front().seconds) return keys.front();
  for (size_t i = 1; i < keys.size(); ++i) {
    const Key& a = keys[i - 1];
    const Key& b = keys[i];
    if (seconds >= b.seconds) continue;
    const double t = (seconds - a.seconds) / (b.seconds - a.seconds);
    const double s = t * t * (3 - 2 * t);
    auto between = [s](double from, double to) { return from + (to - from) * s; };
    return {seconds,
            between(a.x, b.x),
            between(a.base, b.base),
            between(a.angle, b.angle),
            between(a.state, b.state)};
  }
  return keys.back();
}

// How far the repeated motion has come at a frame, 0 to 1; nothing after the last.
std::optional<double> phase_at(const std::vector<int>& ends, int frame) {
  int start = 0;
  for (const int end : ends) {
    if (frame < end) return static_cast<double>(frame - start) / (end - start);
    start = end;
  }
  return std::nullopt;
}

// `side` is that of the thing in full (open, blown up), so that its size does not jump when its
// state changes; it stands on `base`.
Box standing_box(const Thing& thing, double side, double x, double base) {
  Look full_look = thing.look;
  full_look.state = 1;
  const Box full = sketch_of(thing.noun, full_look).box();
  const Box drawn = sketch_of(thing.noun, thing.look).box();
  const double scale = side / std::max(full.width(), full.height());
  return {x + (drawn.x0 - full.center_x()) * scale,
          base + (drawn.y0 - full.y1) * scale,
          x + (drawn.x1 - full.center_x()) * scale,
          base + (drawn.y1 - full.y1) * scale};
}

Thing thing_at(const Actor& actor, const ClipScript& script, int frame) {
  const Key key = key_at(actor.keys, static_cast<double>(frame) / script.frames_per_second);
  Thing thing;
  thing.noun = actor.noun;
  thing.look = actor.look;
  thing.faces_left = actor.faces_left;
  thing.is_grounded = actor.is_grounded;
  thing.angle = key.angle;
  thing.look.state = key.state;
  double side = actor.side;
  double base = key.base;
  const auto phase = phase_at(actor.motion_ends, frame);
  if (phase) {
    const double arch = 4 * *phase * (1 - *phase);
    const double turn = 2 * std::numbers::pi * *phase;
    switch (actor.motion) {
      case RepeatedMotion::kHop:
        thing.lift = 0.30 * arch;
        base -= thing.lift;
        break;
      case RepeatedMotion::kSpin:
        thing.angle += 360 * *phase;
        break;
      case RepeatedMotion::kSway:
        thing.angle += 32 * std::sin(turn);
        break;
      case RepeatedMotion::kBow:
        thing.angle += (thing.faces_left ? -38 : 38) * arch;
        break;
      case RepeatedMotion::kSwell:
        side *= 1 + 0.5 * arch;
        break;
      case RepeatedMotion::kOpen:
        thing.look.state = std::pow(std::sin(turn / 2), 2);
        break;
      case RepeatedMotion::kFlow:
        thing.look.state = *phase;
        break;
      case RepeatedMotion::kNone:
        break;
    }
  }
  thing.box = standing_box(thing, side, key.x, base);
  return thing;
}

}  // namespace

Scene scene_at(const ClipScript& script, int frame) {
  Scene scene;
  scene.backdrop = script.backdrop;
  scene.relations = script.marks;
  const double seconds = static_cast<double>(frame) / script.frames_per_second;
  if (script.holding && seconds >= script.held_from) scene.holding = script.holding;
  for (size_t i = 0; i < script.actors.size(); ++i) {
    scene.things.push_back(thing_at(script.actors[i], script, frame));
    if (!scene.holding || scene.holding->subject != i) scene.order.push_back(i);
  }
  return scene;
}

void render_clip(const ClipScript& script,
                 const std::function<void(const media::Image&, int frame)>& take,
                 int side) {
  Canvas backdrop = Canvas::blank(side, side);
  paint_backdrop(backdrop, script.backdrop);
  for (int frame = 0; frame < script.num_frames; ++frame) {
    media::Image image = render_over(backdrop, scene_at(script, frame));
    share_chroma(image);
    take(image, frame);
  }
}

}  // namespace snellen::eyechart

// SPDX-License-Identifier: Apache-2.0
// Moving scenes: actors on tracks, and actions that are repeated a known number of times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "snellen/eyechart/world/scene.h"
#include "snellen/media/image.h"

namespace snellen::eyechart {

// Where and how an actor is at a time; between keys it moves smoothly, before the first and after
// the last it rests.
struct Key {
  double seconds = 0;
  double x = 0.5;     // of its middle, in shares of the picture
  double base = 0.9;  // of its feet
  double angle = 0;
  double state = 1;
};

enum class RepeatedMotion : uint8_t {
  kNone,
  kHop,    // up and down again
  kSpin,   // once around
  kSway,   // to one side, to the other, back
  kBow,    // to one side and back
  kSwell,  // larger and back
  kOpen,   // state up and down again: opens, fills, lights
  kFlow,   // state runs from 0 to 1 and begins again
};

struct Actor {
  size_t noun = 0;  // or a prop
  Look look;
  double side = 0.3;  // longest side, as a share of the picture
  bool faces_left = false;
  bool is_grounded = true;
  std::vector<Key> keys;
  RepeatedMotion motion = RepeatedMotion::kNone;
  std::vector<int> motion_ends;  // frames; the first motion begins at frame 0
};

struct ClipScript {
  Backdrop backdrop;
  std::vector<Actor> actors;        // painted in this order
  std::vector<Relation> marks;      // signs of actions between actors
  std::optional<Relation> holding;  // the subject is inside the object, from `held_from` on
  double held_from = 0;
  int num_frames = 1;
  int frames_per_second = 30;
};

inline constexpr int kClipSide = 192;

// The scene as it stands at a frame.
Scene scene_at(const ClipScript& script, int frame);

// Calls `take` with each frame, first to last, in colours that video can hold. Same script, same
// frames. Safe from many threads. `side` is even.
void render_clip(const ClipScript& script,
                 const std::function<void(const media::Image&, int frame)>& take,
                 int side = kClipSide);

}  // namespace snellen::eyechart

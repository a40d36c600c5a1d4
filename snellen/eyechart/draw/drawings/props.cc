// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/draw/drawings/drawings.h"

namespace snellen::eyechart {

void draw_hammer(Sketch& s, const Look&) {
  s.fixed(kBark, slab(44, 20, 54, 100, 4));
  s.fixed(kSteel, slab(24, 6, 76, 30, 3));
  s.fixed(kDarkGrey, slab(18, 4, 28, 32, 2));
}

void draw_spray_bottle(Sketch& s, const Look&) {
  const Rgb body{0.35F, 0.62F, 0.85F};
  s.fixed(body, slab(30, 40, 70, 100, 8));
  s.fixed(kPaper, slab(30, 60, 70, 84));
  s.fixed(kDarkGrey, slab(44, 20, 56, 42, 2));
  s.fixed({0.85F, 0.30F, 0.25F}, poly({{40, 8}, {84, 8}, {84, 18}, {58, 22}, {40, 22}}));
  s.fixed({0.85F, 0.30F, 0.25F}, line({{58, 22}, {64, 34}}, 4));
}

// Water that falls: the state says how far, and begins again.
void draw_drops(Sketch& s, const Look& look) {
  s.fixed({0.80F, 0.90F, 0.97F}, slab(0, 0, 100, 100), 0.0F);  // keeps the box, whatever falls
  const Rgb water{0.36F, 0.66F, 0.93F};
  for (int i = 0; i < 9; ++i) {
    const double x = 10 + 10 * i;
    double fall = look.state + 0.37 * i;
    fall -= static_cast<double>(static_cast<int>(fall));
    const double y = 8 + 84 * fall;
    s.fixed(water, blob({{x, y - 8}, {x + 3.4, y + 1}, {x, y + 5}, {x - 3.4, y + 1}}));
  }
}

void draw_scales(Sketch& s, const Look&) {
  s.fixed(kSteel, slab(4, 62, 96, 72, 3));
  s.fixed(kDarkGrey, slab(44, 70, 56, 80));
  s.fixed({0.85F, 0.30F, 0.25F}, poly({{18, 78}, {82, 78}, {92, 100}, {8, 100}}));
  s.fixed(kPaper, oval(50, 89, 12, 8));
  s.fixed(kInkBlack, line({{50, 92}, {56, 84}}, 2));
}

// Drawn out as far as the state says.
void draw_tape(Sketch& s, const Look& look) {
  const double end = 24 + 76 * look.state;
  s.fixed({0.97F, 0.84F, 0.25F}, slab(20, 84, end, 94));
  for (double x = 28; x < end; x += 8) s.fixed(kInkBlack, line({{x, 85}, {x, 89}}, 1.4));
  s.fixed({0.97F, 0.84F, 0.25F}, slab(99, 99, 100, 100), 0.0F);  // keeps the box
  s.fixed({0.30F, 0.34F, 0.40F}, slab(0, 68, 26, 98, 6));
  s.fixed(kSteel, oval(13, 82, 7, 7));
}

}  // namespace snellen::eyechart

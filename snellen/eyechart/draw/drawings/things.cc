// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "snellen/eyechart/draw/drawings/drawings.h"

namespace snellen::eyechart {

void draw_backpack(Sketch& s, const Look&) {
  s.ink(arc(50, 14, 9, 180, 360, 4));
  s.shade(both(slab(10, 46, 26, 86, 7), slab(74, 46, 90, 86, 7)));
  s.main(blob(
      {{20, 40}, {28, 14}, {50, 8}, {72, 14}, {80, 40}, {82, 84}, {76, 98}, {24, 98}, {18, 84}}));
  s.ink(curve({{24, 36}, {36, 22}, {50, 20}, {64, 22}, {76, 36}}, 1.8));
  s.tint(slab(27, 56, 73, 90, 7));
  s.ink(line({{30, 66}, {70, 66}}, 1.8));
  s.fixed(kSteel, slab(47, 65, 53, 74, 2));
  s.fixed(kSteel, slab(44, 30, 56, 36, 2));
}

// Closed 0: a rolled stick; open 1: the canopy.
void draw_umbrella(Sketch& s, const Look& look) {
  const double open = look.state;
  const double half = 7 + 41 * open;
  const double rim = 74 - 28 * open;
  s.fixed(kDarkGrey, line({{50, 6}, {50, 90}}, 2.6));
  s.fixed(kBark, curve({{50, 86}, {50, 96}, {42, 98}, {39, 91}}, 4.4));
  s.main(blob({{50, 8},
               {50 + half * 0.62, 10 + rim * 0.22},
               {50 + half, rim},
               {50 + half * 0.5, rim - 4 * open},
               {50, rim + 2},
               {50 - half * 0.5, rim - 4 * open},
               {50 - half, rim},
               {50 - half * 0.62, 10 + rim * 0.22}}));
  s.ink(curve({{50, 9}, {50 - half * 0.45, rim * 0.5}, {50 - half * 0.5, rim - 4 * open}}, 1.3));
  s.ink(curve({{50, 9}, {50 + half * 0.45, rim * 0.5}, {50 + half * 0.5, rim - 4 * open}}, 1.3));
  s.ink(line({{50, 9}, {50, rim}}, 1.2));
  s.fixed(kDarkGrey, line({{50, 3}, {50, 9}}, 2.4));
}

void draw_handbag(Sketch& s, const Look&) {
  s.ink(arc(50, 40, 24, 180, 360, 5));
  s.main(blob({{20, 42}, {50, 39}, {80, 42}, {92, 84}, {86, 98}, {50, 99}, {14, 98}, {8, 84}}));
  s.shade(blob({{18, 42}, {50, 39}, {82, 42}, {84, 58}, {50, 68}, {16, 58}}));
  s.fixed({0.90F, 0.75F, 0.30F}, slab(44, 60, 56, 73, 3));
  s.ink(oval(50, 66, 2, 2.6));
}

void draw_tie(Sketch& s, const Look&) {
  s.fixed(kPaper,
          both(poly({{30, 4}, {50, 12}, {36, 30}, {24, 16}}),
               poly({{70, 4}, {50, 12}, {64, 30}, {76, 16}})));
  s.main(poly({{44, 24}, {56, 24}, {66, 82}, {50, 100}, {34, 82}}));
  s.main(poly({{40, 8}, {60, 8}, {56, 25}, {44, 25}}));
  s.ink(line({{44.5, 25}, {55.5, 25}}, 1.6));
}

void draw_suitcase(Sketch& s, const Look&) {
  s.ink(line({{38, 30}, {38, 17}, {62, 17}, {62, 30}}, 4.4));
  s.fixed(kInkBlack, both(oval(22, 97, 4, 4), oval(78, 97, 4, 4)));
  s.main(slab(6, 27, 94, 95, 8));
  s.shade(both(slab(22, 27, 29, 95), slab(71, 27, 78, 95)));
  s.ink(line({{7, 60}, {93, 60}}, 1.4));
  s.fixed({0.90F, 0.75F, 0.30F}, both(slab(21, 54, 30, 65, 2), slab(70, 54, 79, 65, 2)));
  s.tint(slab(42, 40, 58, 50, 2));
}

void draw_hat(Sketch& s, const Look&) {
  s.main(blob({{1, 84}, {22, 76}, {50, 74}, {78, 76}, {99, 84}, {80, 95}, {50, 98}, {20, 95}}));
  s.main(blob({{24, 80}, {26, 44}, {34, 28}, {46, 32}, {58, 27}, {72, 38}, {76, 80}, {50, 87}}));
  s.fixed(kInkBlack, blob({{24, 68}, {50, 73}, {76, 67}, {76.5, 79}, {50, 86}, {24, 81}}));
}

void draw_shirt(Sketch& s, const Look&) {
  s.main(poly({{30, 10},
               {8, 24},
               {0, 52},
               {16, 58},
               {26, 40},
               {26, 98},
               {74, 98},
               {74, 40},
               {84, 58},
               {100, 52},
               {92, 24},
               {70, 10}}));
  s.shade(wedge(50, 10, 15, 0, 180));
  s.ink(arc(50, 10, 15, 0, 180, 2));
  s.ink(both(line({{26, 40}, {27, 60}}, 1.3), line({{74, 40}, {73, 60}}, 1.3)));
}

void draw_sports_ball(Sketch& s, const Look&) {
  s.main(oval(50, 50, 49, 49));
  s.fixed(kInkBlack, poly({{50, 34}, {65, 45}, {59, 63}, {41, 63}, {35, 45}}));
  s.fixed(kInkBlack, both(line({{50, 34}, {50, 14}}, 2.2), line({{65, 45}, {84, 38}}, 2.2)));
  s.fixed(kInkBlack, both(line({{59, 63}, {71, 80}}, 2.2), line({{41, 63}, {29, 80}}, 2.2)));
  s.fixed(kInkBlack, line({{35, 45}, {16, 38}}, 2.2));
  s.fixed(kInkBlack,
          both(poly({{38, 3}, {62, 3}, {60, 13}, {50, 18}, {40, 13}}),
               poly({{97, 36}, {98, 58}, {90, 54}, {84, 40}, {88, 28}})));
  s.fixed(kInkBlack,
          both(poly({{3, 36}, {2, 58}, {10, 54}, {16, 40}, {12, 28}}),
               poly({{66, 80}, {78, 76}, {84, 84}, {72, 93}, {64, 92}})));
  s.fixed(kInkBlack, poly({{34, 80}, {22, 76}, {16, 84}, {28, 93}, {36, 92}}));
}

void draw_kite(Sketch& s, const Look&) {
  s.fixed(kDarkGrey, curve({{56, 64}, {48, 76}, {56, 86}, {46, 99}}, 1.3));
  s.fixed({0.85F, 0.25F, 0.25F},
          both(poly({{51, 74}, {42, 69}, {43, 79}}), poly({{51, 74}, {60, 69}, {59, 79}})));
  s.fixed({0.95F, 0.80F, 0.25F},
          both(poly({{53, 87}, {44, 83}, {45, 93}}), poly({{53, 87}, {62, 83}, {61, 92}})));
  s.main(poly({{54, 1}, {90, 28}, {56, 66}, {18, 28}}));
  s.shade(poly({{54, 1}, {90, 28}, {55, 28}}));
  s.shade(poly({{55, 28}, {18, 28}, {56, 66}}));
  s.ink(both(line({{54, 2}, {56, 65}}, 1.4), line({{19, 28}, {89, 28}}, 1.4)));
}

void draw_skateboard(Sketch& s, const Look&) {
  s.fixed(kSteel, both(slab(22, 82, 34, 89, 1), slab(66, 82, 78, 89, 1)));
  s.main(curve({{3, 70}, {14, 79}, {50, 81}, {86, 79}, {97, 70}}, 7));
  s.fixed(kInkBlack, curve({{6, 69}, {15, 75.5}, {50, 77.5}, {85, 75.5}, {94, 69}}, 2));
  for (const double x : {28.0, 72.0}) {
    s.fixed(kPaper, oval(x, 92, 8, 8));
    s.fixed(kDarkGrey, ring(x, 92, 7, 2));
    s.fixed(kDarkGrey, oval(x, 92, 2.4, 2.4));
  }
}

void draw_tennis_racket(Sketch& s, const Look&) {
  s.fixed(kPaper, oval(62, 30, 22, 27, 25), 0.35F);
  const Affine lean = shifted(62, 30) * turned(25);
  for (double d = -15; d <= 15; d += 5) {
    const double half = std::sqrt(1 - d * d / 441) * 26;
    const double across = std::sqrt(1 - d * d / 676) * 21;
    s.fixed(kPaper, mapped(line({{d, -half}, {d, half}}, 0.9), lean));
    s.fixed(kPaper, mapped(line({{-across, d * 1.2}, {across, d * 1.2}}, 0.9), lean));
  }
  s.main(without(oval(62, 30, 25, 30, 25), oval(62, 30, 20, 25, 25)));
  s.main(both(line({{42, 50}, {36, 66}}, 4), line({{57, 58}, {36, 66}}, 4)));
  s.fixed(kInkBlack, line({{36, 66}, {20, 95}}, 8));
  s.fixed(kDarkGrey, both(line({{31, 71}, {36, 74}}, 1.2), line({{26, 80}, {31, 83}}, 1.2)));
}

// Limp 0 to blown up 1.
void draw_balloon(Sketch& s, const Look& look) {
  const double r = 12 + 25 * look.state;
  const double cy = 66 - r * 1.15;
  s.fixed(kDarkGrey, curve({{50, 69}, {45, 80}, {55, 89}, {49, 100}}, 1.3));
  s.shade(poly({{50, 63}, {44, 71}, {56, 71}}));
  s.main(blob({{50, cy - r * 1.15},
               {50 + r * 0.8, cy - r * 0.75},
               {50 + r, cy},
               {50 + r * 0.55, cy + r * 0.85},
               {50, 66},
               {50 - r * 0.55, cy + r * 0.85},
               {50 - r, cy},
               {50 - r * 0.8, cy - r * 0.75}}));
  s.fixed(kPaper, oval(50 - r * 0.42, cy - r * 0.45, r * 0.16, r * 0.3, 25), 0.75F);
}

void draw_guitar(Sketch& s, const Look&) {
  s.fixed(kBark, slab(45, 6, 55, 50, 1));
  s.fixed(kInkBlack, slab(42, 0, 58, 13, 2));
  s.fixed(kSteel,
          both(both(oval(40, 4, 2, 2), oval(40, 10, 2, 2)),
               both(oval(60, 4, 2, 2), oval(60, 10, 2, 2))));
  s.main(blob({{50, 44},
               {66, 46},
               {70, 56},
               {65, 64},
               {76, 76},
               {74, 92},
               {50, 99},
               {26, 92},
               {24, 76},
               {35, 64},
               {30, 56},
               {34, 46}}));
  s.fixed(kInkBlack, oval(50, 66, 9, 9));
  s.fixed(kBark, slab(46, 44, 54, 60));
  s.fixed(kInkBlack, slab(40, 83, 60, 87, 1));
  s.fixed(kPaper,
          both(both(line({{47.5, 8}, {47.5, 84}}, 0.7), line({{50, 8}, {50, 84}}, 0.7)),
               line({{52.5, 8}, {52.5, 84}}, 0.7)));
}

void draw_drum(Sketch& s, const Look&) {
  s.main(blob({{8, 46}, {50, 54}, {92, 46}, {92, 84}, {72, 97}, {28, 97}, {8, 84}}));
  s.fixed(kPaper,
          both(line({{10, 54}, {26, 88}, {42, 58}, {58, 92}, {74, 58}}, 2.2),
               line({{74, 58}, {90, 84}}, 2.2)));
  s.fixed(kGlow, curve({{8, 82}, {28, 93}, {50, 96}, {72, 93}, {92, 82}}, 4.6));
  s.fixed(kGlow, oval(50, 45, 43, 14));
  s.fixed(kPaper, oval(50, 43.5, 40, 12));
  s.fixed(kBark, both(line({{34, 42}, {6, 12}}, 3.4), line({{66, 42}, {94, 12}}, 3.4)));
  s.fixed(kBark, both(oval(36, 43, 4, 3.4), oval(64, 43, 4, 3.4)));
}

void draw_ladder(Sketch& s, const Look&) {
  s.main(both(line({{34, 3}, {26, 98}}, 6), line({{66, 3}, {74, 98}}, 6)));
  for (int i = 0; i < 6; ++i) {
    const double y = 14 + 15 * i;
    const double half = 16 + 8 * (y - 3) / 95;
    s.shade(line({{50 - half, y}, {50 + half, y}}, 4.6));
  }
}

void draw_key(Sketch& s, const Look&) {
  s.main(without(oval(22, 62, 21, 21), oval(19, 62, 9, 9)));
  s.main(slab(40, 57, 96, 67, 2));
  s.main(both(slab(72, 64, 79, 82, 1), slab(86, 64, 94, 86, 1)));
}

void draw_bell(Sketch& s, const Look&) {
  s.shade(ring(50, 10, 7, 4.4));
  s.fixed(kDarkGrey, oval(50, 91, 9, 8));
  s.main(blob({{50, 14},
               {68, 22},
               {74, 48},
               {82, 70},
               {96, 84},
               {50, 88},
               {4, 84},
               {18, 70},
               {26, 48},
               {32, 22}}));
  s.shade(curve({{5, 83}, {50, 87}, {95, 83}}, 5));
}

void draw_pillow(Sketch& s, const Look& look) {
  if (look.form == Form::kRound) {
    s.main(oval(50, 52, 46, 46));
    s.ink(ring(50, 52, 37, 1.4));
    s.ink(oval(50, 52, 4, 4));
  } else if (look.form == Form::kTriangular) {
    s.main(blob({{50, 4},
                 {60, 20},
                 {76, 56},
                 {97, 94},
                 {76, 96},
                 {50, 92},
                 {24, 96},
                 {3, 94},
                 {24, 56},
                 {40, 20}}));
    s.ink(oval(50, 64, 4, 4));
  } else {
    s.main(blob({{4, 12},
                 {30, 18},
                 {50, 19},
                 {70, 18},
                 {96, 12},
                 {91, 36},
                 {90, 54},
                 {91, 74},
                 {96, 98},
                 {70, 92},
                 {50, 91},
                 {30, 92},
                 {4, 98},
                 {9, 74},
                 {10, 54},
                 {9, 36}}));
    s.ink(oval(50, 55, 3, 3));
  }
}

}  // namespace snellen::eyechart

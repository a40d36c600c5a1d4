// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/draw/drawings/drawings.h"

namespace snellen::eyechart {
namespace {

// Light around a point: discs that add up, so that it fades outwards.
void glow(Sketch& s, Point center, double radius, float strength) {
  for (int i = 0; i < 9; ++i) {
    const double r = radius * (1 + 0.11 * i);
    s.fixed(kGlow, oval(center.x, center.y, r, r), 0.085F * strength);
  }
}

}  // namespace

void draw_chair(Sketch& s, const Look&) {
  s.shade(both(line({{34, 60}, {34, 94}}, 5), line({{80, 60}, {80, 92}}, 5)));
  s.main(line({{20, 6}, {22, 62}, {20, 98}}, 6));
  s.main(both(line({{22, 14}, {34, 10}, {36, 56}}, 5), line({{21, 28}, {35, 24}}, 4)));
  s.main(line({{21, 42}, {36, 38}}, 4));
  s.main(poly({{18, 58}, {36, 53}, {84, 53}, {78, 63}, {20, 63}}));
  s.shade(slab(19, 62, 78, 67, 1));
  s.main(line({{72, 64}, {73, 98}}, 6));
}

void draw_couch(Sketch& s, const Look&) {
  s.fixed(kBark, both(slab(12, 90, 19, 100, 1), slab(81, 90, 88, 100, 1)));
  s.main(slab(10, 34, 90, 74, 9));
  s.ink(line({{50, 36}, {50, 66}}, 1.5));
  s.tint(both(slab(15, 62, 50, 78, 5), slab(50, 62, 85, 78, 5)));
  s.shade(slab(8, 76, 92, 93, 4));
  s.main(both(slab(1, 50, 17, 94, 7), slab(83, 50, 99, 94, 7)));
  s.ink(both(oval(9, 58, 3, 3), oval(91, 58, 3, 3)));
}

void draw_potted_plant(Sketch& s, const Look&) {
  const Rgb dark = times(kLeaf, 0.75F);
  s.fixed(dark,
          both(blob({{48, 66}, {26, 52}, {10, 24}, {34, 34}, {50, 60}}),
               blob({{52, 66}, {74, 52}, {90, 24}, {66, 34}, {50, 60}})));
  s.fixed(kLeaf,
          both(blob({{50, 68}, {30, 44}, {30, 8}, {46, 28}, {52, 60}}),
               blob({{50, 68}, {70, 44}, {70, 8}, {54, 28}, {48, 60}})));
  s.fixed(mix(kLeaf, kPaper, 0.2F), blob({{50, 68}, {42, 40}, {50, 1}, {58, 40}}));
  s.fixed(kBark, oval(50, 66, 24, 5));
  s.main(poly({{27, 70}, {73, 70}, {66, 99}, {34, 99}}));
  s.main(slab(22, 64, 78, 74, 2));
  s.shade(slab(27, 74, 73, 77));
}

void draw_bed(Sketch& s, const Look&) {
  s.fixed(kBark, slab(2, 32, 10, 98, 3));
  s.fixed(kBark, slab(91, 54, 98, 98, 3));
  s.fixed(times(kBark, 0.8F), slab(6, 78, 95, 90, 1));
  s.fixed(kPaper, slab(9, 62, 92, 80, 4));
  s.main(blob({{36, 58}, {60, 56}, {90, 58}, {93, 70}, {92, 86}, {60, 87}, {34, 86}, {34, 70}}));
  s.tint(slab(33, 57, 43, 87, 4));
  s.fixed(kPaper, blob({{11, 60}, {14, 50}, {26, 48}, {33, 52}, {33, 62}, {20, 65}}));
}

void draw_dining_table(Sketch& s, const Look&) {
  s.shade(both(slab(20, 54, 26, 94, 1), slab(74, 54, 80, 94, 1)));
  s.main(both(poly({{7, 52}, {15, 52}, {13, 100}, {8, 100}}),
              poly({{85, 52}, {93, 52}, {92, 100}, {87, 100}})));
  s.main(poly({{12, 40}, {88, 40}, {99, 51}, {1, 51}}));
  s.shade(slab(1, 50, 99, 58, 1.5));
}

void draw_toilet(Sketch& s, const Look&) {
  s.main(slab(8, 10, 40, 54, 4));
  s.shade(slab(5, 6, 43, 15, 3));
  s.fixed(kSteel, slab(14, 20, 22, 24, 2));
  s.main(blob(
      {{14, 50}, {86, 56}, {90, 64}, {76, 80}, {60, 86}, {60, 99}, {24, 99}, {26, 80}, {14, 66}}));
  s.shade(oval(60, 56, 33, 7));
  s.fixed(kPane, oval(61, 56, 23, 3.6));
}

void draw_tv(Sketch& s, const Look&) {
  s.main(slab(1, 12, 99, 80, 5));
  s.fixed({0.10F, 0.14F, 0.22F}, slab(7, 18, 93, 73, 2));
  s.fixed({0.30F, 0.46F, 0.66F}, poly({{7, 18}, {52, 18}, {22, 73}, {7, 73}}), 0.75F);
  s.fixed({0.45F, 0.62F, 0.80F}, poly({{60, 18}, {68, 18}, {38, 73}, {30, 73}}), 0.55F);
  s.shade(poly({{42, 80}, {58, 80}, {61, 92}, {39, 92}}));
  s.shade(slab(24, 91, 76, 98, 3));
  s.fixed({0.30F, 0.85F, 0.40F}, oval(90, 76.5, 1.5, 1.5));
}

// Closed 0 to open 1.
void draw_laptop(Sketch& s, const Look& look) {
  const double lift = 58 * look.state + 4;
  const double lean = 6 * look.state;
  if (look.state > 0.04) {
    s.main(poly({{14 - lean, 82 - lift}, {86 + lean, 82 - lift}, {90, 82}, {10, 82}}));
    s.fixed({0.12F, 0.16F, 0.26F},
            poly({{17 - lean, 86 - lift}, {83 + lean, 86 - lift}, {86, 78}, {14, 78}}));
    s.fixed({0.42F, 0.66F, 0.88F},
            poly({{21 - lean, 90 - lift}, {79 + lean, 90 - lift}, {82, 74}, {18, 74}}),
            look.state > 0.3 ? 1.0F : 0.0F);
  } else {
    s.main(slab(8, 76, 92, 83, 3));
  }
  s.shade(poly({{10, 82}, {90, 82}, {99, 95}, {1, 95}}));
  s.ink(poly({{17, 84}, {83, 84}, {87, 90}, {13, 90}}));
  s.tint(slab(1, 94, 99, 99, 2));
}

void draw_keyboard(Sketch& s, const Look&) {
  s.main(slab(1, 58, 99, 98, 5));
  s.shade(slab(4, 61, 96, 94, 3));
  for (int row = 0; row < 3; ++row) {
    for (int i = 0; i < 11; ++i) {
      const double x = 6.5 + 8 * i;
      s.fixed(kPaper, slab(x, 63 + 8 * row, x + 6, 69.5 + 8 * row, 1.2));
    }
  }
  s.fixed(kPaper, slab(24, 87, 76, 92.5, 1.2));
  s.fixed(kPaper, both(slab(6.5, 87, 20, 92.5, 1.2), slab(80, 87, 93, 92.5, 1.2)));
}

void draw_cell_phone(Sketch& s, const Look&) {
  s.main(slab(26, 1, 74, 99, 8));
  s.fixed(kInkBlack, slab(30, 9, 70, 88, 3));
  s.fixed({0.45F, 0.68F, 0.90F}, slab(32, 11, 68, 86, 2));
  s.fixed(kInkBlack, slab(44, 4, 56, 6.4, 1));
  s.fixed(kPaper, oval(50, 93.5, 3.6, 3.6));
  const Rgb apps[] = {{0.92F, 0.35F, 0.30F}, {0.97F, 0.80F, 0.30F}, {0.35F, 0.75F, 0.42F}, kPaper};
  for (int i = 0; i < 12; ++i) {
    const double x = 35 + 10.6 * (i % 3);
    const int row = i / 3;
    const double y = 32 + 13 * row;
    s.fixed(apps[i % 4], slab(x, y, x + 8, y + 8, 2));
  }
}

void draw_refrigerator(Sketch& s, const Look&) {
  s.fixed(kDarkGrey, both(slab(24, 94, 34, 100), slab(66, 94, 76, 100)));
  s.main(slab(18, 1, 82, 97, 5));
  s.ink(line({{19, 34}, {81, 34}}, 1.8));
  s.fixed(kSteel, both(slab(24, 16, 28, 29, 2), slab(24, 40, 28, 64, 2)));
  s.fixed(kGlow, slab(56, 46, 70, 58, 1));
  s.fixed({0.85F, 0.30F, 0.30F}, oval(63, 46, 2, 2));
}

// Closed 0 to open 1.
void draw_book(Sketch& s, const Look& look) {
  if (look.state < 0.3) {
    s.fixed(kPaper, poly({{22, 92}, {84, 84}, {86, 94}, {26, 99}}));
    s.main(poly({{14, 8}, {78, 2}, {88, 88}, {24, 95}}));
    s.shade(poly({{14, 8}, {22, 7.4}, {32, 94}, {24, 95}}));
    s.fixed({0.95F, 0.85F, 0.50F},
            both(line({{34, 26}, {68, 22}}, 4), line({{38, 38}, {66, 34.6}}, 2.6)));
    return;
  }
  const double drop = 26 * (1 - look.state);
  s.main(poly(
      {{1, 38 - drop}, {50, 46}, {99, 38 - drop}, {99, 92 - drop}, {50, 100}, {1, 92 - drop}}));
  s.fixed(kPaper, blob({{5, 34 - drop}, {28, 32}, {50, 43}, {50, 94}, {28, 86}, {5, 87 - drop}}));
  s.fixed(times(kPaper, 0.95F),
          blob({{95, 34 - drop}, {72, 32}, {50, 43}, {50, 94}, {72, 86}, {95, 87 - drop}}));
  s.fixed(kDarkGrey, line({{50, 43}, {50, 94}}, 1.3));
  for (int i = 0; i < 5; ++i) {
    const double y = 46 + 8 * i;
    s.fixed(kDarkGrey,
            both(line({{13, y - 1}, {43, y + 3}}, 1.2), line({{57, y + 3}, {87, y - 1}}, 1.2)),
            0.7F);
  }
}

void draw_clock(Sketch& s, const Look& look) {
  if (look.form == Form::kSquare) {
    s.main(slab(4, 4, 96, 96, 5));
  } else if (look.form == Form::kTriangular) {
    s.main(blob({{50, 0}, {60, 10}, {98, 88}, {92, 98}, {50, 99}, {8, 98}, {2, 88}, {40, 10}}));
  } else {
    s.main(oval(50, 50, 49, 49));
  }
  const double cy = look.form == Form::kTriangular ? 64 : 50;
  const double r = look.form == Form::kTriangular ? 28 : 38;
  s.fixed(kPaper, oval(50, cy, r, r));
  for (int i = 0; i < 12; ++i) {
    const Affine turn = shifted(50, cy) * turned(30.0 * i);
    s.fixed(kInkBlack, mapped(line({{0, -r * 0.9}, {0, -r * 0.78}}, i % 3 == 0 ? 3.0 : 1.6), turn));
  }
  s.fixed(kInkBlack,
          both(line({{50, cy}, {50 - r * 0.4, cy - r * 0.35}}, 4),
               line({{50, cy}, {50 + r * 0.42, cy - r * 0.6}}, 2.6)));
  s.fixed({0.80F, 0.20F, 0.18F}, oval(50, cy, 3, 3));
}

void draw_vase(Sketch& s, const Look&) {
  const Rgb petals[] = {{0.92F, 0.40F, 0.45F}, {0.97F, 0.82F, 0.35F}, {0.75F, 0.50F, 0.85F}};
  const Point heads[] = {{32, 14}, {52, 8}, {70, 17}};
  for (const Point& p : heads) s.fixed(kLeaf, curve({{50, 50}, {(50 + p.x) / 2, 34}, p}, 2.2));
  for (size_t i = 0; i < 3; ++i) {
    for (int k = 0; k < 5; ++k) {
      const Point p = (shifted(heads[i].x, heads[i].y) * turned(72.0 * k))({0, -4.4});
      s.fixed(petals[i], oval(p.x, p.y, 4, 4));
    }
    s.fixed(kGlow, oval(heads[i].x, heads[i].y, 3, 3));
  }
  s.main(blob({{38, 36},
               {62, 36},
               {58, 50},
               {72, 66},
               {70, 86},
               {58, 99},
               {42, 99},
               {30, 86},
               {28, 66},
               {42, 50}}));
  s.shade(oval(50, 36.5, 12.5, 3));
}

void draw_scissors(Sketch& s, const Look&) {
  s.fixed(kSteel, poly({{28, 2}, {34, 1}, {58, 58}, {50, 62}}));
  s.fixed(times(kSteel, 0.85F), poly({{72, 2}, {66, 1}, {42, 58}, {50, 62}}));
  s.fixed(kDarkGrey, oval(50, 52, 2.6, 2.6));
  s.main(without(oval(33, 80, 15, 19, 22), oval(33, 80, 8.5, 12, 22)));
  s.main(without(oval(67, 80, 15, 19, -22), oval(67, 80, 8.5, 12, -22)));
  s.main(both(line({{48, 57}, {42, 66}}, 6), line({{52, 57}, {58, 66}}, 6)));
}

void draw_toothbrush(Sketch& s, const Look&) {
  s.main(curve({{4, 93}, {34, 84}, {60, 70}, {94, 44}}, 7));
  for (int i = 0; i < 6; ++i) {
    const double x = 70 + 4.6 * i;
    const double y = 60.5 - 3.55 * i;
    s.fixed(i % 2 == 0 ? kPaper : kPane, line({{x, y}, {x - 9, y - 13}}, 3.8));
  }
}

// Unlit 0 to lit 1.
void draw_lamp(Sketch& s, const Look& look) {
  const auto light = static_cast<float>(look.state);
  if (light > 0.05F) glow(s, {50, 34}, 26, light);
  s.fixed(kDarkGrey, slab(47, 48, 53, 94));
  s.fixed(kDarkGrey, oval(50, 95, 22, 5));
  s.fixed(mix({0.55F, 0.53F, 0.48F}, kGlow, light), oval(50, 51, 9, 8));
  s.main(poly({{34, 8}, {66, 8}, {82, 50}, {18, 50}}));
  if (light > 0.05F) s.fixed(kGlow, poly({{38, 12}, {62, 12}, {74, 47}, {26, 47}}), 0.45F * light);
}

void draw_candle(Sketch& s, const Look& look) {
  const auto light = static_cast<float>(look.state);
  if (light > 0.05F) glow(s, {50, 22}, 14, light);
  s.main(slab(35, 38, 65, 93, 4));
  s.tint(oval(50, 39, 15, 4));
  s.main(line({{39, 42}, {39, 54}}, 5));
  s.fixed(kInkBlack, line({{50, 39}, {50, 29}}, 2.2));
  if (light > 0.05F) {
    const double h = 10 + 16 * look.state;
    s.fixed({0.97F, 0.55F, 0.15F},
            blob({{50, 32 - h}, {57, 24}, {55, 31}, {50, 33}, {45, 31}, {43, 24}}));
    s.fixed(kGlow, blob({{50, 34 - h * 0.7}, {53.5, 26}, {50, 32}, {46.5, 26}}));
  } else {
    s.fixed(kPaper, curve({{50, 27}, {46, 20}, {54, 13}, {49, 5}}, 2.2), 0.55F);
  }
  s.fixed({0.80F, 0.66F, 0.30F}, slab(20, 92, 80, 99, 3));
}

// Closed 0 to open 1. Things go in behind its front.
void draw_box(Sketch& s, const Look& look) {
  if (look.state > 0.3) {
    const double flap = 24 * look.state;
    s.shade(poly({{12, 40}, {88, 40}, {92, 52}, {8, 52}}));
    s.tint(poly({{6, 50},
                 {18, 40},
                 {18 - flap * 0.8, 40 - flap * 0.35},
                 {6 - flap * 0.2, 50 - flap * 0.4}}));
    s.tint(poly({{94, 50},
                 {82, 40},
                 {82 + flap * 0.8, 40 - flap * 0.35},
                 {94 + flap * 0.2, 50 - flap * 0.4}}));
  }
  s.begin_front();
  s.main(slab(5, 49, 95, 99, 1));
  if (look.state <= 0.3) {
    s.tint(poly({{5, 49}, {16, 36}, {84, 36}, {95, 49}}));
    s.fixed({0.88F, 0.78F, 0.55F}, poly({{44, 49}, {47, 36}, {53, 36}, {56, 49}}));
  }
  s.fixed({0.88F, 0.78F, 0.55F}, slab(44, 49, 56, look.state <= 0.3 ? 99 : 68));
  s.ink(both(line({{14, 92}, {14, 82}}, 1.8), line({{20, 92}, {20, 82}}, 1.8)));
}

void draw_basket(Sketch& s, const Look&) {
  s.ink(arc(50, 52, 36, 180, 360, 4.6));
  s.shade(oval(50, 52, 44, 9));
  s.begin_front();
  s.main(blob({{5, 52}, {50, 61}, {95, 52}, {88, 90}, {74, 98}, {50, 99}, {26, 98}, {12, 90}}));
  for (int row = 0; row < 4; ++row) {
    const double y = 66 + 9 * row;
    s.ink(curve({{9.0 + row, y - 4}, {50, y + 2}, {91.0 - row, y - 4}}, 1.4));
    for (int i = 0; i < 6; ++i) {
      const double x = 17 + 12 * i + 6 * (row % 2);
      s.ink(line({{x, y - 9}, {x, y}}, 1.3));
    }
  }
  s.main(curve({{4, 52}, {26, 58}, {50, 60}, {74, 58}, {96, 52}}, 5.4));
}

}  // namespace snellen::eyechart

// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/draw/drawings/drawings.h"

namespace snellen::eyechart {

namespace {

void wheel(Sketch& s, double x, double y, double radius) {
  s.fixed(kInkBlack, oval(x, y, radius, radius));
  s.fixed(kSteel, oval(x, y, radius * 0.55, radius * 0.55));
  s.fixed(kDarkGrey, oval(x, y, radius * 0.18, radius * 0.18));
}

}  // namespace

void draw_bicycle(Sketch& s, const Look&) {
  for (const double x : {20.0, 80.0}) {
    s.fixed(kInkBlack, ring(x, 79, 18, 3.6));
    s.fixed(kSteel, both(line({{x, 62}, {x, 96}}, 0.9), line({{x - 17, 79}, {x + 17, 79}}, 0.9)));
    s.fixed(kSteel,
            both(line({{x - 12, 67}, {x + 12, 91}}, 0.9), line({{x - 12, 91}, {x + 12, 67}}, 0.9)));
    s.fixed(kDarkGrey, oval(x, 79, 2.6, 2.6));
  }
  s.main(line({{20, 79}, {38, 50}, {70, 50}, {48, 80}, {20, 79}}, 4.2));
  s.main(line({{48, 80}, {35, 42}}, 4.2));
  s.main(line({{80, 79}, {68, 40}}, 4.2));
  s.fixed(kInkBlack, blob({{26, 38}, {36, 36}, {46, 38}, {42, 43}, {30, 43}}));
  s.fixed(kDarkGrey, line({{68, 40}, {78, 34}, {84, 40}}, 3.4));
  s.fixed(kDarkGrey, ring(48, 80, 5, 2));
  s.fixed(kDarkGrey, line({{48, 80}, {54, 90}, {59, 90}}, 2.4));
}

void draw_car(Sketch& s, const Look&) {
  s.main(blob({{20, 58}, {30, 42}, {42, 37}, {60, 38}, {72, 48}, {80, 58}, {50, 64}}));
  s.fixed(kPane, poly({{27, 56}, {34, 44}, {47, 42}, {47, 57}}));
  s.fixed(kPane, poly({{51, 42}, {61, 43}, {72, 55}, {51, 57}}));
  s.main(blob(
      {{2, 66}, {6, 57}, {22, 55}, {76, 55}, {94, 60}, {99, 72}, {97, 82}, {50, 86}, {4, 83}}));
  s.shade(slab(4, 77, 97, 84, 3));
  s.ink(line({{49, 58}, {49, 77}}, 1.2));
  s.ink(line({{52, 64}, {58, 64}}, 1.8));
  s.fixed(kGlow, oval(95, 67, 3, 4));
  s.fixed({0.80F, 0.15F, 0.15F}, oval(4, 67, 2.2, 4));
  wheel(s, 24, 84, 14);
  wheel(s, 76, 84, 14);
}

void draw_airplane(Sketch& s, const Look&) {
  s.shade(poly({{46, 50}, {26, 26}, {36, 26}, {66, 50}}));
  s.main(poly({{4, 26}, {16, 26}, {30, 50}, {8, 52}}));
  s.main(blob({{2, 52}, {20, 46}, {60, 43}, {86, 47}, {99, 57}, {88, 65}, {60, 67}, {20, 62}}));
  s.fixed(kPane, blob({{84, 48}, {93, 52}, {90, 54}, {82, 53}}));
  for (double x = 30; x < 78; x += 8) s.fixed(kPane, slab(x, 50, x + 4.6, 56, 2));
  s.shade(poly({{2, 50}, {14, 52}, {4, 60}, {-4, 60}}));
  s.tint(poly({{42, 60}, {66, 60}, {42, 88}, {30, 88}}));
  s.fixed(kDarkGrey, slab(44, 72, 60, 79, 3));
}

void draw_bus(Sketch& s, const Look&) {
  s.main(slab(2, 30, 98, 88, 7));
  s.shade(slab(2, 74, 98, 88, 5));
  for (double x = 7; x < 70; x += 16) s.fixed(kPane, slab(x, 38, x + 13, 56, 2));
  s.fixed(kPane, slab(73, 38, 84, 84, 2));
  s.ink(line({{78.5, 38}, {78.5, 84}}, 1.2));
  s.fixed(kPane, slab(87, 38, 97, 58, 2));
  s.tint(slab(2, 62, 71, 66));
  s.fixed(kGlow, oval(96, 76, 2.2, 3.4));
  wheel(s, 22, 89, 11);
  wheel(s, 62, 89, 11);
}

void draw_train(Sketch& s, const Look&) {
  s.fixed(kDarkGrey, slab(68, 22, 78, 46, 1));
  s.fixed(kDarkGrey, slab(65, 17, 81, 24, 2));
  s.fixed(kPaper, both(oval(70, 9, 7, 5), oval(60, 5, 8, 5)), 0.85F);
  s.main(slab(34, 42, 90, 72, 8));
  s.tint(slab(84, 42, 93, 72, 3));
  s.ink(both(line({{48, 43}, {48, 71}}, 1.6), line({{62, 43}, {62, 71}}, 1.6)));
  s.main(slab(4, 24, 36, 74, 2));
  s.shade(slab(1, 19, 40, 27, 2));
  s.fixed(kPane, slab(10, 33, 30, 50, 2));
  s.fixed(kGlow, oval(94, 52, 4, 5));
  s.shade(slab(2, 71, 92, 80, 2));
  s.fixed({0.75F, 0.18F, 0.16F}, poly({{88, 74}, {100, 96}, {84, 96}}));
  for (const double x : {14.0, 32.0}) wheel(s, x, 87, 12);
  for (const double x : {54.0, 72.0}) wheel(s, x, 90, 9);
  s.fixed(kSteel, line({{14, 87}, {72, 87}}, 2.4));
}

void draw_truck(Sketch& s, const Look&) {
  s.main(slab(1, 24, 62, 80, 3));
  s.ink(both(line({{16, 26}, {16, 78}}, 1), line({{31, 26}, {31, 78}}, 1)));
  s.ink(line({{46, 26}, {46, 78}}, 1));
  s.fixed(kDarkGrey, slab(2, 78, 98, 87, 2));
  s.shade(blob({{65, 40}, {80, 38}, {88, 42}, {94, 58}, {99, 64}, {99, 82}, {66, 82}, {65, 60}}));
  s.fixed(kPane, poly({{72, 45}, {84, 45}, {90, 60}, {72, 60}}));
  s.fixed(kGlow, oval(96.5, 70, 2.4, 3.4));
  wheel(s, 18, 88, 12);
  wheel(s, 44, 88, 12);
  wheel(s, 82, 88, 12);
}

void draw_boat(Sketch& s, const Look&) {
  s.fixed(kBark, slab(46, 4, 50, 76, 1));
  s.fixed(kPaper, poly({{52, 8}, {52, 66}, {92, 66}}));
  s.fixed(times(kPaper, 0.86F), poly({{44, 18}, {44, 66}, {16, 66}}));
  s.fixed({0.80F, 0.18F, 0.18F}, poly({{48, 2}, {62, 6}, {48, 11}}));
  s.main(blob({{2, 72}, {30, 75}, {70, 75}, {99, 70}, {90, 90}, {76, 99}, {24, 99}, {10, 90}}));
  s.tint(curve({{4, 78}, {50, 80}, {96, 77}}, 3));
}

void draw_traffic_light(Sketch& s, const Look&) {
  s.fixed(kDarkGrey, slab(46, 66, 54, 100, 1));
  s.fixed(kDarkGrey, slab(36, 96, 64, 100, 2));
  s.main(slab(31, 2, 69, 72, 7));
  s.ink(slab(35, 6, 65, 68, 5));
  s.fixed({0.92F, 0.20F, 0.18F}, oval(50, 17, 9, 9));
  s.fixed({0.96F, 0.78F, 0.20F}, oval(50, 37, 9, 9));
  s.fixed({0.25F, 0.75F, 0.35F}, oval(50, 57, 9, 9));
  s.fixed(kPaper, both(oval(47, 13, 2.6, 2), oval(47, 33, 2.6, 2)), 0.8F);
  s.fixed(kPaper, oval(47, 53, 2.6, 2), 0.8F);
}

void draw_fire_hydrant(Sketch& s, const Look&) {
  s.shade(slab(26, 90, 74, 100, 2));
  s.main(slab(34, 30, 66, 92, 2));
  s.main(wedge(50, 30, 17, 180, 360));
  s.shade(slab(45, 6, 55, 15, 2));
  s.shade(slab(29, 27, 71, 35, 3));
  s.shade(both(slab(18, 46, 36, 64, 3), slab(64, 46, 82, 64, 3)));
  s.fixed(kSteel, both(slab(13, 48, 20, 62, 2), slab(80, 48, 87, 62, 2)));
  s.tint(oval(50, 56, 10, 10));
  s.fixed(kSteel, oval(50, 56, 5, 5));
  s.shade(slab(31, 78, 69, 84, 2));
}

void draw_stop_sign(Sketch& s, const Look&) {
  s.fixed(kSteel, slab(47, 60, 53, 100));
  s.fixed(kPaper,
          poly({{34, 2}, {66, 2}, {88, 24}, {88, 50}, {66, 72}, {34, 72}, {12, 50}, {12, 24}}));
  s.main(poly({{35.5, 6},
               {64.5, 6},
               {84, 25.5},
               {84, 48.5},
               {64.5, 68},
               {35.5, 68},
               {16, 48.5},
               {16, 25.5}}));
  const double w = 3.4;
  s.fixed(
      kPaper,
      line({{33, 30}, {30, 27}, {25, 27}, {23, 31}, {32, 40}, {30, 46}, {25, 46}, {22, 43}}, w));
  s.fixed(kPaper, both(line({{37, 28}, {48, 28}}, w), line({{42.5, 28}, {42.5, 46}}, w)));
  s.fixed(kPaper, without(oval(57, 37, 7, 11), oval(57, 37, 3.6, 7.6)));
  s.fixed(kPaper, line({{68, 46}, {68, 28}, {75, 28}, {77, 32}, {75, 37}, {68, 37}}, w));
}

void draw_bench(Sketch& s, const Look&) {
  s.fixed(kDarkGrey,
          both(line({{14, 40}, {14, 66}, {10, 98}}, 4), line({{86, 40}, {86, 66}, {90, 98}}, 4)));
  s.fixed(kDarkGrey, both(line({{24, 72}, {24, 98}}, 4), line({{76, 72}, {76, 98}}, 4)));
  s.main(slab(4, 36, 96, 43, 2));
  s.main(slab(4, 46, 96, 53, 2));
  s.main(slab(2, 65, 98, 71, 2));
  s.shade(slab(2, 71, 98, 76, 2));
}

void draw_house(Sketch& s, const Look&) {
  s.fixed({0.55F, 0.28F, 0.22F}, slab(68, 12, 79, 36));
  s.main(slab(12, 44, 88, 100));
  s.fixed({0.62F, 0.30F, 0.24F}, poly({{50, 6}, {98, 48}, {2, 48}}));
  s.fixed({0.50F, 0.24F, 0.20F}, slab(2, 46, 98, 50, 1));
  s.fixed(kBark, slab(42, 66, 58, 100, 1));
  s.fixed(kGlow, oval(55, 84, 1.6, 1.6));
  for (const double x : {20.0, 66.0}) {
    s.fixed(kPaper, slab(x - 1, 57, x + 15, 75));
    s.fixed(kPane, slab(x + 1, 59, x + 13, 73));
    s.fixed(kPaper, both(slab(x + 6, 58, x + 8, 74), slab(x, 65, x + 14, 67)));
  }
}

void draw_tree(Sketch& s, const Look&) {
  s.fixed(kBark, poly({{44, 54}, {56, 54}, {60, 100}, {40, 100}}));
  s.fixed(kBark, line({{52, 66}, {64, 56}}, 4));
  Shape crown = oval(50, 36, 28, 26);
  for (const Point& p :
       {Point{26, 42}, {32, 22}, {50, 14}, {68, 22}, {76, 42}, {62, 52}, {38, 52}}) {
    crown = both(std::move(crown), oval(p.x, p.y, 15, 14));
  }
  s.main(crown);
  s.tint(both(arc(38, 30, 8, 190, 300, 2.4), arc(58, 24, 8, 190, 300, 2.4)));
  s.shade(both(arc(60, 44, 8, 20, 140, 2.4), arc(40, 48, 8, 20, 140, 2.4)));
}

}  // namespace snellen::eyechart

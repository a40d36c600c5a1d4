// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/draw/drawings/drawings.h"

namespace snellen::eyechart {

void draw_person(Sketch& s, const Look&) {
  const Rgb trousers{0.24F, 0.28F, 0.42F};
  s.fixed(times(trousers, 0.75F), slab(38, 62, 49, 96, 4));
  s.fixed(trousers, slab(50, 62, 61, 96, 4));
  s.fixed(kInkBlack, slab(37, 93, 53, 100, 4));
  s.fixed(kInkBlack, slab(50, 93, 66, 100, 4));
  s.shade(line({{40, 38}, {30, 50}, {32, 62}}, 9));
  s.fixed(kSkin, oval(32.5, 64, 4.5, 4.5));
  s.main(blob({{36, 34}, {50, 31}, {63, 34}, {62, 50}, {62, 66}, {50, 67}, {37, 66}, {38, 50}}));
  s.main(line({{60, 38}, {70, 48}, {80, 46}}, 9));
  s.fixed(kSkin, oval(83, 45.5, 4.8, 4.8));
  s.fixed(kSkin, slab(46, 24, 55, 35, 3));
  s.fixed(kSkin, oval(51, 17, 12, 14));
  s.fixed(kHair,
          blob({{38, 18}, {38, 6}, {50, 1}, {62, 5}, {62, 11}, {50, 9}, {44, 14}, {42, 22}}));
  s.fixed(kSkin, oval(63, 19, 2.6, 2.2));
  s.eye(53, 17, 1.7);
  s.eye(59.5, 17, 1.7);
  s.fixed({0.70F, 0.32F, 0.30F}, arc(56, 22, 4, 20, 150, 1.5));
}

void draw_cat(Sketch& s, const Look&) {
  s.main(curve({{30, 92}, {12, 88}, {8, 68}, {18, 52}, {14, 42}}, 8));
  s.main(blob({{28, 99}, {25, 80}, {34, 60}, {50, 46}, {66, 54}, {72, 76}, {72, 99}, {50, 100}}));
  s.ink(curve({{44, 98}, {40, 86}, {46, 76}}, 1.6));
  s.ink(line({{62, 98}, {60, 78}}, 1.6));
  s.tint(oval(64, 68, 7, 14));
  s.main(poly({{46, 28}, {43, 2}, {62, 16}}));
  s.main(poly({{68, 15}, {85, 2}, {84, 28}}));
  s.fixed(kFlesh, poly({{49, 23}, {47, 9}, {57, 17}}));
  s.fixed(kFlesh, poly({{72, 16}, {82, 9}, {81, 23}}));
  s.main(oval(65, 32, 22, 18));
  s.fixed({0.55F, 0.80F, 0.35F}, oval(59, 29, 4.6, 5));
  s.fixed({0.55F, 0.80F, 0.35F}, oval(76, 29, 4.6, 5));
  s.fixed(kInkBlack, oval(60, 29, 1.8, 4.4));
  s.fixed(kInkBlack, oval(77, 29, 1.8, 4.4));
  s.tint(oval(69, 40, 8, 5.5));
  s.fixed({0.85F, 0.40F, 0.45F}, poly({{66, 35}, {73, 35}, {69.5, 39}}));
  s.fixed(kInkBlack, curve({{64, 43}, {67, 44}, {69.5, 40}, {72, 44}, {75, 43}}, 1.1));
  s.fixed(kPaper, both(line({{58, 38}, {42, 35}}, 0.9), line({{58, 41}, {42, 43}}, 0.9)));
  s.fixed(kPaper, both(line({{80, 38}, {95, 35}}, 0.9), line({{80, 41}, {95, 43}}, 0.9)));
}

void draw_dog(Sketch& s, const Look&) {
  s.main(curve({{22, 54}, {9, 46}, {6, 30}}, 7));
  s.shade(both(slab(28, 66, 37, 98, 4), slab(60, 66, 69, 98, 4)));
  s.main(blob({{16, 60}, {22, 48}, {45, 47}, {66, 44}, {78, 54}, {72, 72}, {45, 74}, {22, 74}}));
  s.main(both(slab(19, 64, 29, 100, 4), slab(68, 60, 78, 100, 4)));
  s.main(poly({{58, 52}, {62, 26}, {82, 36}, {78, 60}}));
  s.main(oval(73, 27, 16, 14));
  s.tint(blob({{78, 26}, {92, 25}, {99, 31}, {95, 39}, {80, 40}}));
  s.fixed(kInkBlack, oval(96, 27.5, 4, 3.4));
  s.fixed(kInkBlack, curve({{96, 36}, {88, 37.5}, {83, 35}}, 1.2));
  s.fixed(kFlesh, blob({{86, 37}, {91, 37}, {91, 45}, {87, 46}}));
  s.shade(blob({{60, 15}, {70, 15}, {68, 30}, {64, 46}, {56, 44}, {55, 28}}));
  s.eye(79, 22, 2.4);
  s.fixed({0.80F, 0.20F, 0.20F}, line({{61, 42}, {77, 49}}, 4));
  s.fixed(kGlow, oval(74, 52, 3, 3));
}

void draw_bird(Sketch& s, const Look&) {
  s.fixed(kBeak, both(line({{46, 80}, {44, 98}, {38, 99}}, 2.4), line({{44, 98}, {52, 99}}, 2.4)));
  s.fixed(kBeak, both(line({{56, 80}, {56, 98}, {50, 99}}, 2.4), line({{56, 98}, {64, 99}}, 2.4)));
  s.shade(poly({{30, 56}, {2, 46}, {0, 58}, {8, 62}, {4, 72}, {32, 72}}));
  s.main(blob({{22, 60}, {38, 42}, {60, 38}, {76, 50}, {72, 72}, {54, 84}, {32, 80}}));
  s.main(oval(72, 32, 18, 17));
  s.fixed(kBeak, poly({{87, 26}, {100, 34}, {86, 40}}));
  s.tint(blob({{60, 60}, {74, 56}, {70, 74}, {54, 82}, {50, 74}}));
  s.shade(blob({{28, 54}, {46, 48}, {60, 56}, {50, 72}, {30, 74}, {14, 70}}));
  s.ink(
      both(curve({{26, 64}, {38, 68}, {50, 64}}, 1.4), curve({{22, 70}, {34, 74}, {46, 70}}, 1.4)));
  s.eye(76, 28, 3.2);
}

void draw_horse(Sketch& s, const Look&) {
  s.ink(curve({{14, 52}, {3, 60}, {5, 76}, {2, 86}}, 8));
  s.shade(both(line({{26, 62}, {24, 80}, {27, 97}}, 8), line({{58, 62}, {60, 80}, {58, 97}}, 8)));
  s.main(blob({{12, 54}, {24, 44}, {44, 48}, {62, 44}, {72, 54}, {66, 70}, {44, 70}, {18, 70}}));
  s.main(
      both(line({{18, 62}, {17, 80}, {16, 97}}, 8.5), line({{66, 62}, {69, 80}, {69, 97}}, 8.5)));
  s.main(poly({{54, 54}, {66, 18}, {82, 22}, {73, 62}}));
  s.main(blob({{66, 12}, {78, 10}, {88, 22}, {98, 34}, {94, 42}, {86, 40}, {74, 30}, {66, 24}}));
  s.main(both(poly({{66, 14}, {67, 1}, {74, 11}}), poly({{73, 12}, {78, 2}, {80, 13}})));
  s.ink(curve({{70, 6}, {60, 16}, {56, 30}, {50, 46}}, 8));
  s.ink(curve({{72, 6}, {76, 12}, {76, 18}}, 5));
  s.eye(80, 19, 2.2);
  s.fixed(kInkBlack, oval(94, 35, 1.5, 1.8));
  s.fixed(kDarkGrey, both(slab(12, 95, 21, 100, 1), slab(65, 95, 74, 100, 1)));
  s.fixed(kDarkGrey, both(slab(23, 95, 31, 100, 1), slab(54, 95, 62, 100, 1)));
}

void draw_sheep(Sketch& s, const Look&) {
  s.fixed(kDarkGrey, both(slab(24, 72, 32, 100, 3), slab(60, 72, 68, 100, 3)));
  s.fixed(times(kDarkGrey, 0.8F), both(slab(34, 72, 41, 98, 3), slab(50, 72, 57, 98, 3)));
  Shape wool = oval(45, 55, 30, 20);
  for (const Point& p : {Point{18, 50},
                         {24, 38},
                         {37, 32},
                         {51, 31},
                         {64, 36},
                         {72, 48},
                         {72, 62},
                         {62, 72},
                         {48, 76},
                         {33, 75},
                         {20, 68},
                         {14, 59}}) {
    wool = both(std::move(wool), oval(p.x, p.y, 10, 10));
  }
  s.main(wool);
  s.shade(both(arc(34, 50, 7, 20, 160, 1.8), arc(52, 46, 7, 20, 160, 1.8)));
  s.shade(both(arc(44, 62, 7, 20, 160, 1.8), arc(62, 60, 7, 20, 160, 1.8)));
  s.fixed(kDarkGrey, oval(66, 38, 9, 4, -25));
  s.fixed(kDarkGrey, blob({{70, 28}, {82, 26}, {94, 40}, {92, 52}, {82, 52}, {72, 42}}));
  s.main(both(oval(74, 27, 8, 6), oval(80, 25, 6, 5)));
  s.fixed(kPaper, oval(82, 36, 3.2, 3.4));
  s.fixed(kInkBlack, oval(83, 36.5, 1.6, 1.9));
}

void draw_cow(Sketch& s, const Look&) {
  const Rgb patch{0.22F, 0.17F, 0.15F};
  s.ink(curve({{12, 44}, {4, 54}, {5, 72}}, 2.6));
  s.ink(oval(5, 74, 3.4, 5));
  s.shade(both(slab(26, 62, 35, 98, 2), slab(56, 62, 65, 98, 2)));
  s.fixed(kFlesh, oval(44, 73, 10, 7));
  s.main(slab(10, 36, 76, 72, 13));
  s.main(both(slab(13, 62, 23, 99, 2), slab(65, 62, 75, 99, 2)));
  s.fixed(patch, blob({{22, 37}, {40, 36}, {42, 48}, {30, 56}, {20, 48}}));
  s.fixed(patch, blob({{50, 52}, {62, 48}, {66, 60}, {56, 69}, {48, 64}}));
  s.fixed(patch, oval(15, 62, 5, 7));
  s.fixed(kPaper,
          both(curve({{72, 22}, {66, 15}, {68, 8}}, 4), curve({{88, 22}, {94, 15}, {92, 8}}, 4)));
  s.main(both(oval(65, 27, 8, 4.5, 20), oval(95, 27, 5, 4, -20)));
  s.main(blob({{70, 20}, {90, 20}, {92, 36}, {88, 50}, {73, 50}, {68, 36}}));
  s.fixed(kFlesh, oval(82, 49, 13, 8));
  s.fixed(kInkBlack, both(oval(78, 48, 1.6, 2.2), oval(88, 48, 1.6, 2.2)));
  s.eye(76, 32, 2.2);
  s.eye(87, 32, 2.2);
  s.fixed(kDarkGrey, both(slab(13, 95, 23, 100, 1), slab(65, 95, 75, 100, 1)));
}

void draw_elephant(Sketch& s, const Look&) {
  s.ink(curve({{10, 46}, {4, 56}, {5, 68}}, 2.4));
  s.shade(both(slab(26, 64, 38, 98, 3), slab(50, 64, 62, 98, 3)));
  s.main(blob({{8, 54}, {16, 34}, {38, 27}, {60, 32}, {68, 54}, {58, 76}, {34, 78}, {14, 74}}));
  s.main(both(slab(12, 62, 26, 100, 4), slab(56, 62, 70, 100, 4)));
  s.main(oval(72, 38, 18, 18));
  s.main(curve({{82, 40}, {92, 52}, {91, 72}, {88, 84}, {96, 89}}, 9.5));
  s.fixed(kPaper, curve({{80, 53}, {86, 62}, {95, 62}}, 3.6));
  s.shade(blob({{64, 22}, {52, 17}, {42, 26}, {42, 46}, {52, 58}, {62, 54}, {66, 38}}));
  s.eye(78, 33, 2.3);
  s.fixed(kPaper, both(slab(13, 96, 17, 100, 1.5), slab(18, 96, 22, 100, 1.5)));
  s.fixed(kPaper, both(slab(58, 96, 62, 100, 1.5), slab(63, 96, 67, 100, 1.5)));
}

void draw_bear(Sketch& s, const Look&) {
  s.shade(both(slab(28, 64, 42, 99, 6), slab(56, 64, 68, 99, 6)));
  s.main(oval(7, 58, 5, 5));
  s.main(blob({{6, 66}, {12, 46}, {34, 36}, {56, 34}, {72, 42}, {76, 62}, {58, 78}, {26, 80}}));
  s.main(both(slab(10, 62, 27, 100, 6), slab(62, 58, 78, 100, 6)));
  s.main(both(oval(67, 19, 7, 7), oval(83, 18, 6.5, 6.5)));
  s.tint(both(oval(67, 19, 3.6, 3.6), oval(83, 18, 3.2, 3.2)));
  s.main(oval(76, 35, 18, 17));
  s.tint(blob({{78, 36}, {90, 33}, {99, 40}, {96, 48}, {80, 50}}));
  s.fixed(kInkBlack, oval(95.5, 37, 4.4, 3.6));
  s.fixed(kInkBlack, curve({{94, 45}, {88, 46.5}, {84, 44}}, 1.3));
  s.eye(82, 29, 2.3);
  s.fixed(kInkBlack, both(line({{14, 98}, {14, 95}}, 1.4), line({{19, 98}, {19, 95}}, 1.4)));
  s.fixed(kInkBlack, both(line({{67, 98}, {67, 95}}, 1.4), line({{72, 98}, {72, 95}}, 1.4)));
}

void draw_zebra(Sketch& s, const Look&) {
  const Rgb dark{0.12F, 0.12F, 0.13F};
  s.fixed(dark, curve({{14, 50}, {5, 60}, {6, 76}}, 4));
  s.fixed(times(kPaper, 0.82F), both(slab(25, 62, 32, 98, 2), slab(56, 62, 63, 98, 2)));
  s.fixed(kPaper,
          blob({{12, 54}, {24, 44}, {44, 47}, {62, 44}, {72, 54}, {66, 70}, {44, 70}, {18, 70}}));
  s.fixed(kPaper, both(slab(14, 60, 22, 98, 2), slab(64, 60, 72, 98, 2)));
  s.fixed(kPaper, poly({{54, 56}, {66, 18}, {82, 24}, {73, 62}}));
  s.fixed(kPaper,
          blob({{66, 14}, {78, 12}, {88, 24}, {97, 34}, {93, 42}, {85, 40}, {74, 31}, {66, 26}}));
  s.fixed(kPaper, both(poly({{66, 16}, {67, 4}, {74, 13}}), poly({{73, 14}, {78, 4}, {80, 15}})));
  for (const double x : {21.0, 30.0, 39.0, 48.0, 57.0, 65.0}) {
    s.fixed(dark, curve({{x, 46}, {x - 3, 57}, {x + 1, 69}}, 3.6));
  }
  for (const double y : {74.0, 81.0, 88.0}) {
    s.fixed(dark, both(line({{15, y}, {21, y}}, 2.6), line({{65, y}, {71, y}}, 2.6)));
    s.fixed(dark, both(line({{26, y}, {31, y}}, 2.6), line({{57, y}, {62, y}}, 2.6)));
  }
  s.fixed(dark, both(line({{62, 34}, {75, 40}}, 3), line({{60, 43}, {74, 49}}, 3)));
  s.fixed(dark, both(line({{66, 25}, {74, 31}}, 2.6), line({{82, 18}, {78, 28}}, 2)));
  s.fixed(dark, curve({{72, 9}, {62, 16}, {57, 30}, {51, 44}}, 6));
  s.fixed(dark, oval(93, 37, 4.6, 4.6));
  s.eye(80, 21, 2.1);
  s.fixed(dark, both(slab(13, 96, 23, 100, 1), slab(63, 96, 73, 100, 1)));
}

void draw_giraffe(Sketch& s, const Look&) {
  s.ink(curve({{18, 60}, {12, 68}, {13, 78}}, 2));
  s.shade(both(slab(27, 66, 33, 99, 2), slab(48, 66, 54, 99, 2)));
  s.main(blob({{17, 62}, {24, 54}, {42, 52}, {60, 48}, {64, 60}, {56, 72}, {34, 73}, {20, 71}}));
  s.main(both(slab(19, 64, 26, 100, 2), slab(55, 62, 62, 100, 2)));
  s.main(poly({{48, 58}, {64, 14}, {74, 16}, {64, 62}}));
  s.main(both(line({{66, 12}, {64, 3}}, 2.4), line({{71, 12}, {71, 3}}, 2.4)));
  s.ink(both(oval(64, 3, 2.2, 2.2), oval(71, 3, 2.2, 2.2)));
  s.main(oval(60, 15, 5, 2.8, 20));
  s.main(blob({{62, 11}, {74, 9}, {86, 18}, {88, 24}, {80, 27}, {66, 24}}));
  s.eye(74, 15, 1.9);
  s.fixed(kInkBlack, oval(84.5, 20.5, 1, 1.2));
  s.ink(both(oval(28, 60, 4, 3.4), oval(39, 58, 4.4, 3.6)));
  s.ink(both(oval(50, 56, 4, 3.6), oval(33, 68, 4, 3)));
  s.ink(both(oval(45, 66, 4.4, 3.2), oval(57, 62, 3, 3.4)));
  s.ink(both(oval(56, 49, 3.2, 3.6), oval(63, 44, 2.6, 3.2)));
  s.ink(both(oval(60, 36, 2.8, 3.4), oval(67, 32, 2.4, 3)));
  s.ink(oval(65, 24, 2.4, 2.8));
}

void draw_rabbit(Sketch& s, const Look&) {
  s.fixed(kPaper, oval(16, 82, 9, 9));
  s.main(blob({{18, 90}, {20, 68}, {36, 54}, {56, 56}, {70, 74}, {72, 94}, {60, 99}, {26, 99}}));
  s.shade(oval(34, 84, 15, 13));
  s.main(slab(20, 91, 50, 100, 5));
  s.main(slab(60, 78, 74, 100, 6));
  s.main(both(oval(58, 18, 6.5, 20, -12), oval(73, 17, 6.5, 20, 8)));
  s.fixed(kFlesh, both(oval(58, 19, 3, 15, -12), oval(73, 18, 3, 15, 8)));
  s.main(oval(68, 50, 19, 17));
  s.tint(oval(78, 56, 9, 7));
  s.fixed(kFlesh, oval(84, 51, 3, 2.4));
  s.fixed(kPaper, slab(79, 60, 85, 67, 1));
  s.fixed(kInkBlack, line({{82, 60}, {82, 66}}, 0.8));
  s.eye(73, 45, 3);
}

void draw_teddy_bear(Sketch& s, const Look&) {
  s.main(both(oval(27, 90, 14, 10), oval(73, 90, 14, 10)));
  s.tint(both(oval(25, 91, 7, 6), oval(75, 91, 7, 6)));
  s.main(both(oval(24, 62, 9, 15, 35), oval(76, 62, 9, 15, -35)));
  s.main(oval(50, 70, 24, 25));
  s.tint(oval(50, 72, 14, 16));
  s.main(both(oval(29, 14, 11, 11), oval(71, 14, 11, 11)));
  s.tint(both(oval(29, 14, 6, 6), oval(71, 14, 6, 6)));
  s.main(oval(50, 29, 27, 23));
  s.tint(oval(50, 37, 12, 9));
  s.fixed(kInkBlack, oval(50, 33, 4.6, 3.4));
  s.fixed(kInkBlack, curve({{44, 40}, {47, 42}, {50, 37}, {53, 42}, {56, 40}}, 1.3));
  s.eye(39, 26, 3);
  s.eye(61, 26, 3);
  s.fixed({0.78F, 0.16F, 0.22F},
          both(poly({{50, 52}, {36, 46}, {36, 60}}), poly({{50, 52}, {64, 46}, {64, 60}})));
  s.fixed({0.60F, 0.10F, 0.16F}, oval(50, 52.5, 4, 4));
}

}  // namespace snellen::eyechart

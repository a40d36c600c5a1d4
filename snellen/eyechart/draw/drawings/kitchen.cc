// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/draw/drawings/drawings.h"

namespace snellen::eyechart {

void draw_bottle(Sketch& s, const Look&) {
  s.fixed(kBark, slab(43, 1, 57, 12, 2));
  s.main(blob({{43, 10},
               {57, 10},
               {58, 30},
               {72, 44},
               {72, 90},
               {66, 99},
               {34, 99},
               {28, 90},
               {28, 44},
               {42, 30}}));
  s.fixed(kPaper, slab(29, 56, 71, 82));
  s.shade(slab(36, 62, 64, 66));
  s.shade(slab(40, 70, 60, 73));
  s.fixed(kPaper, line({{35, 46}, {35, 53}}, 2.4), 0.6F);
}

// Empty 0 to full 1.
void draw_wine_glass(Sketch& s, const Look& look) {
  const Rgb rim{0.86F, 0.93F, 0.97F};
  s.fixed(rim, slab(47.5, 54, 52.5, 94), 0.9F);
  s.fixed(rim, oval(50, 95, 19, 5), 0.95F);
  s.fixed(rim,
          blob({{24, 3}, {50, 6}, {76, 3}, {74, 30}, {62, 50}, {50, 56}, {38, 50}, {26, 30}}),
          0.72F);
  if (look.state > 0.05) {
    const double level = 50 - 34 * look.state;
    const double half = 23 - 12 * (1 - look.state);
    s.main(blob({{50 - half, level},
                 {50, level + 2},
                 {50 + half, level},
                 {50 + half - 4, level + (52 - level) * 0.5},
                 {50, 54},
                 {50 - half + 4, level + (52 - level) * 0.5}}));
    s.tint(oval(50, level, half, 2.6));
  } else {
    s.main(curve({{25, 5}, {50, 8}, {75, 5}}, 2));
  }
  s.fixed(kPaper, curve({{33, 10}, {33, 26}, {39, 40}}, 2.2), 0.85F);
}

void draw_cup(Sketch& s, const Look& look) {
  s.main(without(oval(78, 54, 19, 20), oval(78, 54, 10, 11)));
  s.main(blob({{12, 22}, {50, 26}, {80, 22}, {77, 72}, {68, 94}, {46, 98}, {24, 94}, {15, 72}}));
  s.shade(oval(46, 22, 34, 9));
  if (look.state > 0.5) s.fixed({0.36F, 0.21F, 0.12F}, oval(46, 24, 30, 6.6));
  if (look.state <= 0.5) s.fixed({0.15F, 0.15F, 0.17F}, oval(46, 23.5, 29, 6), 0.35F);
  if (look.state > 0.5) {
    s.fixed(kPaper, curve({{36, 14}, {32, 8}, {38, 2}}, 2.4), 0.7F);
    s.fixed(kPaper, curve({{54, 14}, {50, 8}, {56, 2}}, 2.4), 0.7F);
  }
}

void draw_fork(Sketch& s, const Look&) {
  for (const double x : {38.0, 46.0, 54.0, 62.0}) s.main(line({{x, 3}, {x, 34}}, 4));
  s.main(blob({{36, 30}, {64, 30}, {62, 44}, {54, 52}, {46, 52}, {38, 44}}));
  s.main(blob({{47, 48}, {53, 48}, {53, 66}, {56, 94}, {50, 99}, {44, 94}, {47, 66}}));
}

void draw_knife(Sketch& s, const Look&) {
  s.fixed(kSteel, blob({{46, 62}, {45, 30}, {47, 8}, {54, 2}, {60, 20}, {61, 46}, {57, 62}}));
  s.fixed(kPaper, line({{57, 14}, {58.5, 56}}, 1.4), 0.8F);
  s.main(slab(45, 60, 57, 99, 5));
  s.ink(both(oval(51, 70, 1.6, 1.6), oval(51, 88, 1.6, 1.6)));
}

void draw_spoon(Sketch& s, const Look&) {
  s.main(oval(50, 20, 14, 19));
  s.shade(oval(51, 21, 10, 14));
  s.main(blob({{47, 36}, {53, 36}, {53, 66}, {56, 94}, {50, 99}, {44, 94}, {47, 66}}));
}

void draw_bowl(Sketch& s, const Look& look) {
  s.shade(oval(50, 50, 47, 12));
  if (look.state > 0.5) {
    s.fixed({0.93F, 0.85F, 0.62F},
            blob({{10, 50}, {30, 36}, {50, 31}, {70, 36}, {90, 50}, {50, 58}}));
    s.fixed({0.80F, 0.30F, 0.22F}, both(oval(38, 43, 5, 4), oval(60, 40, 5, 4)));
    s.fixed(kLeaf, both(oval(50, 46, 5, 3.4), oval(72, 47, 4, 3)));
  }
  s.begin_front();
  s.main(blob({{3, 51},
               {20, 59},
               {50, 63},
               {80, 59},
               {97, 51},
               {90, 74},
               {70, 92},
               {50, 95},
               {30, 92},
               {10, 74}}));
  s.shade(slab(34, 92, 66, 99, 3));
}

void draw_banana(Sketch& s, const Look&) {
  s.main(blob({{8, 40},
               {14, 38},
               {24, 60},
               {46, 74},
               {72, 70},
               {90, 48},
               {97, 50},
               {94, 68},
               {76, 90},
               {48, 97},
               {22, 84},
               {10, 62}}));
  s.shade(curve({{14, 52}, {26, 74}, {48, 85}, {74, 80}, {92, 60}}, 2.2));
  s.fixed(kBark, slab(6, 30, 14, 42, 2));
  s.fixed(kInkBlack, oval(95, 51, 3.4, 3.4));
}

void draw_apple(Sketch& s, const Look&) {
  s.main(blob({{50, 28},
               {64, 20},
               {84, 26},
               {93, 48},
               {86, 78},
               {66, 98},
               {50, 94},
               {34, 98},
               {14, 78},
               {7, 48},
               {16, 26},
               {36, 20}}));
  s.shade(oval(50, 28, 9, 3.4));
  s.fixed(kBark, curve({{50, 29}, {50, 16}, {55, 6}}, 3.6));
  s.fixed(kLeaf, blob({{54, 16}, {64, 5}, {82, 6}, {74, 18}, {62, 20}}));
  s.fixed(kPaper, oval(28, 42, 5, 9, 20), 0.6F);
}

void draw_carrot(Sketch& s, const Look&) {
  s.fixed(kLeaf,
          both(curve({{64, 30}, {66, 14}, {60, 2}}, 5), curve({{68, 32}, {78, 18}, {80, 4}}, 5)));
  s.fixed(kLeaf, curve({{72, 36}, {86, 28}, {97, 20}}, 5));
  s.main(blob(
      {{56, 30}, {66, 28}, {76, 34}, {78, 46}, {62, 66}, {38, 86}, {8, 99}, {22, 74}, {42, 48}}));
  s.ink(both(line({{52, 40}, {62, 46}}, 1.6), line({{42, 56}, {50, 62}}, 1.6)));
  s.ink(both(line({{58, 54}, {65, 58}}, 1.6), line({{30, 72}, {36, 76}}, 1.6)));
}

void draw_pizza(Sketch& s, const Look&) {
  s.main(poly({{8, 26}, {92, 26}, {50, 99}}));
  s.fixed({0.95F, 0.80F, 0.40F}, poly({{14, 30}, {86, 30}, {50, 92}}));
  s.fixed({0.80F, 0.52F, 0.26F}, curve({{6, 26}, {28, 18}, {50, 16}, {72, 18}, {94, 26}}, 12));
  for (const Point& p : {Point{34, 42}, {62, 40}, {48, 60}, {52, 78}}) {
    s.fixed({0.78F, 0.22F, 0.18F}, oval(p.x, p.y, 7.5, 6.6));
    s.fixed({0.88F, 0.38F, 0.30F}, oval(p.x - 1, p.y - 1.4, 3, 2.4));
  }
  s.fixed(kLeaf, both(oval(48, 37, 4, 2.4, 30), oval(62, 56, 4, 2.4, -30)));
  s.fixed(kInkBlack, both(ring(40, 52, 3, 1.8), ring(72, 36, 2.6, 1.6)));
}

void draw_donut(Sketch& s, const Look&) {
  s.fixed({0.80F, 0.58F, 0.34F}, without(oval(50, 56, 47, 42), oval(50, 52, 14, 11)));
  s.main(without(blob({{50, 14},
                       {76, 20},
                       {93, 40},
                       {92, 60},
                       {82, 66},
                       {74, 80},
                       {60, 82},
                       {50, 90},
                       {38, 82},
                       {24, 80},
                       {18, 66},
                       {7, 62},
                       {7, 42},
                       {24, 20}}),
                 oval(50, 50, 15, 12)));
  const Rgb sprinkles[] = {
      {0.95F, 0.30F, 0.35F}, {0.98F, 0.90F, 0.40F}, {0.35F, 0.70F, 0.95F}, kPaper};
  const Point places[] = {{26, 36},
                          {40, 24},
                          {60, 26},
                          {76, 38},
                          {82, 54},
                          {70, 70},
                          {52, 76},
                          {34, 72},
                          {20, 54},
                          {48, 32},
                          {70, 52},
                          {28, 48}};
  for (size_t i = 0; i < 12; ++i) {
    const Point& p = places[i];
    const double d = i % 2 == 0 ? 3 : -3;
    s.fixed(sprinkles[i % 4], line({{p.x - 3, p.y - d}, {p.x + 3, p.y + d}}, 2.6));
  }
}

void draw_cake(Sketch& s, const Look& look) {
  for (const double x : {36.0, 50.0, 64.0}) {
    s.fixed(kPaper, slab(x - 2, 22, x + 2, 42));
    s.fixed(kGlow, oval(x, 16, 3, 6));
  }
  if (look.form == Form::kSquare) {
    s.main(slab(10, 40, 90, 94, 2));
    s.fixed(kPaper, slab(10, 38, 90, 52, 2));
    s.fixed(kPaper, slab(10, 68, 90, 74));
  } else if (look.form == Form::kTriangular) {
    s.main(poly({{50, 36}, {95, 94}, {5, 94}}));
    s.fixed(kPaper, poly({{50, 34}, {66, 55}, {58, 53}, {50, 60}, {42, 53}, {34, 55}}));
    s.fixed(kPaper, slab(18, 76, 82, 81));
  } else {
    s.main(blob({{8, 48}, {50, 56}, {92, 48}, {92, 84}, {74, 93}, {50, 96}, {26, 93}, {8, 84}}));
    s.fixed(kPaper,
            blob({{8, 46},
                  {28, 38},
                  {50, 36},
                  {72, 38},
                  {92, 46},
                  {91, 60},
                  {80, 56},
                  {70, 68},
                  {60, 58},
                  {48, 70},
                  {38, 59},
                  {26, 66},
                  {16, 56},
                  {9, 60}}));
  }
  s.fixed(kSteel, slab(1, 93, 99, 98, 2.5));
}

void draw_broccoli(Sketch& s, const Look&) {
  s.tint(poly({{40, 56}, {60, 56}, {58, 99}, {42, 99}}));
  s.tint(both(line({{44, 70}, {28, 54}}, 8), line({{56, 70}, {72, 54}}, 8)));
  Shape head = oval(50, 36, 30, 22);
  for (const Point& p : {Point{20, 46},
                         {24, 28},
                         {40, 16},
                         {60, 16},
                         {76, 28},
                         {80, 46},
                         {64, 52},
                         {36, 52},
                         {50, 54}}) {
    head = both(std::move(head), oval(p.x, p.y, 13, 12));
  }
  s.main(head);
  for (const Point& p : {Point{34, 28}, {52, 24}, {68, 34}, {26, 44}, {46, 42}, {64, 48}}) {
    s.shade(arc(p.x, p.y, 6, 20, 180, 2.2));
    s.tint(arc(p.x, p.y - 3, 6, 200, 320, 1.6));
  }
}

void draw_sandwich(Sketch& s, const Look&) {
  const Rgb crumb{0.97F, 0.91F, 0.78F};
  s.main(poly({{3, 78}, {52, 30}, {99, 78}, {99, 98}, {3, 98}}));
  s.fixed(crumb, poly({{3, 84}, {97, 84}, {97, 94}, {3, 94}}));
  s.fixed(
      kLeaf,
      curve(
          {{2, 82}, {12, 86}, {24, 80}, {36, 86}, {50, 80}, {64, 86}, {78, 80}, {90, 86}, {98, 82}},
          6));
  s.fixed({0.86F, 0.40F, 0.38F}, slab(3, 74, 98, 80, 2));
  s.fixed({0.97F, 0.80F, 0.28F},
          poly({{3, 68}, {98, 68}, {90, 79}, {76, 74}, {60, 84}, {44, 74}, {20, 78}}));
  s.fixed(crumb, slab(3, 56, 98, 70, 3));
  s.main(poly({{2, 57}, {52, 8}, {99, 57}}));
  s.fixed(crumb, poly({{14, 54}, {52, 16}, {87, 54}}));
  s.fixed(times(crumb, 0.88F), both(oval(46, 38, 3, 2, 20), oval(60, 46, 3, 2, -20)));
  s.fixed(times(crumb, 0.88F), both(oval(36, 48, 3, 2, 10), oval(54, 28, 2.4, 1.6)));
}

}  // namespace snellen::eyechart

// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/world/render.h"

#include <gtest/gtest.h>

#include "snellen/eyechart/world/nouns.h"

namespace snellen::eyechart {
namespace {

// A thing of this look alone in the middle.
Scene one_thing(std::string_view noun, const Look& look) {
  Scene scene;
  Thing thing;
  thing.noun = *noun_index(noun);
  thing.look = look;
  thing.box = {0.25, 0.25, 0.75, 0.75};
  scene.things = {thing};
  scene.order = {0};
  return scene;
}

Rgb mean_colour(const Picture& picture) {
  Rgb sum;
  float count = 0;
  for (int y = 0; y < picture.image.height; ++y) {
    for (int x = 0; x < picture.image.width; ++x) {
      if (picture.visible[0].row(y)[static_cast<size_t>(x)] == 0) continue;
      const auto pixel = picture.image.row(y).subspan(static_cast<size_t>(x) * 3, 3);
      sum = {sum.r + static_cast<float>(pixel[0]),
             sum.g + static_cast<float>(pixel[1]),
             sum.b + static_cast<float>(pixel[2])};
      ++count;
    }
  }
  return times(sum, 1 / (255 * count));
}

TEST(Render, GivesTheSameBytesAgain) {
  const Scene scene = draw_scene({}, 3);
  EXPECT_EQ(render(scene).image, render(scene).image);
  EXPECT_EQ(render(scene).image, render_image(scene));
}

TEST(Render, DrawsAtAnySize) {
  const Scene scene = draw_scene({}, 3);
  EXPECT_EQ(render_image(scene, 64).width, 64);
  EXPECT_EQ(render_image(scene, 336).height, 336);
}

TEST(Render, GivesEveryPixelToOneThingAtMost) {
  for (uint64_t id = 0; id < 20; ++id) {
    const Picture picture = render(draw_scene({}, id));
    for (size_t i = 0; i < picture.visible[0].bits.size(); ++i) {
      int owners = 0;
      for (const media::Mask& mask : picture.visible) owners += mask.bits[i];
      ASSERT_LE(owners, 1);
    }
  }
}

TEST(Render, ShowsNearlyEveryThing) {
  int hidden = 0;
  int all = 0;
  for (uint64_t id = 0; id < 60; ++id) {
    for (const media::Mask& mask : render(draw_scene({}, id)).visible) {
      ++all;
      hidden += media::area_of(mask) < 60 ? 1 : 0;
    }
  }
  EXPECT_LT(hidden * 50, all);
}

// Colours stay what they are called under the light.
TEST(Render, KeepsTheNamedColour) {
  for (size_t colour = 0; colour < kColours.size(); ++colour) {
    Look look;
    look.colour = colour;
    const Rgb seen = mean_colour(render(one_thing("pillow", look)));
    const Rgb named = kColours[colour].rgb;
    EXPECT_NEAR(seen.r, named.r, 0.13F) << kColours[colour].name;
    EXPECT_NEAR(seen.g, named.g, 0.13F) << kColours[colour].name;
    EXPECT_NEAR(seen.b, named.b, 0.13F) << kColours[colour].name;
  }
}

TEST(Render, MakesPatternsAndMaterialsVisible) {
  Look plain;
  const media::Image base = render(one_thing("cup", plain)).image;
  for (const Pattern pattern : {Pattern::kStriped, Pattern::kSpotted, Pattern::kCheckered}) {
    Look look;
    look.pattern = pattern;
    EXPECT_FALSE(render(one_thing("cup", look)).image == base);
  }
  for (const Material material :
       {Material::kWooden, Material::kMetal, Material::kGlass, Material::kStone}) {
    Look look;
    look.material = material;
    EXPECT_FALSE(render(one_thing("cup", look)).image == base);
  }
}

TEST(Render, PutsContentsBehindTheFrontOfTheirHolder) {
  Look look;
  Scene scene = one_thing("box", look);
  Thing apple;
  apple.noun = *noun_index("apple");
  apple.box = {0.4, 0.3, 0.6, 0.5};
  scene.things.push_back(apple);
  scene.holding = Relation{1, 0, Predicate::kInside};
  const uint64_t inside = media::area_of(render(scene).visible[1]);
  scene.holding.reset();
  scene.order = {0, 1};
  const uint64_t before = media::area_of(render(scene).visible[1]);
  EXPECT_GT(inside, 100U);
  EXPECT_LT(inside, before);
}

}  // namespace
}  // namespace snellen::eyechart

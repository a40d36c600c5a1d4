// SPDX-License-Identifier: Apache-2.0
// One function per noun; nouns.cc lists them.
#pragma once

#include "snellen/eyechart/draw/look.h"
#include "snellen/eyechart/draw/sketch.h"

namespace snellen::eyechart {

void draw_person(Sketch& s, const Look& look);
void draw_cat(Sketch& s, const Look& look);
void draw_dog(Sketch& s, const Look& look);
void draw_bird(Sketch& s, const Look& look);
void draw_horse(Sketch& s, const Look& look);
void draw_sheep(Sketch& s, const Look& look);
void draw_cow(Sketch& s, const Look& look);
void draw_elephant(Sketch& s, const Look& look);
void draw_bear(Sketch& s, const Look& look);
void draw_zebra(Sketch& s, const Look& look);
void draw_giraffe(Sketch& s, const Look& look);
void draw_rabbit(Sketch& s, const Look& look);
void draw_teddy_bear(Sketch& s, const Look& look);
void draw_bicycle(Sketch& s, const Look& look);
void draw_car(Sketch& s, const Look& look);
void draw_airplane(Sketch& s, const Look& look);
void draw_bus(Sketch& s, const Look& look);
void draw_train(Sketch& s, const Look& look);
void draw_truck(Sketch& s, const Look& look);
void draw_boat(Sketch& s, const Look& look);
void draw_traffic_light(Sketch& s, const Look& look);
void draw_fire_hydrant(Sketch& s, const Look& look);
void draw_stop_sign(Sketch& s, const Look& look);
void draw_bench(Sketch& s, const Look& look);
void draw_house(Sketch& s, const Look& look);
void draw_tree(Sketch& s, const Look& look);
void draw_backpack(Sketch& s, const Look& look);
void draw_umbrella(Sketch& s, const Look& look);
void draw_handbag(Sketch& s, const Look& look);
void draw_tie(Sketch& s, const Look& look);
void draw_suitcase(Sketch& s, const Look& look);
void draw_hat(Sketch& s, const Look& look);
void draw_shirt(Sketch& s, const Look& look);
void draw_sports_ball(Sketch& s, const Look& look);
void draw_kite(Sketch& s, const Look& look);
void draw_skateboard(Sketch& s, const Look& look);
void draw_tennis_racket(Sketch& s, const Look& look);
void draw_balloon(Sketch& s, const Look& look);
void draw_guitar(Sketch& s, const Look& look);
void draw_drum(Sketch& s, const Look& look);
void draw_bottle(Sketch& s, const Look& look);
void draw_wine_glass(Sketch& s, const Look& look);
void draw_cup(Sketch& s, const Look& look);
void draw_fork(Sketch& s, const Look& look);
void draw_knife(Sketch& s, const Look& look);
void draw_spoon(Sketch& s, const Look& look);
void draw_bowl(Sketch& s, const Look& look);
void draw_banana(Sketch& s, const Look& look);
void draw_apple(Sketch& s, const Look& look);
void draw_carrot(Sketch& s, const Look& look);
void draw_pizza(Sketch& s, const Look& look);
void draw_donut(Sketch& s, const Look& look);
void draw_cake(Sketch& s, const Look& look);
void draw_broccoli(Sketch& s, const Look& look);
void draw_sandwich(Sketch& s, const Look& look);
void draw_chair(Sketch& s, const Look& look);
void draw_couch(Sketch& s, const Look& look);
void draw_potted_plant(Sketch& s, const Look& look);
void draw_bed(Sketch& s, const Look& look);
void draw_dining_table(Sketch& s, const Look& look);
void draw_toilet(Sketch& s, const Look& look);
void draw_tv(Sketch& s, const Look& look);
void draw_laptop(Sketch& s, const Look& look);
void draw_keyboard(Sketch& s, const Look& look);
void draw_cell_phone(Sketch& s, const Look& look);
void draw_refrigerator(Sketch& s, const Look& look);
void draw_book(Sketch& s, const Look& look);
void draw_clock(Sketch& s, const Look& look);
void draw_vase(Sketch& s, const Look& look);
void draw_scissors(Sketch& s, const Look& look);
void draw_toothbrush(Sketch& s, const Look& look);
void draw_lamp(Sketch& s, const Look& look);
void draw_candle(Sketch& s, const Look& look);
void draw_box(Sketch& s, const Look& look);
void draw_basket(Sketch& s, const Look& look);
void draw_ladder(Sketch& s, const Look& look);
void draw_key(Sketch& s, const Look& look);
void draw_bell(Sketch& s, const Look& look);
void draw_pillow(Sketch& s, const Look& look);

// Props of clips.
void draw_hammer(Sketch& s, const Look& look);
void draw_spray_bottle(Sketch& s, const Look& look);
void draw_drops(Sketch& s, const Look& look);
void draw_scales(Sketch& s, const Look& look);
void draw_tape(Sketch& s, const Look& look);

}  // namespace snellen::eyechart

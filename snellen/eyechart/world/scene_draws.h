// SPDX-License-Identifier: Apache-2.0
// The draws that a scene is made of: nouns, looks and predicates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "snellen/base/rng.h"
#include "snellen/eyechart/draw/look.h"
#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/world/relation.h"

namespace snellen::eyechart {

// Some nouns are commoner than others, as in any corpus. One that `passes`; there must be one.
size_t draw_noun(Rng& rng, const std::function<bool(const Noun&)>& passes);

// Everything that can be said of a thing of this noun, drawn anew.
Look draw_look(Rng& rng, const Noun& noun);

// What a scene is about.
Predicate draw_predicate(Rng& rng);

// Whether a noun can stand as the subject or object of a predicate.
bool can_be_subject(const Noun& noun, Predicate predicate);
bool can_be_object(const Noun& noun, Predicate predicate);

}  // namespace snellen::eyechart

// SPDX-License-Identifier: Apache-2.0
// Words for things.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/rng.h"
#include "snellen/eyechart/world/scene.h"

namespace snellen::eyechart {

enum class AttributeKind : uint8_t { kSize, kState, kForm, kPattern, kColour, kMaterial };

struct NamedAttribute {
  AttributeKind kind;
  std::string_view name;  // an attribute of Probe-C, except "plain" things, which have no pattern
};

// All that can be truly said of a thing, in English order. A person's are of the shirt.
std::vector<NamedAttribute> attributes_of(const Thing& thing);

// "a", or "an" before a vowel.
std::string_view article_for(std::string_view word);

// A noun phrase with these attributes: "a small red cup", "a pair of red scissors", "a person in a
// striped shirt", "a group of sheep".
std::string phrase_of(const Thing& thing, const std::vector<NamedAttribute>& attributes);
// With attributes drawn: mostly the colour, sometimes others, sometimes none.
std::string drawn_phrase(Rng& rng, const Thing& thing);

// With a capital, and a full stop when there is none.
std::string sentence(std::string_view text);

}  // namespace snellen::eyechart

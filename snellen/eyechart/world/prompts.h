// SPDX-License-Identifier: Apache-2.0
// What the probes ask about a scene, in their wording, and whether it is true.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "snellen/eyechart/world/scene.h"

namespace snellen::eyechart {

// "A photo of a cat left of dog." as Probe-R writes it.
std::string relation_prompt(std::string_view subject,
                            std::string_view predicate,
                            std::string_view object);
std::string relation_prompt(const Scene& scene, const Relation& relation);
// Whether the scene holds this relation.
bool is_true(const Scene& scene, const Relation& relation);

// A colour that can be seen and said of the thing: not a person's shirt, not a crowd.
bool is_coloured(const Thing& thing);
// Whether two things have colours that can be exchanged.
bool have_two_colours(const Thing& a, const Thing& b);
// A scene in which the first two things that have_two_colours() have exchanged them.
struct ExchangedColours {
  Scene scene;
  size_t first;  // places of the two
  size_t second;
};
std::optional<ExchangedColours> exchanged_colours(const Scene& scene);
// "A photo of a red cup and a blue car."
std::string two_colours_prompt(const Thing& a, const Thing& b);
// The same with their colours exchanged.
std::string exchanged_colours_prompt(const Thing& a, const Thing& b);

}  // namespace snellen::eyechart

// SPDX-License-Identifier: Apache-2.0
// The zoo as a whole: what its entries say of themselves.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "snellen/models/network.h"
#include "snellen/models/variants.h"

namespace snellen::models {
namespace {

TEST(Zoo, NamesEveryFamilyAndModelTypeOnce) {
  std::set<std::string> families, types;
  for (const auto& architecture : built_in_networks()) {
    const ArchitectureFacts& facts = architecture->facts();
    EXPECT_TRUE(families.insert(facts.family).second) << facts.family;
    EXPECT_FALSE(facts.heads.empty()) << facts.family;
    EXPECT_FALSE(facts.paper.empty()) << facts.family;
    for (const std::string& type : facts.model_types)
      EXPECT_TRUE(types.insert(type).second) << type;
  }
}

TEST(Zoo, ReadsEveryPublishedVariantWithItsHeads) {
  std::vector<std::unique_ptr<Architecture>> zoo = built_in_networks();
  for (const Variant& variant : published_variants()) {
    auto found = std::find_if(zoo.begin(), zoo.end(), [&](const auto& architecture) {
      return architecture->facts().family == variant.family;
    });
    ASSERT_NE(found, zoo.end()) << variant.name << " is of family " << variant.family;
    const std::vector<std::string>& known = (*found)->facts().heads;
    for (const std::string& head : variant.heads)
      EXPECT_NE(std::find(known.begin(), known.end(), head), known.end())
          << variant.name << " " << head;
  }
}

}  // namespace
}  // namespace snellen::models

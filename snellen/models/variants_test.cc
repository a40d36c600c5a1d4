// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/variants.h"

#include <set>

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::models {
namespace {

TEST(Variants, AreReadFromTheirFiles) {
  Variant variant = parse_variant("x", R"({"checkpoint": "a/b", "family": "clip", "heads": ["itc"],
      "parameters_m": 151, "image": {"size": 224, "patch": 32, "width": 768, "layers": 12},
      "text": {"tokens": 77, "width": 512, "layers": 12}, "paper": "P", "status": "S"})");
  EXPECT_EQ(variant.checkpoint, "a/b");
  EXPECT_EQ(variant.sizes(), "151 M; image 224, 12 x 768, patch 32; text 77, 12 x 512");
}

TEST(Variants, SayWhichKeyIsMissing) {
  try {
    parse_variant("x", R"({"checkpoint": "a/b"})");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidInput);
    EXPECT_NE(error.message().find("family"), std::string::npos);
  }
}

TEST(Variants, OfThisBuildAreSoundAndNamedOnce) {
  std::set<std::string> checkpoints;
  std::vector<Variant> variants = published_variants();
  EXPECT_GE(variants.size(), 30u);
  for (const Variant& variant : variants) {
    EXPECT_TRUE(checkpoints.insert(variant.checkpoint).second) << variant.checkpoint;
    EXPECT_NE(variant.checkpoint.find('/'), std::string::npos) << variant.name;
    EXPECT_FALSE(variant.heads.empty()) << variant.name;
    EXPECT_TRUE(variant.image || variant.text) << variant.name;
    if (variant.image) {
      EXPECT_LE(variant.image->patch, variant.image->size) << variant.name;
    }
  }
}

}  // namespace
}  // namespace snellen::models

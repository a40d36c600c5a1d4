// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/probe_compat.h"

#include <gtest/gtest.h>

namespace snellen::tasks {
namespace {

TEST(ProbeFamily, GoesByPrefixNotBySubstring) {
  EXPECT_EQ(probe_family("clip_ViT-B/32"), ProbeFamily::kClip);
  EXPECT_EQ(probe_family("metaclip-b32"), ProbeFamily::kClip);
  EXPECT_EQ(probe_family("ViLT"), ProbeFamily::kVilt);
  EXPECT_EQ(probe_family("bridgetower-large"), ProbeFamily::kBridgeTower);
  EXPECT_EQ(probe_family("not-flava"), ProbeFamily::kClip);
  EXPECT_EQ(probe_family("clip_finetuned"), ProbeFamily::kFinetuned);
}

TEST(ProbeTag, DropsSlashesAndAts) {
  EXPECT_EQ(probe_tag("clip_ViT-L/14@336px"), "clip_ViT-L14336px");
  EXPECT_EQ(probe_r_name("clip_ViT-L/14@336px"), "ViT-L14@336px");
  EXPECT_EQ(probe_r_name("vilt"), "vilt");
  EXPECT_EQ(probe_r_name("clip_finetuned"), "finetunedvt_ep20_alpha0.2_ViT-B32");
  EXPECT_EQ(probe_r_name("clip_finetuned", {.stream = "t", .alpha = 0.5}),
            "finetunedt_ep20_alpha0.5_ViT-B32");
  EXPECT_EQ(probe_tag("../.."), "model");
}

}  // namespace
}  // namespace snellen::tasks

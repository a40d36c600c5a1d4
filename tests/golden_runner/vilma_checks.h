// SPDX-License-Identifier: Apache-2.0
// The checks behind vilma.cc's table of contents.
#pragma once

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

void check_vilma_cases(const Context& context, Tally& tally);
void check_vilma_suite(const Context& context, Tally& tally);
void check_vilma_errors(const Context& context, Tally& tally);
void check_vilma_unit(const Context& context, Tally& tally);

// Keys of unit.json, in vilma_video.cc.
void check_frame_sampling_compat(const Json& value, Tally& tally);
void check_frame_sampling_default(const Json& value, Tally& tally);
void check_violet_frames(const Json& value, Tally& tally);
void check_video_summary_frames(const Json& value, Tally& tally);
void check_convert_to_seconds(const Json& value, Tally& tally);
void check_normalise_frame_annotations(const Json& value, Tally& tally);

// Keys of unit.json, in vilma_construct.cc.
void check_remove_count_phrase(const Json& value, Tally& tally);
void check_counting_caption(const Json& value, Tally& tally);
void check_counting_subclips(const Json& value, Tally& tally);
void check_change_state_captions(const Json& value, Tally& tally);
void check_gruen_grammaticality(const Json& value, Tally& tally);
void check_gruen_redundancy(const Json& value, Tally& tally);
void check_mlm_ensemble(const Json& value, Tally& tally);

}  // namespace snellen::golden

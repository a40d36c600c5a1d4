// SPDX-License-Identifier: Apache-2.0
// The kinds of backends, for make_backend() alone. `parts` must outlive them.
#pragma once

#include <memory>

#include "snellen/inference/backend.h"

namespace snellen::inference {

// The head of any two towers that scores a clip by the mean direction of its frames, as CLIP4Clip
// does (Luo et al. 2021); else a clip's score is the mean share that each frame gives to the text.
inline constexpr const char* kMeanPooling = "mean-pooling";

// Two towers: a score is a product of two rows.
std::unique_ptr<Backend> make_dual_backend(const NetworkParts& parts);
// Picture and text together: the picture is seen once, every text asked with it follows.
std::unique_ptr<Backend> make_pair_backend(const NetworkParts& parts);
// Clips: the text is adapted to the clip when the two meet.
std::unique_ptr<Backend> make_video_backend(const NetworkParts& parts);
// Mean log probability of a text, alone or after a picture: higher is likelier.
std::unique_ptr<Backend> make_likelihood_backend(const NetworkParts& parts);
std::unique_ptr<Backend> make_shown_likelihood_backend(const NetworkParts& parts);

// A program or a server.
std::unique_ptr<Backend> make_worker_backend(const models::Worker& worker);

}  // namespace snellen::inference

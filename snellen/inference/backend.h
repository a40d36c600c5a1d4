// SPDX-License-Identifier: Apache-2.0
// One kind of network: what it makes of visuals and texts, and what a score is made of. It knows
// no plan, no file and no cache.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "snellen/inference/feeds.h"
#include "snellen/inference/network_parts.h"
#include "snellen/inference/table.h"
#include "snellen/models/worker.h"

namespace snellen::inference {

struct BackendTraits {
  TableOptions table = {};       // what the network looks at, and whether at both together
  uint32_t visuals_per_job = 0;  // 0 where it works on none of a kind
  uint32_t texts_per_job = 0;
  int64_t frames_per_clip = 8;                         // where a clip does not say
  std::optional<int64_t> fixed_frames = std::nullopt;  // clips of another number are refused
  bool pads_clips = true;                              // see VisualReader::Options
  bool has_rows_per_frame = false;  // a clip has a row for each of its frames, else one
  bool pools_frames = false;        // a clip's score is that of the mean direction of its frames
  bool takes_bytes = false;         // embed_visuals() takes a batch as bytes, not as floats
  bool has_directions = false;      // rows of a visual and of a text are vectors of one space
  questions::ScoreKind kind = questions::ScoreKind::kSimilarity;
  questions::ScoreKind clip_kind = questions::ScoreKind::kSimilarity;  // of scores of a clip
};

// Units of work: a visual's row, a text's row, the scores of one visual with its texts. A backend
// has those that its traits name. Const methods are safe from many threads.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual const BackendTraits& traits() const = 0;

  // A worker is asked about places and prompts, in the place of all that follows but score() and
  // make_ready(); null for networks.
  virtual const models::Worker* worker() const { return nullptr; }

  // Rows as the network gives them. One for each visual of the batch, or for each of its frames.
  virtual models::Matrix embed_visuals(PixelBatch& batch) const;
  virtual models::Matrix embed_texts(std::span<const models::TokenIds> texts) const;
  // Why a text has no row; nothing for most.
  virtual std::optional<Error> refuse(const models::TokenIds& tokens, std::string_view text) const;
  // Makes the row of a visual or of a text what score() takes.
  virtual void make_visual_ready(std::span<float> row) const { (void)row; }
  virtual void make_text_ready(std::span<float> row) const { (void)row; }
  // Of two rows that are ready, the visual's or that of one of its frames. `visual` is empty for
  // models of text alone.
  virtual double score(std::span<const float> visual, std::span<const float> text) const;

  // For networks that look at both together: what they keep of each picture, and one score for
  // each text.
  virtual models::SeenImages see(const models::PixelsView& pixels) const;
  virtual std::vector<double> match(const models::SeenImage& seen,
                                    std::span<const models::TokenIds> texts) const;
  // The pooled feature of such a pair, which its score is made of; empty where the network does not
  // tell it.
  virtual bool has_joint_features() const { return false; }
  virtual std::vector<float> joint_features(const models::SeenImage& seen,
                                            const models::TokenIds& text) const;
};

// The worker's, or the one for parts.head; throws kUsage when the network has no such head.
std::unique_ptr<Backend> make_backend(const NetworkParts& parts);

}  // namespace snellen::inference

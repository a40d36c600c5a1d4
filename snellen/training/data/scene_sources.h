// SPDX-License-Identifier: Apache-2.0
// Scenes of the eyechart, drawn on the fly, as samples. The seed is another than that of the trees
// the probes are built from, so training never sees a scene that is asked about.
#pragma once

#include <memory>

#include "snellen/media/processor/image_processor.h"
#include "snellen/training/data/sample_source.h"
#include "snellen/training/data/world_prompts.h"

namespace snellen::training {

struct SceneOptions {
  uint64_t seed = 1;         // of the world; build eyechart has 0
  uint64_t num_scenes = 1;   // of an epoch
  uint64_t cache_bytes = 0;  // of rendered pictures that are kept
  // Of a hundred captions, those that tell a relation.
  uint64_t relation_percent = kUsualRelationPercent;
};

// A scene and a caption that is true of it, another one each epoch, from the stream
// "{seed}|train-caption|{epoch}|{scene}": captions as COCO has them, and now and then a prompt as
// the probes have them.
std::unique_ptr<SampleSource> scene_captions(const SceneOptions& options,
                                             const media::ImageProcessor& processor);

// Selective negatives (docs/spec/probe.md 7.1), one compositional and one relational sample in
// each. A compositional one is a scene and the same scene with a colour or pattern changed, or the
// colours of two things exchanged; a relational one is two scenes in which a relation runs opposite
// ways (eyechart/world/direction_pair.h), with a wrong predicate and an absent subject. Its two
// true prompts are true and false equally often, so that words alone teach nothing. From the stream
// "{seed}|train-pair|{scene}".
std::unique_ptr<SampleSource> scene_contrasts(const SceneOptions& options,
                                              const media::ImageProcessor& processor);

// Clips of the six ViLMA kinds and one of their captions, from the stream
// "{seed}|train-clip|{epoch}|{clip}".
std::unique_ptr<SampleSource> clip_captions(const SceneOptions& options,
                                            const media::ImageProcessor& processor,
                                            int num_frames);

// Captions of scenes and clips without any picture, from the stream
// "{seed}|train-text|{epoch}|{i}".
std::unique_ptr<SampleSource> world_texts(const SceneOptions& options);

}  // namespace snellen::training

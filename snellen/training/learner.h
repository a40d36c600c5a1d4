// SPDX-License-Identifier: Apache-2.0
// A model in training, as the trainer drives it: batches go in, losses come out, weights and the
// optimiser's state go to files. No tensor library shows through: learners live in the module that
// learner_module.h opens.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "snellen/dist/group.h"
#include "snellen/models/checkpoint/tensor_view.h"
#include "snellen/models/network.h"
#include "snellen/training/data/batch.h"

namespace snellen::training {

// Which weights move (docs/spec/probe.md 7.3): V those of the vision tower, T all others but the
// logit scale, VT both. kAll also moves the logit scale.
enum class Trained { kAll, kVision, kText, kBoth };

struct LearnerOptions {
  std::string device = "cpu";
  models::ElementKind dtype =
      models::ElementKind::kFloat32;  // of activations; weights stay float32
  unsigned num_threads = 1;           // on the CPU
  uint64_t seed = 0;                  // of new weights and drawn negatives
  Trained trained = Trained::kAll;

  // AdamW (Loshchilov and Hutter 2019). Vectors (biases, norms) do not decay.
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 1e-4;
  double max_gradient_norm = 0;  // 0: not clipped
  double ema_decay = 0;          // of averaged weights; 0: none are kept

  // Losses.
  double contrastive_weight = 1;
  double contrast_weight = 1;  // of the hinges over Batch::contrasts
  double margin = 0.2;

  // Pictures (and texts) that go through a tower at once; more are embedded first and computed
  // again for their gradients, so that memory does not grow with the batch. 0: all at once.
  int64_t chunk = 0;

  // On a GPU a group adds up its gradients there (NCCL). Set, a process on its own does so too: a
  // way to try it.
  bool communicates_alone = false;

  // Of the bytes of a picture: (byte / 255 - mean) / std.
  std::array<double, 3> mean = {0.5, 0.5, 0.5};
  std::array<double, 3> std = {0.5, 0.5, 0.5};
};

struct LossPart {
  std::string name;
  double value = 0;
};

struct StepReport {
  double loss = 0;
  std::vector<LossPart> parts;
  double gradient_norm = 0;  // before clipping
  // False when loss or gradients are not finite: then nothing was changed.
  bool is_finite = true;
};

// How a question came out. A tie is wrong, and counted.
enum class Verdict : uint8_t { kWrong, kRight, kTied };

// What a model does with a batch it does not learn from.
struct Evaluation {
  double loss = 0;
  // Of each match: its text scores highest for the visual among all texts of the batch. Empty for
  // models of text alone.
  std::vector<Verdict> matches;
  // Of each contrast: the right pair scores higher.
  std::vector<Verdict> contrasts;
};

// One thread at a time.
class Learner {
 public:
  virtual ~Learner() = default;

  // One step of the optimiser on the mean loss of several batches (gradient accumulation).
  virtual StepReport step(std::span<const Batch> batches, double learning_rate) = 0;
  // With the weights that would be saved: averaged ones where they are kept.
  virtual Evaluation evaluate(const Batch& batch) = 0;

  virtual uint64_t num_parameters() const = 0;
  // Steps made, those of earlier processes included.
  virtual uint64_t num_steps() const = 0;

  // The weights under their published names: `averaged` those of the moving average where one is
  // kept. The file appears whole.
  virtual void write_weights(const std::filesystem::path& file,
                             models::ElementType type,
                             bool averaged) const = 0;
  // Everything else that a continued training needs, exactly, but for num_steps(). read_state()
  // wants the weights that were written with it loaded already; throws kInvalidInput for a state of
  // another model.
  virtual void write_state(const std::filesystem::path& file) const = 0;
  virtual void read_state(const std::filesystem::path& file, uint64_t num_steps) = 0;
};

// A folder with config.json: with weights, training goes on from them; without, they are drawn as
// transformers draws them. `group` must outlive the learner. Throws kInvalidInput for a model type
// that is not trained here.
using MakeLearner = std::unique_ptr<Learner> (*)(const std::filesystem::path& folder,
                                                 const LearnerOptions& options,
                                                 dist::Group& group);

}  // namespace snellen::training

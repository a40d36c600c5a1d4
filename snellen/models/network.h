// SPDX-License-Identifier: Apache-2.0
// A model loaded from a checkpoint folder, as the run engine plans with it. Pixels and token ids go
// in, floats come out; no tensor library shows through, so that only the module behind it links
// one. Everything is const after loading and safe from many threads. On the CPU the numbers of a
// picture or a text do not depend on what shares its batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snellen::models {

class Checkpoint;

// Pixels where the model computes them, copied ahead of the forward so that the two overlap.
class StagedPixels {
 public:
  virtual ~StagedPixels() = default;
};

// Pictures of one size as the processor made them: floats [count, 3, height, width]. Clips are
// frames after frames: count = clips * frames.
struct PixelsView {
  int64_t count = 0;
  int64_t height = 0;
  int64_t width = 0;
  std::span<const float> values;
  const StagedPixels* staged = nullptr;  // taken instead of `values` when given
};

// One text: its ids with special tokens, truncated, without padding.
using TokenIds = std::vector<int32_t>;

// Rows of equal length, row after row.
struct Matrix {
  size_t num_rows = 0;
  size_t num_columns = 0;
  std::vector<float> values;

  std::span<const float> row(size_t i) const {
    return std::span(values).subspan(i * num_columns, num_columns);
  }
};

// Sees intermediate results: `snellen check` compares them with a fixture. Names are those of
// docs/spec/models.md 6 without "mid.": "vision.0", "text.3".
class Trace {
 public:
  virtual ~Trace() = default;
  virtual void record(std::string_view name,
                      std::span<const int64_t> shape,
                      std::span<const float> values) = 0;
};

// How a score is made of two embeddings: scale * product + bias. The product is the cosine or the
// plain dot product; of a picture with several vectors the best one counts.
struct Similarity {
  double scale = 1;
  double bias = 0;
  bool is_cosine = true;
  size_t image_vectors = 1;
};

// Two towers: each side is embedded once, a score is a product of embeddings.
class DualEncoder {
 public:
  virtual ~DualEncoder() = default;
  // One row per picture or text, after projection, as the score takes it.
  virtual Matrix embed_images(const PixelsView& pixels, Trace* trace = nullptr) const = 0;
  virtual Matrix embed_texts(std::span<const TokenIds> texts, Trace* trace = nullptr) const = 0;
  // `head` is one of facts().heads.
  virtual Similarity similarity(std::string_view head) const = 0;
};

// What a model that looks at picture and text together keeps of one picture or clip, to be used
// again for every text.
class SeenImage {
 public:
  virtual ~SeenImage() = default;
};
using SeenImages = std::vector<std::shared_ptr<const SeenImage>>;

class PairScorer {
 public:
  virtual ~PairScorer() = default;
  // The part of the work that needs no text. One for each picture.
  virtual SeenImages see(const PixelsView& pixels, Trace* trace = nullptr) const = 0;
  // [texts, logits]: the score is column score_column().
  virtual Matrix match(const SeenImage& image,
                       std::span<const TokenIds> texts,
                       Trace* trace = nullptr) const = 0;
  virtual size_t score_column() const = 0;
};

// Frames of a clip into one embedding, with the context that text embeddings are adapted to.
class VideoEncoder {
 public:
  virtual ~VideoEncoder() = default;
  virtual int64_t num_frames() const = 0;
  // pixels.count = clips * num_frames(). A row holds what score() needs of a clip.
  virtual Matrix embed_clips(const PixelsView& pixels, Trace* trace = nullptr) const = 0;
  virtual Matrix embed_texts(std::span<const TokenIds> texts, Trace* trace = nullptr) const = 0;
  // [clips, texts].
  virtual Matrix score(const Matrix& clips, const Matrix& texts, Trace* trace = nullptr) const = 0;
};

class LanguageModel {
 public:
  virtual ~LanguageModel() = default;
  // For each text one number per token: log p(token t | those before). Entry 0 is 0. `image` is
  // what a PairScorer-like see() of the same network made, null for text alone.
  virtual std::vector<std::vector<double>> log_probabilities(std::span<const TokenIds> texts,
                                                             const SeenImage* image = nullptr,
                                                             Trace* trace = nullptr) const = 0;
  // Pictures as prefixes; empty for models of text alone.
  virtual SeenImages see(const PixelsView& /*pixels*/, Trace* /*trace*/ = nullptr) const {
    return {};
  }
};

class TextEncoder {
 public:
  virtual ~TextEncoder() = default;
  struct Encoded {
    Matrix first;   // last layer, token 0: BERT-L2/CS
    Matrix mean;    // mean over the text's tokens: sentence vectors, not normalised
    Matrix pooled;  // tanh of the pooler, empty when the checkpoint has none
  };
  virtual Encoded encode(std::span<const TokenIds> texts, Trace* trace = nullptr) const = 0;
};

struct NetworkFact {
  std::string name;
  std::string value;
};

struct NetworkFacts {
  std::string family;              // "clip"
  std::vector<std::string> heads;  // as --score takes them, the default first
  int64_t max_text_tokens = 0;     // longer texts are cut: the published processor's limit or
                                   // the position table's, whichever is smaller; 0 for none
  int64_t image_size = 0;          // height and width the pixels must have; 0 for any
  // On the CPU the bits of a picture or text depend on it alone, whatever shares its batch. False
  // for odd widths and convolutions: such are worked on one by one.
  bool is_row_exact = false;
  std::vector<NetworkFact> stamp = {};  // activation, eps, pooling, scale: what makes the numbers
  // What a user should know before trusting a number: where a folder and the reference part.
  std::vector<std::string> warnings = {};
};

// What a checkpoint folder became. Each of the views is null where the family has none.
class Network {
 public:
  virtual ~Network() = default;
  virtual const NetworkFacts& facts() const = 0;
  virtual const DualEncoder* dual() const { return nullptr; }
  virtual const PairScorer* pair() const { return nullptr; }
  virtual const VideoEncoder* video() const { return nullptr; }
  virtual const LanguageModel* language() const { return nullptr; }
  virtual const TextEncoder* encoder() const { return nullptr; }
  // Weights of the folder that nothing here uses: heads for other work, codebooks.
  virtual std::span<const std::string> unused_weights() const = 0;
};

enum class ElementKind { kFloat32, kBFloat16, kFloat16 };

struct NetworkOptions {
  ElementKind dtype = ElementKind::kFloat32;
  std::string device = "cpu";       // or "cuda", "cuda:1"
  std::string quick_gelu = "auto";  // open_clip folders: auto, on, off
  bool captures_graphs = true;      // of towers on a GPU whose shapes come again
};

struct ArchitectureFacts {
  std::string family;  // "clip": also the folder's name
  std::string summary;
  std::vector<std::string> model_types;  // of config.json
  std::vector<std::string> heads;
  std::string paper;
};

// A catalogue entry: which checkpoints it reads, and how.
class Architecture {
 public:
  virtual ~Architecture() = default;
  virtual const ArchitectureFacts& facts() const = 0;
  // Asked for checkpoints of one of its model types: several classes may share one (blip-2).
  virtual bool reads(const Checkpoint& checkpoint) const;
  // Throws kInvalidInput naming the file, the weight and both shapes.
  virtual std::unique_ptr<Network> load(const Checkpoint& checkpoint,
                                        const NetworkOptions& options) const = 0;
};

// Every architecture of this build, in the order of CMakeLists.txt.
std::vector<std::unique_ptr<Architecture>> built_in_networks();

}  // namespace snellen::models

// SPDX-License-Identifier: Apache-2.0
// The lines between this program and an adapter (docs/adapters.md). What the adapter writes is
// untrusted. Pure and safe from many threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/media/visual_place.h"

namespace snellen::models::exec {

inline constexpr int kProtocolVersion = 1;
// An adapter that writes a longer line has lost its way.
inline constexpr size_t kMostLineBytes = size_t{4} << 20;

// kEmbedding: it gives rows of pictures and of texts, and a score is `scale` times their cosine.
enum class Mode { kSimilarity, kProbability, kPerplexity, kEmbedding };
enum class Wants {
  kPath,    // where the picture or video lies
  kFrames,  // clips as numbered PNG files; pictures as kPath
  kPixels,  // raw RGB in a file in shared memory
  kTexts,   // nothing to see
};
std::string_view name_of(Mode mode);

// What an adapter says of itself when it is ready.
struct Ready {
  Mode mode = Mode::kSimilarity;
  Wants wants = Wants::kPath;
  std::string name = {};
  // What makes its scores what they are: a hash of its weights. A long one is here as its SHA-256.
  std::string identity = {};
  bool has_independent_scores = false;  // of the texts of a request
  bool takes_no_picture = false;        // a request may show nothing
  double scale = 1;                     // of mode kEmbedding
  size_t max_texts = 0;                 // a request; 0: any number
  size_t max_in_flight = 0;             // requests; 0: as many as the host likes
};

// Bytes [frames, height, width, 3] in a file.
struct RawPixels {
  std::string path = {};
  int64_t frames = 0;
  int64_t height = 0;
  int64_t width = 0;
};

// What the adapter is shown; empty where it sees nothing of that kind.
struct ShownVisual {
  std::string image = {};
  std::string video = {};
  std::string frames_dir = {};
  RawPixels pixels = {};
  media::ClipWindow window = {};
  std::optional<double> fps = std::nullopt;  // known where frames were decoded
};

struct Request {
  std::string id = {};    // the conversation's own, never the same twice; answers carry it
  uint32_t task = 0;      // of the run
  std::string item = {};  // its id within the task, whatever it looks like
  size_t part = 0;        // which of the item's requests
  ShownVisual visual = {};
  std::vector<std::string> texts = {};
  bool wants_row = false;  // of the visual, or of the only text
  // Those that are shown of a clip, counted in it, where the request is written for later.
  media::FrameIndices frames = {};
};

// The request for people: ITEM, TASK:ITEM in further tasks, with #PART from the second part on.
std::string name_of(const Request& request);

// At most so many bytes of the text, without the first half of a character.
std::string_view cut_text(std::string_view text, size_t most_bytes);

// Each with its newline.
std::string hello_line(int64_t frames);
std::string request_line(const Request& request);
// The id and the frames of such a line; an Error for a line that is none.
struct WrittenRequest {
  std::string id;  // empty for hello and bye
  media::FrameIndices frames = {};
};
Result<WrittenRequest> read_request(std::string_view line);
std::string bye_line();

// An Error for a line that is no such answer, or says that the adapter cannot start.
Result<Ready> read_ready(std::string_view line);

struct Reply {
  std::string id;
  Result<std::vector<double>> values;  // scores or a row; an Error of this request alone
};
// An Error for a line that names no request: who wrote it does not speak the protocol.
Result<Reply> read_reply(std::string_view line);

// A row as it came, or scores as a model gives them, higher is better: an Error unless there is one
// for each text and, for perplexities, each is above 0.
Result<std::vector<double>> usable_values(const std::vector<double>& values,
                                          const Request& request,
                                          Mode mode);

}  // namespace snellen::models::exec

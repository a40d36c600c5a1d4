// SPDX-License-Identifier: Apache-2.0
// Sentiment of text, line in, score out. Lines are read in pieces, scored by several threads and
// printed in order; memory does not grow with the input.
#include "snellen/text/vader/vader.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <mutex>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "apps/cli/data_folder.h"
#include "apps/cli/media/file_batch.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/base/json_object.h"
#include "snellen/base/ordered_pipeline.h"

namespace snellen::cli {
namespace {

constexpr size_t kPieceBytes = size_t{1} << 18;
constexpr size_t kMostLineBytes = size_t{64} << 20;
constexpr unsigned kMostThreads = 1024;

enum class Output { kTsv, kCsv, kJson };

struct VaderFlags {
  std::string input = "-";
  std::optional<std::string> text;
  std::string lexicon;
  std::string emoji;
  std::string variant = "reference";
  std::string format = "tsv";
  unsigned num_threads = 0;
};

// Whole lines of a file or of stdin, a piece at a time. One thread at a time.
class LineSource {
 public:
  explicit LineSource(const std::string& path)
      : name_(path == "-" ? "stdin" : path),
        descriptor_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) {
      throw Error{ErrorCode::kNotFound,
                  fmt::format("cannot be opened: {}", std::strerror(errno)),
                  path,
                  "check the path, or pass - for stdin"};
    }
  }
  ~LineSource() {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }
  LineSource(const LineSource&) = delete;
  LineSource& operator=(const LineSource&) = delete;

  bool is_at_end() const { return is_at_end_ && left_.empty(); }

  // At least one whole line; empty at the end.
  std::string next() {
    std::string piece = std::move(left_);
    left_.clear();
    while (!is_at_end_) {
      size_t end = piece.rfind('\n');
      // A short read is a pipe or a terminal whose writer waits: answer what is there.
      if (end != std::string::npos && (piece.size() >= kPieceBytes || is_short_)) {
        left_ = piece.substr(end + 1);
        piece.resize(end + 1);
        return piece;
      }
      if (end == std::string::npos && piece.size() > kMostLineBytes) {
        throw Error{ErrorCode::kInvalidInput,
                    fmt::format("a line has more than {} bytes", kMostLineBytes),
                    name_,
                    "give one text per line"};
      }
      read_more(piece);
    }
    return piece;
  }

 private:
  void read_more(std::string& piece) {
    size_t before = piece.size();
    piece.resize(before + kPieceBytes);
    ssize_t got = 0;
    do {
      got = ::read(descriptor_, piece.data() + before, kPieceBytes);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
      bool is_folder = errno == EISDIR;
      throw Error{is_folder ? ErrorCode::kInvalidInput : ErrorCode::kIo,
                  fmt::format("cannot be read: {}", std::strerror(errno)),
                  name_};
    }
    piece.resize(before + static_cast<size_t>(got));
    is_at_end_ = got == 0;
    is_short_ = static_cast<size_t>(got) < kPieceBytes;
  }

  std::string name_;
  int descriptor_;
  std::string left_;
  bool is_at_end_ = false;
  bool is_short_ = false;  // the last read gave less than was asked for
};

void append_score(std::string& out, const text::Sentiment& score, Output output) {
  auto to = std::back_inserter(out);
  switch (output) {
    case Output::kJson:
      out += json_object({{"neg", score.neg},
                          {"neu", score.neu},
                          {"pos", score.pos},
                          {"compound", score.compound}})
                 .text +
             "\n";
      return;
    case Output::kTsv:
    case Output::kCsv: {
      char mark = output == Output::kTsv ? '\t' : ',';
      fmt::format_to(to,
                     "{:.3f}{}{:.3f}{}{:.3f}{}{:.4f}\n",
                     score.neg,
                     mark,
                     score.neu,
                     mark,
                     score.pos,
                     mark,
                     score.compound);
      return;
    }
  }
}

std::string score_lines(const text::Vader& vader, std::string_view lines, Output output) {
  std::string out;
  while (!lines.empty()) {
    size_t end = std::min(lines.find('\n'), lines.size());
    std::string_view line = lines.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    append_score(out, vader.score(line), output);
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return out;
}

void print(const std::string& text) {
  bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (is_written && std::fflush(stdout) == 0) return;
  throw Error{ErrorCode::kIo, fmt::format("cannot be written: {}", std::strerror(errno)), "stdout"};
}

void score_stream(const text::Vader& vader, LineSource& source, Output output, unsigned threads) {
  std::mutex mutex;  // guards source and next_piece
  std::condition_variable turn;
  uint64_t next_piece = 0;
  std::atomic<bool> is_done = false;
  auto make = [&](uint64_t number) {
    std::string lines;
    {
      // Pieces are numbered before they are read: each worker waits for its turn to read.
      std::unique_lock lock(mutex);
      turn.wait(lock, [&] { return next_piece == number; });
      struct Passes {
        uint64_t& next;
        std::condition_variable& turn;
        ~Passes() {
          ++next;
          turn.notify_all();
        }
      } passes{next_piece, turn};
      if (!is_done) {
        lines = source.next();
        is_done = source.is_at_end();
      }
    }
    return score_lines(vader, lines, output);
  };
  ordered_pipeline<std::string>(
      std::numeric_limits<uint64_t>::max(),
      threads,
      make,
      [](std::string&& scores) { print(scores); },
      [&] { return is_done.load(); });
}

text::Vader open_vader(const Context& context, const VaderFlags& flags) {
  namespace fs = std::filesystem;
  fs::path lexicon = flags.lexicon.empty() ? find_data(context, "vader/vader_lexicon.txt")
                                           : fs::path(flags.lexicon);
  fs::path emoji = flags.emoji;
  if (emoji.empty()) {
    // Beside a named lexicon its own table, else the data folder's.
    fs::path beside = lexicon.parent_path() / "emoji_utf8_lexicon.txt";
    emoji =
        fs::exists(beside) ? beside : find_data_or_none(context, "vader/emoji_utf8_lexicon.txt");
  }
  return text::Vader::from_files(
      lexicon,
      emoji,
      flags.variant == "fixed" ? text::VaderVariant::kFixed : text::VaderVariant::kReference);
}

}  // namespace

std::function<int()> add_vader(Command app, Context& context) {
  using config::option;
  using S = VaderFlags;
  Command verb = app.add_subcommand(
      "vader", "sentiment of each line: negative, neutral and positive share, and compound");
  verb.footer(
      "Prints neg neu pos compound, one line for each line read. --json prints one object per\n"
      "line.\n"
      "Examples:\n  snellen vader stories.txt\n  echo 'VADER is VERY SMART!' | snellen vader");
  return verb_with(
      verb,
      S{},
      {option(&S::input, "input", "file with one text per line; -: stdin").positional(),
       option(&S::text, "text", "score this text instead of a file"),
       option(&S::lexicon, "lexicon", "VADER's lexicon (default: that of the data folder)")
           .value("FILE"),
       option(&S::emoji, "emoji", "VADER's emoji table (default: beside the lexicon)")
           .value("FILE"),
       option(&S::variant, "variant", "as published, or with the rule for 'but' corrected")
           .alias("vader-variant")
           .choices({"reference", "fixed"}),
       option(&S::format, "format", "format of the scores").choices({"tsv", "csv"}),
       threads_option(&S::num_threads)},
      [&context](const S& flags) {
        Output output = context.wants_json      ? Output::kJson
                        : flags.format == "csv" ? Output::kCsv
                                                : Output::kTsv;
        text::Vader vader = open_vader(context, flags);
        if (flags.text) {
          std::string score;
          append_score(score, vader.score(*flags.text), output);
          print(score);
        } else {
          LineSource source(flags.input);
          score_stream(vader, source, output, batch_threads(flags.num_threads, kMostThreads));
        }
        return 0;
      });
}

}  // namespace snellen::cli

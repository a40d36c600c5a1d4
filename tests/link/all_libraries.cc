// SPDX-License-Identifier: Apache-2.0
// Every library of design.md 5 that later rooms bring, linked and called in one program, so that a
// clash between them (two fmt versions, two OpenMP runtimes, a C++ ABI) shows on the day it
// arrives.
#include <fmt/format.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <sstream>

#include <mpi.h>
#include <sentencepiece_processor.h>
#include <sqlite3.h>
#include <tbb/parallel_for.h>
#include <unicode/unistr.h>

#include "tests/link/torch_part.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
}

namespace {

bool check(bool holds, const char* what) {
  fmt::print("{} {}\n", holds ? "ok  " : "FAIL", what);
  return holds;
}

bool logs_through_spdlog() {
  std::ostringstream text;
  spdlog::logger log("link", std::make_shared<spdlog::sinks::ostream_sink_st>(text));
  log.info("[link] check value={}", 42);
  return text.str().find("value=42") != std::string::npos;
}

}  // namespace

int main() {
  bool is_good = check(fmt::format("{:.2f}", 1.5) == "1.50", "fmt");
  is_good &= check(logs_through_spdlog(), "spdlog");
  is_good &= check(snellen::link::torch_adds_up(), "torch");
  is_good &= check(avcodec_find_decoder(AV_CODEC_ID_H264) != nullptr && avformat_version() > 0 &&
                       swscale_version() > 0,
                   "FFmpeg");
  sentencepiece::SentencePieceProcessor processor;
  is_good &= check(!processor.Load("no such model").ok(), "sentencepiece");
  is_good &= check(icu::UnicodeString("SNELLEN").toLower() == icu::UnicodeString("snellen"), "ICU");
  std::atomic<int> sum = 0;
  tbb::parallel_for(0, 100, [&](int i) { sum += i; });
  is_good &= check(sum == 4950, "TBB");
  is_good &= check(sqlite3_libversion_number() > 3000000, "SQLite");
  // MPI_Init starts daemons that a sandbox may not allow; asking for the version needs the library
  // alone.
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  is_good &= check(MPI_Get_library_version(version, &length) == MPI_SUCCESS && length > 0, "MPI");
  return is_good ? 0 : 1;
}

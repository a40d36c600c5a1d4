// SPDX-License-Identifier: Apache-2.0
// Requests in a file, for models that live on another machine: they are answered there, and the
// file of replies is read by the model `replies` (docs/adapters.md).
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "snellen/base/files.h"
#include "snellen/models/exec/settings.h"
#include "snellen/models/exec/shown_visuals.h"
#include "snellen/models/worker.h"

namespace snellen::models::exec {

// The id of the request about `count` texts of a question, from the `first` on. It follows from who
// asks what, so that whoever asks the same later finds the reply.
std::string offline_id(const WorkerQuestion& question, size_t first, size_t count);

// A file of requests as an adapter reads them from its standard input: hello, one request a line,
// bye. Frames and changed pictures lie beside it in FILE.frames, and the lines name them from the
// folder of the file, so that both can be moved together.
class RequestFile {
 public:
  RequestFile(std::filesystem::path path, const ExecSettings& settings, bool is_compat);

  // Writes what it is asked instead of answering it: every score is 0. One at a time; this must
  // outlive it.
  std::unique_ptr<Worker> worker();
  // From now on the file is there.
  void commit();
  uint64_t num_requests() const { return num_requests_; }

 private:
  class Writer;
  void write(const Request& request);

  std::filesystem::path folder_;         // of the file, absolute
  std::filesystem::path frames_folder_;  // absolute
  ExecSettings settings_;
  ShownVisuals visuals_;
  AtomicFile file_;
  uint64_t num_requests_ = 0;
};

}  // namespace snellen::models::exec

// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/run_folder.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/formats/json.h"

namespace snellen::store {

RunLock::RunLock(const RunPaths& paths) {
  std::error_code refused;
  std::filesystem::create_directories(paths.folder, refused);
  descriptor_ = ::open(paths.lock().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) {
    const int failure = refused ? refused.value() : errno;
    throw Error{failure == ENOSPC ? ErrorCode::kIo : ErrorCode::kNotFound,
                fmt::format("cannot be written: {}", std::strerror(failure)),
                paths.folder.string(),
                "choose an --output folder that can be written"};
  }
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const int failure = errno;
    ::close(descriptor_);
    if (failure != EWOULDBLOCK) {
      throw Error{ErrorCode::kIo,
                  fmt::format("cannot be locked: {}", std::strerror(failure)),
                  paths.lock().string(),
                  "choose an --output folder on a disk that can lock files"};
    }
    throw Error{ErrorCode::kBusy,
                "another process is writing this run folder",
                paths.folder.string(),
                "wait for it, or give this run another --name or --output"};
  }
}

RunLock::~RunLock() {
  ::close(descriptor_);
}

std::string json_text(const nlohmann::ordered_json& json, int indent) {
  return json.dump(
      indent, ' ', /*ensure_ascii=*/false, nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::ordered_json read_stamp(const RunPaths& paths) {
  if (!std::filesystem::exists(paths.stamp())) {
    throw Error{ErrorCode::kNotFound,
                "no run.json here, so this is no run folder",
                paths.folder.string(),
                "give the folder that `snellen run` or `snellen score --output` made"};
  }
  return formats::parse_ordered_json_object(read_text_file(paths.stamp()),
                                            paths.stamp().string(),
                                            "restore it, or run again with --overwrite");
}

void write_stamp(const RunPaths& paths, const nlohmann::ordered_json& stamp) {
  write_text_file(paths.stamp(), json_text(stamp, 2) + "\n");
}

}  // namespace snellen::store

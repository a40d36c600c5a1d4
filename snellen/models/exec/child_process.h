// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>

#include "snellen/base/descriptor.h"

namespace snellen::models::exec {

// A command of the shell with pipes to its input, output and errors; our ends do not block. It runs
// in a process group of its own, so that Ctrl-C is ours alone, under a small guardian process that
// ends everything that the command started, in groups and sessions of their own too, when the
// command ends, when it is killed here, and when this process is gone for whatever reason: nothing
// is left behind. The limit: where the guardian itself is killed with SIGKILL, only the command
// dies with it.
//
// One thread at a time; the thread that made it must live as long as it (the system counts the
// guardian's parent by thread). That thread must have SIGPIPE blocked.
class ChildProcess {
 public:
  // Throws kIo when the system has no processes or pipes left. A command that is not found ends
  // with exit status 127.
  explicit ChildProcess(const std::string& command);
  ~ChildProcess() { kill(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  Descriptor& input() { return input_; }
  Descriptor& output() { return output_; }
  Descriptor& errors() { return errors_; }

  // How it ended ("exit status 3", "signal 11 (Segmentation fault)"); nothing while it runs after
  // this much patience.
  std::optional<std::string> ended(std::chrono::milliseconds patience);
  // With everything it started; returns when the command is gone.
  void kill();

 private:
  pid_t guardian_ = -1;
  std::string ending_;  // set when it ended
  Descriptor input_;
  Descriptor output_;
  Descriptor errors_;
};

}  // namespace snellen::models::exec

// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/exec/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <thread>

#include <fmt/format.h>

#include "snellen/base/error.h"

namespace snellen::models::exec {
namespace {

using std::chrono::milliseconds;

constexpr int kNotStarted = 127;
constexpr int kSignalBase = 128;  // a command that a signal ended, as shells report it
// How long killed processes may take to be gone: one that waits for a broken disk may never be.
constexpr int kEndingRounds = 2500;
constexpr timespec kEndingRound{.tv_sec = 0, .tv_nsec = 2'000'000};

struct Pipe {
  Descriptor read;
  Descriptor write;
};

[[noreturn]] void fail(const char* doing) {
  throw Error{ErrorCode::kIo,
              fmt::format("cannot {}: {}", doing, std::strerror(errno)),
              "adapter",
              "close some programs and try again"};
}

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("make a pipe");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void set_nonblocking(const Descriptor& descriptor) {
  int flags = ::fcntl(descriptor.get(), F_GETFL);
  if (flags < 0 || ::fcntl(descriptor.get(), F_SETFL, flags | O_NONBLOCK) != 0)
    fail("set up a pipe");
}

// From here to run_guardian: between fork and exec of a program with threads only what is safe in a
// signal handler may be called.

[[noreturn]] void run_command(const char* command, int input, int output, int errors) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // where even the guardian was killed
  if (::dup2(input, 0) < 0 || ::dup2(output, 1) < 0 || ::dup2(errors, 2) < 0) ::_exit(kNotStarted);
  ::close_range(3, ~0U, 0);
  // Signals that this program ignores would stay ignored.
  for (int number : {SIGINT, SIGTERM, SIGPIPE, SIGCHLD}) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execl("/bin/sh", "sh", "-c", command, static_cast<char*>(nullptr));
  ::_exit(kNotStarted);
}

// False where the system does not tell the children of a process. They stay ours, and their numbers
// theirs, until they are waited for: nobody else is hit.
bool kill_children() {
  int list = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (list < 0) return false;
  std::array<char, 4096> numbers;  // more children than fit are left to the next round
  ssize_t count = ::read(list, numbers.data(), numbers.size());
  ::close(list);
  pid_t child = 0;
  for (ssize_t i = 0; i < count; ++i) {
    char c = numbers[static_cast<size_t>(i)];
    if (c >= '0' && c <= '9') {
      child = child * 10 + (c - '0');
    } else {  // a number that the buffer's end cuts never comes here
      if (child > 1) ::kill(child, SIGKILL);
      child = 0;
    }
  }
  return count >= 0;
}

// Kills the command, if it is still there, and all that it started: children of those that die
// become children of this process, the subreaper, and are next.
void end_all(pid_t command, bool has_ended) {
  ::kill(-command, SIGKILL);
  if (!has_ended) ::kill(command, SIGKILL);  // where it has no group of its own yet
  for (int round = 0; round < kEndingRounds && kill_children(); ++round) {
    pid_t ended = 0;
    while ((ended = ::waitpid(-1, nullptr, WNOHANG)) > 0) has_ended = has_ended || ended == command;
    if (ended < 0 && errno == ECHILD) return;
    ::nanosleep(&kEndingRound, nullptr);
  }
  if (!has_ended) ::waitpid(command, nullptr, 0);
}

// Waits for the end of the command, of the host (SIGTERM, sent by the system) or for the host's
// word (SIGTERM too), then ends all that the command started.
[[noreturn]] void watch(pid_t command) {
  sigset_t awaited;
  ::sigemptyset(&awaited);
  ::sigaddset(&awaited, SIGTERM);
  ::sigaddset(&awaited, SIGCHLD);
  while (true) {
    int status = 0;
    pid_t ended = 0;
    // Others are orphans that came to the subreaper.
    while ((ended = ::waitpid(-1, &status, WNOHANG)) > 0) {
      if (ended != command) continue;
      end_all(command, /*has_ended=*/true);
      ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : kSignalBase + WTERMSIG(status));
    }
    if (::sigwaitinfo(&awaited, nullptr) == SIGTERM) {
      end_all(command, /*has_ended=*/false);
      ::_exit(kSignalBase + SIGKILL);
    }
  }
}

// All signals are blocked here.
[[noreturn]] void run_guardian(pid_t host, const char* command, int input, int output, int errors) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != host) ::_exit(kNotStarted);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::signal(SIGCHLD, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
  pid_t child = ::_Fork();
  if (child < 0) ::_exit(kNotStarted);
  if (child == 0) run_command(command, input, output, errors);
  ::close_range(0, ~0U, 0);
  watch(child);
}

std::string described(int status) {
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : kSignalBase + WTERMSIG(status);
  if (code == kNotStarted) return "exit status 127 (is the command there?)";
  if (code <= kSignalBase || code > kSignalBase + SIGRTMAX)
    return fmt::format("exit status {}", code);
  const char* name = ::sigdescr_np(code - kSignalBase);
  return fmt::format("signal {} ({})", code - kSignalBase, name == nullptr ? "unknown" : name);
}

}  // namespace

ChildProcess::ChildProcess(const std::string& command) {
  Pipe input = make_pipe();
  Pipe output = make_pipe();
  Pipe errors = make_pipe();
  set_nonblocking(input.write);
  set_nonblocking(output.read);
  set_nonblocking(errors.read);
  // The guardian begins with every signal blocked, so that none finds it half set up.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t host = ::getpid();
  guardian_ = ::fork();
  if (guardian_ == 0)
    run_guardian(host, command.c_str(), input.read.get(), output.write.get(), errors.write.get());
  int reason = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = reason;
  if (guardian_ < 0) fail("start another process");
  input_ = std::move(input.write);
  output_ = std::move(output.read);
  errors_ = std::move(errors.read);
}

std::optional<std::string> ChildProcess::ended(milliseconds patience) {
  constexpr milliseconds kStep{5};
  while (guardian_ > 0) {
    int status = 0;
    pid_t found = ::waitpid(guardian_, &status, WNOHANG);
    if (found == guardian_) {
      ending_ = described(status);
      guardian_ = -1;
    } else if (found < 0 && errno != EINTR) {
      ending_ = "an end that nobody saw";
      guardian_ = -1;
    } else if (patience <= milliseconds{0}) {
      return std::nullopt;
    } else {
      std::this_thread::sleep_for(kStep);
      patience -= kStep;
    }
  }
  return ending_;
}

void ChildProcess::kill() {
  if (guardian_ > 0) {
    ::kill(guardian_, SIGTERM);
    int status = 0;
    while (::waitpid(guardian_, &status, 0) < 0 && errno == EINTR) {
    }
    ending_ = described(status);
    guardian_ = -1;
  }
  input_.close();
  output_.close();
  errors_.close();
}

}  // namespace snellen::models::exec

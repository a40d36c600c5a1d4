// SPDX-License-Identifier: Apache-2.0
// Preloaded into the program by test_injected.py: fails one allocation, one thread or one write.
//   SNELLEN_FAIL_THREAD=N       the N-th thread cannot be started, nor any after it
//   SNELLEN_FAIL_ALLOCATION=T:N the N-th allocation of the T-th thread throws std::bad_alloc; T is
//                               0 for the first thread, then in the order in which they start
//   SNELLEN_FAIL_WRITE=N        the N-th write to a file, sync of one or rename ends with EIO
//   SNELLEN_ALLOCATIONS=FILE    gets a line "T N" for each thread: how many allocations it made,
//   and
//                               at last a line "writes N"
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

constexpr int kMostThreads = 4096;

std::atomic<int> num_threads = 0;  // started
std::atomic<long> num_writes = 0;
std::array<std::atomic<long>, kMostThreads> num_allocations{};
thread_local int this_thread = 0;

struct Fault {
  int thread = -1;
  long allocation = -1;
  int first_missing_thread = -1;
  long write = -1;

  Fault() {
    if (const char* text = std::getenv("SNELLEN_FAIL_ALLOCATION"))
      (void)std::sscanf(text, "%d:%ld", &thread, &allocation);
    if (const char* text = std::getenv("SNELLEN_FAIL_THREAD"))
      first_missing_thread = std::atoi(text);
    if (const char* text = std::getenv("SNELLEN_FAIL_WRITE")) write = std::atol(text);
  }
  ~Fault() {
    const char* path = std::getenv("SNELLEN_ALLOCATIONS");
    if (!path) return;
    const int file = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    for (int i = 0; file >= 0 && i <= num_threads && i < kMostThreads; ++i)
      ::dprintf(file, "%d %ld\n", i, num_allocations[static_cast<size_t>(i)].load());
    if (file >= 0) ::dprintf(file, "writes %ld\n", num_writes.load());
    if (file >= 0) ::close(file);
  }
};

const Fault& fault() {
  static const Fault kFault;
  return kFault;
}

struct Start {
  void* (*function)(void*);
  void* argument;
  int number;
};

void* begin(void* given) {
  const Start start = *static_cast<Start*>(given);
  std::free(given);
  this_thread = start.number;
  return start.function(start.argument);
}

// True for the write that is to fail.
bool fails_now() {
  if (++num_writes != fault().write) return false;
  errno = EIO;
  return true;
}

bool is_plain_file(int descriptor) {
  struct stat status {};
  return descriptor > 2 && ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

// The function of this name that the program would have called.
template <typename Function>
Function* next_of(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

void* allocate(size_t size) {
  const int thread = this_thread;
  if (thread < kMostThreads) {
    const long number = ++num_allocations[static_cast<size_t>(thread)];
    if (thread == fault().thread && number == fault().allocation) throw std::bad_alloc();
  }
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(size_t size) {
  return allocate(size);
}
void* operator new[](size_t size) {
  return allocate(size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, size_t) noexcept {
  std::free(memory);
}

extern "C" int pthread_create(pthread_t* thread,
                              const pthread_attr_t* attributes,
                              void* (*function)(void*),
                              void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto kCreate = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
  const int number = ++num_threads;
  if (fault().first_missing_thread > 0 && number >= fault().first_missing_thread) return EAGAIN;
  auto* start = static_cast<Start*>(std::malloc(sizeof(Start)));
  if (!start) return EAGAIN;
  *start = {function, argument, number};
  return kCreate(thread, attributes, begin, start);
}

extern "C" ssize_t write(int descriptor, const void* bytes, size_t count) {
  static const auto kNext = next_of<ssize_t(int, const void*, size_t)>("write");
  return is_plain_file(descriptor) && fails_now() ? -1 : kNext(descriptor, bytes, count);
}

extern "C" ssize_t pwrite64(int descriptor, const void* bytes, size_t count, off64_t offset) {
  static const auto kNext = next_of<ssize_t(int, const void*, size_t, off64_t)>("pwrite64");
  return is_plain_file(descriptor) && fails_now() ? -1 : kNext(descriptor, bytes, count, offset);
}

extern "C" ssize_t pwrite(int descriptor, const void* bytes, size_t count, off_t offset) {
  static const auto kNext = next_of<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  return is_plain_file(descriptor) && fails_now() ? -1 : kNext(descriptor, bytes, count, offset);
}

extern "C" int fsync(int descriptor) {
  static const auto kNext = next_of<int(int)>("fsync");
  return is_plain_file(descriptor) && fails_now() ? -1 : kNext(descriptor);
}

extern "C" int rename(const char* from, const char* to) {
  static const auto kNext = next_of<int(const char*, const char*)>("rename");
  return fails_now() ? -1 : kNext(from, to);
}

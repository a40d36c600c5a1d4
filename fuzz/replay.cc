// SPDX-License-Identifier: Apache-2.0
// Feeds every file of the folders named on the command line to a fuzz target, once.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

// What is deep or long: no stack may overflow and no time may be quadratic. `./dev fuzz` gives
// libFuzzer the same.
std::vector<std::string> large_inputs() {
  constexpr size_t kBytes = 200'000;
  auto repeated = [](std::string start, const std::string& part) {
    while (start.size() < kBytes) start += part;
    return start;
  };
  return {repeated("", "["),
          repeated("", "{\"a\":"),
          repeated("{\"identity\":", "["),
          repeated("{\"settings\":{\"tasks\":", "["),
          repeated("[", "[],"),
          repeated("", "\n"),
          repeated("a", ",\"x\"\n"),
          std::string(kBytes, '\0'),
          std::string(kBytes, '\xff')};
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> files;
  for (int i = 1; i < argc; ++i) {
    for (const auto& entry : std::filesystem::directory_iterator(argv[i]))
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& path : files) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  }
  for (const std::string& bytes : large_inputs())
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  std::printf("%zu inputs replayed\n", files.size());
  return files.empty() ? 1 : 0;
}

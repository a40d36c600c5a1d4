// SPDX-License-Identifier: Apache-2.0
// What names the classes of pictures: a list of right classes, a mapping of numbers, a table of
// classes, and templates.
#include "fuzz/fuzz_file.h"
#include "snellen/tasks/zeroshot/set.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  namespace fs = std::filesystem;
  if (size == 0) return 0;
  static const fs::path kFolder = [] {
    const fs::path path =
        fs::temp_directory_path() / ("snellen_fuzz_zeroshot_" + std::to_string(getpid()));
    for (const char* name : {"flat", "n01", "n02"}) fs::create_directories(path / name);
    for (const char* name : {"flat/a.jpg", "flat/b.jpg", "n01/a.jpg", "n02/b.jpg"})
      std::ofstream(path / name) << "x";
    std::ofstream(path / "truth.txt") << "1\n2\n";
    std::ofstream(path / "mapping.txt") << "1 n01\n2 n02\n";
    std::ofstream(path / "classes.csv") << "folder,class\nn01,cat\nn02,dog\n";
    return path;
  }();
  const fuzz::FuzzFile file(data + 1, size - 1);
  const fs::path truth = data[0] % 4 == 0 ? file.path() : kFolder / "truth.txt";
  const fs::path mapping = data[0] % 4 == 1 ? file.path() : kFolder / "mapping.txt";
  const fs::path classes = data[0] % 4 == 2 ? file.path() : kFolder / "classes.csv";
  fuzz::try_reading([&] {
    const tasks::ZeroshotSet set = tasks::zeroshot_flat(kFolder / "flat", truth, mapping, classes);
    for (const tasks::ZeroshotPicture& picture : set.pictures)
      for (uint32_t right : picture.right)
        if (right >= set.classes.size()) std::abort();
  });
  if (data[0] % 4 == 2)
    fuzz::try_reading([&] { (void)tasks::zeroshot_folders(kFolder, file.path()); });
  if (data[0] % 4 == 3) {
    fuzz::try_reading([&] { (void)tasks::read_templates(file.path()); });
    fuzz::try_reading([&] {
      (void)tasks::zeroshot_instances(file.path(), kFolder, tasks::RightClass::kLargest);
    });
  }
  return 0;
}

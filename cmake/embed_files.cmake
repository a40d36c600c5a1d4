# cmake -DNAME=.. -DBASE=.. -DFILES=a;b -DOUT=x.cc -P embed_files.cmake; a folder stands for all files in it.
set(paths "")
foreach(file IN LISTS FILES)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${BASE})
  if(IS_DIRECTORY ${file})
    file(GLOB_RECURSE found ${file}/*)
    list(APPEND paths ${found})
  else()
    list(APPEND paths ${file})
  endif()
endforeach()
list(SORT paths)
set(arrays "")
set(entries "")
set(number 0)
foreach(path IN LISTS paths)
  file(READ ${path} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${BASE} OUTPUT_VARIABLE name)
  file(SIZE ${path} size)
  string(APPEND arrays "const unsigned char kFile${number}[] = {${bytes}0};\n")
  string(APPEND entries "    {\"${name}\", {reinterpret_cast<const char*>(kFile${number}), ${size}}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "// Written by cmake/embed_files.cmake.
#include \"snellen/base/embedded_file.h\"
namespace snellen {
namespace {
${arrays}const EmbeddedFile kFiles[] = {
${entries}};
}  // namespace
std::span<const EmbeddedFile> embedded_${NAME}();
std::span<const EmbeddedFile> embedded_${NAME}() {
  return kFiles;
}
}  // namespace snellen
")

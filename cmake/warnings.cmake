add_library(snellen_warnings INTERFACE)
target_compile_options(snellen_warnings INTERFACE -Wall -Wextra -Wconversion -Wshadow)
# GCC 12 sees overlaps in std::string operator+ that are not there (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(snellen_warnings INTERFACE -Wno-restrict)
endif()
if(SNELLEN_WERROR)
  target_compile_options(snellen_warnings INTERFACE -Werror)
endif()

# Everything comes from Debian 12's packages (./dev setup installs them); torch comes from its wheel.
include(${CMAKE_CURRENT_LIST_DIR}/packages.cmake)
find_package(CLI11 2.1 REQUIRED)
find_path(SNELLEN_XXHASH xxhash.h REQUIRED)  # used as a header alone
if(SNELLEN_TESTS)
  find_package(GTest 1.12 REQUIRED)
endif()

find_program(SNELLEN_CCACHE ccache)
if(SNELLEN_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${SNELLEN_CCACHE})
endif()
find_program(SNELLEN_MOLD mold)
if(SNELLEN_MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_link_options(-fuse-ld=mold)
endif()

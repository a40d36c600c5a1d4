# The library as an installed tree: cmake --install build/release --prefix DIR, then find_package(Snellen) with DIR in
# CMAKE_PREFIX_PATH. Snellen::Snellen is all rooms, Snellen::<room> one with what it needs. Torch is behind the module
# lib/libsnellen_networks.so, which finds it where SNELLEN_TORCH_DIR was when Snellen was built.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(rooms GLOBAL PROPERTY snellen_rooms)
add_library(snellen_all INTERFACE)
set_target_properties(snellen_all PROPERTIES EXPORT_NAME Snellen)
target_link_libraries(snellen_all INTERFACE ${rooms})
target_compile_features(snellen_all INTERFACE cxx_std_20)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Snellen)
install(TARGETS snellen_all ${rooms} snellen_warnings snellen_sanitizers EXPORT SnellenTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT SnellenTargets NAMESPACE Snellen:: DESTINATION ${package_folder})
configure_package_config_file(cmake/SnellenConfig.cmake.in ${CMAKE_BINARY_DIR}/SnellenConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/SnellenConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/packages.cmake ${CMAKE_BINARY_DIR}/SnellenConfig.cmake ${CMAKE_BINARY_DIR}/SnellenConfigVersion.cmake
  DESTINATION ${package_folder})
install(DIRECTORY snellen DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "snellen/testing" EXCLUDE)

# The program finds the module in lib, data and models in share, beside its own folder.
install(TARGETS snellen RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(SNELLEN_TORCH)
  set_target_properties(snellen_networks_module PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS snellen_networks_module LIBRARY DESTINATION lib)
endif()
install(DIRECTORY models examples/demo DESTINATION ${CMAKE_INSTALL_DATADIR}/snellen)

# Compiles .cu files into objects of `target` where torch is built for CUDA and there is an nvcc, and adds WITH;
# otherwise WITHOUT, the file that stands in. Called where the target is made: CMake ties generated files to that folder.
function(snellen_cuda_kernels target)
  cmake_parse_arguments(arg "" "WITHOUT" "SOURCES;WITH" ${ARGN})
  if(SNELLEN_TORCH_CUDA AND SNELLEN_CUDA_KERNELS)
    find_program(SNELLEN_NVCC nvcc HINTS /usr/local/cuda/bin)
    if(NOT SNELLEN_NVCC)
      message(STATUS "no nvcc: CUDA without own kernels")
    endif()
  endif()
  if(NOT SNELLEN_NVCC)
    target_sources(${target} PRIVATE ${arg_WITHOUT})
    return()
  endif()
  target_sources(${target} PRIVATE ${arg_WITH})
  foreach(source ${arg_SOURCES})
    get_filename_component(name ${source} NAME_WE)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}_cuda.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${SNELLEN_NVCC} -O3 -std=c++17 -gencode arch=compute_90,code=sm_90 -gencode arch=compute_80,code=compute_80
              -I${PROJECT_SOURCE_DIR} -Xcompiler -fPIC -c ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${object}
      DEPENDS ${source} VERBATIM)
    target_sources(${target} PRIVATE ${object})
    set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  endforeach()
endfunction()

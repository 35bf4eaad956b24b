# One static library per room. xrunlab_module(NAME DEPS rooms… LIBS private third-party targets…) builds src/NAME/*.cpp
# into xrunlab_NAME; only what DEPS names can be included and linked, so a wrong include fails.

add_library(xrunlab_flags INTERFACE)
target_compile_features(xrunlab_flags INTERFACE cxx_std_20)
target_compile_options(xrunlab_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wno-missing-field-initializers -Werror=return-type)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # it collects its garbage from half a GiB on, not from an eighth: a tenth of its time
  target_compile_options(xrunlab_flags INTERFACE "SHELL:--param ggc-min-heapsize=524288")
endif()
if(XRUNLAB_SANITIZE)
  target_compile_options(xrunlab_flags INTERFACE -fsanitize=${XRUNLAB_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(xrunlab_flags INTERFACE -fsanitize=${XRUNLAB_SANITIZE})
endif()

# With GCC the units of the rooms take the larger headers of the standard library out of one precompiled header, made by the
# first of them. What a file uses it includes nevertheless: the preset dev builds without.
function(xrunlab_precompiled_standard target)
  if(NOT CMAKE_UNITY_BUILD OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  target_compile_options(${target} PRIVATE -fpch-preprocess)
  get_property(maker GLOBAL PROPERTY XRUNLAB_PRECOMPILED_BY)
  if(maker)
    target_precompile_headers(${target} REUSE_FROM ${maker})
    return()
  endif()
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <atomic> <chrono> <filesystem> <fstream> <functional> <map>
    <memory> <optional> <set> <span> <sstream> <string> <string_view> <thread> <variant> <vector>)
  set_property(GLOBAL PROPERTY XRUNLAB_PRECOMPILED_BY ${target})
endfunction()

function(xrunlab_module name)
  cmake_parse_arguments(ARG "" "" "DEPS;LIBS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/${name}/*.cpp")
  if(NOT sources)
    return()
  endif()
  add_library(xrunlab_${name} STATIC ${sources})
  target_include_directories(xrunlab_${name} PUBLIC "${CMAKE_SOURCE_DIR}/include")
  list(TRANSFORM ARG_DEPS PREPEND xrunlab_)
  foreach(room IN LISTS ARG_DEPS)
    if(NOT TARGET ${room})
      list(REMOVE_ITEM ARG_DEPS ${room})
    endif()
  endforeach()
  target_link_libraries(xrunlab_${name} PUBLIC xrunlab_flags ${ARG_DEPS} PRIVATE ${ARG_LIBS})
  xrunlab_precompiled_standard(xrunlab_${name})
endfunction()

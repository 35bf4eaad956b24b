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
endfunction()

# xrunlab_precompiled_standard(ROOM ROOMS…): with GCC, where a preset asks for units of many sources, these take the larger
# headers of the standard library out of one precompiled header. What a file uses it includes nevertheless: the preset dev
# builds without. For rooms with the same options only: behind "#pragma GCC target" GCC 12 falls back to those that the
# header was made with, and forgets -ffp-contract=off.
function(xrunlab_precompiled_standard maker)
  if(NOT CMAKE_UNITY_BUILD OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  target_precompile_headers(xrunlab_${maker} PRIVATE <algorithm> <array> <atomic> <chrono> <filesystem> <fstream> <functional>
    <map> <memory> <optional> <set> <span> <sstream> <string> <string_view> <thread> <variant> <vector>)
  foreach(room IN ITEMS ${maker} ${ARGN})
    target_compile_options(xrunlab_${room} PRIVATE -fpch-preprocess)
    if(NOT room STREQUAL maker)
      target_precompile_headers(xrunlab_${room} REUSE_FROM xrunlab_${maker})
    endif()
  endforeach()
endfunction()

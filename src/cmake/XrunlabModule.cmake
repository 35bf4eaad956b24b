# One static library per room. xrunlab_module(NAME DEPS rooms… LIBS private third-party targets…) builds src/NAME/*.cpp
# into xrunlab_NAME; only what DEPS names can be included and linked, so a wrong include fails.

add_library(xrunlab_flags INTERFACE)
target_compile_features(xrunlab_flags INTERFACE cxx_std_20)
target_compile_options(xrunlab_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wno-missing-field-initializers -Werror=return-type)
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

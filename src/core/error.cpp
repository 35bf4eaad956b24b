#include "xrunlab/core/error.hpp"

#include <cstring>

namespace xrunlab {

std::string errno_text(int error_number) {
  const char* text = strerrordesc_np(error_number);
  return text != nullptr ? text : "error " + std::to_string(error_number);
}

}  // namespace xrunlab

#include "xrunlab/model/imported.hpp"

#include "xrunlab/model/run.hpp"

namespace xrunlab {

bool is_stated(const RunData& run, std::string_view path) {
  return !run.imported || run.imported->stated.contains(path);
}

}  // namespace xrunlab

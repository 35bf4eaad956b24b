#include <cstdarg>
#include <cstdio>
#include <string>

#include "alsa_negotiate.hpp"

namespace xrunlab {
namespace {

// alsa-lib's handler has no argument of its own; set-up is one thread.
thread_local std::string* collector = nullptr;

__attribute__((format(printf, 5, 6))) void collect(const char*, int, const char*, int, const char* format,
                                                   ...) {
  if (collector == nullptr) return;
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  *collector = text;
  while (!collector->empty() && collector->back() == '\n') collector->pop_back();
}

}  // namespace

AlsaNoise::AlsaNoise() : outer_(collector) {
  collector = &text_;
  snd_lib_error_set_handler(&collect);
}

AlsaNoise::~AlsaNoise() {
  collector = outer_;
}

std::string AlsaNoise::remark() const {
  return text_.empty() ? std::string() : " (alsa-lib: " + text_ + ")";
}

}  // namespace xrunlab

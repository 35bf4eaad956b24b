#include "xrunlab/platform/gzip_text.hpp"

#include <zlib.h>

#include <memory>

namespace xrunlab {
namespace {

constexpr int kGzipFrame = 16 + MAX_WBITS;

}  // namespace

std::optional<std::string> gunzip(std::string_view packed, std::size_t most) {
  z_stream stream{};
  if (::inflateInit2(&stream, kGzipFrame) != Z_OK) return std::nullopt;
  const std::unique_ptr<z_stream, int (*)(z_stream*)> ended(&stream, ::inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // zlib only reads it
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string text(most, '\0');
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(most);
  if (::inflate(&stream, Z_FINISH) != Z_STREAM_END) return std::nullopt;
  text.resize(stream.total_out);
  return text;
}

}  // namespace xrunlab

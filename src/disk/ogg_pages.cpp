#include "xrunlab/disk/ogg_pages.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace xrunlab {
namespace {

constexpr Bytes kPageHeaderBytes = 27;
constexpr Bytes kLongestPage = 64 * 1024;  // 65,307 bytes
constexpr unsigned kBeginsStream = 2;
constexpr unsigned kEndsStream = 4;

struct Page {
  Bytes end = 0;  ///< behind the end of the file when the page is cut
  unsigned flags = 0;
  std::uint32_t serial = 0;
  std::uint32_t sequence = 0;
};

std::optional<Page> page_at(BoundedReader& reader, Bytes offset) {
  if (!reader.holds(offset, kPageHeaderBytes) || reader.four_characters(offset) != "OggS")
    return std::nullopt;
  const unsigned flags = reader.u8(offset + 5);
  if (reader.u8(offset + 4) != 0 || flags > (kBeginsStream | kEndsStream | 1U)) return std::nullopt;
  const Bytes segments = reader.u8(offset + 26);
  Page page{offset + kPageHeaderBytes + segments, flags, reader.u32(offset + 14, ByteOrder::little),
            reader.u32(offset + 18, ByteOrder::little)};
  for (Bytes at = offset + kPageHeaderBytes; at < offset + kPageHeaderBytes + segments; ++at) {
    page.end += reader.holds(at, 1) ? reader.u8(at) : 1;
  }
  return page;
}

/// The longest page's worth of bytes from `offset`, or what is left.
std::string bytes_from(BoundedReader& reader, Bytes offset) {
  std::string bytes(static_cast<std::size_t>(std::min(kLongestPage, reader.left_from(offset))), '\0');
  const auto whole = std::as_writable_bytes(std::span(bytes));
  for (std::size_t done = 0; done < whole.size(); done += static_cast<std::size_t>(kPageBytes)) {
    const std::size_t step = std::min(static_cast<std::size_t>(kPageBytes), whole.size() - done);
    reader.read(offset + static_cast<Bytes>(done), whole.subspan(done, step));
  }
  return bytes;
}

std::optional<Page> last_page(BoundedReader& reader) {
  const Bytes start = std::max<Bytes>(0, reader.size() - kLongestPage);
  const std::string bytes = bytes_from(reader, start);
  for (auto at = bytes.rfind("OggS"); at != std::string::npos;
       at = at == 0 ? at - 1 : bytes.rfind("OggS", at - 1)) {
    if (const auto page = page_at(reader, start + static_cast<Bytes>(at))) return page;
  }
  return std::nullopt;
}

std::optional<Page> next_page(BoundedReader& reader, Bytes offset) {
  if (const auto page = page_at(reader, offset)) return page;
  const std::string bytes = bytes_from(reader, offset);
  for (auto at = bytes.find("OggS"); at != std::string::npos; at = bytes.find("OggS", at + 1)) {
    if (const auto page = page_at(reader, offset + static_cast<Bytes>(at))) return page;
  }
  return std::nullopt;
}

/// Serial numbers of the streams that begin together at the start of the file: more than one beside a video.
std::vector<std::uint32_t> first_streams(BoundedReader& reader) {
  constexpr std::size_t kMostStreams = 64;
  std::vector<std::uint32_t> serials;
  for (auto page = page_at(reader, 0);
       page && (page->flags & kBeginsStream) != 0 && serials.size() < kMostStreams;
       page = page_at(reader, page->end)) {
    serials.push_back(page->serial);
  }
  return serials;
}

/// Follows the page numbers of the first stream through the file.
class PageOrder {
 public:
  explicit PageOrder(std::vector<std::uint32_t> serials) : serials_(std::move(serials)) {}

  bool chained() const noexcept { return chained_; }
  bool alone() const noexcept { return serials_.size() == 1; }
  std::optional<std::uint32_t> last() const noexcept { return last_; }

  void see(const Page& page) {
    const bool known = std::find(serials_.begin(), serials_.end(), page.serial) != serials_.end();
    const bool starts_again = alone() && last_ && page.sequence < *last_;
    if (!known || starts_again) chained_ = true;
    last_ = page.sequence;
  }

 private:
  std::vector<std::uint32_t> serials_;
  std::optional<std::uint32_t> last_;
  bool chained_ = false;
};

/// A short file page by page; returns the number of pages that are missing.
std::uint32_t walk(BoundedReader& reader, PageOrder& order) {
  std::uint32_t missing = 0;
  Bytes offset = 0;
  while (const auto page = next_page(reader, offset)) {
    const auto before = order.last();
    order.see(*page);
    if (order.chained()) break;
    if (order.alone() && before && page->sequence > *before + 1) missing += page->sequence - *before - 1;
    offset = page->end;
  }
  return missing;
}

void probe(BoundedReader& reader, PageOrder& order) {
  constexpr Bytes kProbes = 8;
  for (Bytes index = 1; index < kProbes && !order.chained(); ++index) {
    if (const auto page = next_page(reader, reader.size() / kProbes * index)) order.see(*page);
  }
}

}  // namespace

bool is_flac_in_ogg(BoundedReader& reader) {
  const auto first = page_at(reader, 0);
  if (!first) return false;
  const Bytes packet = kPageHeaderBytes + reader.u8(kPageHeaderBytes - 1);
  constexpr Bytes kName = 5;  // 7f "FLAC"; without that byte the mapping of FLAC 1.1.0
  if (!reader.holds(packet, kName)) return false;
  return reader.four_characters(packet + 1) == "FLAC" || reader.four_characters(packet) == "fLaC";
}

void warn_of_odd_pages(BoundedReader& reader, AudioFile& file) {
  PageOrder order(first_streams(reader));
  const bool is_short = reader.size() <= kLongestPage;
  std::uint32_t missing = 0;
  if (is_short) {
    missing = walk(reader, order);
  } else {
    probe(reader, order);
  }
  const auto last = last_page(reader);
  if (last && !is_short && !order.chained()) order.see(*last);
  if (order.chained()) {
    const std::string frames = file.frames_known ? " (" + std::to_string(file.frames) + " frames)" : "";
    file.warnings.push_back("chained: only the first stream" + frames + " is played");
    return;
  }
  if (missing > 0) {
    file.warnings.push_back("damaged: " + std::to_string(missing) +
                            (missing == 1 ? " page is" : " pages are") + " missing");
  }
  const bool complete = last && (last->flags & kEndsStream) != 0 && last->end <= reader.size();
  if (complete) return;
  file.short_input = true;
  file.warnings.push_back("ended early: no end-of-stream page");
}

}  // namespace xrunlab

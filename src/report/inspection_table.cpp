#include "xrunlab/report/inspection_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "xrunlab/core/figures.hpp"
#include "xrunlab/core/units.hpp"
#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {
namespace {

constexpr std::size_t kColumns = 9;
constexpr std::size_t kTextColumns = 3;  // these stand to the left, figures to the right
constexpr std::size_t kName = 0;
constexpr std::size_t kShortestName = 16;  // a longer name may be given a line of its own
constexpr std::string_view kGap = "  ";

using FileRow = std::array<std::string, kColumns>;
using Widths = std::array<std::size_t, kColumns>;

std::string file_length_text(const FileInspection& file) {
  if (!file.frames_known || file.rate_hz <= 0) return "-";
  const Int128 ns = Int128{file.frames} * kNsPerSecond / file.rate_hz;
  return short_duration(static_cast<std::int64_t>(std::min(ns, Int128{INT64_MAX})));
}

/// Of a file whose header was refused only the name is known.
bool is_known(const FileInspection& file) {
  return !file.format.empty();
}

FileRow file_row(const FileInspection& file) {
  if (!is_known(file)) return {file.name};
  return {file.name,
          printable(file.container),
          printable(file.format),
          file.valid_bits > 0 ? std::to_string(file.valid_bits) : "-",
          fmt::format("{} Hz", file.rate_hz),
          std::to_string(file.channels),
          file.frames_known ? std::to_string(file.frames) : "unknown",
          file_length_text(file),
          file.data_offset > 0 ? fmt::format("{} B", file.data_offset) : "-"};
}

Widths widths_of(const std::vector<FileRow>& rows) {
  Widths widths{};
  for (const FileRow& row : rows) {
    for (std::size_t column = 0; column < kColumns; ++column) {
      widths[column] = std::max(widths[column], display_columns(row[column]));
    }
  }
  std::size_t others = 0;
  for (std::size_t column = kName + 1; column < kColumns; ++column) others += widths[column] + kGap.size();
  const std::size_t room = others < kReportColumns ? kReportColumns - others : 0;
  widths[kName] = std::min(widths[kName], std::max(room, kShortestName));
  return widths;
}

std::string file_line(const FileRow& row, const Widths& widths) {
  std::string line;
  for (std::size_t column = 0; column < kColumns; ++column) {
    const std::size_t taken = display_columns(row[column]);
    if (column == kName && taken > widths[column]) {
      line += row[column] + "\n" + std::string(widths[column], ' ');
      continue;
    }
    const std::string blanks(widths[column] - taken, ' ');
    if (column > 0) line += kGap;
    line += column < kTextColumns ? row[column] + blanks : blanks + row[column];
  }
  line.resize(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string scan_text(const FileScan& scan) {
  return counted(scan.frames, "frame") + " read, peak " +
         (scan.peak_dbfs ? fixed(*scan.peak_dbfs, 2) + " dBFS" : "none (silence)") + ", " +
         counted(scan.clipped_samples, "sample") + " clipped";
}

std::string extents_text(const FileInspection& file) {
  if (!file.extents) return "extents not known: this file system has no FIEMAP";
  return counted(file.extents->count, "extent") + ", " + binary_bytes(file.extents->median_bytes) +
         (file.extents->count > 1 ? " long (median)" : " long");
}

std::string detail_lines(const FileInspection& file, InspectionParts parts) {
  std::string lines;
  if (!file.playable) lines += "  not playable\n";
  if (file.scan) lines += labelled("", 2, scan_text(*file.scan));
  if (parts.extents && is_known(file)) lines += labelled("", 2, extents_text(file));
  return lines;
}

std::string summary_line(const std::vector<FileInspection>& files) {
  const auto playable =
      std::count_if(files.begin(), files.end(), [](const auto& file) { return file.playable; });
  const auto warned = std::count_if(files.begin(), files.end(),
                                    [](const auto& file) { return file.playable && !file.warnings.empty(); });
  std::string text =
      fmt::format("{}, {} playable", counted(static_cast<std::int64_t>(files.size()), "file"), playable);
  if (warned > 0) text += fmt::format(" ({} with warnings)", warned);
  return text + "\n";
}

}  // namespace

std::string inspection_table(const std::vector<FileInspection>& files, InspectionParts parts) {
  std::vector<FileRow> rows{{"file", "type", "format", "bits", "rate", "ch", "frames", "length", "offset"}};
  for (const auto& file : files) rows.push_back(file_row(file));
  const Widths widths = widths_of(rows);
  std::string text = file_line(rows.front(), widths);
  for (std::size_t index = 0; index < files.size(); ++index) {
    text += file_line(rows[index + 1], widths) + detail_lines(files[index], parts);
  }
  return text + summary_line(files);
}

}  // namespace xrunlab

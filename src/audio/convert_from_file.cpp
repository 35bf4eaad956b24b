// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
// to_float and to_int32. Every integer format is first brought to left-justified 32 bits, a
// vector at a time.
#include "audio/sample_codec.hpp"
#include "xrunlab/audio/convert.hpp"

// clang-format off: foreach_target.h includes this file once per target and must come before highway.h
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "audio/convert_from_file.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace xrunlab::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
using Floats = hn::ScalableTag<float>;
using Ints = hn::RebindToSigned<Floats>;
using Words = hn::RebindToUnsigned<Floats>;
using IntVector = hn::Vec<Ints>;

const std::uint8_t* octets(const std::byte* at) {
  return reinterpret_cast<const std::uint8_t*>(at);
}

/// Lanes 0 1 2 – 3 4 5 – …: each 128-bit block gets its own three 32-bit words, that is four packed samples.
HWY_INLINE hn::Vec<Words> spread(hn::Vec<Words> words) {
  const Words d;
  if (hn::Lanes(d) == 4) return words;
  const auto lane = hn::Iota(d, 0);
  return hn::TableLookupLanes(words, hn::IndicesFromVec(d, hn::Sub(lane, hn::ShiftRight<2>(lane))));
}

/// Reads a vector's worth of samples; of packed 24-bit samples a third more than it uses.
template <SampleFormat format>
HWY_INLINE IntVector load(const std::byte* in) {
  const Ints d;
  const hn::Repartition<std::uint8_t, Ints> bytes;
  if constexpr (codec::packed_24(format)) {
    constexpr std::uint8_t kZero = 0x80;
    alignas(16) static constexpr std::uint8_t kLittle[16] = {kZero, 0, 1, 2, kZero, 3, 4,  5,
                                                             kZero, 6, 7, 8, kZero, 9, 10, 11};
    alignas(16) static constexpr std::uint8_t kBig[16] = {kZero, 2, 1, 0, kZero, 5,  4,  3,
                                                          kZero, 8, 7, 6, kZero, 11, 10, 9};
    const auto order = hn::LoadDup128(bytes, codec::big_endian(format) ? kBig : kLittle);
    const auto blocks = spread(hn::BitCast(Words(), hn::LoadU(bytes, octets(in))));
    return hn::BitCast(d, hn::TableLookupBytesOr0(hn::BitCast(bytes, blocks), order));
  } else if constexpr (codec::byte_count(format) == 1) {
    const hn::Rebind<std::uint8_t, Ints> narrow;
    const auto wide = hn::ShiftLeft<24>(hn::PromoteTo(d, hn::LoadU(narrow, octets(in))));
    if constexpr (format == SampleFormat::s8) return wide;
    return hn::Xor(wide, hn::Set(d, INT32_MIN));
  } else if constexpr (codec::byte_count(format) == 2) {
    const hn::Rebind<std::uint16_t, Ints> narrow;
    const hn::Repartition<std::uint8_t, decltype(narrow)> narrow_bytes;
    const auto half = hn::BitCast(narrow, hn::LoadU(narrow_bytes, octets(in)));
    const auto wide = hn::PromoteTo(Words(), half);
    if constexpr (!codec::big_endian(format)) return hn::BitCast(d, hn::ShiftLeft<16>(wide));
    const auto swapped = hn::Or(hn::ShiftLeft<24>(wide), hn::ShiftLeft<16>(hn::ShiftRight<8>(wide)));
    return hn::BitCast(d, swapped);
  } else {
    const auto whole = hn::LoadU(bytes, octets(in));
    if constexpr (format == SampleFormat::s24_le) return hn::ShiftLeft<8>(hn::BitCast(d, whole));
    if constexpr (!codec::big_endian(format)) return hn::BitCast(d, whole);
    alignas(16) static constexpr std::uint8_t kSwap[16] = {3,  2,  1, 0, 7,  6,  5,  4,
                                                           11, 10, 9, 8, 15, 14, 13, 12};
    return hn::BitCast(d, hn::TableLookupBytes(whole, hn::LoadDup128(bytes, kSwap)));
  }
}

template <SampleFormat format>
HWY_INLINE void store(IntVector samples, std::int32_t* out) {
  hn::StoreU(samples, Ints(), out);
}

template <SampleFormat format>
HWY_INLINE void store(IntVector samples, float* out) {
  const Floats d;
  if constexpr (codec::real(format)) {
    hn::StoreU(hn::BitCast(d, samples), d, out);
  } else {
    const auto scale = hn::Set(d, static_cast<float>(1 / codec::kInt32Scale));
    hn::StoreU(hn::Mul(hn::ConvertTo(d, samples), scale), d, out);
  }
}
#endif

template <SampleFormat format>
HWY_INLINE void read(const std::byte* in, float* out) {
  *out = codec::read_float<format>(in);
}
template <SampleFormat format>
HWY_INLINE void read(const std::byte* in, std::int32_t* out) {
  *out = codec::read_int32<format>(in);
}

/// What needs arithmetic on doubles is left to the plain loop.
template <SampleFormat format, class Out>
constexpr bool kVectorised =
    !codec::real(format) || (codec::byte_count(format) == 4 && std::is_same_v<Out, float>);

/// 1 for a sample that the integers cannot hold.
template <SampleFormat format, class Out>
HWY_INLINE std::size_t beyond_full_scale(const std::byte* in) {
  if constexpr (!codec::real(format) || std::is_same_v<Out, float>) return 0;
  const auto value = codec::read_real<format>(in);
  return value > 1 || value < -1 ? 1 : 0;
}

template <SampleFormat format, class Out>
std::size_t convert(const std::byte* in, std::size_t samples, Out* out) {
  constexpr std::size_t kBytes = codec::byte_count(format);
  std::size_t index = 0;
  std::size_t beyond = 0;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (kVectorised<format, Out>) {
    const std::size_t lanes = hn::Lanes(Ints());
    const std::size_t end = codec::vector_share(format, samples, lanes);
    for (; index < end; index += lanes) {
      store<format>(load<format>(in + index * kBytes), out + index);
    }
  }
#endif
  for (; index < samples; ++index) {
    read<format>(in + index * kBytes, out + index);
    beyond += beyond_full_scale<format, Out>(in + index * kBytes);
  }
  return beyond;
}

template <class Out>
std::size_t convert_any(SampleFormat from, const std::byte* in, std::size_t samples, Out* out) {
  return codec::with_format(from, [=](auto format) { return convert<format()>(in, samples, out); });
}

}  // namespace

void to_float_on_target(SampleFormat from, const std::byte* in, std::size_t samples, float* out) {
  convert_any(from, in, samples, out);
}
std::size_t to_int32_on_target(SampleFormat from, const std::byte* in, std::size_t samples,
                               std::int32_t* out) {
  return convert_any(from, in, samples, out);
}

}  // namespace xrunlab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace xrunlab {
namespace {
HWY_EXPORT(to_float_on_target);
HWY_EXPORT(to_int32_on_target);
}  // namespace

const char* conversion_target() noexcept {
  auto& chosen = hwy::GetChosenTarget();
  if (!chosen.IsInitialized()) chosen.Update(hwy::SupportedTargets());
  const std::int64_t best = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(best & -best);  // the lower the bit, the better the target
}

void to_float(SampleFormat from, const std::byte* in, std::size_t samples, float* out) noexcept {
  HWY_DYNAMIC_DISPATCH(to_float_on_target)(from, in, samples, out);
}

std::size_t to_int32(SampleFormat from, const std::byte* in, std::size_t samples,
                     std::int32_t* out) noexcept {
  return HWY_DYNAMIC_DISPATCH(to_int32_on_target)(from, in, samples, out);
}

}  // namespace xrunlab
#endif

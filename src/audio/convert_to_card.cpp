// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
// from_float and from_int32. The formats that cards have are written a vector at a time, the
// others singly.
#include "audio/sample_codec.hpp"
#include "xrunlab/audio/convert.hpp"

// clang-format off: foreach_target.h includes this file once per target and must come before highway.h
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "audio/convert_to_card.cpp"
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
using Octets = hn::Repartition<std::uint8_t, Ints>;

std::uint8_t* octets(std::byte* at) {
  return reinterpret_cast<std::uint8_t*>(at);
}

/// quantised() of every lane; `x` must not be NaN.
template <int bits>
HWY_INLINE IntVector quantised(hn::Vec<Floats> x) {
  const Floats d;
  constexpr auto kScale = static_cast<float>(std::int64_t{1} << (bits - 1));
  const auto scaled = hn::Mul(x, hn::Set(d, kScale));
  if constexpr (bits == 32) {
    // 2^31 - 1 is no float to clip to, and what NearestInt makes of 2^31 differs between targets.
    const auto clipped = hn::Min(hn::Max(scaled, hn::Set(d, -kScale)), hn::Set(d, 0x1.fffffep30F));
    const auto over = hn::RebindMask(Ints(), hn::Ge(scaled, hn::Set(d, kScale)));
    return hn::IfThenElse(over, hn::Set(Ints(), INT32_MAX), hn::NearestInt(clipped));
  } else {
    return hn::NearestInt(hn::Min(hn::Max(scaled, hn::Set(d, -kScale)), hn::Set(d, kScale - 1)));
  }
}

/// Drops the top byte of every lane and closes the gaps: 3/4 of the vector are samples, the rest is of no
/// value.
HWY_INLINE hn::Vec<Octets> packed(IntVector samples) {
  const Octets bytes;
  constexpr std::uint8_t kZero = 0x80;
  alignas(16) static constexpr std::uint8_t kOrder[16] = {0,  1,  2,  4,  5,     6,     8,     9,
                                                          10, 12, 13, 14, kZero, kZero, kZero, kZero};
  const auto blocks = hn::TableLookupBytesOr0(hn::BitCast(bytes, samples), hn::LoadDup128(bytes, kOrder));
  const Words d;
  const std::size_t lanes = hn::Lanes(d);
  if (lanes == 4) return blocks;
  const auto lane = hn::Iota(d, 0);
  const auto third =
      hn::ShiftRight<17>(hn::Mul(lane, hn::Set(d, 43691)));  // lane / 3: 43691 = ceil(2^17 / 3)
  const auto source = hn::Min(hn::Add(lane, third), hn::Set(d, static_cast<std::uint32_t>(lanes - 1)));
  const auto closed = hn::TableLookupLanes(hn::BitCast(d, blocks), hn::IndicesFromVec(d, source));
  return hn::BitCast(bytes, closed);
}

/// Writes a vector's worth of samples; of packed 24-bit samples a third more, which the next ones overwrite.
template <SampleFormat format>
HWY_INLINE void store(hn::Vec<Floats> x, std::byte* out) {
  if constexpr (codec::real(format)) {
    hn::StoreU(hn::BitCast(Octets(), x), Octets(), octets(out));
  } else if constexpr (codec::packed_24(format)) {
    hn::StoreU(packed(quantised<24>(x)), Octets(), octets(out));
  } else if constexpr (codec::byte_count(format) == 2) {
    const hn::Rebind<std::int16_t, Ints> narrow;
    const hn::Repartition<std::uint8_t, decltype(narrow)> bytes;
    hn::StoreU(hn::BitCast(bytes, hn::DemoteTo(narrow, quantised<16>(x))), bytes, octets(out));
  } else {
    constexpr int kBits = codec::bit_count(format);
    hn::StoreU(hn::BitCast(Octets(), quantised<kBits>(x)), Octets(), octets(out));
  }
}
#endif

template <SampleFormat format>
constexpr bool kVectorised =
    format == SampleFormat::s16_le || format == SampleFormat::s24_3le || format == SampleFormat::s24_le ||
    format == SampleFormat::s32_le || format == SampleFormat::f32_le;

template <SampleFormat format>
std::size_t convert(const float* in, std::size_t samples, std::byte* out) {
  constexpr std::size_t kBytes = codec::byte_count(format);
  std::size_t clipped = 0;
  std::size_t index = 0;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (kVectorised<format>) {
    const Floats d;
    const Ints di;
    const std::size_t lanes = hn::Lanes(d);
    const std::size_t end = codec::vector_share(format, samples, lanes);
    auto over = hn::Zero(di);
    for (; index < end; index += lanes) {
      const auto raw = hn::LoadU(d, in + index);
      const auto x = hn::IfThenElseZero(hn::Eq(raw, raw), raw);
      const auto beyond = hn::Gt(hn::Abs(x), hn::Set(d, 1.0F));
      over = hn::Sub(over, hn::BitCast(di, hn::VecFromMask(d, beyond)));
      store<format>(x, out + index * kBytes);
    }
    clipped = static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(di, over)));
  }
#endif
  for (; index < samples; ++index) {
    clipped += codec::over_full_scale(in[index]) ? 1U : 0U;
    codec::write_float<format>(in[index], out + index * kBytes);
  }
  return clipped;
}

}  // namespace

std::size_t from_float_on_target(SampleFormat to, const float* in, std::size_t samples, std::byte* out) {
  return codec::with_format(to, [=](auto format) { return convert<format()>(in, samples, out); });
}

}  // namespace xrunlab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace xrunlab {
namespace {
HWY_EXPORT(from_float_on_target);
}  // namespace

std::size_t from_float(SampleFormat to, const float* in, std::size_t samples, std::byte* out) noexcept {
  return HWY_DYNAMIC_DISPATCH(from_float_on_target)(to, in, samples, out);
}

void from_int32(SampleFormat to, const std::int32_t* in, std::size_t samples, std::byte* out) noexcept {
  codec::with_format(to, [=](auto format) {
    for (std::size_t index = 0; index < samples; ++index) {
      codec::write_int32<format()>(in[index], out + index * codec::byte_count(format()));
    }
  });
}

}  // namespace xrunlab
#endif

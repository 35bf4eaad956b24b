// Whether this is built with the address or the thread sanitizer: GCC and clang say it differently.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define XRUNLAB_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define XRUNLAB_SANITIZED 1
#endif
#endif
#ifndef XRUNLAB_SANITIZED
#define XRUNLAB_SANITIZED 0
#endif

#if defined(__SANITIZE_THREAD__)
#define XRUNLAB_THREAD_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define XRUNLAB_THREAD_SANITIZED 1
#endif
#endif
#ifndef XRUNLAB_THREAD_SANITIZED
#define XRUNLAB_THREAD_SANITIZED 0
#endif

/* SPDX-License-Identifier: MIT
 *
 * How many cases a test tries. What is true of random cases is shown by the whole sample, in a build without
 * sanitizers. Those look for faults of memory and of threads, which the same code shows in a part of it: they
 * make everything several times slower, and get less of it.
 */
#ifndef TESTS_SAMPLE_H
#define TESTS_SAMPLE_H

/* gcc and clang have different words for it. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#if !defined(IS_SANITIZED)
#define IS_SANITIZED 0
#endif

#define SAMPLE(whole, sanitized) (IS_SANITIZED ? (sanitized) : (whole))

#endif

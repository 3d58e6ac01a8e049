/* SPDX-License-Identifier: MIT
 *
 * How many cases a test tries. Statements about random cases are tested with the whole sample, in a build
 * without sanitizers. Sanitizers find faults of memory and of threads, which the same code shows in a part of
 * the sample: they make everything several times slower, so they get a smaller sample.
 */
#ifndef TESTS_SAMPLE_H
#define TESTS_SAMPLE_H

/* gcc and clang have different macros for it. */
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

/* SPDX-License-Identifier: MIT
 *
 * Lifelines between ranks, without MPI: which ranks are accepted, whose end is detected, and that no
 * descriptor stays open. The machine's interfaces are made up.
 */
#define _GNU_SOURCE /* IFF_UP */
#include "pool/lifeline.h"

#include "base/mem.h"
#include "outside_support.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

/* ---- the machine's interfaces ---- */

enum { INTERFACES_MAX = 24 };

static struct ifaddrs interfaces[INTERFACES_MAX];
static struct sockaddr_in addresses[INTERFACES_MAX];
static int interface_count, freed;

int getifaddrs(struct ifaddrs **out) {
    if (interface_count < 0)
        return -1;
    *out = interface_count > 0 ? interfaces : NULL;
    return 0;
}

void freeifaddrs(struct ifaddrs *list) {
    (void)list;
    freed++;
}

/* 127.0.1.1, 127.0.1.2, …: all of them are this machine. */
static void make_interfaces(int count) {
    interface_count = count;
    freed = 0;
    for (int i = 0; i < count; i++) {
        addresses[i] =
            (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000101U + (unsigned)i)};
        interfaces[i] = (struct ifaddrs){.ifa_next = i + 1 < count ? &interfaces[i + 1] : NULL,
                                         .ifa_flags = IFF_UP,
                                         .ifa_addr = (struct sockaddr *)&addresses[i]};
    }
}

/* ---- looking ---- */

static void nap(void) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Polls until that rank's end is detected; false after so many polls. */
static bool gets_cut(struct lifeline *line, int rank, int looks) {
    for (int i = 0; i < looks; i++) {
        lifeline_look(line);
        if (lifeline_is_cut(line, rank))
            return true;
        nap();
    }
    return false;
}

/* Where the bytes are in the text; -1: nowhere. */
static int place_of(const struct text *text, const void *bytes, size_t size) {
    for (size_t i = 0; i + size <= text->size; i++)
        if (memcmp(text->data + i, bytes, size) == 0)
            return (int)i;
    return -1;
}

static int place_of_address(const struct text *text, int index) {
    return place_of(text, &addresses[index].sin_addr, sizeof(struct in_addr));
}

/* ---- tests ---- */

static void all_addresses_are_named(void **state) {
    (void)state;
    struct text text = {0};
    const int before = outside_open_files();
    make_interfaces(5);
    interfaces[1].ifa_flags = 0;
    addresses[2].sin_family = AF_INET6;
    interfaces[3].ifa_addr = NULL;
    struct lifeline *hub = lifeline_listen(2, false, &text);
    assert_non_null(hub);
    assert_int_equal(freed, 1);
    for (int i = 0; i < 5; i++)
        assert_int_equal(place_of_address(&text, i) >= 0, i == 0 || i == 4);
    struct lifeline *one = lifeline_connect(1, &text);
    assert_non_null(one);
    assert_false(gets_cut(hub, 1, 5));
    lifeline_close(one);
    assert_true(gets_cut(hub, 1, 20000));
    assert_false(lifeline_is_cut(hub, 2)); /* there is no such rank */
    lifeline_close(hub);
    text_done(&text);
    assert_int_equal(outside_open_files(), before);
}

static void there_are_sixteen_addresses_at_most(void **state) {
    (void)state;
    struct text text = {0};
    for (int count = 16; count <= 20; count += 4) {
        int noted;
        text_clear(&text);
        make_interfaces(count);
        struct lifeline *hub = lifeline_listen(2, false, &text);
        assert_non_null(hub);
        const int first = place_of_address(&text, 0);
        assert_true(first >= 4);
        memcpy(&noted, text.data + first - 4, sizeof noted);
        assert_int_equal(noted, 16);
        assert_int_equal(place_of_address(&text, 15), first + 15 * 4);
        assert_int_equal(place_of_address(&text, 16), -1);
        assert_int_equal(text.size, (size_t)first + 16 * 4);
        lifeline_close(hub);
    }
    text_done(&text);
}

static void without_interfaces_no_rank_connects(void **state) {
    (void)state;
    for (int count = -1; count <= 0; count++) {
        struct text text = {0};
        interface_count = count;
        struct lifeline *hub = lifeline_listen(2, false, &text);
        assert_non_null(hub);
        assert_null(lifeline_connect(1, &text));
        lifeline_close(hub);
        text_done(&text);
    }
}

/* Rank 0 publishes its address; an address with a closed port cannot be reached. */
static void an_ended_rank_cannot_be_reached(void **state) {
    (void)state;
    struct text text = {0};
    const int before = outside_open_files();
    struct lifeline *hub = lifeline_listen(3, true, &text);
    assert_non_null(hub);
    lifeline_close(hub);
    assert_null(lifeline_connect(1, &text));
    text.size--;
    assert_null(lifeline_connect(1, &text)); /* half of its message */
    text_done(&text);
    assert_int_equal(outside_open_files(), before);
    lifeline_close(NULL);
    lifeline_look(NULL);
    assert_false(lifeline_is_cut(NULL, 0));
}

static int stranger_to(const struct text *address, in_port_t *port) {
    /* token of 16 bytes, then the port */
    memcpy(port, address->data + 16, sizeof *port);
    const struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = *port, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

/* Was it disconnected? Polls until it is, or so often. */
static bool is_sent_away(struct lifeline *hub, int fd, int looks) {
    char byte;
    for (int i = 0; i < looks; i++) {
        lifeline_look(hub);
        const ssize_t got = recv(fd, &byte, 1, MSG_DONTWAIT);
        if (got >= 0)
            return true;
        nap();
    }
    return false;
}

static void say(int fd, const struct text *address, int rank, size_t from, size_t to) {
    char greeting[20];
    memcpy(greeting, address->data, 16);
    memcpy(greeting + 16, &rank, sizeof rank);
    assert_int_equal(send(fd, greeting + from, to - from, MSG_NOSIGNAL), (ssize_t)(to - from));
}

static void strangers_are_sent_away(void **state) {
    (void)state;
    static const int wrong_ranks[] = {0, 3, -1, 1}; /* the last is taken */
    struct text text = {0};
    in_port_t port;
    const int before = outside_open_files();
    struct lifeline *hub = lifeline_listen(3, true, &text), *one = lifeline_connect(1, &text);
    assert_true(hub != NULL && one != NULL);
    assert_false(gets_cut(hub, 1, 5));
    for (int i = 0; i < 4; i++) {
        const int fd = stranger_to(&text, &port);
        say(fd, &text, wrong_ranks[i], 0, 20);
        assert_true(is_sent_away(hub, fd, 20000));
        close(fd);
    }
    int fd = stranger_to(&text, &port); /* the greeting may come in pieces */
    say(fd, &text, 2, 0, 7);
    assert_false(is_sent_away(hub, fd, 5));
    say(fd, &text, 2, 7, 20);
    assert_false(is_sent_away(hub, fd, 5));
    assert_int_equal(send(fd, "x", 1, MSG_NOSIGNAL), 1); /* further data are ignored */
    assert_false(gets_cut(hub, 2, 5));
    close(fd);
    assert_true(gets_cut(hub, 2, 20000));
    fd = stranger_to(&text, &port); /* leaves without a word */
    close(fd);
    fd = stranger_to(&text, &port); /* stays without one */
    assert_false(gets_cut(hub, 1, 5));
    assert_false(lifeline_is_cut(hub, 0));
    lifeline_close(hub);
    assert_true(gets_cut(one, 0, 20000));
    lifeline_close(one);
    close(fd);
    text_done(&text);
    assert_int_equal(outside_open_files(), before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_addresses_are_named),
        cmocka_unit_test(there_are_sixteen_addresses_at_most),
        cmocka_unit_test(without_interfaces_no_rank_connects),
        cmocka_unit_test(an_ended_rank_cannot_be_reached),
        cmocka_unit_test(strangers_are_sent_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT
 *
 * Text that tournaments read: a bundle of a fault, a tournament, entrants (one or a list), a clock; the first
 * byte selects the reader. An accepted input is written and read back as the same value; a refused one gives
 * an error message.
 */
#include "fuzz.h"

#include "match/clocked_game.h"
#include "tournament/tournament.h"

static void read_bundle(const char *text, size_t size) {
    struct fault_report fault_report, again;
    struct text written = {0};
    struct err e = {0};
    fault_report_init(&fault_report);
    fault_report_init(&again);
    if (fault_report_read("bundle", text, size, &fault_report, &e)) {
        REQUIRE(fault_report_write(&fault_report, &fault_report.record, &written, &e));
        REQUIRE(fault_report_read("written", text_string(&written), written.size, &again, &e));
        REQUIRE(again.fault == fault_report.fault && again.record.count == fault_report.record.count);
        REQUIRE(strcmp(text_string(&again.transcript.tail), text_string(&fault_report.transcript.tail)) == 0);
    } else {
        REQUIRE(e.text[0] != '\0');
    }
    fault_report_done(&fault_report);
    fault_report_done(&again);
    text_done(&written);
}

static void read_tournament(const char *text, size_t size) {
    struct tournament tournament, again;
    struct text first = {0}, second = {0};
    struct err e = {0};
    if (!tournament_read("event", text, size, &tournament, &e)) {
        REQUIRE(e.text[0] != '\0');
        return;
    }
    REQUIRE(tournament_write(&tournament, &first, &e));
    REQUIRE(tournament_read("written", text_string(&first), first.size, &again, &e));
    REQUIRE(tournament_write(&again, &second, &e));
    REQUIRE(strcmp(text_string(&first), text_string(&second)) == 0);
    REQUIRE(tournament_compare(text_string(&first), text_string(&second), &e));
    tournament_done(&tournament);
    tournament_done(&again);
    text_done(&first);
    text_done(&second);
}

static void check_entrants(struct tournament *tournament, bool ok, const struct err *e) {
    REQUIRE(ok || e->text[0] != '\0');
    for (int i = 0; ok && i < tournament->player_count; i++) {
        REQUIRE(player_check(tournament->players[i].spec, NULL, NULL));
        for (int j = 0; j < i; j++)
            REQUIRE(strcmp(tournament->players[i].name, tournament->players[j].name) != 0);
    }
    tournament_done(tournament);
}

static void read_entries(const char *text, size_t size) {
    struct tournament tournament = {0};
    struct err e = {0};
    check_entrants(&tournament, entrants_read("entries", text, size, &tournament, &e), &e);
}

static void read_list(const char *text, size_t size) {
    struct tournament tournament = {0};
    struct err e = {0};
    (void)size;
    check_entrants(&tournament, entrants_parse(text, &tournament, &e), &e);
}

static void read_clock(const char *text, size_t size) {
    struct timing timing;
    struct err e = {0};
    (void)size;
    REQUIRE(timing_read(text, &timing, &e) || e.text[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const readers[])(const char *text, size_t size) = {read_bundle, read_tournament,
                                                                     read_entries, read_list, read_clock};
    if (size == 0)
        return 0;
    char *text = malloc(size); /* the rest and an end */
    REQUIRE(text != NULL);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    readers[(data[0] - 'a') % 5U](text, size - 1);
    free(text);
    return 0;
}

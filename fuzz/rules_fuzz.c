/* SPDX-License-Identifier: MIT
 *
 * The input is a rules file. An accepted file passes the check, is written, and is read back as the same
 * rules; a refused one gives an error message.
 */
#include "fuzz.h"

#include "tournament/tournament.h"

static void write_rules(const struct tournament_rules *rules, struct text *out) {
    struct err e = {0};
    REQUIRE(tournament_rules_check(rules, &e));
    REQUIRE(event_file_write(rules, out, &e));
}

static void check_accepted(const struct tournament_rules *rules) {
    struct tournament_rules again;
    struct text first = {0}, second = {0};
    struct err e = {0};
    write_rules(rules, &first);
    REQUIRE(event_file_read("written", first.data, first.size, &again, &e));
    write_rules(&again, &second);
    REQUIRE(strcmp(text_string(&first), text_string(&second)) == 0);
    text_done(&first);
    text_done(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct tournament_rules rules;
    struct err e = {0};
    /* Its exact size, so that a sanitizer detects a read beyond it. */
    char *text = malloc(size > 0 ? size : 1);
    REQUIRE(text != NULL);
    memcpy(text, data, size);
    const bool ok = event_file_read("rules.json", text, size, &rules, &e);
    free(text);
    if (ok)
        check_accepted(&rules);
    else
        REQUIRE(strncmp(e.text, "rules.json:", strlen("rules.json:")) == 0);
    return 0;
}

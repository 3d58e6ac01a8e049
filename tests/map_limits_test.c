/* SPDX-License-Identifier: MIT
 *
 * Limits of maps: each number at its lowest and its highest and one beyond, and all messages about it.
 */
#include "base/text.h"
#include "game/tbs/map.h"
#include "game/tbs/tbs.h"
#include "tests/map_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* Problems as lines: where (0: the file as a whole), "!" when the map cannot be played, what. */
static void expect_problems(const char *source, const struct tbs_problems *problems, const char *expected) {
    struct text all = {0};
    for (int i = 0; i < problems->count; i++)
        text_add(&all, "%s%d%s %s", i > 0 ? "\n" : "", problems->items[i].line,
                 problems->items[i].fatal ? "!" : "", problems->items[i].text);
    if (strcmp(text_string(&all), expected) != 0)
        fail_msg("%s\n\nsays\n%s\nexpected\n%s", source, text_string(&all), expected);
    text_done(&all);
}

struct limit {
    int line;
    const char *text, *problems;
};

static const struct limit limits[] = {
    {1, "SIZEX[6];SIZEY[35];", "1! SIZEY is '35'; expected a number from 3 to 34"},
    {1, "SIZEX[6];SIZEY[2];", "1! SIZEY is '2'; expected a number from 3 to 34"},
    {1, "SIZEX[2];SIZEY[5];", "1! SIZEX is '2'; expected a number from 3 to 34"},
    {1, "SIZEX[34];SIZEY[5];",
     "5 row 0 has 6 cells; SIZEX says 34\n6 row 1 has 6 cells; SIZEX says 34\n7 row 2 has 6 cells; SIZEX "
     "says 34\n8 row 3 has 6 cells; SIZEX says 34\n9 row 4 has 6 cells; SIZEX says 34"},
    {1, "SIZEX[6];SIZEY[34];", "9 5 MAP rows; SIZEY says 34 (the missing ones are no-entry)"},
    {1, "SIZEX[3];SIZEY[3];",
     "5! row 0 has 6 cells; SIZEX says 3\n6! border cell 2,1 is plain; the outer ring must be no-entry "
     "(0)\n6! row 1 has 6 cells; SIZEX says 3\n7! border cell 1,2 is plain; the outer ring must be no-entry "
     "(0)\n7! row 2 has 6 cells; SIZEX says 3\n9! 5 MAP rows; SIZEY says 3\n11! unit 1 (cannon) stands at "
     "1,3, outside the playable cells 1..1,1..1\n12! unit 2 (infantry) stands at 4,1, outside the playable "
     "cells 1..1,1..1"},
    {1, "SIZEX[6;SIZEY[5];", "1! 'SIZEX[' has no ']' behind it"},
    {1, "SIZEX[6];SIZEY[1234567890123456789012345678901234567890];",
     "1! SIZEY is '1234567890123456789012345678901'; expected a number from 3 to 34"},
    {2, "TURNLIMIT[10000];HPTHRESHOLD[1000001];",
     "2! HPTHRESHOLD is '1000001'; expected a number from 0 to 1000000\n2! TURNLIMIT is '10000'; expected a "
     "number from 1 to 9999"},
    {2, "TURNLIMIT[9999];HPTHRESHOLD[1000000];", ""},
    {2, "TURNLIMIT[0];HPTHRESHOLD[-1];",
     "2! HPTHRESHOLD is '-1'; expected a number from 0 to 1000000\n2! TURNLIMIT is '0'; expected a number "
     "from 1 to 9999"},
    {2, "TURNLIMIT[1];HPTHRESHOLD[0];", ""},
    {3, "UNITNUMRED[65];UNITNUMBLUE[65];",
     "3! UNITNUMBLUE is '65'; expected a number from 0 to 64\n3! UNITNUMRED is '65'; expected a number from "
     "0 to 64"},
    {3, "UNITNUMRED[64];UNITNUMBLUE[64];",
     "3 UNITNUMBLUE says 64; there are 1 blue units\n3 UNITNUMRED says 64; there are 2 red units"},
    {3, "UNITNUMRED[-1];UNITNUMBLUE[-1];",
     "3! UNITNUMBLUE is '-1'; expected a number from 0 to 64\n3! UNITNUMRED is '-1'; expected a number from "
     "0 to 64"},
    {3, "UNITNUMRED[0];UNITNUMBLUE[0];",
     "3 UNITNUMBLUE says 0; there are 1 blue units\n3 UNITNUMRED says 0; there are 2 red units"},
    {3, "", "0 UNITNUMBLUE is missing\n0 UNITNUMRED is missing"},
    {4, "AUTHOR[us;MAPCOM[a pond];", "4! 'AUTHOR[' has no ']' behind it"},
    {4, "AUTHOR[us];MAPCOM[a pond;", "4! 'MAPCOM[' has no ']' behind it"},
    {9, "MAP[0,0,0,0,0,0;",
     "8 4 MAP rows; SIZEY says 5 (the missing ones are no-entry)\n9! 'MAP[' has no ']' behind it"},
    {9, "MAP[0,0,0,0,0,6];", "9! border cell 5,4 is fortress; the outer ring must be no-entry (0)"},
    {5, "MAP[2,0,0,0,0,0];", "5! border cell 0,0 is sea; the outer ring must be no-entry (0)"},
    {7, "MAP[4,1,0,5,2,3];",
     "7! border cell 0,2 is mountain; the outer ring must be no-entry (0)\n7! border cell 5,2 is wood; the "
     "outer ring must be no-entry (0)"},
    {7, "MAP[0,1,0,,2,-1];",
     "7! terrain '' at 3,2 is unknown; expected 0 to 6\n7! terrain '-1' at 5,2 is unknown; expected 0 to 6"},
    {7, "MAP[];", "7 row 2 has 1 cells; SIZEX says 6\n7! terrain '' at 0,2 is unknown; expected 0 to 6"},
    {10, "UNIT[34,34,panzer,2,100,100];",
     "10! unit 0: HP is '100'; expected a number from 1 to 99\n10! unit 0: team is '2'; expected a number "
     "from 0 to 1\n10! unit 0: the finished flag is '100'; expected a number from -99 to 99\n10! unit 0: x "
     "is '34'; expected a number from 0 to 33\n10! unit 0: y is '34'; expected a number from 0 to 33"},
    {10, "UNIT[-1,-1,panzer,-1,0,-100];",
     "10! unit 0: HP is '0'; expected a number from 1 to 99\n10! unit 0: team is '-1'; expected a number "
     "from 0 to 1\n10! unit 0: the finished flag is '-100'; expected a number from -99 to 99\n10! unit 0: x "
     "is '-1'; expected a number from 0 to 33\n10! unit 0: y is '-1'; expected a number from 0 to 33"},
    {10, "UNIT[33,33,panzer,0,99,99];",
     "10! unit 0 (panzer) stands at 33,33, outside the playable cells 1..4,1..3\n10 unit 0 has HP 99, more "
     "than the usual 10"},
    {10, "UNIT[0,0,panzer,0,1,-99];",
     "10! unit 0 (panzer) stands at 0,0, outside the playable cells 1..4,1..3"},
    {10, "UNIT[4,3,panzer,0,11,0];",
     "10 unit 0 (panzer) stands at 4,3 on mountain, which it cannot enter\n10 unit 0 has HP 11, more than "
     "the usual 10"},
    {10, "UNIT[5,3,panzer,0,10,0];",
     "10! unit 0 (panzer) stands at 5,3, outside the playable cells 1..4,1..3"},
    {10, "UNIT[4,4,panzer,0,10,0];",
     "10! unit 0 (panzer) stands at 4,4, outside the playable cells 1..4,1..3"},
    {10, "UNIT[1,2,Panzer,0,10,0];",
     "10! unit 'Panzer' is unknown; expected fighter, attacker, panzer, cannon, antiair or infantry"},
    {10, "UNIT[a,b,c,d,e,f];",
     "10! unit 'c' is unknown; expected fighter, attacker, panzer, cannon, antiair or infantry\n10! unit 0: "
     "HP is 'e'; expected a number from 1 to 99\n10! unit 0: team is 'd'; expected a number from 0 to 1\n10! "
     "unit 0: the finished flag is 'f'; expected a number from -99 to 99\n10! unit 0: x is 'a'; expected a "
     "number from 0 to 33\n10! unit 0: y is 'b'; expected a number from 0 to 33"},
    {10, "UNIT[];", "10! unit 0 has 1 fields; expected x,y,name,team,hp,finished"},
    {10, "UNIT[1,3,infantry,0,10,0];", "11! units 0 and 1 both stand at 1,3"},
    {10, "UNIT[3,3,attacker,0,10,0];", ""},
    {10, "UNIT[4,2,fighter,0,10,0];", ""},
    {12, "UNIT[4,1,infantry,1,10,0;",
     "0 blue has no units\n3 UNITNUMBLUE says 1; there are 0 blue units\n12! 'UNIT[' has no ']' behind it"},
    {12, "", "0 blue has no units\n3 UNITNUMBLUE says 1; there are 0 blue units"},
};

static void lines_of_a_map(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct tbs_map map;
        struct tbs_problems problems;
        struct text text = {0};
        for (int line = 1; line <= MAP_FAULTLESS_LINES; line++)
            text_add(&text, "%s\n", line == limits[i].line ? limits[i].text : map_faultless[line - 1]);
        const bool playable = tbs_map_read(text_string(&text), text.size, &map, &problems);
        assert_int_equal(playable, strchr(limits[i].problems, '!') == NULL);
        expect_problems(limits[i].text, &problems, limits[i].problems);
        text_done(&text);
    }
}

static const struct limit json_limits[] = {
    {0, "[]", "0! this JSON is no map: expected an object with \"format\": \"senjutsu-map\""},
    {0, "{\"format\":\"other\"}",
     "0! this JSON is no map: expected an object with \"format\": \"senjutsu-map\""},
    {0, "{\"format\":7}", "0! this JSON is no map: expected an object with \"format\": \"senjutsu-map\""},
    {0, "{\"format\":\"senjutsu-map\"}",
     "0! width is missing; expected a whole number from 3 to 34\n0! height is missing; expected a whole "
     "number from 3 to 34\n0! turn_limit is missing; expected a whole number from 1 to 9999\n0! threshold is "
     "missing; expected a whole number from 0 to 1000000\n0! units: expected an array of at most 128 units"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":2,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "{\"x\":2,\"y\":1,\"type\":\"infantry\",\"side\":\"blue\",\"hp\":9,\"done\":true}]}",
     "0! width is out of range or no number; expected a whole number from 3 to 34"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":35,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "{\"x\":2,\"y\":1,\"type\":\"infantry\",\"side\":\"blue\",\"hp\":9,\"done\":true}]}",
     "0! width is out of range or no number; expected a whole number from 3 to 34"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":34,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "{\"x\":2,\"y\":1,\"type\":\"infantry\",\"side\":\"blue\",\"hp\":9,\"done\":true}]}",
     "0! terrain row 0: expected a string of 34 digits from 0 to 6\n0! terrain row 1: expected a string of "
     "34 digits from 0 to 6\n0! terrain row 2: expected a string of 34 digits from 0 to 6\n0 unit 0 (panzer) "
     "stands at 1,1 on no-entry, which it cannot enter\n0 unit 1 (infantry) stands at 2,1 on no-entry, which "
     "it cannot enter"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":2,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "{\"x\":2,\"y\":1,\"type\":\"infantry\",\"side\":\"blue\",\"hp\":9,\"done\":true}]}",
     "0! height is out of range or no number; expected a whole number from 3 to 34"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":35,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "{\"x\":2,\"y\":1,\"type\":\"infantry\",\"side\":\"blue\",\"hp\":9,\"done\":true}]}",
     "0! height is out of range or no number; expected a whole number from 3 to 34"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":34,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "{\"x\":2,\"y\":1,\"type\":\"infantry\",\"side\":\"blue\",\"hp\":9,\"done\":true}]}",
     "0! terrain: expected an array of 34 rows, as height says\n0 unit 0 (panzer) stands at 1,1 on no-entry, "
     "which it cannot enter\n0 unit 1 (infantry) stands at 2,1 on no-entry, which it cannot enter"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":0,\"threshold\":-1,\"terrain\":["
     "\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "{\"x\":2,\"y\":1,\"type\":\"infantry\",\"side\":\"blue\",\"hp\":9,\"done\":true}]}",
     "0! turn_limit is out of range or no number; expected a whole number from 1 to 9999\n0! threshold is "
     "out of range or no number; expected a whole number from 0 to 1000000"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":1,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "{\"x\":2,\"y\":1,\"type\":\"infantry\",\"side\":\"blue\",\"hp\":9,\"done\":true}]}",
     ""},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":10000,\"threshold\":1000001,"
     "\"terrain\":[\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":"
     "\"red\",\"hp\":3},{\"x\":2,\"y\":1,\"type\":\"infantry\",\"side\":\"blue\",\"hp\":9,\"done\":true}]}",
     "0! turn_limit is out of range or no number; expected a whole number from 1 to 9999\n0! threshold is "
     "out of range or no number; expected a whole number from 0 to 1000000"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":9999,\"threshold\":1000000,"
     "\"terrain\":[\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":"
     "\"red\",\"hp\":3},{\"x\":2,\"y\":1,\"type\":\"infantry\",\"side\":\"blue\",\"hp\":9,\"done\":true}]}",
     ""},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":\"5\",\"threshold\":0.5,"
     "\"terrain\":[\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":"
     "\"red\",\"hp\":3},{\"x\":2,\"y\":1,\"type\":\"infantry\",\"side\":\"blue\",\"hp\":9,\"done\":true}]}",
     "0! turn_limit is out of range or no number; expected a whole number from 1 to 9999\n0! threshold is "
     "out of range or no number; expected a whole number from 0 to 1000000"},
    {0,
     "{\"format\":\"senjutsu-map\",\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":[\"0000\","
     "\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},{\"x\":2,"
     "\"y\":1,\"type\":\"infantry\",\"side\":\"blue\",\"hp\":9,\"done\":true}]}",
     "0! width is missing; expected a whole number from 3 to 34"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"author\":5,"
     "\"comment\":[],\"terrain\":[\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":"
     "\"panzer\",\"side\":\"red\",\"hp\":3},{\"x\":2,\"y\":1,\"type\":\"infantry\",\"side\":\"blue\",\"hp\":"
     "9,\"done\":true}]}",
     "0! author is no string\n0! comment is no string"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"units\":[{"
     "\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},{\"x\":2,\"y\":1,\"type\":\"infantry\","
     "\"side\":\"blue\",\"hp\":9,\"done\":true}]}",
     "0! terrain: expected an array of 3 rows, as height says\n0 unit 0 (panzer) stands at 1,1 on no-entry, "
     "which it cannot enter\n0 unit 1 (infantry) stands at 2,1 on no-entry, which it cannot enter"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0110\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},{\"x\":2,"
     "\"y\":1,\"type\":\"infantry\",\"side\":\"blue\",\"hp\":9,\"done\":true}]}",
     "0! terrain: expected an array of 3 rows, as height says\n0 unit 0 (panzer) stands at 1,1 on no-entry, "
     "which it cannot enter\n0 unit 1 (infantry) stands at 2,1 on no-entry, which it cannot enter"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"011\",\"00000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "{\"x\":2,\"y\":1,\"type\":\"infantry\",\"side\":\"blue\",\"hp\":9,\"done\":true}]}",
     "0! terrain row 1: expected a string of 4 digits from 0 to 6\n0! terrain row 2: expected a string of 4 "
     "digits from 0 to 6\n0 unit 0 (panzer) stands at 1,1 on no-entry, which it cannot enter\n0 unit 1 "
     "(infantry) stands at 2,1 on no-entry, which it cannot enter"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0170\",7],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},{\"x\":"
     "2,\"y\":1,\"type\":\"infantry\",\"side\":\"blue\",\"hp\":9,\"done\":true}]}",
     "0! terrain row 1: expected a string of 4 digits from 0 to 6\n0! terrain row 2: expected a string of 4 "
     "digits from 0 to 6\n0 unit 0 (panzer) stands at 1,1 on no-entry, which it cannot enter\n0 unit 1 "
     "(infantry) stands at 2,1 on no-entry, which it cannot enter"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0002\",\"1110\",\"6000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "{\"x\":2,\"y\":1,\"type\":\"infantry\",\"side\":\"blue\",\"hp\":9,\"done\":true}]}",
     "0! border cell 0,1 is plain; the outer ring must be no-entry (0)\n0! border cell 0,2 is fortress; the "
     "outer ring must be no-entry (0)\n0! border cell 3,0 is sea; the outer ring must be no-entry (0)"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0210\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "{\"x\":2,\"y\":1,\"type\":\"infantry\",\"side\":\"blue\",\"hp\":9,\"done\":true}]}",
     "0 unit 0 (panzer) stands at 1,1 on sea, which it cannot enter"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0110\",\"0000\"],\"units\":7}",
     "0! units: expected an array of at most 128 units\n0 red has no units\n0 blue has no units"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "4]}",
     "0! unit 1: x is missing; expected a whole number from 0 to 33\n0! unit 1: y is missing; expected a "
     "whole number from 0 to 33\n0! unit 1: hp is missing; expected a whole number from 1 to 99\n0! unit 1: "
     "type is missing or no string; expected fighter, attacker, panzer, cannon, antiair or infantry\n0! unit "
     "1: side is missing or no string; expected red or blue\n0 blue has no units"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "{\"x\":34,\"y\":34,\"type\":\"cannon\",\"side\":\"blue\",\"hp\":100}]}",
     "0! unit 1: x is out of range or no number; expected a whole number from 0 to 33\n0! unit 1: y is out "
     "of range or no number; expected a whole number from 0 to 33\n0! unit 1: hp is out of range or no "
     "number; expected a whole number from 1 to 99"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "{\"x\":-1,\"y\":-1,\"type\":\"cannon\",\"side\":\"blue\",\"hp\":0}]}",
     "0! unit 1: x is out of range or no number; expected a whole number from 0 to 33\n0! unit 1: y is out "
     "of range or no number; expected a whole number from 0 to 33\n0! unit 1: hp is out of range or no "
     "number; expected a whole number from 1 to 99"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "{\"x\":33,\"y\":33,\"type\":\"cannon\",\"side\":\"blue\",\"hp\":99}]}",
     "0! unit 1 (cannon) stands at 33,33, outside the playable cells 1..2,1..1\n0 unit 1 has HP 99, more "
     "than the usual 10"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "{\"x\":0,\"y\":0,\"type\":\"cannon\",\"side\":\"blue\",\"hp\":1}]}",
     "0! unit 1 (cannon) stands at 0,0, outside the playable cells 1..2,1..1"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "{\"x\":2,\"y\":1,\"type\":\"gun\",\"side\":\"green\",\"hp\":9}]}",
     "0! unit 1: type is 'gun'; expected fighter, attacker, panzer, cannon, antiair or infantry\n0! unit 1: "
     "side is 'green'; expected red or blue\n0 blue has no units"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "{\"x\":2,\"y\":1,\"side\":1,\"hp\":9}]}",
     "0! unit 1: type is missing or no string; expected fighter, attacker, panzer, cannon, antiair or "
     "infantry\n0! unit 1: side is missing or no string; expected red or blue\n0 blue has no units"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "{\"x\":2,\"y\":1,\"type\":\"cannon\",\"side\":\"blue\",\"hp\":9,\"done\":0}]}",
     "0! unit 1: done is neither true nor false"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "{\"x\":2,\"y\":1,\"type\":\"cannon\",\"side\":\"blue\",\"hp\":11,\"done\":false}]}",
     "0 unit 1 has HP 11, more than the usual 10"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "{\"x\":1,\"y\":1,\"type\":\"cannon\",\"side\":\"blue\",\"hp\":9}]}",
     "0! units 0 and 1 both stand at 1,1"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0110\",\"0000\"],\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
     "{\"x\":3,\"y\":1,\"type\":\"cannon\",\"side\":\"blue\",\"hp\":9}]}",
     "0! unit 1 (cannon) stands at 3,1, outside the playable cells 1..2,1..1"},
    {0,
     "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":5,\"threshold\":0,\"terrain\":["
     "\"0000\",\"0110\",\"0000\"],\"units\":[]}",
     "0 red has no units\n0 blue has no units"},
};

static void numbers_of_a_json_map(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof json_limits / sizeof json_limits[0]; i++) {
        struct tbs_map map;
        struct tbs_problems problems;
        const struct limit *limit = &json_limits[i];
        const bool playable = tbs_map_read_json(limit->text, strlen(limit->text), &map, &problems);
        assert_int_equal(playable, strchr(limit->problems, '!') == NULL);
        expect_problems(limit->text, &problems, limit->problems);
    }
}

static void units_of_a_json_map_are_counted(void **state) {
    (void)state;
    for (int count = TBS_UNITS_MAX; count <= TBS_UNITS_MAX + 1; count++) {
        struct tbs_map map;
        struct tbs_problems problems;
        struct text text = {0};
        text_add_string(&text, "{\"format\":\"senjutsu-map\",\"width\":34,\"height\":6,\"turn_limit\":5,"
                               "\"threshold\":0,\"terrain\":[");
        for (int y = 0; y < 6; y++)
            text_add(&text, "%s\"0%s0\"", y == 0 ? "" : ",",
                     y == 0 || y == 5 ? "00000000000000000000000000000000"
                                      : "11111111111111111111111111111111");
        text_add_string(&text, "],\"units\":[");
        for (int i = 0; i < count; i++)
            text_add(&text, "%s{\"x\":%d,\"y\":%d,\"type\":\"panzer\",\"side\":\"%s\",\"hp\":3}",
                     i == 0 ? "" : ",", 1 + i % 32, 1 + i / 32, i % 2 == 0 ? "red" : "blue");
        text_add_string(&text, "]}");
        const bool playable = tbs_map_read_json(text_string(&text), text.size, &map, &problems);
        assert_int_equal(playable, count == TBS_UNITS_MAX);
        expect_problems("many units", &problems,
                        playable ? ""
                                 : "0! units: expected an array of at most 128 units\n"
                                   "0 red has no units\n0 blue has no units");
        text_done(&text);
    }
}

/* A list full of lesser problems has no room for the fatal one; a line is easier to find than a file. */
static void one_problem_is_explained(void **state) {
    (void)state;
    struct tbs_problems problems = {0};
    struct err e = {{0}};
    assert_true(tbs_problems_explain(&problems, "a.tbsmap", &e));
    tbs_problems_add(&problems, false, 3, "problem.test", "a trifle");
    assert_true(tbs_problems_explain(&problems, "a.tbsmap", &e));
    tbs_problems_add(&problems, true, 0, "problem.test", "the file");
    tbs_problems_add(&problems, true, 0, "problem.test", "the file again");
    assert_false(tbs_problems_explain(&problems, "a.tbsmap", &e));
    assert_string_equal(e.text, "a.tbsmap: the file");
    tbs_problems_add(&problems, true, 1, "problem.test", "the %s line", "first");
    tbs_problems_add(&problems, true, 2, "problem.test", "the second line");
    assert_false(tbs_problems_explain(&problems, "a.tbsmap", &e));
    assert_string_equal(e.text, "a.tbsmap:1: the first line");
    problems = (struct tbs_problems){0};
    for (int i = 0; i < TBS_PROBLEMS_MAX; i++)
        tbs_problems_add(&problems, false, i, "problem.test", "a trifle");
    assert_int_equal(problems.left_out, 0);
    tbs_problems_add(&problems, true, 7, "problem.test", "the end");
    assert_int_equal(problems.count, TBS_PROBLEMS_MAX);
    assert_int_equal(problems.left_out, 1);
    assert_false(tbs_problems_explain(&problems, "a.tbsmap", &e));
    assert_string_equal(e.text, "a.tbsmap: too many problems to be played");
}

/* A board of so many playable cells, units of both sides from its upper left corner on. */
static void make_board(int columns, int rows, int red, int blue, struct tbs_map *map) {
    *map = (struct tbs_map){.width = columns + 2, .height = rows + 2, .turn_limit = 9, .threshold = 1};
    for (int x = 1; x <= columns; x++)
        for (int y = 1; y <= rows; y++)
            map->terrain[x][y] = TBS_PLAIN;
    for (int i = 0; i < red + blue; i++)
        map->units[map->unit_count++] = (struct tbs_map_unit){.x = (uint8_t)(1 + i % columns),
                                                              .y = (uint8_t)(1 + i / columns),
                                                              .type = TBS_INFANTRY,
                                                              .side = i < red ? TBS_RED : TBS_BLUE,
                                                              .hp = 10};
}

/* The small way of keeping boards holds so much and no more; otherwise the wide one is taken. */
static void small_boards_have_limits(void **state) {
    (void)state;
    static const struct {
        int columns, rows, red, blue;
        bool small;
    } cases[] = {{8, 8, 16, 16, true},  {9, 8, 8, 8, false},   {8, 9, 8, 8, false},
                 {8, 8, 17, 16, false}, {8, 8, 16, 17, false}, {1, 8, 4, 4, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tbs_map map;
        struct err e = {{0}};
        make_board(cases[i].columns, cases[i].rows, cases[i].red, cases[i].blue, &map);
        struct scenario *scenario = tbs_scenario_make(&map, &tbs_rule_sets[0], TBS_PATH_AUTO, &e);
        assert_non_null(scenario);
        assert_ptr_equal(scenario->game, cases[i].small ? &tbs_game : &tbs_wide_game);
        game_unload(scenario);
        scenario = tbs_scenario_make(&map, &tbs_rule_sets[0], TBS_PATH_WIDE, &e);
        assert_non_null(scenario);
        assert_ptr_equal(scenario->game, &tbs_wide_game);
        game_unload(scenario);
        scenario = tbs_scenario_make(&map, &tbs_rule_sets[0], TBS_PATH_SMALL, &e);
        assert_int_equal(scenario != NULL, cases[i].small);
        if (scenario == NULL)
            assert_string_equal(e.text,
                                "path=small holds up to 8 x 8 cells and 16 units a side; this map is larger");
        game_unload(scenario);
    }
}

static void expect_types(const char *words, unsigned expected) {
    unsigned types = 0;
    struct err e = {{0}};
    if (!tbs_read_types(words, &types, &e))
        fail_msg("%s: %s", words, e.text);
    assert_int_equal(types, expected);
}

static void refuse_types(const char *words, const char *sentence) {
    unsigned types;
    struct err e = {{0}};
    assert_false(tbs_read_types(words, &types, &e));
    assert_string_equal(e.text, sentence);
}

static void types_have_names_and_letters(void **state) {
    (void)state;
    char long_list[300];
    expect_types("F", 1U << TBS_FIGHTER);
    expect_types("I, antiair,F", 1U << TBS_INFANTRY | 1U << TBS_ANTIAIR | 1U << TBS_FIGHTER);
    expect_types("I,I,I,I,I,I,I,I,I,I,I,I,I,I,I,I,I,I,I,I,I,I,I,U", 1U << TBS_INFANTRY | 1U << TBS_CANNON);
    refuse_types("I,I,I,I,I,I,I,I,I,I,I,I,I,I,I,I,I,I,I,I,I,I,I,I,I", "the list of types is too long");
    refuse_types("IF", "unit 'IF' is unknown; expected fighter (F), attacker (A), panzer (P), cannon (U), "
                       "antiair (R) or infantry (I)");
    refuse_types("I,", "unit '' is unknown; expected fighter (F), attacker (A), panzer (P), cannon (U), "
                       "antiair (R) or infantry (I)");
    memset(long_list, ' ', sizeof long_list);
    long_list[0] = 'I';
    long_list[255] = '\0';
    expect_types(long_list, 1U << TBS_INFANTRY);
    long_list[255] = ' ';
    long_list[256] = '\0';
    refuse_types(long_list, "the list of types is too long");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_a_map),
        cmocka_unit_test(numbers_of_a_json_map),
        cmocka_unit_test(units_of_a_json_map_are_counted),
        cmocka_unit_test(one_problem_is_explained),
        cmocka_unit_test(small_boards_have_limits),
        cmocka_unit_test(types_have_names_and_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT
 *
 * Boards for people: text on a terminal, pictures in files, and the maps we ship. A board is compared as a
 * drawing, so that this file shows the same as the program.
 */
#include "config.h"

#include "base/file.h"
#include "game/tbs/tbs.h"

#ifdef SENJUTSU_CAIRO
#include <cairo.h>
#endif

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

/* Five by three cells with every terrain; unit 1 has acted already, unit 2 stands in a wood. */
static const char tiny_text[] =
    "SIZEX[7];SIZEY[5];TURNLIMIT[8];HPTHRESHOLD[2];UNITNUMRED[2];UNITNUMBLUE[2];\n"
    "MAP[0,0,0,0,0,0,0];\n"
    "MAP[0,1,1,3,1,5,0];\n"
    "MAP[0,1,0,5,2,2,0];\n"
    "MAP[0,6,1,1,4,3,0];\n"
    "MAP[0,0,0,0,0,0,0];\n"
    "UNIT[1,1,panzer,0,10,0];\n"
    "UNIT[1,3,cannon,0,7,1];\n"
    "UNIT[3,1,infantry,1,10,0];\n"
    "UNIT[5,2,fighter,1,3,0];\n";

static void read_tiny(struct tbs_map *map) {
    struct tbs_problems problems;
    assert_true(tbs_map_read(tiny_text, strlen(tiny_text), map, &problems));
    assert_int_equal(problems.count, 0);
}

static void assert_board(const struct tbs_map *map, const struct tbs_show *how, const char *expected) {
    struct text out = {0};
    tbs_show_map(map, how, &out);
    assert_string_equal(text_string(&out), expected);
    text_done(&out);
}

/* ---- text ---- */

static void plain_board_is_this(void **state) {
    (void)state;
    static struct tbs_map map;
    read_tiny(&map);
    static const struct tbs_show how;
    assert_board(&map, &how,
                 "    1    2    3    4    5\n"
                 " 1  P10  .    i10* .    =\n"
                 " 2  .    #    =    ~    f3 ~\n"
                 " 3 -U7 @ .    .    ^    *\n");
}

static void plain_board_with_ids_is_this(void **state) {
    (void)state;
    static struct tbs_map map;
    read_tiny(&map);
    static const struct tbs_show how = {.ids = true};
    assert_board(&map, &how,
                 "     1     2     3     4     5\n"
                 " 1  0P10   .    2i10*  .     =\n"
                 " 2   .     #     =     ~    3f3 ~\n"
                 " 3 -1U7 @  .     .     ^     *\n");
}

static void marks_are_visible_without_colour(void **state) {
    (void)state;
    static struct tbs_map map;
    read_tiny(&map);
    static struct tbs_show how;
    how.marks[1][1] = TBS_MARK_FROM;
    how.marks[2][1] = TBS_MARK_END;
    how.marks[1][2] = TBS_MARK_END;
    how.marks[3][1] = TBS_MARK_TARGET;
    assert_board(&map, &how,
                 "    1    2    3    4    5\n"
                 " 1 >P10 [.]  !i10* .    =\n"
                 " 2 [.]   #    =    ~    f3 ~\n"
                 " 3 -U7 @ .    .    ^    *\n");
}

static void legend_names_every_letter_and_terrain(void **state) {
    (void)state;
    static struct tbs_map map;
    read_tiny(&map);
    static const struct tbs_show how = {.legend = true};
    struct text out = {0};
    tbs_show_map(&map, &how, &out);
    for (int type = 0; type < TBS_TYPES; type++)
        assert_non_null(strstr(text_string(&out), tbs_unit_types[type].name));
    for (int terrain = 0; terrain < TBS_TERRAINS; terrain++)
        assert_non_null(strstr(text_string(&out), tbs_terrain_types[terrain].name));
    text_done(&out);
}

/* The text without its escapes; fails when one is not of the kind we write. */
static void strip_escapes(const char *in, struct text *out) {
    while (*in != '\0') {
        if (*in != '\033') {
            text_add_bytes(out, in++, 1);
            continue;
        }
        const size_t length = strspn(in + 1, "[0123456789;");
        assert_int_equal(in[1 + length], 'm');
        in += length + 2;
    }
}

static bool ends_with(const char *line, size_t length, const char *ending) {
    const size_t size = strlen(ending);
    return length >= size && memcmp(line + length - size, ending, size) == 0;
}

/* Every row that switched colours on switches them off, and all rows are equally wide. */
static void assert_colour_rows(const char *board, int rows, int width) {
    const char *line = strchr(board, '\n') + 1; /* past the coordinates */
    for (int y = 0; y < rows; y++) {
        const size_t length = strcspn(line, "\n");
        assert_true(ends_with(line, length, "\033[0m"));
        struct text row = {0}, bare = {0};
        text_add_bytes(&row, line, length);
        strip_escapes(text_string(&row), &bare);
        assert_int_equal(charset_width(text_string(&bare)), width);
        text_done(&row);
        text_done(&bare);
        line += length + 1;
    }
    assert_int_equal(*line, '\0');
}

static void colour_board_is_aligned_and_resets(void **state) {
    (void)state;
    static struct tbs_map map;
    read_tiny(&map);
    for (int ids = 0; ids < 2; ids++) {
        struct tbs_show how = {.colour = true, .ids = ids == 1};
        how.marks[2][1] = TBS_MARK_END;
        how.marks[3][1] = TBS_MARK_TARGET;
        struct text out = {0};
        tbs_show_map(&map, &how, &out);
        assert_colour_rows(text_string(&out), 3, 3 + 5 * (4 + ids));
        text_done(&out);
    }
}

static void colour_board_equals_the_plain_one(void **state) {
    (void)state;
    static struct tbs_map map;
    read_tiny(&map);
    struct tbs_show how = {.colour = true};
    how.marks[1][1] = TBS_MARK_FROM;
    how.marks[2][1] = TBS_MARK_END;
    how.marks[3][1] = TBS_MARK_TARGET;
    struct text out = {0}, bare = {0};
    tbs_show_map(&map, &how, &out);
    strip_escapes(text_string(&out), &bare);
    assert_string_equal(text_string(&bare), "    1   2   3   4   5\n"
                                            " 1 >P10[.] !i10 .   =  \n"
                                            " 2  .   #   =   ~  ~f3 \n"
                                            " 3 @U7  .   .   ^   *  \n");
    text_done(&out);
    text_done(&bare);
}

static void sides_and_done_units_have_their_own_colours(void **state) {
    (void)state;
    static struct tbs_map map;
    read_tiny(&map);
    static const struct tbs_show how = {.colour = true};
    struct text out = {0};
    tbs_show_map(&map, &how, &out);
    assert_non_null(strstr(text_string(&out), "\033[0;1;48;5;160;38;5;231mP10")); /* red, bold */
    assert_non_null(strstr(text_string(&out), "\033[0;1;48;5;26;38;5;231mi10"));  /* blue, bold */
    assert_non_null(strstr(text_string(&out), "\033[0;2;48;5;131;38;5;252mU7"));  /* red, dim */
    text_done(&out);
}

/* With E for the escape character. */
static void assert_coloured(const struct tbs_map *map, const struct tbs_position *position,
                            const struct tbs_show *how, const char *expected) {
    struct text out = {0};
    tbs_show_position(map, position, how, &out);
    for (size_t i = 0; i < out.size; i++)
        if (out.data[i] == '\033')
            out.data[i] = 'E';
    assert_string_equal(text_string(&out), expected);
    text_done(&out);
}

/* Marks on units and on cells, units of both sides that have acted, and one that has not. */
static void boards_are_exactly_this(void **state) {
    (void)state;
    static struct tbs_map map;
    static struct tbs_position position;
    read_tiny(&map);
    tbs_map_position(&map, &position);
    position.units[0].done = position.units[3].done = true;
    struct tbs_show how = {.colour = true, .ids = true, .legend = true};
    how.marks[1][1] = TBS_MARK_FROM;
    how.marks[2][1] = how.marks[4][2] = TBS_MARK_END;
    how.marks[3][1] = how.marks[1][2] = TBS_MARK_TARGET;
    assert_coloured(
        &map, &position, &how,
        "     1    2    3    4    5\n"
        " 1 E[0;1;48;5;226;38;5;16m>E[0;48;5;150;38;5;16m0E[0;2;48;5;131;38;5;252mP10E[0;48;5;150;38;5;107m "
        "E[0;1;48;5;226;38;5;16m[.]E[0;48;5;150;38;5;107m "
        "E[0;1;48;5;226;38;5;16m!E[0;48;5;71;38;5;16m2E[0;1;48;5;26;38;5;231mi10E[0;48;5;150;38;5;107m  .  "
        "E[0;48;5;187;38;5;144m  =  E[0m\n"
        " 2 E[0;48;5;150;38;5;107m E[0;1;48;5;226;38;5;16m!. E[0;48;5;150;38;5;107m E[0;48;5;236;38;5;241m  "
        "#  E[0;48;5;187;38;5;144m  =  E[0;48;5;110;38;5;67m E[0;1;48;5;226;38;5;16m[~]E[0;48;5;110;38;5;67m "
        "E[0;48;5;110;38;5;67m~E[0;48;5;110;38;5;16m3E[0;2;48;5;60;38;5;252mf3 E[0m\n"
        " 3 E[0;48;5;247;38;5;237m@E[0;48;5;247;38;5;16m1E[0;2;48;5;131;38;5;252mU7 E[0;48;5;150;38;5;107m  "
        ".  E[0;48;5;150;38;5;107m  .  E[0;48;5;137;38;5;94m  ^  E[0;48;5;71;38;5;22m  *  E[0m\n"
        "units    F fighter  A attacker  P panzer  U cannon  R antiair  I infantry\n"
        "sides    red upper-case, blue lower-case; the number is HP\n"
        "terrain E[0;48;5;236;38;5;241m # E[0m no-entry E[0;48;5;150;38;5;107m . E[0m plain "
        "E[0;48;5;110;38;5;67m ~ E[0m sea E[0;48;5;71;38;5;22m * E[0m wood E[0;48;5;137;38;5;94m ^ E[0m "
        "mountain E[0;48;5;187;38;5;144m = E[0m road E[0;48;5;247;38;5;237m @ E[0m fortress\n"
        "marks    [ may end there   ! may be attacked   > acts   faded: has acted\n");
    how.colour = false;
    assert_coloured(&map, &position, &how,
                    "     1     2     3     4     5\n"
                    " 1 >0P10  [.]  !2i10*  .     =\n"
                    " 2  !.     #     =    [~]  -3f3 ~\n"
                    " 3 -1U7 @  .     .     ^     *\n"
                    "units    F fighter  A attacker  P panzer  U cannon  R antiair  I infantry\n"
                    "sides    red upper-case, blue lower-case; the number is HP\n"
                    "terrain  # no-entry  . plain  ~ sea  * wood  ^ mountain  = road  @ fortress\n"
                    "marks    [ may end there   ! may be attacked   > acts   - has acted\n");
    how.colour = true;
    how.ids = how.legend = false;
    assert_coloured(
        &map, &position, &how,
        "    1   2   3   4   5\n"
        " 1 "
        "E[0;1;48;5;226;38;5;16m>E[0;2;48;5;131;38;5;252mP10E[0;48;5;150;38;5;107mE[0;1;48;5;226;38;5;16m[.]"
        "E[0;48;5;150;38;5;107m E[0;1;48;5;226;38;5;16m!E[0;1;48;5;26;38;5;231mi10E[0;48;5;150;38;5;107m .  "
        "E[0;48;5;187;38;5;144m =  E[0m\n"
        " 2 E[0;48;5;150;38;5;107mE[0;1;48;5;226;38;5;16m!. E[0;48;5;150;38;5;107m E[0;48;5;236;38;5;241m #  "
        "E[0;48;5;187;38;5;144m =  E[0;48;5;110;38;5;67mE[0;1;48;5;226;38;5;16m[~]E[0;48;5;110;38;5;67m "
        "E[0;48;5;110;38;5;67m~E[0;2;48;5;60;38;5;252mf3 E[0m\n"
        " 3 E[0;48;5;247;38;5;237m@E[0;2;48;5;131;38;5;252mU7 E[0;48;5;150;38;5;107m .  "
        "E[0;48;5;150;38;5;107m .  E[0;48;5;137;38;5;94m ^  E[0;48;5;71;38;5;22m *  E[0m\n");
    how.colour = false;
    assert_coloured(&map, &position, &how,
                    "    1    2    3    4    5\n"
                    " 1 >P10 [.]  !i10* .    =\n"
                    " 2 !.    #    =   [~]  -f3 ~\n"
                    " 3 -U7 @ .    .    ^    *\n");
}

static void destroyed_units_are_gone(void **state) {
    (void)state;
    static struct tbs_map map;
    static struct tbs_position position;
    read_tiny(&map);
    tbs_map_position(&map, &position);
    position.units[2].hp = 0;
    static const struct tbs_show how;
    struct text out = {0};
    tbs_show_position(&map, &position, &how, &out);
    assert_null(strchr(text_string(&out), 'i'));
    assert_non_null(strstr(text_string(&out), " 1  P10  .    *    .    =\n"));
    text_done(&out);
}

static void map_position_is_the_start_of_the_game(void **state) {
    (void)state;
    static struct tbs_map map;
    static struct tbs_position ours, played;
    read_tiny(&map);
    struct err e;
    struct rng r;
    rng_seed(&r, 1);
    struct scenario *scenario = tbs_scenario_make(&map, &tbs_rule_sets[0], TBS_PATH_AUTO, &e);
    assert_non_null(scenario);
    max_align_t start[GAME_STATE_MAX / sizeof(max_align_t)];
    scenario->game->start(start, scenario, &r);
    tbs_position_of(start, &played);
    tbs_map_position(&map, &ours);
    assert_int_equal(ours.turn, played.turn);
    assert_int_equal(ours.side, played.side);
    assert_int_equal(ours.result, played.result);
    assert_int_equal(ours.unit_count, played.unit_count);
    assert_int_equal(ours.hp_sum[TBS_RED], 17);
    assert_int_equal(ours.hp_sum[TBS_BLUE], 13);
    assert_memory_equal(ours.hp_sum, played.hp_sum, sizeof ours.hp_sum);
    assert_memory_equal(ours.units, played.units, (size_t)ours.unit_count * sizeof ours.units[0]);
    game_unload(scenario);
}

/* ---- our maps ---- */

static const char *project_path(const char *name, char *out, size_t out_size) {
    const char *root = getenv("SENJUTSU_ROOT");
    snprintf(out, out_size, "%s/%s", root != NULL ? root : ".", name);
    return out;
}

static void assert_same_map(const struct tbs_map *a, const struct tbs_map *b) {
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    assert_int_equal(a->turn_limit, b->turn_limit);
    assert_int_equal(a->threshold, b->threshold);
    assert_int_equal(a->unit_count, b->unit_count);
    assert_memory_equal(a->terrain, b->terrain, sizeof a->terrain);
    assert_string_equal(a->author, b->author);
    assert_string_equal(a->comment, b->comment);
    for (int id = 0; id < a->unit_count; id++) {
        struct tbs_map_unit u = a->units[id], v = b->units[id];
        u.line = v.line = 0; /* where it stands in the file is no property of the unit */
        assert_memory_equal(&u, &v, offsetof(struct tbs_map_unit, line));
    }
}

static void check_our_map(const char *path) {
    static struct tbs_map map, again;
    static struct tbs_problems problems;
    struct text bytes = {0}, written = {0};
    struct err e = {{0}};
    if (!file_read(path, TBS_MAP_TEXT_MAX, &bytes, &e))
        fail_msg("%s", e.text);
    assert_true(charset_is_utf8(text_string(&bytes), bytes.size));
    const bool readable = tbs_map_read(text_string(&bytes), bytes.size, &map, &problems);
    if (!readable || problems.count > 0)
        fail_msg("%s:%d: %s", path, problems.items[0].line, problems.items[0].text);
    assert_string_equal(map.author, "senjutsu");
    if (strlen(map.comment) < 20)
        fail_msg("%s: MAPCOM does not say what the map is for", path);
    tbs_map_write(&map, &written);
    assert_true(tbs_map_read(text_string(&written), written.size, &again, &problems));
    assert_int_equal(problems.count, 0);
    assert_same_map(&map, &again);
    text_done(&bytes);
    text_done(&written);
}

static void our_maps_are_sound_and_round_trip(void **state) {
    (void)state;
    char maps_folder[1024], path[2048];
    DIR *maps = opendir(project_path("maps", maps_folder, sizeof maps_folder));
    assert_non_null(maps);
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(maps)) != NULL;) {
        const size_t length = strlen(entry->d_name);
        if (!ends_with(entry->d_name, length, ".tbsmap"))
            continue;
        snprintf(path, sizeof path, "%s/%s", maps_folder, entry->d_name);
        check_our_map(path);
        count++;
    }
    closedir(maps);
    assert_true(count >= 18);
}

static void load_our_map(const char *name, struct tbs_map *map) {
    char file[256], path[1024];
    struct text bytes = {0};
    struct err e = {{0}};
    snprintf(file, sizeof file, "maps/%s.tbsmap", name);
    if (!file_read(project_path(file, path, sizeof path), TBS_MAP_TEXT_MAX, &bytes, &e) ||
        !tbs_map_load(path, text_string(&bytes), bytes.size, map, &e))
        fail_msg("%s", e.text);
    text_done(&bytes);
}

/* Values that the command line and the bench rely on. */
static void well_known_maps_have_their_sizes(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int cells, units_low, units_high;
    } known[] = {{"duel", 4, 1, 2},
                 {"standard", 6, 6, 6},
                 {"standard8", 8, 8, 8},
                 {"battle30", 30, 50, 50},
                 {"largest", TBS_CELLS_MAX, TBS_SIDE_UNITS_MAX, TBS_SIDE_UNITS_MAX}};
    static struct tbs_map map;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        load_our_map(known[i].name, &map);
        assert_int_equal(map.width, known[i].cells + 2);
        assert_int_equal(map.height, known[i].cells + 2);
        for (int side = 0; side < TBS_SIDES; side++)
            assert_in_range(tbs_map_side_units(&map, side), known[i].units_low, known[i].units_high);
    }
}

/* Turning the board by half a turn and exchanging the colours gives the same map. */
static void assert_point_symmetric(const char *name, const struct tbs_map *map) {
    for (int x = 0; x < map->width; x++)
        for (int y = 0; y < map->height; y++)
            if (map->terrain[x][y] != map->terrain[map->width - 1 - x][map->height - 1 - y])
                fail_msg("%s: cell %d,%d differs from the opposite one", name, x, y);
    for (int id = 0; id < map->unit_count; id++) {
        const struct tbs_map_unit *u = &map->units[id];
        bool found = false;
        for (int other = 0; other < map->unit_count && !found; other++) {
            const struct tbs_map_unit *v = &map->units[other];
            found = v->x == map->width - 1 - u->x && v->y == map->height - 1 - u->y && v->type == u->type &&
                    v->side != u->side && v->hp == u->hp && v->done == u->done;
        }
        if (!found)
            fail_msg("%s: unit %d has no counterpart", name, id);
    }
}

static void fair_maps_are_symmetric(void **state) {
    (void)state;
    static const char *const names[] = {
        "duel",          "standard",        "standard8",         "bridge",
        "rooms",         "islands",         "skirmish_air",      "skirmish_cannon",
        "mountain_pass", "skirmish_ground", "skirmish_infantry", "battle16",
        "archipelago24", "rivers20",        "battle30",          "lane"};
    static struct tbs_map map;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        load_our_map(names[i], &map);
        assert_point_symmetric(names[i], &map);
    }
}

/* ---- pictures ---- */

#ifdef SENJUTSU_CAIRO

/* Before each test: an empty folder, and the tiny map to draw. */
static char folder[64];
static struct tbs_map drawn;
static struct tbs_position position;

static int make_folder(void **state) {
    (void)state;
    read_tiny(&drawn);
    tbs_map_position(&drawn, &position);
    strcpy(folder, "/tmp/senjutsu-show-XXXXXX");
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static int count_files(bool unlink_them) {
    int count = 0;
    DIR *dir = opendir(folder);
    for (const struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        char path[512];
        if (entry->d_name[0] == '.')
            continue;
        count++;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (unlink_them)
            unlink(path);
    }
    if (dir != NULL)
        closedir(dir);
    return count;
}

static int remove_folder(void **state) {
    (void)state;
    count_files(true);
    return rmdir(folder);
}

static const char *in_folder(const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void pictures_begin_with_their_magic(void **state) {
    (void)state;
    static const struct {
        const char *name, *magic, *end;
    } kinds[] = {{"board.png", "\211PNG\r\n\032\n", "IEND\256B`\202"},
                 {"board.svg", "<?xml", "</svg>\n"},
                 {"board.PDF", "%PDF-1.", "%%EOF\n"}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const char *path = in_folder(kinds[i].name);
        struct text bytes = {0};
        struct err e = {{0}};
        if (!tbs_draw(&drawn, &position, path, tbs_picture_of(path), 24, &e))
            fail_msg("%s", e.text);
        assert_true(file_read(path, 1 << 24, &bytes, &e));
        assert_true(bytes.size > 500);
        assert_memory_equal(bytes.data, kinds[i].magic, strlen(kinds[i].magic));
        assert_true(ends_with(bytes.data, bytes.size, kinds[i].end));
        text_done(&bytes);
    }
    assert_int_equal(count_files(false), 3); /* and no temporary ones */
}

/* Width and height stand in the first chunk of a PNG, most significant byte first. */
static int png_number(const struct text *png, size_t at) {
    const unsigned char *p = (const unsigned char *)png->data + at;
    return p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

static void a_picture_is_as_large_as_asked_for(void **state) {
    (void)state;
    load_our_map("battle30", &drawn);
    tbs_map_position(&drawn, &position);
    struct text small = {0}, large = {0};
    struct err e = {{0}};
    assert_true(tbs_draw(&drawn, &position, in_folder("a.png"), TBS_PICTURE_PNG, TBS_DRAW_CELL_MIN, &e));
    assert_true(file_read(in_folder("a.png"), 1 << 24, &small, &e));
    assert_true(
        tbs_draw(&drawn, &position, in_folder("a.png"), TBS_PICTURE_PNG, 20, &e)); /* over the old one */
    assert_true(file_read(in_folder("a.png"), 1 << 24, &large, &e));
    assert_in_range(png_number(&small, 16), 30 * TBS_DRAW_CELL_MIN, 32 * TBS_DRAW_CELL_MIN);
    assert_in_range(png_number(&large, 16), 30 * 20, 32 * 20);
    assert_int_equal(png_number(&large, 16), png_number(&large, 20));
    text_done(&small);
    text_done(&large);
}

/* Drawing is a function of its arguments: no clock, no chance. */
static void the_same_position_gives_the_same_bytes(void **state) {
    (void)state;
    static const char *const names[2] = {"one.png", "two.png"};
    struct text bytes[2] = {0};
    struct err e = {{0}};
    for (int i = 0; i < 2; i++) {
        assert_true(tbs_draw(&drawn, &position, in_folder(names[i]), TBS_PICTURE_PNG, 32, &e));
        assert_true(file_read(in_folder(names[i]), 1 << 24, &bytes[i], &e));
    }
    assert_int_equal(bytes[0].size, bytes[1].size);
    assert_memory_equal(bytes[0].data, bytes[1].data, bytes[0].size);
    position.units[0].done = true; /* a unit that has acted is drawn differently */
    text_clear(&bytes[1]);
    assert_true(tbs_draw(&drawn, &position, in_folder(names[1]), TBS_PICTURE_PNG, 32, &e));
    assert_true(file_read(in_folder(names[1]), 1 << 24, &bytes[1], &e));
    assert_true(bytes[0].size != bytes[1].size || memcmp(bytes[0].data, bytes[1].data, bytes[0].size) != 0);
    text_done(&bytes[0]);
    text_done(&bytes[1]);
}

static bool has_word(const struct text *bytes, const char *word) {
    const size_t length = strlen(word);
    for (size_t at = 0; at + length <= bytes->size; at++)
        if (memcmp(bytes->data + at, word, length) == 0)
            return true;
    return false;
}

static void a_pdf_carries_no_date(void **state) {
    (void)state;
    struct text bytes = {0};
    struct err e = {{0}};
    assert_true(tbs_draw(&drawn, &position, in_folder("board.pdf"), TBS_PICTURE_PDF, 32, &e));
    assert_true(file_read(in_folder("board.pdf"), 1 << 24, &bytes, &e));
    assert_false(has_word(&bytes, "/CreationDate"));
    text_done(&bytes);
}

/* Independent of earlier drawings of the process. */
static void an_svg_carries_no_number_of_its_own(void **state) {
    (void)state;
    struct text bytes[2] = {0};
    struct err e = {{0}};
    for (int i = 0; i < 2; i++) {
        assert_true(tbs_draw(&drawn, &position, in_folder("board.svg"), TBS_PICTURE_SVG, 32, &e));
        assert_true(file_read(in_folder("board.svg"), 1 << 24, &bytes[i], &e));
        assert_true(has_word(&bytes[i], "</svg>"));
    }
    assert_string_equal(bytes[0].data, bytes[1].data);
    text_done(&bytes[0]);
    text_done(&bytes[1]);
}

static void an_unwritable_path_is_named(void **state) {
    (void)state;
    for (int format = 0; format < TBS_PICTURES; format++) {
        const char *path = in_folder("missing/board.png");
        struct err e = {{0}};
        assert_false(tbs_draw(&drawn, &position, path, (enum tbs_picture)format, 24, &e));
        assert_non_null(strstr(e.text, path));
        assert_non_null(strstr(e.text, strerror(ENOENT)));
        assert_int_equal(count_files(false), 0);
    }
}

/* A folder in place of the file: only that folder stays. */
static void a_folder_in_the_way_stays(void **state) {
    (void)state;
    const char *path = in_folder("board.png");
    assert_int_equal(mkdir(path, 0700), 0);
    struct err e = {{0}};
    assert_false(tbs_draw(&drawn, &position, path, TBS_PICTURE_PNG, 24, &e));
    assert_non_null(strstr(e.text, path));
    assert_int_equal(count_files(false), 1);
    assert_int_equal(rmdir(path), 0);
}

static void wrong_arguments_are_explained(void **state) {
    (void)state;
    struct err e = {{0}};
    assert_false(tbs_draw(&drawn, &position, in_folder("board.bmp"), tbs_picture_of("board.bmp"), 24, &e));
    assert_non_null(strstr(e.text, ".png, .svg or .pdf"));
    assert_false(tbs_draw(&drawn, &position, in_folder("a.png"), TBS_PICTURE_PNG, TBS_DRAW_CELL_MIN - 1, &e));
    assert_non_null(strstr(e.text, "expected 8 to 200"));
    assert_false(tbs_draw(&drawn, &position, in_folder("a.png"), TBS_PICTURE_PNG, TBS_DRAW_CELL_MAX + 1, &e));
    assert_int_equal(count_files(false), 0);
}

static void endings_select_the_format(void **state) {
    (void)state;
    assert_int_equal(tbs_picture_of("a.png"), TBS_PICTURE_PNG);
    assert_int_equal(tbs_picture_of("b.c/a.SVG"), TBS_PICTURE_SVG);
    assert_int_equal(tbs_picture_of("a.png.Pdf"), TBS_PICTURE_PDF);
    assert_int_equal(tbs_picture_of("a.pngx"), TBS_PICTURES);
    assert_int_equal(tbs_picture_of("png"), TBS_PICTURES);
    assert_int_equal(tbs_picture_of("x.png/board"), TBS_PICTURES);
    assert_int_equal(tbs_picture_of(""), TBS_PICTURES);
}

/* For the leak checker of sanitizer builds: the font library never frees what it read from its own settings.
 */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libfontconfig\n";
}

/* Cairo caches fonts for the next drawing; there is none. */
static int forget_fonts(void **state) {
    (void)state;
    cairo_debug_reset_static_data();
    return 0;
}

#define PICTURE_TEST(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)

#else

#define forget_fonts NULL

static void pictures_are_skipped(void **state) {
    (void)state;
    print_message("built without Cairo: the tests of pictures are skipped\n");
    skip();
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_board_is_this),
        cmocka_unit_test(plain_board_with_ids_is_this),
        cmocka_unit_test(marks_are_visible_without_colour),
        cmocka_unit_test(legend_names_every_letter_and_terrain),
        cmocka_unit_test(colour_board_is_aligned_and_resets),
        cmocka_unit_test(colour_board_equals_the_plain_one),
        cmocka_unit_test(sides_and_done_units_have_their_own_colours),
        cmocka_unit_test(boards_are_exactly_this),
        cmocka_unit_test(destroyed_units_are_gone),
        cmocka_unit_test(map_position_is_the_start_of_the_game),
        cmocka_unit_test(our_maps_are_sound_and_round_trip),
        cmocka_unit_test(well_known_maps_have_their_sizes),
        cmocka_unit_test(fair_maps_are_symmetric),
#ifdef SENJUTSU_CAIRO
        PICTURE_TEST(pictures_begin_with_their_magic),
        PICTURE_TEST(a_picture_is_as_large_as_asked_for),
        PICTURE_TEST(the_same_position_gives_the_same_bytes),
        PICTURE_TEST(a_pdf_carries_no_date),
        PICTURE_TEST(an_svg_carries_no_number_of_its_own),
        PICTURE_TEST(an_unwritable_path_is_named),
        PICTURE_TEST(a_folder_in_the_way_stays),
        PICTURE_TEST(wrong_arguments_are_explained),
        cmocka_unit_test(endings_select_the_format),
#else
        cmocka_unit_test(pictures_are_skipped),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, forget_fonts);
}

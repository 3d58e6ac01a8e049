/* SPDX-License-Identifier: MIT
 *
 * A picture is a list of calls to Cairo. This program is linked with functions of Cairo's names that only
 * record their calls, so the drawing is compared call by call, on every machine, whatever its fonts and its
 * version of Cairo. tests/draw_test.txt holds the calls; EXPECTED=update writes it anew.
 */
#include "base/file.h"
#include "base/mem.h"
#include "game/tbs/tbs.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* ---- Cairo, written down ---- */

static struct text calls;

static struct {
    cairo_status_t context, surface; /* the status that Cairo returns */
    const char *bytes;               /* what becomes of the drawing */
    cairo_status_t kept;             /* the status for the written bytes */
    cairo_write_func_t write;        /* of a vector surface */
    void *closure;
} fake;

/* A name and numbers to four digits; one call a line, but a path is one line with the call that uses it. */
static void note(const char *name, const char *end, int count, ...) {
    va_list numbers;
    va_start(numbers, count);
    text_add_string(&calls, name);
    for (int i = 0; i < count; i++) {
        const double number = round(va_arg(numbers, double) * 1e4) / 1e4;
        text_add(&calls, " %g", number + 0.0); /* never -0 */
    }
    text_add_string(&calls, end);
    va_end(numbers);
}

static void *const something = &fake;

cairo_t *cairo_create(cairo_surface_t *target) {
    assert_ptr_equal(target, something);
    note("create", "\n", 0);
    return something;
}

void cairo_destroy(cairo_t *cr) {
    assert_ptr_equal(cr, something);
    note("destroy", "\n", 0);
}

cairo_status_t cairo_status(cairo_t *cr) {
    (void)cr;
    return fake.context;
}

const char *cairo_status_to_string(cairo_status_t status) {
    return status == CAIRO_STATUS_INVALID_SIZE ? "the size"
           : status == CAIRO_STATUS_NO_MEMORY  ? "memory"
                                               : "?";
}

void cairo_save(cairo_t *cr) {
    (void)cr;
    note("save", "\n", 0);
}

void cairo_restore(cairo_t *cr) {
    (void)cr;
    note("restore", "\n", 0);
}

void cairo_translate(cairo_t *cr, double x, double y) {
    (void)cr;
    note("translate", "\n", 2, x, y);
}

void cairo_scale(cairo_t *cr, double x, double y) {
    (void)cr;
    note("scale", "\n", 2, x, y);
}

void cairo_new_path(cairo_t *cr) {
    (void)cr;
    note("new path", "\n", 0);
}

void cairo_new_sub_path(cairo_t *cr) {
    (void)cr;
    note("new", " ", 0);
}

void cairo_close_path(cairo_t *cr) {
    (void)cr;
    note("close", " ", 0);
}

void cairo_move_to(cairo_t *cr, double x, double y) {
    (void)cr;
    note("move", " ", 2, x, y);
}

void cairo_line_to(cairo_t *cr, double x, double y) {
    (void)cr;
    note("line", " ", 2, x, y);
}

void cairo_rel_curve_to(cairo_t *cr, double dx1, double dy1, double dx2, double dy2, double dx3, double dy3) {
    (void)cr;
    note("curve", " ", 6, dx1, dy1, dx2, dy2, dx3, dy3);
}

void cairo_arc(cairo_t *cr, double x, double y, double radius, double from, double to) {
    (void)cr;
    note("arc", " ", 5, x, y, radius, from, to);
}

void cairo_rectangle(cairo_t *cr, double x, double y, double width, double height) {
    (void)cr;
    note("box", " ", 4, x, y, width, height);
}

void cairo_clip_preserve(cairo_t *cr) {
    (void)cr;
    note("clip", " ", 0);
}

void cairo_set_source_rgba(cairo_t *cr, double red, double green, double blue, double alpha) {
    (void)cr;
    text_add(&calls, "#%02X%02X%02X", (unsigned)lround(red * 255), (unsigned)lround(green * 255),
             (unsigned)lround(blue * 255));
    note("", " ", 1, alpha);
}

void cairo_set_line_width(cairo_t *cr, double width) {
    (void)cr;
    note("width", " ", 1, width);
}

void cairo_set_line_cap(cairo_t *cr, cairo_line_cap_t cap) {
    (void)cr;
    note("cap", "\n", 1, (double)cap);
}

void cairo_fill(cairo_t *cr) {
    (void)cr;
    note("fill", "\n", 0);
}

void cairo_fill_preserve(cairo_t *cr) {
    (void)cr;
    note("fill", " ", 0);
}

void cairo_stroke(cairo_t *cr) {
    (void)cr;
    note("stroke", "\n", 0);
}

void cairo_paint(cairo_t *cr) {
    (void)cr;
    note("paint", "\n", 0);
}

/* ---- text: every letter is as wide as the size times 0.6 ---- */

static double font_size;

cairo_font_options_t *cairo_font_options_create(void) {
    note("options", " ", 0);
    return something;
}

void cairo_font_options_set_hint_style(cairo_font_options_t *options, cairo_hint_style_t style) {
    (void)options;
    note("style", " ", 1, (double)style);
}

void cairo_font_options_set_hint_metrics(cairo_font_options_t *options, cairo_hint_metrics_t metrics) {
    (void)options;
    note("metrics", " ", 1, (double)metrics);
}

void cairo_font_options_set_antialias(cairo_font_options_t *options, cairo_antialias_t antialias) {
    (void)options;
    note("antialias", " ", 1, (double)antialias);
}

void cairo_set_font_options(cairo_t *cr, const cairo_font_options_t *options) {
    (void)cr, (void)options;
    note("use", " ", 0);
}

void cairo_font_options_destroy(cairo_font_options_t *options) {
    (void)options;
    note("given back", "\n", 0);
}

void cairo_select_font_face(cairo_t *cr, const char *family, cairo_font_slant_t slant,
                            cairo_font_weight_t weight) {
    (void)cr;
    text_add(&calls, "font %s", family);
    note("", "\n", 2, (double)slant, (double)weight);
}

void cairo_set_font_size(cairo_t *cr, double size) {
    (void)cr;
    font_size = size;
    note("size", " ", 1, size);
}

void cairo_text_extents(cairo_t *cr, const char *text, cairo_text_extents_t *extents) {
    (void)cr;
    *extents = (cairo_text_extents_t){.x_bearing = 0.1 * font_size,
                                      .y_bearing = -0.7 * font_size,
                                      .width = 0.6 * font_size * (double)strlen(text),
                                      .height = 0.8 * font_size};
}

void cairo_show_text(cairo_t *cr, const char *text) {
    (void)cr;
    text_add(&calls, "text '%s' ", text);
}

/* ---- surfaces ---- */

static cairo_surface_t *open_vector(const char *name, cairo_write_func_t write, void *closure, double width,
                                    double height) {
    note(name, "\n", 2, width, height);
    fake.write = write;
    fake.closure = closure;
    return something;
}

cairo_surface_t *cairo_svg_surface_create_for_stream(cairo_write_func_t write, void *closure, double width,
                                                     double height) {
    return open_vector("svg", write, closure, width, height);
}

cairo_surface_t *cairo_pdf_surface_create_for_stream(cairo_write_func_t write, void *closure, double width,
                                                     double height) {
    return open_vector("pdf", write, closure, width, height);
}

void cairo_pdf_surface_set_metadata(cairo_surface_t *surface, cairo_pdf_metadata_t what, const char *text) {
    (void)surface;
    text_add(&calls, "metadata %d '%s'\n", (int)what, text == NULL ? "" : text);
}

cairo_surface_t *cairo_image_surface_create(cairo_format_t format, int width, int height) {
    note("image", "\n", 3, (double)format, (double)width, (double)height);
    fake.write = NULL;
    return something;
}

/* In two pieces, as Cairo does. */
static cairo_status_t write_bytes(cairo_write_func_t write, void *closure) {
    const size_t size = strlen(fake.bytes), half = size / 2;
    fake.kept = write(closure, (const unsigned char *)fake.bytes, (unsigned)half);
    if (fake.kept == CAIRO_STATUS_SUCCESS)
        fake.kept = write(closure, (const unsigned char *)fake.bytes + half, (unsigned)(size - half));
    return fake.kept;
}

cairo_status_t cairo_surface_write_to_png_stream(cairo_surface_t *surface, cairo_write_func_t write,
                                                 void *closure) {
    (void)surface;
    note("png", "\n", 0);
    return write_bytes(write, closure);
}

void cairo_surface_finish(cairo_surface_t *surface) {
    (void)surface;
    note("finish", "\n", 0);
    if (fake.write != NULL)
        write_bytes(fake.write, fake.closure);
}

cairo_status_t cairo_surface_status(cairo_surface_t *surface) {
    (void)surface;
    return fake.surface;
}

void cairo_surface_destroy(cairo_surface_t *surface) {
    (void)surface;
    note("surface given back", "\n", 0);
}

/* ---- the board ---- */

/* Every terrain: a square of roads, roads that end at nothing and at a fortress, bridges of one and of two
 * cells, sea beside land, wall, bridge and the edge. The units: both sides, land units and aircraft, done and
 * not, with one and with two digits; the last one is dead. */
static const char board_text[] =
    "SIZEX[8];SIZEY[7];TURNLIMIT[8];HPTHRESHOLD[2];UNITNUMRED[2];UNITNUMBLUE[3];\n"
    "MAP[0,0,0,0,0,0,0,0];\n"
    "MAP[0,5,5,6,1,3,4,0];\n"
    "MAP[0,5,5,1,2,5,2,0];\n"
    "MAP[0,1,2,2,2,5,2,0];\n"
    "MAP[0,0,2,5,5,2,5,0];\n"
    "MAP[0,1,1,2,1,6,3,0];\n"
    "MAP[0,0,0,0,0,0,0,0];\n"
    "UNIT[1,3,infantry,0,10,0];\n"
    "UNIT[6,3,fighter,0,9,1];\n"
    "UNIT[4,1,panzer,1,10,1];\n"
    "UNIT[1,1,attacker,1,3,0];\n"
    "UNIT[4,5,cannon,1,5,0];\n";

static struct tbs_map map;
static struct tbs_position position;
static char path[64];

static int start_board(void **state) {
    (void)state;
    struct tbs_problems problems;
    const bool good = tbs_map_read(board_text, strlen(board_text), &map, &problems) && problems.count == 0;
    tbs_map_position(&map, &position);
    position.units[4].hp = 0;
    memset(&fake, 0, sizeof fake);
    fake.bytes = "a picture";
    snprintf(path, sizeof path, "/tmp/senjutsu-draw-%ld", (long)getpid());
    return good ? 0 : -1;
}

static int end_board(void **state) {
    (void)state;
    unlink(path);
    text_done(&calls);
    return 0;
}

static void assert_file(const char *expected) {
    struct text bytes = {0};
    struct err e = {{0}};
    assert_true(file_read(path, 1 << 20, &bytes, &e));
    assert_string_equal(text_string(&bytes), expected);
    assert_int_equal(bytes.size, strlen(expected));
    text_done(&bytes);
}

static void draw(enum tbs_picture format, int cell) {
    struct err e = {{0}};
    if (!tbs_draw(&map, &position, path, format, cell, &e))
        fail_msg("%s", e.text);
}

/* Line by line: the first difference is what a reader needs. */
static void assert_calls(const char *expected) {
    const char *got = text_string(&calls);
    for (int line = 1; *got != '\0' || *expected != '\0'; line++) {
        const size_t mine = strcspn(got, "\n"), wanted = strcspn(expected, "\n");
        if (mine != wanted || strncmp(got, expected, mine) != 0)
            fail_msg("call %d:\n%.*s\nexpected:\n%.*s", line, (int)mine, got, (int)wanted, expected);
        got += mine + (got[mine] == '\n');
        expected += wanted + (expected[wanted] == '\n');
    }
}

static void a_board_is_drawn_like_this(void **state) {
    (void)state;
    char name[512];
    struct text expected = {0};
    struct err e = {{0}};
    snprintf(name, sizeof name, "%s/tests/draw_test.txt", getenv("SENJUTSU_ROOT"));
    draw(TBS_PICTURE_PNG, 10);
    const char *update = getenv("EXPECTED");
    if (update != NULL && strcmp(update, "update") == 0)
        assert_true(file_write(name, text_string(&calls), calls.size, &e));
    if (!file_read(name, 1 << 20, &expected, &e))
        fail_msg("%s", e.text);
    assert_calls(text_string(&expected));
    text_done(&expected);
    assert_file("a picture");
}

/* The calls before the drawing, and those behind it. */
static void assert_frame(const char *first, const char *last) {
    const char *all = text_string(&calls);
    assert_true(calls.size > strlen(first) + strlen(last));
    assert_memory_equal(all, first, strlen(first));
    assert_string_equal(all + calls.size - strlen(last), last);
}

static void vector_files_are_whole(void **state) {
    (void)state;
    draw(TBS_PICTURE_SVG, 9);
    assert_frame("svg 62 53\ncreate\nscale 9 9\n", "restore\ndestroy\nfinish\nsurface given back\n");
    assert_file("a picture");
    text_clear(&calls);
    draw(TBS_PICTURE_PDF, 199);
    assert_frame("pdf 1359 1160\nmetadata 5 ''\ncreate\nscale 199 199\n",
                 "restore\ndestroy\nfinish\nsurface given back\n");
    assert_file("a picture");
    text_clear(&calls);
    draw(TBS_PICTURE_PNG, 8);
    assert_frame("image 1 55 47\ncreate\nscale 8 8\n", "restore\ndestroy\npng\nfinish\nsurface given back\n");
}

static void a_surface_number_is_left_out_of_an_svg(void **state) {
    (void)state;
    fake.bytes = "<svg><g id=\"surface4711\"><g id=\"surface8\"/></g>9</svg>";
    draw(TBS_PICTURE_SVG, 10);
    assert_file("<svg><g id=\"surface\"><g id=\"surface8\"/></g>9</svg>");
    draw(TBS_PICTURE_PDF, 10);
    assert_file(fake.bytes);
    fake.bytes = "";
    draw(TBS_PICTURE_SVG, 10);
    assert_file("");
}

static void expect_refusal(enum tbs_picture format, const char *why) {
    char expected[200];
    struct err e = {{0}};
    assert_false(tbs_draw(&map, &position, path, format, 10, &e));
    snprintf(expected, sizeof expected, "%s: %s", path, why);
    assert_string_equal(e.text, expected);
    assert_int_equal(access(path, F_OK), -1);
}

static void what_cairo_refuses_is_not_written(void **state) {
    (void)state;
    fake.context = CAIRO_STATUS_INVALID_SIZE;
    expect_refusal(TBS_PICTURE_PNG, "cannot be drawn: the size");
    assert_null(strstr(text_string(&calls), "png"));
    assert_non_null(strstr(text_string(&calls), "finish\nsurface given back\n"));
    fake.surface = CAIRO_STATUS_NO_MEMORY;
    expect_refusal(TBS_PICTURE_SVG, "cannot be drawn: the size"); /* the first reason */
    fake.context = CAIRO_STATUS_SUCCESS;
    expect_refusal(TBS_PICTURE_SVG, "cannot be drawn: memory");
}

static void cells_have_limits(void **state) {
    (void)state;
    char expected[200];
    struct err e = {{0}};
    assert_false(tbs_draw(&map, &position, path, TBS_PICTURE_PNG, 7, &e));
    snprintf(expected, sizeof expected, "%s: cells of 7 pixels cannot be drawn; expected 8 to 200", path);
    assert_string_equal(e.text, expected);
    assert_false(tbs_draw(&map, &position, path, TBS_PICTURE_PNG, 201, &e));
    snprintf(expected, sizeof expected, "%s: cells of 201 pixels cannot be drawn; expected 8 to 200", path);
    assert_string_equal(e.text, expected);
    assert_false(tbs_draw(&map, &position, path, TBS_PICTURES, 10, &e));
    snprintf(expected, sizeof expected,
             "%s: no such kind of picture; expected a name that ends in .png, .svg or .pdf", path);
    assert_string_equal(e.text, expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_board_is_drawn_like_this, start_board, end_board),
        cmocka_unit_test_setup_teardown(vector_files_are_whole, start_board, end_board),
        cmocka_unit_test_setup_teardown(a_surface_number_is_left_out_of_an_svg, start_board, end_board),
        cmocka_unit_test_setup_teardown(what_cairo_refuses_is_not_written, start_board, end_board),
        cmocka_unit_test_setup_teardown(cells_have_limits, start_board, end_board),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT
 *
 * Boards as pictures. The unit of length is one cell, (0, 0) is a cell's upper left corner, and one scale at
 * the start converts to pixels, so the same drawing serves every size and format.
 *
 * Terrain has calm colours and units bright ones. Terrain details reach into the cell's corners, because a
 * unit's token hides the middle. The sides differ in shape as well as in hue: red is round, blue is square.
 */
#include "game/tbs/tbs.h"

#include "base/file.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define TURN_FULL (2 * 3.14159265358979323846)
#define MARGIN    0.55 /* cells: room for the coordinates */

struct place {
    const struct tbs_map *map;
    int x, y;
};

/* Colours are 0xRRGGBB. */
static const int colour_paper = 0xFBFAF5, colour_label = 0x77736A, colour_frame = 0x4B4842,
                 colour_ink = 0x2B2A28, colour_road = 0xE4D7B7;

static const int terrain_colours[TBS_TERRAINS] = {
    [TBS_NO_ENTRY] = 0x54525A, [TBS_PLAIN] = 0xD3DFB0, [TBS_SEA] = 0xA3CBE0,      [TBS_WOOD] = 0xA9C88C,
    [TBS_MOUNTAIN] = 0xD2C5A6, [TBS_ROAD] = 0xD3DFB0,  [TBS_FORTRESS] = 0xD9D2C3,
};

static const struct {
    int fill, edge;
} token_colours[TBS_SIDES] = {
    [TBS_RED] = {0xC8433A, 0x7E211B},
    [TBS_BLUE] = {0x2E6BB3, 0x173C6B},
};

/* ---- small tools ---- */

/* `alpha`: 0 is invisible, 1 hides what is below. */
static void use_colour(cairo_t *cr, int rgb, double alpha) {
    cairo_set_source_rgba(cr, (rgb >> 16 & 0xFF) / 255.0, (rgb >> 8 & 0xFF) / 255.0, (rgb & 0xFF) / 255.0,
                          alpha);
}

static void fill(cairo_t *cr, int rgb) {
    use_colour(cr, rgb, 1);
    cairo_fill(cr);
}

static void stroke(cairo_t *cr, int rgb, double alpha, double width) {
    use_colour(cr, rgb, alpha);
    cairo_set_line_width(cr, width);
    cairo_stroke(cr);
}

static void line(cairo_t *cr, double x0, double y0, double x1, double y1) {
    cairo_move_to(cr, x0, y0);
    cairo_line_to(cr, x1, y1);
}

/* A new sub-path: otherwise Cairo draws a line from the current point to the circle. */
static void circle(cairo_t *cr, double x, double y, double radius) {
    cairo_new_sub_path(cr);
    cairo_arc(cr, x, y, radius, 0, TURN_FULL);
}

static void polygon(cairo_t *cr, const double (*points)[2], int count) {
    cairo_new_sub_path(cr);
    for (int i = 0; i < count; i++)
        cairo_line_to(cr, points[i][0], points[i][1]);
    cairo_close_path(cr);
}

static void rounded_box(cairo_t *cr, const cairo_rectangle_t *box, double radius) {
    const double right = box->x + box->width, bottom = box->y + box->height, quarter = TURN_FULL / 4;
    cairo_new_sub_path(cr);
    cairo_arc(cr, right - radius, box->y + radius, radius, -quarter, 0);
    cairo_arc(cr, right - radius, bottom - radius, radius, 0, quarter);
    cairo_arc(cr, box->x + radius, bottom - radius, radius, quarter, 2 * quarter);
    cairo_arc(cr, box->x + radius, box->y + radius, radius, 2 * quarter, 3 * quarter);
    cairo_close_path(cr);
}

/* Centres the visible part of the text at (x, y). */
static void centred_text(cairo_t *cr, double x, double y, double size, const char *text) {
    cairo_text_extents_t extents;
    cairo_set_font_size(cr, size);
    cairo_text_extents(cr, text, &extents);
    cairo_move_to(cr, x - extents.x_bearing - extents.width / 2, y - extents.y_bearing - extents.height / 2);
    cairo_show_text(cr, text);
    cairo_new_path(cr);
}

static void centred_number(cairo_t *cr, double x, double y, double size, int number) {
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    centred_text(cr, x, y, size, text);
}

/* A fixed number in [-1, 1] for the k-th detail of a cell: woods differ from each other, but not between
 * runs. */
static double wobble(const struct place *p, int k) {
    const uint64_t hash = rng_mix((uint64_t)(p->x * 64 + p->y) * 64 + (uint64_t)k);
    return (double)(hash >> 40) / (double)(1 << 23) - 1.0;
}

/* ---- terrain ---- */

static void draw_plain(cairo_t *cr, const struct place *p) {
    static const double tufts[3][2] = {{0.2, 0.22}, {0.78, 0.4}, {0.36, 0.8}};
    for (int i = 0; i < 3; i++) {
        const double x = tufts[i][0] + 0.1 * wobble(p, 2 * i), y = tufts[i][1] + 0.1 * wobble(p, 2 * i + 1);
        line(cr, x - 0.045, y - 0.04, x - 0.015, y);
        line(cr, x, y - 0.065, x, y);
        line(cr, x + 0.045, y - 0.04, x + 0.015, y);
    }
    stroke(cr, 0xB7C88E, 1, 0.018);
}

static void draw_wood(cairo_t *cr, const struct place *p) {
    static const double trees[5][3] = {
        {0.2, 0.19, 0.13}, {0.77, 0.17, 0.14}, {0.49, 0.45, 0.14}, {0.19, 0.72, 0.14}, {0.8, 0.74, 0.13}};
    for (int i = 0; i < 5; i++) {
        const double x = trees[i][0] + 0.03 * wobble(p, 2 * i), y = trees[i][1] + 0.03 * wobble(p, 2 * i + 1);
        const double size = trees[i][2] + 0.012 * wobble(p, 20 + i);
        cairo_rectangle(cr, x - 0.025, y, 0.05, 0.8 * size + 0.05);
        fill(cr, 0x7A6246);
        circle(cr, x, y, size);
        fill(cr, 0x55854C);
        circle(cr, x - 0.28 * size, y - 0.3 * size, 0.55 * size);
        fill(cr, 0x6E9E61);
    }
}

/* A triangle that is lit from the left, with a cap of snow on its upper part. */
static void draw_peak(cairo_t *cr, double x, double top, double half_width) {
    const double foot = 0.92, snow = 0.3;
    const double slope = half_width * snow, line = top + (foot - top) * snow;
    polygon(cr, (const double[][2]){{x, top}, {x + half_width, foot}, {x - half_width, foot}}, 3);
    fill(cr, 0xA08F76);
    polygon(cr, (const double[][2]){{x, top}, {x + half_width, foot}, {x + 0.15 * half_width, foot}}, 3);
    fill(cr, 0x84745F);
    polygon(cr,
            (const double[][2]){{x, top},
                                {x + slope, line},
                                {x + 0.35 * slope, line - 0.05},
                                {x - 0.1 * slope, line + 0.04},
                                {x - 0.5 * slope, line - 0.03},
                                {x - slope, line}},
            6);
    fill(cr, 0xF6F3EC);
}

static void draw_mountain(cairo_t *cr, const struct place *p) {
    draw_peak(cr, 0.74 + 0.02 * wobble(p, 0), 0.2 + 0.04 * wobble(p, 1), 0.24);
    draw_peak(cr, 0.35 + 0.02 * wobble(p, 2), 0.09 + 0.03 * wobble(p, 3), 0.31);
}

/* Border cells have no terrain to draw. */
static int terrain_at(const struct tbs_map *map, int x, int y) {
    return tbs_map_is_playable(map, x, y) ? map->terrain[x][y] : TBS_TERRAINS;
}

/* Follows the road in one direction to its end. */
static bool sea_lies_beyond(const struct tbs_map *map, int x, int y, int dx, int dy) {
    for (; terrain_at(map, x, y) == TBS_ROAD; x += dx)
        y += dy;
    return terrain_at(map, x, y) == TBS_SEA;
}

/* A road with water on both sides. */
static bool is_bridge(const struct tbs_map *map, int x, int y) {
    return map->terrain[x][y] == TBS_ROAD &&
           ((sea_lies_beyond(map, x, y, -1, 0) && sea_lies_beyond(map, x, y, 1, 0)) ||
            (sea_lies_beyond(map, x, y, 0, -1) && sea_lies_beyond(map, x, y, 0, 1)));
}

static const int neighbours[4][2] = {{1, 0}, {0, -1}, {-1, 0}, {0, 1}};

/* Waves, and foam along every edge between sea and land. */
static void draw_sea(cairo_t *cr, const struct place *p) {
    for (int i = 0; i < 3; i++) {
        const double y = 0.22 + 0.29 * i + 0.03 * wobble(p, i),
                     x = 0.16 + 0.16 * (i % 2) + 0.06 * wobble(p, 8 + i);
        cairo_move_to(cr, x, y);
        for (int wave = 0; wave < 2; wave++)
            cairo_rel_curve_to(cr, 0.06, -0.09, 0.16, -0.09, 0.22, 0);
    }
    stroke(cr, 0x7FB1CE, 1, 0.03);
    static const double edges[4][4] = {{1, 0, 1, 1}, {0, 0, 1, 0}, {0, 0, 0, 1}, {0, 1, 1, 1}};
    for (int i = 0; i < 4; i++) {
        const int x = p->x + neighbours[i][0], y = p->y + neighbours[i][1];
        if (tbs_map_is_playable(p->map, x, y) && p->map->terrain[x][y] != TBS_SEA && !is_bridge(p->map, x, y))
            line(cr, edges[i][0], edges[i][1], edges[i][2], edges[i][3]);
    }
    stroke(cr, 0xD9EAF0, 1, 0.14); /* half of it is clipped away */
}

/* Roads also lead into fortresses. */
static bool leads_on(const struct place *p, int dx, int dy) {
    const int terrain = terrain_at(p->map, p->x + dx, p->y + dy);
    return terrain == TBS_ROAD || terrain == TBS_FORTRESS;
}

/* A strip from the middle to every neighbour where the road continues; a road without neighbours lies across
 * the cell. */
static void road_path(cairo_t *cr, const struct place *p) {
    bool any = false;
    for (int i = 0; i < 4; i++)
        any = any || leads_on(p, neighbours[i][0], neighbours[i][1]);
    for (int i = 0; i < 4; i++) {
        const int dx = neighbours[i][0], dy = neighbours[i][1];
        if (any ? leads_on(p, dx, dy) : dy == 0)
            line(cr, 0.5, 0.5, 0.5 + 0.6 * dx, 0.5 + 0.6 * dy);
    }
}

static void draw_road(cairo_t *cr, const struct place *p) {
    const bool bridge = is_bridge(p->map, p->x, p->y);
    if (bridge) {
        cairo_rectangle(cr, 0, 0, 1, 1);
        fill(cr, terrain_colours[TBS_SEA]);
    } else {
        draw_plain(cr, p);
    }
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    road_path(cr, p);
    stroke(cr, bridge ? 0x8F7B58 : 0xB9A67F, 1, 0.5);
    road_path(cr, p);
    stroke(cr, colour_road, 1, 0.42);
    /* Adjacent roads form one square: the corner between three neighbours is filled. */
    for (int dx = -1; dx <= 1; dx += 2)
        for (int dy = -1; dy <= 1; dy += 2)
            if (leads_on(p, dx, 0) && leads_on(p, 0, dy) && leads_on(p, dx, dy))
                cairo_rectangle(cr, 0.5, 0.5, 0.5 * dx, 0.5 * dy);
    fill(cr, colour_road);
}

/* Seen from above: a wall with teeth around the cell, which stays visible when a unit is in it. */
static void draw_fortress(cairo_t *cr, const struct place *p) {
    (void)p;
    cairo_rectangle(cr, 0.11, 0.11, 0.78, 0.78);
    stroke(cr, 0x8C8375, 1, 0.12);
    for (int i = 0; i < 4; i++) {
        const double at = 0.03 + 0.2667 * i;
        cairo_rectangle(cr, at, 0.03, 0.14, 0.14);
        cairo_rectangle(cr, at, 0.83, 0.14, 0.14);
        cairo_rectangle(cr, 0.03, at, 0.14, 0.14);
        cairo_rectangle(cr, 0.83, at, 0.14, 0.14);
    }
    fill(cr, 0x6E665A);
    polygon(cr, (const double[][2]){{0.47, 0.3}, {0.47, 0.7}, {0.52, 0.7}, {0.52, 0.52}, {0.74, 0.41}}, 5);
    fill(cr, 0xA79C8A);
}

/* Courses of stone. */
static void draw_wall(cairo_t *cr, const struct place *p) {
    (void)p;
    for (int row = 0; row < 4; row++) {
        const double y = 0.25 * row;
        line(cr, 0, y, 1, y);
        for (double x = row % 2 == 0 ? 0.25 : 0; x < 1; x += 0.5)
            line(cr, x, y, x, y + 0.25);
    }
    stroke(cr, 0x3F3D44, 1, 0.03);
}

static void (*const terrain_details[TBS_TERRAINS])(cairo_t *, const struct place *) = {
    [TBS_NO_ENTRY] = draw_wall,     [TBS_PLAIN] = draw_plain,       [TBS_SEA] = draw_sea,
    [TBS_WOOD] = draw_wood,         [TBS_MOUNTAIN] = draw_mountain, [TBS_ROAD] = draw_road,
    [TBS_FORTRESS] = draw_fortress,
};

static void draw_ground(cairo_t *cr, const struct tbs_map *map) {
    for (int y = 1; y < map->height - 1; y++)
        for (int x = 1; x < map->width - 1; x++) {
            const struct place place = {map, x, y};
            const int terrain = map->terrain[x][y];
            cairo_save(cr);
            cairo_translate(cr, x - 1, y - 1);
            cairo_rectangle(cr, 0, 0, 1, 1);
            cairo_clip_preserve(cr);
            fill(cr, terrain_colours[terrain]);
            terrain_details[terrain](cr, &place);
            cairo_restore(cr);
        }
}

/* With coordinates along two edges. */
static void draw_grid(cairo_t *cr, const struct tbs_map *map) {
    const int columns = map->width - 2, rows = map->height - 2;
    for (int x = 1; x < columns; x++)
        line(cr, x, 0, x, rows);
    for (int y = 1; y < rows; y++)
        line(cr, 0, y, columns, y);
    stroke(cr, colour_frame, 0.28, 0.015);
    cairo_rectangle(cr, 0, 0, columns, rows);
    stroke(cr, colour_frame, 1, 0.035);
    use_colour(cr, colour_label, 1);
    for (int x = 1; x <= columns; x++)
        centred_number(cr, x - 0.5, -MARGIN / 2, 0.27, x);
    for (int y = 1; y <= rows; y++)
        centred_number(cr, -MARGIN / 2, y - 0.5, 0.27, y);
}

/* ---- units ---- */

/* A unit that has acted is pale: its colours are mixed with the ground's. They are not drawn half
 * transparent, because vector files keep a hidden picture for every transparent group. */
static int shade(const struct tbs_unit *u, int rgb) {
    static const int pale = 0xDEDFC9;
    int mixed = 0;
    for (int shift = 0; shift <= 16; shift += 8)
        mixed |= (2 * (rgb >> shift & 0xFF) + 3 * (pale >> shift & 0xFF)) / 5 << shift;
    return u->done ? mixed : rgb;
}

/* `grow`: cells that the outline is wider on each side; negative: narrower. */
static void token_path(cairo_t *cr, int side, double grow) {
    if (side == TBS_RED)
        circle(cr, 0.5, 0.5, 0.36 + grow);
    else
        rounded_box(cr, &(cairo_rectangle_t){0.175 - grow, 0.175 - grow, 0.65 + 2 * grow, 0.65 + 2 * grow},
                    0.1);
}

/* From below: shadow, token with its letter, HP. */
static void draw_unit(cairo_t *cr, const struct tbs_unit *u) {
    const char letter[2] = {tbs_unit_types[u->type].mark, '\0'};
    const int edge = shade(u, token_colours[u->side].edge);
    cairo_save(cr);
    cairo_translate(cr, u->x - 1, u->y - 1);
    cairo_save(cr);
    cairo_translate(cr, 0.02,
                    tbs_is_air(u->type) ? 0.09 : 0.035); /* an aircraft's shadow lies further below it */
    token_path(cr, u->side, 0);
    use_colour(cr, 0x000000, u->done ? 0.12 : 0.3);
    cairo_fill(cr);
    cairo_restore(cr);

    token_path(cr, u->side, 0);
    fill(cr, shade(u, token_colours[u->side].fill));
    token_path(cr, u->side, -0.045);
    stroke(cr, 0xFFFFFF, 0.35, 0.02);
    token_path(cr, u->side, 0);
    stroke(cr, edge, 1, 0.03);
    use_colour(cr, 0xFFFFFF, 1);
    centred_text(cr, 0.48, 0.47, 0.46, letter);

    const double width = u->hp > 9 ? 0.36 : 0.27;
    rounded_box(cr, &(cairo_rectangle_t){0.95 - width, 0.68, width, 0.27}, 0.1);
    use_colour(cr, 0xFFFFFF, 1);
    cairo_fill_preserve(cr);
    stroke(cr, edge, 1, 0.025);
    use_colour(cr, shade(u, colour_ink), 1);
    centred_number(cr, 0.95 - width / 2, 0.815, 0.23, u->hp);
    cairo_restore(cr);
}

/* ---- the whole picture ---- */

/* From below: paper, ground, grid, units. */
static void draw_board(cairo_t *cr, const struct tbs_map *map, const struct tbs_position *position) {
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options,
                                        CAIRO_HINT_METRICS_OFF); /* the same proportions at every size */
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cr, options);
    cairo_font_options_destroy(options);
    cairo_select_font_face(cr, "sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
    use_colour(cr, colour_paper, 1);
    cairo_paint(cr);
    cairo_translate(cr, MARGIN, MARGIN);
    draw_ground(cr, map);
    draw_grid(cr, map);
    for (int id = 0; id < position->unit_count; id++)
        if (position->units[id].hp > 0)
            draw_unit(cr, &position->units[id]);
}

/* Cairo writes through this callback; text_add_bytes cannot fail. */
static cairo_status_t store_bytes(void *closure, const unsigned char *data, unsigned int length) {
    text_add_bytes(closure, (const char *)data, length);
    return CAIRO_STATUS_SUCCESS;
}

enum tbs_picture tbs_picture_of(const char *path) {
    static const char *const endings[TBS_PICTURES] = {
        [TBS_PICTURE_PNG] = ".png", [TBS_PICTURE_SVG] = ".svg", [TBS_PICTURE_PDF] = ".pdf"};
    const char *ending = strrchr(path, '.');
    int format = 0;
    while (format < TBS_PICTURES && (ending == NULL || strcasecmp(ending, endings[format]) != 0))
        format++;
    return (enum tbs_picture)format;
}

/* Creates the picture's bytes in memory, so that once the file is written only the disk can fail. */
static cairo_status_t render(const struct tbs_map *map, const struct tbs_position *position,
                             enum tbs_picture format, int cell_pixels, struct text *out) {
    const double edge = 1.5 * MARGIN; /* the edges without numbers have half of it */
    const double width = ceil((map->width - 2 + edge) * cell_pixels);
    const double height = ceil((map->height - 2 + edge) * cell_pixels);
    cairo_surface_t *surface =
        format == TBS_PICTURE_SVG   ? cairo_svg_surface_create_for_stream(store_bytes, out, width, height)
        : format == TBS_PICTURE_PDF ? cairo_pdf_surface_create_for_stream(store_bytes, out, width, height)
                                    : cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
    if (format ==
        TBS_PICTURE_PDF) /* Cairo would insert the time; the same position must give the same bytes */
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, NULL);
    cairo_t *cr = cairo_create(surface);
    cairo_scale(cr, cell_pixels, cell_pixels);
    draw_board(cr, map, position);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    if (format == TBS_PICTURE_PNG && status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png_stream(surface, store_bytes, out);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return status;
}

/* Cairo numbers its surfaces during the life of the process; the same position must give the same bytes.
 * Nothing refers to that number. */
static void drop_surface_number(struct text *svg) {
    static const char name[] = "<g id=\"surface";
    char *at = svg->data != NULL ? strstr(svg->data, name) : NULL;
    if (at == NULL)
        return;
    at += strlen(name);
    const size_t digits = strspn(at, "0123456789");
    memmove(at, at + digits, svg->size - (size_t)(at - svg->data) - digits + 1);
    svg->size -= digits;
}

bool tbs_draw(const struct tbs_map *map, const struct tbs_position *position, const char *path,
              enum tbs_picture format, int cell_pixels, struct err *e) {
    if (format >= TBS_PICTURES)
        return err_set(e, "%s: no such kind of picture; expected a name that ends in .png, .svg or .pdf",
                       path);
    if (cell_pixels < TBS_DRAW_CELL_MIN || cell_pixels > TBS_DRAW_CELL_MAX)
        return err_set(e, "%s: cells of %d pixels cannot be drawn; expected %d to %d", path, cell_pixels,
                       TBS_DRAW_CELL_MIN, TBS_DRAW_CELL_MAX);
    struct text bytes = {0};
    const cairo_status_t status = render(map, position, format, cell_pixels, &bytes);
    if (format == TBS_PICTURE_SVG)
        drop_surface_number(&bytes);
    const bool ok = status == CAIRO_STATUS_SUCCESS
                        ? file_write(path, text_string(&bytes), bytes.size, e)
                        : err_set(e, "%s: cannot be drawn: %s", path, cairo_status_to_string(status));
    text_done(&bytes);
    return ok;
}

/* SPDX-License-Identifier: MIT
 *
 * The calls of store.h, passed on to the implementation that the path asks for.
 */
#include "base/file_system.h"
#include "store/type.h"

#include <stddef.h>

struct store *store_open(const char *path, enum store_mode mode, struct err *e) {
    const struct store_type *type = file_system_of(path) != NULL ? &store_memory : &store_sqlite;
    return type->open(path, mode, e);
}

void store_close(struct store *store) {
    if (store != NULL)
        store->type->close(store);
}

bool store_get(struct store *store, const char *name, struct text *out, bool *found, struct err *e) {
    return store->type->get(store, name, out, found, e);
}

bool store_put(struct store *store, const char *name, const char *value, struct err *e) {
    return store->type->put(store, name, value, e);
}

bool store_add_game(struct store *store, const struct store_game *game, struct err *e) {
    return store->type->add_game(store, game, e);
}

bool store_visit_games(struct store *store, const struct store_visit *visit, struct err *e) {
    return store->type->visit_games(store, visit, e);
}

bool store_check(struct store *store, struct err *e) {
    return store->type->check(store, e);
}

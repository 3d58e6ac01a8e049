/* SPDX-License-Identifier: MIT */
#include "serve/inside.h"

const struct route map_routes[] = {{MESSAGE_GET, NULL, NULL}};

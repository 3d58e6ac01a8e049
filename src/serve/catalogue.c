/* SPDX-License-Identifier: MIT */
#include "serve/inside.h"

const struct route catalogue_routes[] = {{MESSAGE_GET, NULL, NULL}};

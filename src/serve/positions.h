/* SPDX-License-Identifier: MIT
 *
 * Positions that a request describes, and what actions make of them. Nothing is kept.
 */
#ifndef SERVE_POSITIONS_H
#define SERVE_POSITIONS_H

#include "serve/inside.h"

serve_handler positions_show, positions_play;

#endif

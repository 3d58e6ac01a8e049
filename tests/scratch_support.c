/* SPDX-License-Identifier: MIT */
#include "tests/scratch_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool scratch_folder(const char *name, char path[SCRATCH_PATH_MAX]) {
    const char *parent = access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(path, SCRATCH_PATH_MAX, "%s/senjutsu-%s-XXXXXX", parent, name);
    return mkdtemp(path) != NULL;
}

/* SPDX-License-Identifier: MIT
 *
 * Code under test while memory runs out.
 */
#include "tests/memory_support.h"

#include "base/mem.h"

#include <jansson.h>

bool memory_runs_out(long n, void (*function)(void *context), void *context) {
    struct mem_scope scope;
    json_set_alloc_funcs(mem_alloc, mem_free); /* so that JSON values fail, and are freed, as all else */
    mem_scope_begin(&scope, MEM_FREES);
    if (setjmp(scope.escape) != 0) {
        mem_fail_at(0);
        return true;
    }
    mem_fail_at(n);
    function(context);
    mem_fail_at(0);
    mem_scope_end(&scope);
    return false;
}

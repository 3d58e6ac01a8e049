/* SPDX-License-Identifier: MIT
 *
 * Code under test while memory runs out.
 */
#include "tests/memory_support.h"

#include "base/mem.h"

bool memory_runs_out(long n, void (*function)(void *context), void *context) {
    struct mem_scope scope;
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

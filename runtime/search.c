/* <search.h>: search in arrays, in one table of names, in trees; lists. */
#include "runtime.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* ---- arrays ---- */

void *lfind(const void *key, const void *base, size_t *count, size_t size, int (*compare)(const void *, const void *)) {
    const char *element = base;
    for (size_t i = 0; i < *count; i++, element += size)
        if (!compare(key, element))
            return (void *)element;
    return NULL;
}

void *lsearch(const void *key, void *base, size_t *count, size_t size, int (*compare)(const void *, const void *)) {
    void *found = lfind(key, base, count, size, compare);
    if (found)
        return found;
    found = memcpy((char *)base + *count * size, key, size);
    ++*count;
    return found;
}

/* ---- names: in the order in which they came. There is room for as many as in glibc. ---- */

struct _ENTRY {
    ENTRY entry;
};

static int prime(size_t n) {
    for (size_t by = 3; by * by <= n; by += 2)
        if (n % by == 0)
            return 0;
    return 1;
}

int hcreate_r(size_t count, struct hsearch_data *table) {
    if (!table) {
        errno = EINVAL;
        return 0;
    }
    if (table->table)
        return 0;
    for (count = count < 3 ? 3 : count | 1; !prime(count);)
        count += 2;
    table->table = calloc(count, sizeof(struct _ENTRY));
    if (!table->table)
        return 0;
    table->size = (unsigned)count;
    table->filled = 0;
    return 1;
}

void hdestroy_r(struct hsearch_data *table) {
    if (!table) {
        errno = EINVAL;
        return;
    }
    free(table->table);
    table->table = NULL;
    table->size = table->filled = 0;
}

int hsearch_r(ENTRY wanted, ACTION action, ENTRY **found, struct hsearch_data *table) {
    *found = NULL;
    for (unsigned i = 0; i < table->filled; i++)
        if (!strcmp(wanted.key, table->table[i].entry.key)) {
            *found = &table->table[i].entry;
            return 1;
        }
    if (action == FIND || table->filled == table->size) {
        errno = action == FIND ? ESRCH : ENOMEM;
        return 0;
    }
    *found = &table->table[table->filled++].entry;
    **found = wanted;
    return 1;
}

static struct hsearch_data the_table;

int hcreate(size_t count) {
    return hcreate_r(count, &the_table);
}

void hdestroy(void) {
    hdestroy_r(&the_table);
}

ENTRY *hsearch(ENTRY wanted, ACTION action) {
    ENTRY *found;
    hsearch_r(wanted, action, &found, &the_table);
    return found;
}

/* ---- trees: not balanced. Programs see a node as a pointer to its key. ---- */

struct tree {
    const void *key;
    struct tree *less, *more;
};

typedef int (*comparison)(const void *, const void *);

/* Where the node with this key hangs, or would; and the node above. */
static struct tree **place(const void *key, struct tree **root, comparison compare, struct tree **above) {
    *above = NULL;
    while (*root) {
        int order = compare(key, (*root)->key);
        if (!order)
            break;
        *above = *root;
        root = order < 0 ? &(*root)->less : &(*root)->more;
    }
    return root;
}

void *tsearch(const void *key, void **root, comparison compare) {
    struct tree *above;
    if (!root)
        return NULL;
    struct tree **at = place(key, (struct tree **)root, compare, &above);
    if (*at)
        return *at;
    struct tree *new = malloc(sizeof *new);
    if (new) {
        new->key = key;
        new->less = new->more = NULL;
        *at = new;
    }
    return new;
}

void *tfind(const void *key, void *const *root, comparison compare) {
    struct tree *above;
    return root ? *place(key, (struct tree **)root, compare, &above) : NULL;
}

/* Gives the node above, or for the root something that is not NULL. */
void *tdelete(const void *restrict key, void **restrict root, comparison compare) {
    struct tree *above;
    if (!root)
        return NULL;
    struct tree **at = place(key, (struct tree **)root, compare, &above), *old = *at;
    if (!old)
        return NULL;
    if (!old->less || !old->more) {
        *at = old->less ? old->less : old->more;
    } else {
        /* The next one in the order takes its place. */
        struct tree **next = &old->more;
        while ((*next)->less)
            next = &(*next)->less;
        struct tree *new = *next;
        *next = new->more;
        new->less = old->less;
        new->more = old->more;
        *at = new;
    }
    free(old);
    return above ? (void *)above : (void *)root;
}

static void walk(const struct tree *node, __action_fn_t action, int depth) {
    if (!node->less && !node->more) {
        action(node, leaf, depth);
        return;
    }
    action(node, preorder, depth);
    if (node->less)
        walk(node->less, action, depth + 1);
    action(node, postorder, depth);
    if (node->more)
        walk(node->more, action, depth + 1);
    action(node, endorder, depth);
}

void twalk(const void *root, __action_fn_t action) {
    if (root && action)
        walk(root, action, 0);
}

typedef void (*action_with)(const void *, VISIT, void *);

static void walk_with(const struct tree *node, action_with action, void *context) {
    if (!node->less && !node->more) {
        action(node, leaf, context);
        return;
    }
    action(node, preorder, context);
    if (node->less)
        walk_with(node->less, action, context);
    action(node, postorder, context);
    if (node->more)
        walk_with(node->more, action, context);
    action(node, endorder, context);
}

/* Older headers do not have it. */
void rt_twalk_r(const void *root, action_with action, void *context) SYMBOL(twalk_r);
void rt_twalk_r(const void *root, action_with action, void *context) {
    if (root && action)
        walk_with(root, action, context);
}

void tdestroy(void *root, void (*release)(void *)) {
    struct tree *node = root;
    if (!node)
        return;
    tdestroy(node->less, release);
    tdestroy(node->more, release);
    release((void *)node->key);
    free(node);
}

/* ---- lists ---- */

struct element {
    struct element *next, *before;
};

void insque(void *element, void *before) {
    struct element *e = element, *b = before;
    e->before = b;
    e->next = b ? b->next : NULL;
    if (!b)
        return;
    if (b->next)
        b->next->before = e;
    b->next = e;
}

void remque(void *element) {
    struct element *e = element;
    if (e->next)
        e->next->before = e->before;
    if (e->before)
        e->before->next = e->next;
}

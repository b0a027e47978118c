//! Pieces of C around the library; see `idiom.rs` for the holes.

pub(super) const LIBRARY: [&str; 24] = [
    // Memory.
    "unsigned char z_a[16], z_b[16];
    memset(z_a, $c, sizeof z_a);
    memcpy(z_b, z_a, sizeof z_b);
    z_b[$u % 16] = $c;
    memmove(z_b + 3, z_b, 9);
    out(memcmp(z_a, z_b, sizeof z_a) == 0);
    out(z_b[$u % 16]);
    unsigned char *z_p = memchr(z_b, z_b[7], sizeof z_b);
    out(z_p - z_b);",
    "int z_n = ($i & 15) + 1;
    unsigned *z_a = malloc(z_n * sizeof *z_a);
    for (int z_i = 0; z_i < z_n; z_i++) {
    z_a[z_i] = $u + (unsigned)z_i;
    }
    z_a = realloc(z_a, (z_n + 4) * sizeof *z_a);
    z_a[z_n + 3] = z_a[z_n - 1];
    out(z_a[z_n + 3] ^ z_a[0]);
    free(z_a);",
    "unsigned long *z_a = calloc($n, sizeof *z_a);
    z_a[0] += $U;
    out(z_a[0]);
    free(z_a);
    free(0);",
    "struct z_node { struct z_node *next; long value; } *z_head = 0;
    for (int z_i = 0; z_i < $n + 1; z_i++) {
    struct z_node *z_new = malloc(sizeof *z_new);
    *z_new = (struct z_node){ z_head, $l };
    z_head = z_new;
    }
    while (z_head) {
    struct z_node *z_old = z_head;
    out(z_old->value);
    z_head = z_old->next;
    free(z_old);
    }",
    "struct z_flexible { int length; unsigned rest[]; } *z_f = malloc(sizeof *z_f + 3 * sizeof(unsigned));
    z_f->length = 3;
    for (int z_i = 0; z_i < z_f->length; z_i++) {
    z_f->rest[z_i] = $u;
    }
    out(z_f->rest[$u % 3]);
    free(z_f);",
    "struct out_large *z_a = malloc(2 * sizeof *z_a);
    z_a[0] = out_make($l, $l);
    z_a[1] = z_a[0];
    z_a[1].part[2] = $l;
    memcpy(&z_a[0], &z_a[1], sizeof *z_a);
    out(out_sum(*z_a));
    free(z_a);",
    // Sorting and searching.
    "int z_a[7] = { $i, $i, $i, $i, $i, $i, $i };
    qsort(z_a, 7, sizeof *z_a, out_compare);
    for (int z_i = 0; z_i < 7; z_i++) {
    out(z_a[z_i]);
    }
    int z_key = z_a[$u % 7];
    int *z_p = bsearch(&z_key, z_a, 7, sizeof *z_a, out_compare);
    out(*z_p == z_key);
    z_key = $i;
    out(bsearch(&z_key, z_a, 7, sizeof *z_a, out_compare) != 0);",
    // Strings.
    "char z_s[40] = $s;
    strcat(z_s, $s);
    strncat(z_s, $s, $n);
    out(strlen(z_s));
    out(strcmp(z_s, $s) < 0);
    out(strncmp(z_s, $s, 2) == 0);
    char *z_p = strchr(z_s, 'b');
    out(z_p ? z_p - z_s : -1);
    z_p = strrchr(z_s, 'c');
    out(z_p ? z_p - z_s : -1);
    z_p = strstr(z_s, \"ab\");
    out_string(z_p ? z_p : \"none\");
    out(strspn(z_s, \"abc\") + 10 * strcspn(z_s, \"e\"));",
    "char z_s[20];
    strcpy(z_s, $s);
    strncpy(z_s + 10, $s, 9);
    z_s[19] = 0;
    out_string(z_s);
    out_string(z_s + 10);
    char *z_d = strdup(z_s);
    z_d[0] = 'Z';
    out(strcmp(z_d, z_s) > 0);
    free(z_d);",
    "char z_s[] = \"ab,cd,,e;f\";
    for (char *z_p = strtok(z_s, \",;\"); z_p; z_p = strtok(0, \",;\")) {
    out_string(z_p);
    }",
    // Numbers as text, and back.
    "char z_s[200];
    out(snprintf(z_s, sizeof z_s, \"%d|%5d|%-6d|%06d|%+d|% d|%x|%#X|%o\", $i, $i, $i, $i, $i, $i, $u, $u, $u));
    out_string(z_s);",
    "char z_s[200];
    out(sprintf(z_s, \"%ld %lu %lld %hhd %hd %zu %jx %td\", $l, $U, (long long)$l, (signed char)$i, (short)$i, (size_t)$U, (uintmax_t)$U, (ptrdiff_t)$l));
    out_string(z_s);",
    "char z_s[800];
    out(snprintf(z_s, sizeof z_s, \"%f %.3f %10.2f %-12.1f|%+.0f\", $d, $d, $d, $d, $d));
    out_string(z_s);",
    "char z_s[400];
    out(snprintf(z_s, sizeof z_s, \"%e %.10e %g %.17g %G %#.3g %a\", $d, $d, $d, $d, $d, $d, $d));
    out_string(z_s);",
    "char z_s[100];
    out(snprintf(z_s, sizeof z_s, \"%c%%%s|%10s|%-7.3s|%*d|%.*s\", 'a' + $n, $s, $s, $s, $n, $i, $n, $s));
    out_string(z_s);",
    "char z_s[12];
    out(snprintf(z_s, sizeof z_s, \"%ld and %s\", $l, $s));
    out_string(z_s);
    out(snprintf(0, 0, \"%d\", $i));",
    "char z_s[100];
    out(snprintf(z_s, sizeof z_s, \"%.5d|%8.3d|%-8x|%#o|%.0d|%5c|\", $i, $i, $u, $u, $i & 1, 'x'));
    out_string(z_s);",
    "char z_s[30], *z_end;
    sprintf(z_s, \"%d;\", $i);
    out(atoi(z_s));
    out(strtol(z_s, &z_end, 10));
    out(z_end - z_s);
    sprintf(z_s, \"%lx\", $U);
    out(strtoul(z_s, 0, 16));",
    "char z_s[60];
    sprintf(z_s, \"%.17g\", $d);
    out_double(strtod(z_s, 0));
    out_double(atof(\"-12.75e1\"));",
    "int z_i = 0, z_n;
    char z_s[40], z_w[20];
    sprintf(z_s, \"%d %s\", $i, \"word\");
    z_n = sscanf(z_s, \"%d %19s\", &z_i, z_w);
    out(z_n);
    out(z_i);
    out_string(z_w);",
    // Floating point.
    "double z_x = $d, z_whole;
    int z_e;
    out_double(modf(z_x, &z_whole));
    out_double(z_whole);
    out_double(frexp(z_x, &z_e));
    out(isinf(z_x) ? 0 : z_e);
    out_double(ldexp(z_x, $n));
    out(signbit(z_x) != 0);
    out(isinf(z_x) != 0);
    out_double(copysign($d, z_x));",
    "double z_x = $d;
    out(fpclassify(z_x));
    out(isnan(z_x) + 2 * (isfinite(z_x) != 0) + 4 * (isnormal(z_x) != 0));
    out(lround(a_number(fmod(z_x, 1000.0)) + 0.25));
    out_double(hypot(3.0, 4.0) + pow(2.0, $n) + a_number(fma($d, $d, z_x)));
    out_float(fmaxf((float)z_x, 2.5f));",
    "div_t z_d = div($i >> 1, ($i & 63) | 1);
    out(z_d.quot);
    out(z_d.rem);
    out(labs($l >> 1));
    out(llabs((long long)($i >> 1)));",
    "char z_s[80];
    int z_n = 0;
    for (int z_i = 0; z_i < 4; z_i++) {
    z_n += snprintf(z_s + z_n, sizeof z_s - z_n, \"%s%d\", z_i ? \", \" : \"\", ($i & 255) + z_i);
    }
    out_string(z_s);
    printf(\"%s\\n\", z_s);
    puts(\"done\");",
];

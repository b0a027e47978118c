//! Traces of C programs, as a user sees them.

use expect_test::{Expect, expect};
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Runs `auspex` beside one program; gives what it prints.
fn run(name: &str, text: &str, arguments: &[&str], input: &str) -> String {
    let directory = TempDir::new().unwrap();
    std::fs::write(directory.path().join(name), text).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_auspex"))
        .current_dir(directory.path())
        .env_remove("CLICOLOR_FORCE")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    std::fs::read_to_string(path).unwrap()
}

/// The trace and the fault, without the numbers of the search.
fn check(name: &str, text: &str, expected: &Expect) {
    let out = run(name, text, &["check", name, "--shortest", "--workers", "1"], "");
    let story = out.split_once("\n\n").map_or("", |(_, story)| story);
    expected.assert_eq(story.split("\n\n").next().unwrap_or_default());
}

#[test]
fn a_lost_update_is_seen() {
    check(
        "counter_broken.c",
        &example("counter_broken.c"),
        &expect![[r#"
             1  main[0]   counter_broken.c:26  pthread_create(&first, 0, count, 0);   creates count[1]  first = count[1]
             2  main[0]   counter_broken.c:27  pthread_create(&second, 0, count, 0);  creates count[2]  second = count[2]
             3  count[1]  counter_broken.c:15  (count starts)                         unused = NULL
                count[1]  counter_broken.c:18  counter++;                             (reads counter = 0)
             4  count[2]  counter_broken.c:15  (count starts)                         unused = NULL
                count[2]  counter_broken.c:18  counter++;                             (reads counter = 0)
             5  count[1]  counter_broken.c:18  counter++;                             counter: 0 -> 1
             6  count[1]  counter_broken.c:15  (count ends)
             8  count[2]  counter_broken.c:18  counter++;                             counter stays 1
             9  count[2]  counter_broken.c:15  (count ends)
            11  main[0]   counter_broken.c:28  pthread_join(first, 0);                joins count[1]
                main[0]   counter_broken.c:29  pthread_join(second, 0);               joins count[2]
                main[0]   counter_broken.c:31  assert(counter == 2); /* here */
            ✗ assertion failed: assert(counter == 2)
              --> counter_broken.c:31:2
               |
            31 |     assert(counter == 2); /* here */
               |     ^^^^^^^^^^^^^^^^^^^^ is false here
            the state then:
                  globals  counter = 1
                  main[0]  counter_broken.c:31  first = a thread that is gone  second = a thread that is gone"#]],
    );
}

#[test]
fn lines_that_no_run_comes_to_are_listed() {
    const TEXT: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int shared;
static int helper(int x)
{
	return x + 1;
}
static void *worker(void *p)
{
	shared = 1;
	if (shared == 2)
		return p;
	return NULL;
}
int main(void)
{
	pthread_t t;
	if (pthread_create(&t, NULL, worker, NULL) != 0)
		abort();
	pthread_join(t, NULL);
	assert(shared == 1);
	return shared ? 0 : helper(3);
}
"#;
    check(
        "dead.c",
        TEXT,
        &expect![[r#"
            never executed, on any run:
              helper()
                dead.c:8  return x + 1;
              worker()
                dead.c:14  return p;
              main()
                dead.c:21  abort();"#]],
    );
}

#[test]
fn freed_memory_keeps_its_name() {
    check(
        "stack_broken.c",
        &example("stack_broken.c"),
        &expect![[r#"
             1  main[0]  stack_broken.c:36  for (int i = 0; i < 2; i++) {                     i = 0
                main[0]  stack_broken.c:37  struct node *node = malloc(sizeof *node);         node = struct node #1
                main[0]  stack_broken.c:38  node->next = top;                                 node->next = NULL
                main[0]  stack_broken.c:39  top = node;                                       top: NULL -> struct node #1
                main[0]  stack_broken.c:36  for (int i = 0; i < 2; i++) {                     i: 0 -> 1
                main[0]  stack_broken.c:37  struct node *node = malloc(sizeof *node);         node = struct node #2
                main[0]  stack_broken.c:38  node->next = top;                                 node->next = struct node #1
                main[0]  stack_broken.c:39  top = node;                                       top: struct node #1 -> struct node #2
                main[0]  stack_broken.c:36  for (int i = 0; i < 2; i++) {                     i: 1 -> 2
                main[0]  stack_broken.c:41  pthread_create(&first, 0, pop, 0);                creates pop[1]  first = pop[1]
             2  main[0]  stack_broken.c:42  pthread_create(&second, 0, pop, 0);               creates pop[2]  second = pop[2]
             3  pop[1]   stack_broken.c:19  (pop starts)                                      unused = NULL
                pop[1]   stack_broken.c:21  struct node *node = atomic_load(&top);            node = struct node #2  (reads top = struct node #2)
             4  pop[1]   stack_broken.c:26  next = node->next; /* here */                     next = struct node #1  (reads node->next = struct node #1)
             5  pop[2]   stack_broken.c:19  (pop starts)                                      unused = NULL
                pop[2]   stack_broken.c:21  struct node *node = atomic_load(&top);            node = struct node #2  (reads top = struct node #2)
             6  pop[1]   stack_broken.c:27  while (!atomic_compare_exchange_strong(&top, &node, next));  top: struct node #2 -> struct node #1
             7  pop[1]   stack_broken.c:28  free(node);                                       frees struct node #2
             8  pop[2]   stack_broken.c:26  next = node->next; /* here */
            ✗ a read of memory allocated at stack_broken.c:37, which was freed at stack_broken.c:28
              --> stack_broken.c:26:16
               |
            26 |         next = node->next; /* here */
               |                      ^^^^ here
            the state then:
                  globals  top = struct node #1
                  main[0]  stack_broken.c:43  first = pop[1]  second = pop[2]
                  pop[1] 
                  pop[2]   stack_broken.c:26  node = freed struct node #2
                  heap     struct node #1 (stack_broken.c:37) = {next = NULL}"#]],
    );
}

/// What is gone says with what it went.
#[test]
fn a_dangling_pointer_says_what_ended() {
    let verdict = |text: &str| {
        let arguments = ["check", "x.c", "--quiet", "--workers", "1"];
        run("x.c", text, &arguments, "").lines().next().unwrap_or_default().to_owned()
    };
    let block = verdict("int main(void) { int *p; { int x = 1; p = &x; } return *p; }");
    assert!(block.contains("a read of `x` of `main` after its block has ended"), "{block}");
    let function = verdict(
        "static int *f(void) { int x = 1, *volatile p = &x; return p; }
         int main(void) { return *f(); }",
    );
    assert!(function.contains("a read of `x` of `f`, a function that has returned"), "{function}");
    let thread = verdict(
        "#include <pthread.h>
         static _Thread_local int mine;
         static void *t(void *p) { *(int **)p = &mine; return 0; }
         int main(void) {
             pthread_t h; int *p;
             pthread_create(&h, 0, t, &p); pthread_join(h, 0);
             return *p;
         }",
    );
    assert!(thread.contains("a read of `mine` of a thread that has ended"), "{thread}");
}

#[test]
fn a_deadlock_says_who_waits_for_whom() {
    check(
        "lock_order.c",
        &example("lock_order.c"),
        &expect![[r#"
             1  main[0]            lock_order.c:42  pthread_create(&evening, 0, empty_the_till, 0);  creates empty_the_till[1]  evening = empty_the_till[1]
             2  main[0]            lock_order.c:43  pthread_create(&morning, 0, get_change, 0);      creates get_change[2]  morning = get_change[2]
             3  empty_the_till[1]  lock_order.c:14  (empty_the_till starts)                          unused = NULL
                empty_the_till[1]  lock_order.c:17  pthread_mutex_lock(&till_lock);                  locks till_lock
             4  get_change[2]      lock_order.c:26  (get_change starts)                              unused = NULL
                get_change[2]      lock_order.c:29  pthread_mutex_lock(&safe_lock);                  locks safe_lock
            ✗ deadlock
              main[0]            lock_order.c:44  pthread_join(evening, 0);        waits for empty_the_till[1] to end
              empty_the_till[1]  lock_order.c:18  pthread_mutex_lock(&safe_lock);  waits for mutex `safe_lock`, which get_change[2] holds
              get_change[2]      lock_order.c:30  pthread_mutex_lock(&till_lock);  waits for mutex `till_lock`, which empty_the_till[1] holds
            the state then:
                  globals            till_lock = locked by empty_the_till[1]  safe_lock = locked by get_change[2]  till = 100  safe = 100
                  main[0]            lock_order.c:44  evening = empty_the_till[1]  morning = get_change[2]
                  empty_the_till[1]  lock_order.c:18
                  get_change[2]      lock_order.c:30"#]],
    );
}

const VALUES: &str = r#"#include <assert.h>
#include <stdio.h>
#include <string.h>
enum colour { RED, GREEN = 5 };
struct item {
    char name[8];
    enum colour colour;
    struct item *next;
    unsigned low : 3;
    int high : 4;
    union { int i; float f; } u;
};
static struct item first;
static int grid[2][3];
static int twice(int x)
{
    grid[1][x] = 2 * x;
    return 2 * x;
}
int main(void)
{
    struct item item, *p = &item;
    int (*f)(int) = twice;
    _Bool yes = 1;
    unsigned char byte = 200;
    char c = 'x';
    const char *text = "text", *inside = first.name + 3;
    strcpy(p->name, "hi");
    p->colour = GREEN;
    p->next = &first;
    p->low = 5;
    p->high = -3;
    p->u.f = 1.5f;
    first = item;
    int r = f(1) + byte;
    printf("%s %d\n", first.name, r);
    assert(!yes || c != 'x' || text == inside);
}
"#;

#[test]
fn values_are_written_as_in_c() {
    check(
        "values.c",
        VALUES,
        &expect![[r#"
         1  main[0]  values.c:22          struct item item, *p = &item;                     p = &item
            main[0]  values.c:23          int (*f)(int) = twice;                            f = twice
            main[0]  values.c:24          _Bool yes = 1;                                    yes = true
            main[0]  values.c:25          unsigned char byte = 200;                         byte = 200
            main[0]  values.c:26          char c = 'x';                                     c = 'x'
            main[0]  values.c:27          const char *text = "text", *inside = first.name + 3;  text = "text"  inside = &first.name[3]
            main[0]  values.c:28          strcpy(p->name, "hi");                            item.name = "hi"
            main[0]  values.c:29          p->colour = GREEN;                                item.colour = GREEN
            main[0]  values.c:30          p->next = &first;                                 item.next = &first
            main[0]  values.c:31          p->low = 5;                                       item.low = 5
            main[0]  values.c:32          p->high = -3;                                     item.high = -3
            main[0]  values.c:33          p->u.f = 1.5f;                                    item.u = {i = 1069547520, f = 1.5}
            main[0]  values.c:34          first = item;                                     first.name: "" -> "hi"  first.colour: RED -> GREEN  first.next: NULL -> &first  first.low: 0 -> 5  first.high: 0 -> -3  first.u: {i = 0, f = 0} -> {i = 1069547520, f = 1.5}
            main[0]  values.c:35          int r = f(1) + byte;                              twice::x = 1
            main[0]  values.c:17 twice()  grid[1][x] = 2 * x;                               grid[1][1]: 0 -> 2
            main[0]  values.c:35          int r = f(1) + byte;                              r = 202
            main[0]  values.c:36          printf("%s %d\n", first.name, r);
                                          │ hi 202
            main[0]  values.c:37          assert(!yes || c != 'x' || text == inside);
        ✗ assertion failed: assert(!yes || c != 'x' || text == inside)
          --> values.c:37:5
           |
        37 |     assert(!yes || c != 'x' || text == inside);
           |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ is false here
        the state then:
              globals  first = {name = "hi", colour = GREEN, next = &first, low = 5, high = -3, u = {i = 1069547520, f = 1.5}}  grid = {{0, 0, 0}, {0, 2, 0}}
              main[0]  values.c:37  item = {name = "hi", colour = GREEN, next = &first, low = 5, high = -3, u = {i = 1069547520, f = 1.5}}  p = &item  f = twice  yes = true  byte = 200  c = 'x'  text = "text"  inside = &first.name[3]  r = 202"#]],
    );
}

#[test]
fn a_walk_stops_at_a_line_and_goes_on_with_another_thread() {
    let arguments = ["simulate", "lock_order.c", "--interactive"];
    let out = run("lock_order.c", &example("lock_order.c"), &arguments, "break 18\nc\np 2\nb\n");
    expect![[r#"

        >  1) main[0]  lock_order.c:42  pthread_create(&evening, 0, empty_the_till, 0);
        step 1> break 18
        c stops before line 18
        step 1> c
         1  main[0]            lock_order.c:42  pthread_create(&evening, 0, empty_the_till, 0);  creates empty_the_till[1]  evening = empty_the_till[1]
         2  main[0]            lock_order.c:43  pthread_create(&morning, 0, get_change, 0);      creates get_change[2]  morning = get_change[2]
         3  empty_the_till[1]  lock_order.c:14  (empty_the_till starts)                          unused = NULL
            empty_the_till[1]  lock_order.c:17  pthread_mutex_lock(&till_lock);                  locks till_lock

        >  1) empty_the_till[1]  lock_order.c:18  pthread_mutex_lock(&safe_lock);
           2) get_change[2]      lock_order.c:26  (get_change starts)              +1 statement
        step 4> p 2
         4  get_change[2]  lock_order.c:26  (get_change starts)              unused = NULL
            get_change[2]  lock_order.c:29  pthread_mutex_lock(&safe_lock);  locks safe_lock

        >  1) ✗ deadlock
        step 5> b

        >  1) empty_the_till[1]  lock_order.c:18  pthread_mutex_lock(&safe_lock);
           2) get_change[2]      lock_order.c:26  (get_change starts)              +1 statement
        step 4> 
    "#]].assert_eq(&out);
}

#[test]
fn the_state_at_the_fault_is_in_the_json() {
    let arguments = ["check", "values.c", "--format", "json"];
    let report: Value = serde_json::from_str(&run("values.c", VALUES, &arguments, "")).unwrap();
    let trace = &report["results"][0]["trace"];
    let last = trace["prefix"].as_array().unwrap().last().unwrap();
    assert_eq!(last["process"]["name"], "main");
    assert_eq!(last["function"], "main");
    assert_eq!(last["location"]["line"], 37);
    let sections = trace["final"]["sections"].as_array().unwrap();
    let titles: Vec<_> = sections.iter().map(|section| &section["title"]).collect();
    assert_eq!(titles, ["globals", "main[0]"]);
    let variables = sections[1]["variables"].as_array().unwrap();
    assert!(variables.iter().any(|it| it["name"] == "r" && it["value"] == "202"));
}

#[test]
fn a_program_has_no_automata() {
    let arguments = ["draw", "values.c", "--what", "automata"];
    assert_eq!(run("values.c", VALUES, &arguments, ""), "");
}

/* genliboutput: messages and errors of generated programs.
 *
 * Everything goes to standard error, one line for each call, written at once so that lines of several
 * processes do not mix: "name[pid]: text". Ordinary output of a specification (printf) is left alone. */
#ifndef GENLIBOUTPUT_H
#define GENLIBOUTPUT_H

#if defined(__GNUC__)
#define GEN_LIKE_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define GEN_LIKE_PRINTF(text, first)
#endif

enum output_level { OUTPUT_SILENT, OUTPUT_ERRORS, OUTPUT_MESSAGES, OUTPUT_DEBUG };

/* How much is said. The environment variable GENERATE_OUTPUT (silent, errors, messages, debug) is the
 * start; without it, errors and messages. */
void output_set_level(enum output_level level);

/* Where a program's lines say that they come from; by default the name of the program. */
void output_set_name(const char *name);

void output_message(const char *format, ...) GEN_LIKE_PRINTF(1, 2);
void output_debug(const char *format, ...) GEN_LIKE_PRINTF(1, 2);

/* An error; `output_failed` adds what errno says. Both leave errno as it was. */
void output_error(const char *format, ...) GEN_LIKE_PRINTF(1, 2);
void output_failed(const char *format, ...) GEN_LIKE_PRINTF(1, 2);

/* As `output_failed`, and the program ends with EXIT_FAILURE: for what nobody can go on without. */
_Noreturn void output_fatal(const char *format, ...) GEN_LIKE_PRINTF(1, 2);

#endif

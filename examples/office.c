/* expect: holds
 * what: A client asks and a server answers, for ever. That each question is answered takes a formula.
 */
#include <auspex.h>
#include <pthread.h>
#include <stdatomic.h>

/* auspex check examples/office.c --ltl '[] (asks -> <> server at answer)' --fair
 *
 * Without --fair there is a run in which the client looks at the desk for ever and the server never gets its turn. */
enum desk { EMPTY, QUESTION, ANSWER };

static _Atomic enum desk desk;

static void *client(void *unused)
{
	for (;;) {
		desk = QUESTION;
		__auspex_event("asks");
		while (desk != ANSWER)
			;
		desk = EMPTY;
	}
	return unused;
}

static void answer(void)
{
	desk = ANSWER;
}

static void *server(void *unused)
{
	for (;;) {
		while (desk != QUESTION)
			;
		answer();
	}
	return unused;
}

int main(void)
{
	pthread_t first, second;

	pthread_create(&first, 0, client, 0);
	pthread_create(&second, 0, server, 0);
	pthread_join(first, 0);
	pthread_join(second, 0);
	return 0;
}

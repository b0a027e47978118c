/* expect: holds
 * what: raise calls the handler that signal or sigaction has set
 */
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t last;

static void note(int signal)
{
	last = signal;
}

int main(void)
{
	struct sigaction action = { .sa_handler = note }, old;

	assert(signal(SIGUSR1, note) == SIG_DFL);
	raise(SIGUSR1);
	assert(last == SIGUSR1);
	assert(signal(SIGUSR1, SIG_IGN) == note);
	last = 0;
	raise(SIGUSR1);
	assert(last == 0);
	sigaction(SIGINT, &action, 0);
	raise(SIGINT);
	assert(last == SIGINT);
	sigaction(SIGINT, 0, &old);
	assert(old.sa_handler == note);
	return 0;
}

/*-------------------------------------------------------------------------
 *
 * main.c
 *	  Runs all unit tests.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <time.h>

#include "check.h"

/* Of the linker: where the list that TEST() makes begins and ends. */
extern const TestCase *const __start_test_cases[];
extern const TestCase *const __stop_test_cases[];

int
main(int argc, char **argv)
{
	int			passed = 0;
	int			failed = 0;

	/* The log of a run that hangs ends with the case. */
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);

	check_seed = argc > 1 ? strtoull(argv[1], NULL, 0) : (uint64_t) time(NULL);
	printf("unit tests of src/core, random seed %" PRIu64 "\n", check_seed);

	for (const TestCase *const *test = __start_test_cases; test < __stop_test_cases; test++)
	{
		if (check_run(*test))
			passed++;
		else
			failed++;
	}
	printf("%lu checks\n", check_checks);
	printf("%d passed, %d failed\n", passed, failed);
	return failed > 0;
}

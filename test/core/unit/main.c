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

int
main(int argc, char **argv)
{
	const TestCase *const suites[] = {
		ff1_tests, id_tests,
#define ID_TYPE(t, T) t##_tests,
#include "../../../src/core/types.h"
		vector_tests, clockword_tests,
	};
	int			passed = 0;
	int			failed = 0;

	/* The log of a run that hangs ends with the case. */
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);

	check_seed = argc > 1 ? strtoull(argv[1], NULL, 0) : (uint64_t) time(NULL);
	printf("unit tests of src/core, random seed %" PRIu64 "\n", check_seed);

	for (size_t s = 0; s < LENGTH(suites); s++)
	{
		for (const TestCase *test = suites[s]; test->name != NULL; test++)
		{
			if (check_run(test))
				passed++;
			else
				failed++;
		}
	}
	printf("%lu checks\n", check_checks);
	printf("%d passed, %d failed\n", passed, failed);
	return failed > 0;
}

/* max-rss: runs a command and writes the most memory that it had, in KiB, to a file.
 *
 *	max-rss FILE COMMAND [ARGUMENT]...
 *
 * Exits with the command's status, or 126 if it could not be run or was killed. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct rusage usage;
	FILE *out;
	pid_t child;
	int status;

	if (argc < 3)
		return 2;
	child = fork();
	if (child == 0) {
		execvp(argv[2], argv + 2);
		_exit(126);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) < 0)
		return 126;
	out = fopen(argv[1], "w");
	if (!out)
		return 126;
	fprintf(out, "%ld\n", usage.ru_maxrss);
	if (fclose(out) != 0)
		return 126;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

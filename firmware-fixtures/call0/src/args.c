/* Prints its arguments. argv[0] is left out: it depends on who starts it. */

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    printf("%d arguments\n", argc > 1 ? argc - 1 : 0);
    for (int i = 1; i < argc; i++)
        printf("%d '%s' length %u\n", i, argv[i], (unsigned)strlen(argv[i]));
    printf("%s\n", argc == 0 || argv[argc] == NULL ? "terminated" : "NOT TERMINATED");
    return 0;
}

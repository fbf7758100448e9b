/* gcc -O1 -shared -nostdlib: a function that is exported and one that is not */
static __attribute__((noinline)) int hidden(int x)
{
	return x * 7;
}

int exported(int x)
{
	return hidden(x) + 1;
}

int alias(int x) __attribute__((alias("exported")));

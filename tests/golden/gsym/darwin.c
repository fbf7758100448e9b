/* a function that is external and one that is not */
static __attribute__((noinline)) int hidden(int x)
{
	return x * 7;
}

int exported(int x)
{
	return hidden(x) + 1;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program with another name than python that links the interpreter's library. It runs a script
 * in the main thread, and another one in a thread that was created by C code.
 *
 * usage: PROGRAM SCRIPT ARGUMENT...
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <pthread.h>

static int run_file(const char *path)
{
	FILE *f = fopen(path, "r");

	return f ? PyRun_SimpleFileExFlags(f, path, 1, NULL) : -1;
}

static void *in_thread(void *arg)
{
	PyGILState_STATE state = PyGILState_Ensure();

	PyRun_SimpleString("import probe\n"
			   "def in_thread(n):\n"
			   "    return in_thread(n - 1) if n else probe.mark()\n"
			   "for i in range(20):\n"
			   "    in_thread(i)\n"
			   "probe.warm()\n");
	PyGILState_Release(state);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	PyConfig config;
	int status;

	PyConfig_InitPythonConfig(&config);
	PyConfig_SetBytesArgv(&config, argc, argv);
	if (PyStatus_Exception(Py_InitializeFromConfig(&config)))
		return 1;
	PyConfig_Clear(&config);
	status = run_file(argv[1]);
	Py_BEGIN_ALLOW_THREADS
	pthread_create(&thread, NULL, in_thread, NULL);
	pthread_join(thread, NULL);
	Py_END_ALLOW_THREADS
	return Py_FinalizeEx() || status;
}

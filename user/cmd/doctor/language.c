// SPDX-License-Identifier: GPL-2.0-only
/* Reports which language runtime a process has, and why its frames are not read. */
#include "core.h"

#include "cmd/doctor/look.h"
#include "symbols/lang/process.h"

void doctor_language(uint32_t pid, struct doctor_report *report)
{
	struct lang_files *files = lang_files_new();
	char version[CPYTHON_VERSION_TEXT];
	struct lang_process p;
	const char *runtime;

	if (!files) {
		report->no_memory = true;
		return;
	}
	lang_process_look(files, pid, &p);
	cpython_version_text(p.version, version);
	runtime = p.runtime == LANG_PHP	 ? "PHP" :
		  p.runtime == LANG_RUBY ? "Ruby" :
		  p.runtime == LANG_PERL ? "Perl" :
		  p.runtime == LANG_BEAM ? "BEAM (Erlang), erts" :
					   "CPython";
	if (p.kind != LANG_NONE)
		found(report, DOCTOR_OK, "language", NULL,
		      "%s: %s %s: frames are read if eBPF takes the stacks%s",
		      p.path, runtime, version,
		      p.kind == LANG_RUBY && !p.found.ruby.classes ?
			      "; its classes are not as expected, so methods are shown without them" :
			      "");
	else if (p.path[0])
		found(report, DOCTOR_NOTE, "language", NULL, "%s: %s%s%s: frames are not read: %s",
		      p.path, runtime, p.version ? " " : "", p.version ? version : "", p.why);
	lang_process_release(&p);
	lang_files_free(files);
}

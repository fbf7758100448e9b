/* SPDX-License-Identifier: GPL-2.0-only */
/* The field that selects samples, which completes labels and their values. */

/*
 * Finds what the reader is writing at the end of @text: the name of a label, or a value. The
 * result's "at" is where it begins.
 */
function completing(text) {
	const value = /([A-Za-z_][A-Za-z0-9_]*)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)$/.exec(text);

	if (value)
		return { label: value[1], start: value[3].replace(/\\(.)/g, "$1"),
			 at: text.length - value[3].length };
	const name = /(?:^|[{,])\s*([A-Za-z_][A-Za-z0-9_]*)?$/.exec(text);

	return name ? { label: null, start: name[1] || "", at: text.length - (name[1] || "").length } : null;
}

class Selector {
	constructor(app) {
		this.app = app;
		this.field = byId("select");
		this.list = byId("choices");
		this.at = -1;
		this.field.addEventListener("input", () => this.soon());
		this.field.addEventListener("focus", () => this.complete());
		this.field.addEventListener("blur", () => setTimeout(() => this.close(), 150));
		this.field.addEventListener("keydown", e => this.key(e));
		byId("selector").addEventListener("submit", e => {
			e.preventDefault();
			this.close();
			app.select(this.field.value);
		});
		byId("clear-select").addEventListener("click", () => app.select(""));
	}

	show(text) {
		this.field.value = text;
		this.field.removeAttribute("aria-invalid");
		byId("clear-select").hidden = !text;
	}

	close() {
		this.list.hidden = true;
		this.at = -1;
		this.field.setAttribute("aria-expanded", "false");
		this.field.removeAttribute("aria-activedescendant");
	}

	/* Waits a little, because the server answers only a few requests at a time. */
	soon() {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.complete(), 120);
	}

	async complete() {
		const what = completing(this.field.value.slice(0, this.field.selectionStart));

		if (!what || document.activeElement !== this.field) {
			this.close();
			return;
		}
		const { api, state } = this.app;
		let answer;

		try {
			answer = await api.ask("complete", what.label === null ? "/api/v1/labels" : "/api/v1/values",
				{ ...rangeParams(shownRange(state)), label: what.label, match: what.start, limit: 50 });
		} catch (e) {
			answer = null;	/* no choices; the query itself will report the error */
		}
		if (answer)
			this.offer(what, (answer.labels || answer.values).map(v => v.text)
				.filter(text => what.label !== null || NAME.test(text)));
	}

	offer(what, texts) {
		this.what = what;
		this.texts = texts;
		this.at = -1;
		this.field.removeAttribute("aria-activedescendant");
		this.list.replaceChildren(...texts.map((text, i) => {
			const li = element("li", { id: "choice-" + i, role: "option", "aria-selected": "false",
						   textContent: text === "" ? '""' : cleanText(text) });

			li.addEventListener("pointerdown", e => {
				e.preventDefault();
				this.take(i);
			});
			return li;
		}));
		this.list.hidden = !texts.length || document.activeElement !== this.field;
		this.field.setAttribute("aria-expanded", String(!this.list.hidden));
	}

	/* Puts a choice in the place of what the reader was writing. */
	take(i) {
		const { field, what } = this, end = field.selectionStart;
		const text = what.label === null ? this.texts[i] + '="' :
			quoteValue(this.texts[i]).slice(1);
		const behind = field.value.slice(end).replace(what.label === null ? /^(=|!)?[~=]?"?/ : /^"/, "");

		field.value = field.value.slice(0, what.at) + text + behind;
		field.setSelectionRange(what.at + text.length, what.at + text.length);
		this.close();
		if (what.label === null)
			this.complete();
	}

	mark(i) {
		const all = [...this.list.children];

		this.at = (i + all.length) % all.length;
		all.forEach((li, k) => li.setAttribute("aria-selected", String(k === this.at)));
		all[this.at].scrollIntoView({ block: "nearest" });
		this.field.setAttribute("aria-activedescendant", "choice-" + this.at);
	}

	key(e) {
		const open = !this.list.hidden;

		if (e.key === "Escape" && open) {
			e.stopPropagation();
			this.close();
		} else if (open && (e.key === "ArrowDown" || e.key === "ArrowUp")) {
			this.mark(this.at < 0 && e.key === "ArrowUp" ? -1 : this.at + (e.key === "ArrowDown" ? 1 : -1));
		} else if (!open && e.key === "ArrowDown") {
			this.complete();
		} else if (open && this.at >= 0 && (e.key === "Enter" || e.key === "Tab")) {
			this.take(this.at);
		} else {
			return;
		}
		e.preventDefault();
	}
}

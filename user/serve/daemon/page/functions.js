/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of functions: found by name, with their part of the range. */

/* Width of a letter of a name, and of a cell around its text, in pixels. */
const LETTER = 7.9, PADDING = 16;

/* Largest number of letters of an image's name after a function's name. */
const IMAGE = 24;

class Functions {
	constructor(app) {
		this.app = app;
		this.names = new Map();		/* by the button that shows it */
		byId("search").addEventListener("submit", e => {
			e.preventDefault();
			app.set({ query: byId("query").value }, ["functions"]);
		});
	}

	async load() {
		const { api, state, range } = this.app;
		const params = { ...rangeParams(state.now || range), select: state.select, value: state.value,
				 limit: 100 };
		const [path, more] = state.before ?
			["/api/v1/diff", { ...rangeParams(state.before, "before_"), format: "top", q: state.query }] :
			state.query ? ["/api/v1/search", { q: state.query }] : ["/api/v1/profile", { format: "top" }];

		byId("query").value = state.query;
		const answer = await api.ask("functions", path, { ...params, ...more });

		if (answer)
			this.show(answer);
	}

	/* Shortens names to the width of their column. */
	fit() {
		const [first] = this.names.keys();
		const room = first ? first.parentNode.clientWidth - PADDING : 0;

		for (const [button, symbol] of this.names) {
			const image = button.nextSibling ? button.nextSibling.textContent.length : 0;

			button.textContent = fitName(symbol, Math.max(8, Math.floor(room / LETTER) - image));
		}
	}

	/* @shared: another function of the table has the same name, so the image's name is added */
	nameCell(f, shared) {
		const where = [f.image, f.file].filter(Boolean).map(cleanText).join(", ");
		const image = shared && f.image && cleanText(f.image).replace(/.*\//, "").slice(0, IMAGE);

		const button = element("button", {
			type: "button", className: "link mono",
			title: cleanText(f.name).slice(0, 500) + (where ? "\n" + where : ""),
			onclick: () => this.open(f),
		});

		this.names.set(button, { name: cleanText(f.name) });
		return element("th", { scope: "row", className: "name" }, button,
			       ...(image ? [element("span", { className: "quiet" }, " " + image)] : []));
	}

	/* Cells for one range: sums and their shares. */
	ownCells(f, answer) {
		const share = n => percent(answer.all ? n / answer.all : 0).replace(" %", "");

		return [number(amount(f.self, answer.unit)), number(share(f.self)),
			number(amount(f.total, answer.unit)), number(share(f.total))];
	}

	/* Cells for two ranges: the share in each, because their lengths may differ. */
	changeCells(f, answer) {
		const before = answer.before_all ? f.before_self / answer.before_all : 0;
		const after = answer.all ? f.self / answer.all : 0;
		const cells = [number(percent(before)), number(percent(after)), number(points(after - before))];

		cells[0].title = amount(f.before_self, answer.unit);
		cells[1].title = amount(f.self, answer.unit);
		return cells;
	}

	/* Shows an answer. One with "before_all" is a comparison, with the largest change first. */
	show(answer) {
		const compared = answer.before_all !== undefined, body = element("tbody");
		const times = new Map();
		const heads = compared ? ["before", "after", "change"] : ["self", "%", "with callees", "%"];

		this.names = new Map();
		for (const f of answer.functions)
			times.set(f.name, (times.get(f.name) || 0) + 1);
		for (const f of answer.functions)
			body.append(row([this.nameCell(f, times.get(f.name) > 1),
					 ...(compared ? this.changeCells(f, answer) : this.ownCells(f, answer))]));
		byId("functions").replaceChildren(...tableHead("Functions", "function", ...heads), body);
		this.fit();
		this.say(answer, compared);
	}

	say(answer, compared) {
		const { query } = this.app.state, nr = answer.functions.length;
		const more = answer.left_out ? `; the first ${nr} are shown` : "";
		const words = query ? `${withCommas(answer.matched)} functions with "${cleanText(query)}"${more}` :
			compared ? `The ${nr} functions whose own share changed most` : `The ${nr} functions that took most`;

		byId("found").textContent = words;
		if (query && !this.app.quiet)
			byId("live").textContent = words;
	}

	open(f) {
		if (!this.app.frame.sandwich(f.name, f.image))
			byId("live").textContent = "The flame graph does not have this function: it is loading, or shows another range";
	}
}

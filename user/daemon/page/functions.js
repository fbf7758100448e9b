/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions by name, and how much they are of the range. */

class Functions {
	constructor(app) {
		this.app = app;
		byId("search").addEventListener("submit", e => {
			e.preventDefault();
			app.set({ query: byId("query").value }, ["functions"]);
		});
	}

	async load() {
		const { api, state, range } = this.app;
		const params = { ...rangeParams(state.now || range), select: state.select, value: state.value,
				 limit: 100 };

		byId("query").value = state.query;
		const answer = await (state.query ?
			api.ask("functions", "/api/v1/search", { ...params, q: state.query }) :
			api.ask("functions", "/api/v1/profile", { ...params, format: "top" }));

		if (answer)
			this.show(answer);
	}

	show(answer) {
		const { state } = this.app, body = element("tbody");
		const letters = matchMedia("(max-width: 640px)").matches ? 14 : 70;

		for (const f of answer.functions) {
			const where = [f.image, f.file].filter(Boolean).map(cleanText).join(", ");
			const name = element("button", {
				type: "button", className: "link mono",
				textContent: fitName({ name: cleanText(f.name) }, letters),
				title: cleanText(f.name).slice(0, 500) + (where ? "\n" + where : ""),
				onclick: () => this.open(f),
			});

			body.append(row([element("th", { scope: "row", className: "name" }, name),
					 number(amount(f.self, answer.unit)), number(percent(answer.all ? f.self / answer.all : 0).replace(" %", "")),
					 number(amount(f.total, answer.unit)),
					 number(percent(answer.all ? f.total / answer.all : 0).replace(" %", ""))]));
		}
		byId("functions").replaceChildren(...tableHead("Functions", "function", "self", "%", "with callees", "%"),
						  body);
		const more = answer.left_out ? `; the first ${answer.functions.length} are shown` : "";
		const words = state.query ?
			`${withCommas(answer.matched)} functions with "${cleanText(state.query)}"${more}` :
			`The ${answer.functions.length} that most was spent in`;

		byId("found").textContent = words;
		if (state.query && !this.app.quiet)
			byId("live").textContent = words;
	}

	open(f) {
		if (!this.app.frame.sandwich(f.name, f.image))
			byId("live").textContent = "The flame graph does not have it: it is being made, or shows another range";
	}
}

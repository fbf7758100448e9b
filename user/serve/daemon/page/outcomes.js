/* SPDX-License-Identifier: GPL-2.0-only */
/* Shows how many samples have complete stacks, and why the others end early. */

const WHOLE = "complete";

/* Puts `words` of the documentation into <code>. */
function withCode(text) {
	return text.split("`").map((part, i) => i % 2 ? element("code", { textContent: part }) : part);
}

class Outcomes {
	constructor(app) {
		this.app = app;
		this.chart = new Chart(byId("whole-chart"), true);
		this.reasons = null;
		byId("ends-by").addEventListener("change", e => app.set({ ends: e.target.value }, ["outcomes"]));
	}

	async load() {
		const { api, state, range } = this.app;
		const params = { ...rangeParams(state.now || range), select: state.select, value: state.value };

		if (!this.reasons) {
			const list = await api.get("/api/v1/reasons");

			this.reasons = new Map(list.reasons.map(r => [r.name, r]));
		}
		const [time, ends] = await Promise.all([
			api.ask("outcomes", "/api/v1/outcomes", { ...params, by: "time" }),
			api.ask("ends", "/api/v1/outcomes", { ...params, by: state.ends, limit: 50 })]);

		if (time)
			this.show(time, state.now || range);
		if (ends)
			this.showEnds(ends);
	}

	show(answer, range) {
		const all = answer.reasons.reduce((sum, r) => sum + r.total, 0);
		const whole = wholeOf(answer.reasons.map(r => [r.name, r.total]));
		const layers = answer.reasons.map((r, i) => ({
			...r, className: r.name === WHOLE ? "whole" : "c" + i % 12 }));

		layers.sort((a, b) => (b.name === WHOLE) - (a.name === WHOLE));
		byId("whole-share").replaceChildren(...(whole.share !== null ?
			[element("b", { textContent: wholeText(whole) })] :
			[all ? "No sample in this range has a user stack" : "There are no samples in this range"]));
		this.chart.show(chartOf(answer, layers, { rate: meanRate(answer, "") }), range);
		this.showReasons(layers, whole, answer.value);
	}

	showReasons(layers, whole, value) {
		const body = element("tbody"), unit = this.app.unitOf(value);

		for (const r of layers) {
			const words = this.reasons.get(r.name), name = cleanText(r.name);
			const cell = element("th", { scope: "row", className: "name wrap" });

			if (words)
				cell.append(element("details", {},
					element("summary", {}, swatch(r.className), " " + name),
					element("p", {}, ...withCode(words.means)),
					element("p", {}, "What to do: ", ...withCode(words.fix))));
			else
				cell.append(swatch(r.className), " " + name);
			body.append(row([cell, number(amount(r.total, unit)), number(whole.none(r.name) ? "\u2013" : percent(r.total / whole.stacks))]));
		}
		byId("reasons").replaceChildren(...tableHead("Why stacks end", "reason", "sum", "share"), body);
	}

	/*
	 * Shows where stacks end. By file there is no share of complete stacks: they end in no
	 * file.
	 */
	showEnds(answer) {
		const body = element("tbody"), unit = this.app.unitOf(answer.value), binary = answer.by === "binary";

		for (const group of answer.groups) {
			const whole = wholeOf(group.reasons.map(r => [r.name, r.value])), name = groupName(group.name);
			const rest = group.reasons.filter(r => r.name !== WHOLE).map(r => cleanText(r.name)).join(", ");
			const share = binary ? [] :
				[number(whole.share === null ? "\u2013" : percent(whole.share))];

			body.append(row([element("th", { scope: "row", className: "name", title: name.slice(0, 500),
							 textContent: name.slice(0, 1000) }),
					 number(amount(group.total, unit)), ...share,
					 element("td", { textContent: rest })]));
		}
		byId("ends").replaceChildren(...tableHead("Where stacks end", binary ? "file" : answer.by, "sum",
							  ...(binary ? [] : ["whole"]), "why not"), body);
	}

	/* Fills the list of labels to group by. */
	offer(labels) {
		const select = byId("ends-by"), first = select.firstElementChild;

		select.replaceChildren(first, ...labels.filter(l => l !== "stack" && l !== "binary" && l !== "time")
			.map(l => element("option", { value: l, textContent: cleanText(l) })));
		select.value = this.app.state.ends;
	}
}

/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of services: the groups of the chart in numbers, for the chosen range. */

const NONE = "(none)";

function groupName(name) {
	return name === "" ? NONE : cleanText(name);
}

/* A value in quotes, as in a selector. */
function quoteValue(text) {
	return '"' + text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n") + '"';
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/* Adds a condition to a selector. */
function addTerm(select, label, value) {
	const inner = select.trim().replace(/^\{|\}$/g, "").trim();

	return (inner ? inner.replace(/,\s*$/, "") + ", " : "") + `${label}=${quoteValue(value)}`;
}

function row(cells) {
	return element("tr", {}, ...cells);
}

/* Makes the head of a table: the first column has names, the others have numbers. */
function tableHead(caption, ...names) {
	return [element("caption", { className: "unseen", textContent: caption }),
		element("thead", {}, row(names.map((n, i) =>
			element("th", { scope: "col", className: i ? "" : "name", textContent: n }))))];
}

function number(text) {
	return element("td", { textContent: text });
}

/*
 * Makes layers from the groups of an answer and its rest. @classOf: returns the class of a group.
 */
function layersOf(answer, classOf) {
	const layers = answer.groups.map((g, i) => ({ ...g, raw: g.name, name: groupName(g.name),
						      className: classOf(g.name, i) }));

	if (answer.rest.groups)
		layers.push({ ...answer.rest, rest: true, className: "rest",
			      name: `${withCommas(answer.rest.groups)} others` });
	return layers;
}

/* Fills the table. @app: its selector changes when a name is clicked, its chart on hovering. */
function showLegend(table, answer, layers, unit, app) {
	const all = layers.reduce((sum, l) => sum + l.total, 0), body = element("tbody");
	/* a time without recordings has no mean */
	const seconds = answer.coverage.recorded_ms / 1000 || 1;

	for (const layer of layers) {
		const name = element("th", { scope: "row", className: "name" }, swatch(layer.className));

		if (layer.rest || !NAME.test(answer.label))
			name.append(layer.name.slice(0, 300));
		else
			name.append(element("button", { type: "button", className: "link", textContent: layer.name,
				title: "Select only these samples",
				onclick: () => app.select(addTerm(app.state.select, answer.label, layer.raw)) }));
		const tr = row([name, number(amount(layer.total, unit)), number(percent(all ? layer.total / all : 0)),
				number(unit === "nanoseconds" ? (layer.total / 1e9 / seconds).toFixed(2) :
				       (layer.total / seconds).toFixed(2))]);

		tr.addEventListener("pointerenter", () => app.highlight(layer.className));
		tr.addEventListener("pointerleave", () => app.highlight(null));
		body.append(tr);
	}
	table.replaceChildren(...tableHead("By " + answer.label, answer.label || "all", "sum", "share",
					   unit === "nanoseconds" ? "CPUs" : "a second"), body);
}

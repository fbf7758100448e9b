/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shows the instructions of a function, with shares and the source between
 * them. The page has those of the hottest functions if its author asked for
 * them. Rows and shares are made by ustack, as ustack annotate prints them.
 */

const ROW_KINDS = ["insn", "source", "call", "gap"];

/* The same limits as on the terminal. */
const HOT_PERCENT = 5, WARM_PERCENT = 0.5;

function readCode(data) {
	const all = new Map();

	for (const f of data.code ? data.code.functions : [])
		all.set(cleanText(f.image) + "\0" + cleanText(f.name), f);
	return all;
}

/* Returns the instructions of a function, { title, rows }, or why there are none, { words }. */
function codeOf(app, symbol) {
	const { code } = app.data, found = app.code.get(symbol.image + "\0" + symbol.name);

	if (symbol.kind === KIND.LABEL || symbol.kind === KIND.END)
		return { words: "This is no function." };
	if (!code)
		return { words: "There are no instructions in this page: ustack flame --annotate N puts those " +
			"of the N hottest functions into it." };
	if (!found)
		return { words: "This page has the instructions of the " + (code.asked === 1 ? "hottest function" :
			`${withCommas(code.asked)} hottest functions`) + " alone. ustack annotate shows others." };
	return found.why ? { words: "There are no instructions to show: " + cleanText(found.why) } : found;
}

function shareClass(share) {
	const p = Number(share);

	return p >= HOT_PERCENT ? "hot" : p >= WARM_PERCENT ? "warm" : "";
}

function codeTable(found) {
	const rows = found.rows.map(([kind, share, text]) => element("tr", { className: ROW_KINDS[kind] },
		element("td", { className: "share " + shareClass(share), textContent: share }),
		element("td", { className: "code", textContent: cleanText(text) })));
	const heads = ["percent", "address, source and instructions"];

	return element("table", {}, element("caption", { textContent: cleanText(found.title) }),
		element("thead", {}, element("tr", {}, ...heads.map(textContent =>
			element("th", { scope: "col", textContent })))),
		element("tbody", {}, ...rows));
}

/* Returns the rows with a share, the hottest first. */
function hottestRows(box) {
	const share = row => Number(row.firstChild.textContent);

	return [...box.querySelectorAll("tr.insn")].filter(share).sort((a, b) => share(b) - share(a));
}

function markRow(box, row) {
	for (const old of box.querySelectorAll("tr[aria-current]"))
		old.removeAttribute("aria-current");
	row.setAttribute("aria-current", "true");
	row.scrollIntoView({ block: "center" });
}

function showCode(app, at) {
	const symbol = app.symbols[at.part.tree.sym[at.node]], found = codeOf(app, symbol);
	const dialog = byId("code"), close = () => dialog.close();
	const box = element("div", { className: "listing", tabIndex: 0, role: "region", "aria-label": "Instructions" });
	const button = (textContent, title, onclick) => element("button", { type: "button", textContent, title, onclick });
	const tools = element("div", { className: "group" });
	let hottest = [], next = 0;
	const toNext = () => {
		if (hottest.length)
			markRow(box, hottest[next++ % hottest.length]);
	};
	const source = button("Source", "Lines of the source between instructions (s)", () => {
		box.classList.toggle("alone");
		source.setAttribute("aria-pressed", String(!box.classList.contains("alone")));
	});

	source.setAttribute("aria-pressed", "true");
	box.append(found.rows ? codeTable(found) : element("p", { textContent: found.words }));
	hottest = hottestRows(box);
	if (found.rows)
		tools.append(source, button("Next hottest", "The next instruction in order of shares (h)", toNext));
	tools.append(button("Close", "Escape", close));
	dialog.replaceChildren(element("h2", { textContent: symbol.name }), box, tools);
	dialog.onkeydown = e => {
		if (e.ctrlKey || e.metaKey || e.altKey || !found.rows || (e.key !== "h" && e.key !== "s"))
			return;
		e.preventDefault();
		(e.key === "h" ? toNext : source.onclick)();
	};
	dialog.showModal();
	box.focus();
	toNext();
}

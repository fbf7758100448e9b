/* SPDX-License-Identifier: GPL-2.0-only */
/* Saves the scene as SVG, with all rows, also those that are not in view. */

/*
 * XML cannot write some characters. cleanText() leaves only halves of surrogate
 * pairs of them.
 */
function escapeXml(s) {
	return s.replace(/[\ud800-\udfff\ufffe\uffff]/gu, "\ufffd")
		.replace(/[&<>"']/g, c => "&#" + c.charCodeAt(0) + ";");
}

/* @o: as for Canvas.draw(), and: title, text(part, node), width, charWidth */
function sceneToSvg(o) {
	const height = o.scene.rows * ROW + 24, out = [];
	const put = s => out.push(s);

	put(`<svg xmlns="http://www.w3.org/2000/svg" width="${o.width}" height="${height}" ` +
	    `viewBox="0 0 ${o.width} ${height}" font-family="monospace" font-size="12">`);
	put(`<title>${escapeXml(o.title)}</title>`);
	put(`<rect width="100%" height="100%" fill="${o.dark ? "#16181c" : "#ffffff"}"/>`);
	put(`<text x="4" y="16" fill="${o.dark ? "#e8eaed" : "#1b1f24"}">${escapeXml(o.title)}</text>`);
	for (const part of o.scene.parts)
		visitVisible(o.scene, part, o.width, 0, o.scene.rows, (i, x, w, row) => {
			const s = part.tree.sym[i], matched = o.matches && o.matches[s];
			const paint = matched ? o.matchPaint : o.paint(part.tree, i);
			const y = row * ROW + 24, room = Math.floor((w - 6) / o.charWidth);

			put(`<g><title>${escapeXml(o.text(part, i))}</title>` +
			    `<rect x="${x.toFixed(2)}" y="${y}" width="${Math.max(w - 0.5, 0.5).toFixed(2)}" ` +
			    `height="${ROW - 1}" fill="${paint.fill}"/>`);
			if (room >= 3)
				put(`<text x="${(x + 3).toFixed(2)}" y="${y + 13}" fill="${paint.text}">` +
				    `${escapeXml(fitName(o.symbols[s], room))}</text>`);
			put("</g>");
		}, (x, w, row) => put(`<rect x="${x.toFixed(2)}" y="${row * ROW + 24}" ` +
				      `width="${w.toFixed(2)}" height="${ROW - 1}" fill="${stripFill(o.dark)}"/>`));
	put("</svg>");
	return out.join("\n") + "\n";
}

function saveText(name, type, text) {
	const url = URL.createObjectURL(new Blob([text], { type }));
	const link = element("a", { href: url, download: name });

	document.body.append(link);
	link.click();
	link.remove();
	setTimeout(() => URL.revokeObjectURL(url), 10000);
}

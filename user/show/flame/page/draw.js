/* SPDX-License-Identifier: GPL-2.0-only */
/* Draws the scene on the canvas. */

const FONT = '12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';

class Canvas {
	constructor(canvas, scroll, sizer) {
		this.canvas = canvas;
		this.scroll = scroll;
		this.sizer = sizer;
		this.context = canvas.getContext("2d");
		this.width = this.height = 0;
	}

	/* Makes the canvas as large as its box, and as sharp as the screen. */
	resize() {
		const ratio = window.devicePixelRatio || 1;

		this.width = this.scroll.clientWidth;
		this.height = this.scroll.clientHeight;
		this.canvas.width = Math.round(this.width * ratio);
		this.canvas.height = Math.round(this.height * ratio);
		this.canvas.style.width = this.width + "px";
		this.canvas.style.height = this.height + "px";
		this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
		this.context.font = FONT;
		this.charWidth = this.context.measureText("0123456789").width / 10;
	}

	/*
	 * A scene lower than the canvas stands at the bottom if its root is
	 * there.
	 */
	layout(scene) {
		const rows = scene.rows * ROW, last = scene.parts[0];

		this.lead = last.dir < 0 ? Math.max(0, this.height - rows) : 0;
		if (scene.parts.length > 1)
			this.lead = Math.max(0, (this.height - rows) / 2);
		this.sizer.style.height = Math.max(0, rows - this.height) + "px";
	}

	rowAt(y) {
		return Math.floor((y + this.scroll.scrollTop - this.lead) / ROW);
	}

	yOf(row) {
		return row * ROW + this.lead - this.scroll.scrollTop;
	}

	/* Scrolls so that a row is in view. */
	reveal(row) {
		const y = row * ROW + this.lead;

		if (y < this.scroll.scrollTop)
			this.scroll.scrollTop = Math.max(0, y - ROW);
		else if (y + ROW > this.scroll.scrollTop + this.height)
			this.scroll.scrollTop = y + 2 * ROW - this.height;
	}

	/*
	 * @o: scene, symbols, paint, matches (or null), matchPaint, focus,
	 * hover, dark
	 */
	draw(o) {
		const c = this.context, top = this.rowAt(0), bottom = this.rowAt(this.height);

		c.clearRect(0, 0, this.width, this.height);
		c.font = FONT;
		c.textBaseline = "middle";
		this.frames = 0;
		for (const part of o.scene.parts)
			visitVisible(o.scene, part, this.width, top, bottom,
				     (i, x, w, row) => this.drawFrame(o, part, i, x, w, row),
				     (x, w, row) => this.drawStrip(o, x, w, row));
		c.globalAlpha = 1;
		/* the function of the sandwich */
		if (o.scene.parts.length > 1)
			this.outline(o.scene, { part: o.scene.parts[0], node: 0 }, o.dark ? "#6cb6ff" : "#0b5cad", 2);
		if (o.hover)
			this.outline(o.scene, o.hover, o.dark ? "#ffffffb0" : "#000000a0", 1);
		if (o.focus)
			this.outline(o.scene, o.focus, o.dark ? "#ffffff" : "#000000", 2);
	}

	drawFrame(o, part, i, x, w, row) {
		const c = this.context, matched = o.matches && o.matches[part.tree.sym[i]];
		const paint = matched ? o.matchPaint : o.paint(part.tree, i);
		const y = this.yOf(row);

		/*
		 * callers of the zoomed frame are paler: they are wider than
		 * shown
		 */
		c.globalAlpha = (o.matches && !matched ? 0.45 : 1) *
			(part.zoom > i && part.tree.end[i] > part.zoom ? 0.6 : 1);
		c.fillStyle = paint.fill;
		c.fillRect(x, y, Math.max(w - (w > 3 ? 0.75 : 0), 0.5), ROW - 1);
		this.frames++;
		/* marks other frames of the function in focus */
		if (o.focus && w >= 3 && o.focus.part.tree.sym[o.focus.node] === part.tree.sym[i]) {
			c.fillStyle = o.dark ? "#ffffff" : "#000000";
			c.fillRect(x, y + ROW - 3, w - 0.75, 2);
		}
		if (w >= 3 * this.charWidth) {
			if (c.globalAlpha < 1) {
				c.globalAlpha = 0.8;
				c.fillStyle = o.dark ? "#ffffff" : "#000000";
			} else {
				c.fillStyle = paint.text;
			}
			this.drawText(o.symbols[part.tree.sym[i]], x + 3, y + ROW / 2, w - 6);
		}
	}

	/*
	 * fillText() makes wide letters narrower, so that no name leaves its
	 * frame.
	 */
	drawText(symbol, x, y, room) {
		const n = Math.floor(room / this.charWidth);

		if (n >= 2)
			this.context.fillText(fitName(symbol, n), x, y + 0.5, room);
	}

	drawStrip(o, x, w, row) {
		const c = this.context;

		c.globalAlpha = 1;
		c.fillStyle = stripFill(o.dark);
		c.fillRect(x, this.yOf(row), w, ROW - 1);
	}

	outline(scene, at, colour, line) {
		const { x, w } = extent(scene, at.part, at.node, this.width);
		const c = this.context;

		if (w <= 0)
			return;
		c.strokeStyle = colour;
		c.lineWidth = line;
		/* drawn around the frame, so that its name stays readable */
		c.strokeRect(x - 0.5 + (x < 1 ? line / 2 : 0), this.yOf(rowOf(at.part, at.node)) - 0.5,
			     Math.max(w - 0.25 - (x < 1 ? line / 2 : 0), 1), ROW);
	}
}

/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of functions as C++ and Rust have them, made shorter: tests/flame/names.tsv. */

/* Behind "operator": what is no bracket there. */
const OPERATOR = /^ ?(\(\)|\[\]|<=>|->\*?|<<=?|>>=?|<=?|>=?)/;
const IDENTIFIER = /[\w$]/;

/* The place behind the bracket that closes the one at @at, or the end. */
function behindBrackets(name, at) {
	const open = name[at], close = { "(": ")", "<": ">", "[": "]", "{": "}" }[open];
	let depth = 0;

	for (let i = at; i < name.length; i++) {
		const operator = operatorAt(name, i);

		if (operator)
			i += operator.length - 1;
		else if (name[i] === open)
			depth++;
		else if (name[i] === close && name[i - 1] !== "-" && !--depth)
			return i + 1;
	}
	return name.length;
}

/* "operator<<" and its like at @at, or nothing. */
function operatorAt(name, at) {
	if (!name.startsWith("operator", at) || (at && IDENTIFIER.test(name[at - 1])))
		return "";
	const symbol = OPERATOR.exec(name.slice(at + 8));

	return symbol ? "operator" + symbol[0] : "";
}

/*
 * A name without the parameters of the function, and the same without those of templates.
 * What is between brackets in front of "::" belongs to a scope; "(anonymous namespace)" and
 * "{lambda(int)#1}" are names. @start: where the last part of the second one begins.
 */
function nameWithout(name) {
	let plain = "", bare = "", start = 0, at = 0;

	while (at < name.length) {
		const operator = operatorAt(name, at);
		let part = operator || name[at], kept = part;

		if (!operator && part === "(" && !name.startsWith("(anonymous namespace)", at)) {
			at = behindBrackets(name, at);
			const scope = /^( const)?( ?&&?)?(\[abi:\w+\])?(?=::)/.exec(name.slice(at));

			if (!scope)
				break;
			at += scope[0].length;
			continue;
		}
		if (!operator && "(<{".includes(part)) {
			part = name.slice(at, behindBrackets(name, at));
			kept = part[0] === "<" && bare && !bare.endsWith("::") ? "" : part;
		}
		if (name.startsWith("::", at))
			part = kept = "::";
		plain += part;
		bare += kept;
		at += part.length;
		if (part === "::" || (part === " " && name[at] !== "<"))
			start = bare.length;
	}
	return { plain: plain.trim(), bare: bare.trim(), last: bare.slice(start).trim() };
}

/* Shorter and shorter: without parameters, without those of templates, without scopes. */
function shortNames(name) {
	const names = [name];

	if (!name.includes("::"))
		return names;
	const { plain, bare, last } = nameWithout(name);

	for (const shorter of [plain, bare, last])
		if (shorter && shorter.length < names[names.length - 1].length)
			names.push(shorter);
	return names;
}


/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shortens names of functions in C++ and Rust. Examples are in
 * tests/live/flame/names.tsv.
 */

/* Operators after "operator" that contain a bracket. */
const OPERATOR = /^ ?(\(\)|\[\]|<=>|->\*?|<<=?|>>=?|<=?|>=?)/;
const IDENTIFIER = /[\w$]/;

/*
 * Returns the position after the bracket that closes the one at @at, or the
 * end.
 */
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

/* Returns "operator<<" or the like if it is at @at, else "". */
function operatorAt(name, at) {
	if (!name.startsWith("operator", at) || (at && IDENTIFIER.test(name[at - 1])))
		return "";
	const symbol = OPERATOR.exec(name.slice(at + 8));

	return symbol ? "operator" + symbol[0] : "";
}

/*
 * Returns a name without the parameters of the function (plain), also without
 * those of templates (bare), and the last part of bare. Parentheses before "::"
 * belong to a scope and are removed; "(anonymous namespace)" and
 * "{lambda(int)#1}" are names and stay. @start: where the last part of bare
 * begins.
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

/*
 * Returns ever shorter names: without parameters, without template parameters,
 * without scopes.
 */
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


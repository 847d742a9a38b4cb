// The page "Look inside an id": what idtypes.js, which is made of the core, says of what is typed.
//
// What the page shows beside SQL is what that SQL returns in UTC; data-sql has it for the tests.
(() => {
	const COLOURS = { time: "#3f6ea8", zero: "#757b82" }
	const OTHERS = ["#b85824", "#3d7a4a", "#855598", "#8f6f14"]
	const SPANS = [[31556952e6, "years"], [86400e6, "days"], [3600e6, "hours"], [60e6, "minutes"],
		[1e6, "s"], [1e3, "ms"], [1, "us"]]

	// An element of a tag and class ("p.note"), its attributes, and what it holds.
	const element = (name, attributes = {}, ...children) => {
		const [tag, ...classes] = name.split(".")
		const made = document.createElement(tag)
		if (classes.length > 0)
			made.className = classes.join(" ")
		for (const [key, value] of Object.entries(attributes))
			made.setAttribute(key, value)
		made.append(...children)
		return made
	}
	const code = (text, attributes) => element("code", attributes, text)

	const quote = text => "'" + text.replaceAll("'", "''") + "'"

	// A name as it is found in the address after "#", and the reverse.
	const fragmentOf = text => "#" + encodeURIComponent(text).replaceAll("%3A", ":")
	const textOf = fragment => {
		try {
			return decodeURIComponent(fragment.slice(1))
		} catch {
			return fragment.slice(1)
		}
	}

	// Three digits, and no exponent unless there are many zeros.
	const threeDigits = value => value < 1e-6 || value >= 1e15 ? value.toPrecision(3) :
		Number(value.toPrecision(3)).toFixed(Math.max(0, 2 - Math.floor(Math.log10(value))))

	// A length of time in microseconds, in two or three digits.
	const span = microseconds => {
		const [length, unit] = SPANS.find(([one]) => microseconds >= one * 0.99) || SPANS.at(-1)
		const number = microseconds / length
		const rounded = number < 9.95 && Math.abs(number - Math.round(number)) > 0.05 ?
			number.toFixed(1) : number < 1e6 ? number.toFixed(0) : number.toPrecision(3)
		return rounded + " " + (rounded === "1" ? unit.replace(/(..)s$/, "$1") : unit)
	}

	// As jsonb shows the row of T_parts(): shorter keys come first.
	const asJson = (fields, instant) => {
		const shown = value => value === null ? "null" : typeof value === "bigint" ?
			String(value) : JSON.stringify(value instanceof Uint8Array ? hexOf(value) : value)
		const all = Object.entries(fields).map(([name, value]) => [name, shown(value)])
		all.push(["ts", instant === null ? "null" : JSON.stringify(instant)])
		return "{" + all.sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
			.map(([name, value]) => `"${name}": ${value}`).join(", ") + "}"
	}
	const hexOf = bytes => "\\x" + Array.from(bytes, byte => byte.toString(16).padStart(2, "0"))
		.join("")

	// A row of a table: SQL, and what it returns.
	const row = (sql, value) => element("tr", {},
		element("th", { scope: "row" }, code(sql)),
		element("td", {}, code(value, { "data-sql": sql })))

	const scrolling = table => element("div.inspect-scroll", { tabindex: "0" }, table)

	const formsOf = rows => scrolling(element("table.inspect-forms", {},
		element("tbody", {}, ...rows)))

	const headed = (heads, rows) => scrolling(element("table.inspect-table", {},
		element("thead", {}, element("tr", {},
			...heads.map(head => element("th", { scope: "col" }, head)))),
		element("tbody", {}, ...rows)))

	const start = ({ load, showInstant, readInstant, IdError, module }) => load(module).then(
		({ types, identify, messages }) => {

		// ----- An id

		// The same field has the same colour in all layouts of a type.
		const coloursOf = type => {
			const names = new Set(type.layouts.flatMap(({ fields }) => fields
				.filter(({ kind, bits }) => bits > 0 && !(kind in COLOURS))
				.map(({ name }) => name)))
			return { ...COLOURS, ...Object.fromEntries(
				[...names].map((name, at) => [name, OTHERS[at % OTHERS.length]])) }
		}

		// The fields of a layout that an id has, with their bits as text.
		const bitsOf = (type, id, layout) => {
			const all = Array.from(id, byte => byte.toString(2).padStart(8, "0")).join("")
			let from = 0
			return layout.fields.filter(({ bits }) => bits > 0).map(field => {
				from += field.bits
				return { ...field, text: all.slice(from - field.bits, from) }
			})
		}

		const valueOf = (field, fields, instant) => field.kind === "time" ? instant :
			field.kind === "zero" ? "" :
			field.kind === "bytes" ? hexOf(fields[field.name]) : String(fields[field.name])

		const fieldRow = ({ name, bits, text }, colour, value) =>
			element("tr", {},
				element("th", { scope: "row" },
					element("span.inspect-key", { style: `background: ${colour}` }), name),
				element("td", {}, `${bits} bit${bits > 1 ? "s" : ""}`),
				element("td.inspect-value", {}, code(value)),
				element("td.inspect-bits", {}, code(text)))

		const layoutOf = (type, id, layout, colours) => {
			const held = bitsOf(type, id, layout)
			const parts = element("div.inspect-layout")
			if (layout.name !== "")
				parts.append(element("p.inspect-name", {}, layout.name, " ", code(layout.parts)))
			parts.append(element("div.inspect-bar", { "aria-hidden": "true" },
				...held.map(({ name, bits }) => element("span",
					{ style: `flex-grow: ${bits}; background: ${colours[name]}` }, name))))
			let fields
			try {
				fields = type.fields(id, layout.name)
			} catch (error) {
				if (!(error instanceof IdError))
					throw error
				parts.append(element("p.inspect-not", {}, error.detail))
				return parts
			}
			const timed = held.some(({ kind }) => kind === "time")
			const instant = timed ? showInstant(type.instant(id)) : null
			parts.append(element("table.inspect-fields", {}, element("tbody", {}, ...held.map(
				field => fieldRow(field, colours[field.name], valueOf(field, fields, instant))))))
			return parts
		}

		// The windows of the prefixes, down to a tick.
		const prefixesOf = (type, text) => {
			const rows = []
			for (let length = 1; length <= text.length; length++) {
				const prefix = text.slice(0, length)
				if (prefix.endsWith("-"))
					continue
				const { first, last } = type.prefix(prefix)
				const [begins, ends] = [type.instant(first), type.instant(last)]
				// by the ids rather than the ticks, of which the first and the last may be in part
				const ids = Number(type.toNumber(last) - type.toNumber(first) + 1n)
				const ticks = Math.max(1, ids / 2 ** (8 * type.size - type.timeBits))
				rows.push(element("tr", { "data-prefix": prefix },
					element("td", {}, code(prefix)), element("td", {}, showInstant(begins)),
					element("td", {}, showInstant(ends)),
					element("td", {}, span(1e6 * ticks / type.ticksPerSecond))))
				if (begins === ends)
					break
			}
			return rows
		}

		const numberOf = (type, id) => {
			const value = type.toNumber(id)
			const target = type.number === "bigint" && value >= 1n << 63n ? "numeric" : type.number
			return target ? row(`id::${target}`, String(value)) :
				element("tr", {}, element("th", { scope: "row" }, "as a number"),
					element("td", {}, code(String(value))))
		}

		const idSection = ({ type: name, id, canonical, instant, fields }) => {
			const type = types[name]
			const colours = coloursOf(type)
			const layouts = type.layoutsOf(id)
			const timed = layouts[0].fields.some(({ kind, bits }) => kind === "time" && bits > 0)
			const several = layouts.length > 1
			return element("section.inspect-id", { "data-type": name },
				element("h3", {}, element("a", { href: name + ".html" }, name), " of ",
					element("time", {}, showInstant(instant))),
				formsOf([row("id::text", canonical),
					row(`${name}_timestamp(id)`, showInstant(instant)),
					row(`to_jsonb(${name}_parts(id))`,
						asJson(fields, timed ? showInstant(instant, "T", "+00:00") : null)),
					row("id::bytea", hexOf(id)),
					numberOf(type, id),
					...Object.entries(type.forms(id)).map(
						([form, text]) => row(`${name}_${form}(id)`, text))]),
				element("h4", {}, "Bits"),
				...several ? [element("p", {},
					"It has one of these layouts; the text does not tell which.")] : [],
				...layouts.map(layout => layoutOf(type, id, layout, colours)),
				element("h4", {}, "Prefixes"),
				element("p", {}, code(`id <@ ${name}_prefix(...)`),
					" finds the ids that begin with a prefix: those of a window of time"),
				headed(["prefix", "first instant", "last instant", "span"],
					prefixesOf(type, type.prefixText(id))))
		}

		// ----- A text that is no id

		// The text around the character that is wrong.  A string of JavaScript counts code units,
		// the server characters.
		const AROUND = 40
		const marked = (text, position) => {
			const characters = Array.from(text)
			const from = Math.max(0, position - 1 - AROUND)
			const to = position + AROUND
			return element("p.inspect-text", {},
				(from > 0 ? "..." : "") + characters.slice(from, position - 1).join(""),
				element("mark", {}, characters[position - 1] ?? ""),
				characters.slice(position, to).join("") + (to < characters.length ? "..." : ""))
		}

		const errorOf = (type, text) => {
			try {
				type.parse(text)
				return null
			} catch (error) {
				if (error instanceof IdError)
					return error
				throw error
			}
		}

		const errorSection = (name, error, text) => element("section.inspect-error",
			{ "data-type": name, "data-code": error.code, "data-message": error.message },
			element("h3", {}, element("a", { href: name + ".html" }, name)),
			...error.position === null || text === "" ? [] : [marked(text, error.position)],
			...error.detail === null ? [] : [element("p.inspect-detail", {}, error.detail)],
			...error.hint === null ? [] : [element("p.inspect-hint", {}, error.hint)])

		// The first ten ids in a text around them, such as an address or a line of a log.
		const idsInside = text => {
			const found = new Set()
			for (const part of text.split(/[^0-9A-Za-z:-]+/)) {
				if (found.size < 10 && identify(part).length > 0)
					found.add(part)
			}
			return [...found]
		}

		const insideNote = inside => element("p.inspect-inside", {}, "But it contains ",
			...inside.flatMap((text, at) => [at > 0 ? ", " : "",
				element("a", { href: fragmentOf(text) }, code(text))]), ".")

		// ----- The parts of the page

		const input = document.getElementById("inspect-input")
		const result = document.getElementById("inspect-result")
		const list = new Intl.ListFormat("en", { type: "disjunction" })

		const verdict = element("p.inspect-verdict", { role: "status" })
		const found = element("div")
		result.replaceChildren(verdict, found)

		// Shows what the text in the box is, and returns it without the white space around it.
		const show = () => {
			const text = input.value.trim()
			verdict.textContent = ""
			found.replaceChildren()
			if (text === "")
				return text

			const ids = identify(text)
			const names = ids.map(({ type }) => type)
			// the likeliest first: those whose texts are about as long, and right for longer
			const apart = name => Math.min(...[types[name].textSize, types[name].digits].map(
				size => Math.abs(size - Array.from(text).length)))
			const errors = Object.keys(types).filter(name => !names.includes(name))
				.map(name => ({ name, error: errorOf(types[name], text) }))
				.sort((a, b) => apart(a.name) - apart(b.name) ||
					b.error.position - a.error.position)
				.map(({ name, error }) => errorSection(name, error, text))
			verdict.textContent = ids.length === 0 ? "No type accepts this text." :
				ids.length === 1 ? `This is a ${names[0]}.` :
				`This may be ${list.format(names.map(name => "a " + name))}: ` +
				"the text does not tell."
			if (input.value !== text)
				found.append(element("p.inspect-note", {}, "White space around the text was " +
					"removed. The server does not remove it: there it is an error."))
			found.append(...ids.map(idSection))
			const inside = ids.length === 0 ? idsInside(text) : []
			if (inside.length > 0)
				found.append(insideNote(inside))
			if (ids.length === 0)
				found.append(...errors)
			else if (errors.length > 0)
				found.append(element("details.inspect-others", {},
					element("summary", {}, "Why it is none of the other types"), ...errors))
			return text
		}

		const fromAddress = () => {
			const text = textOf(location.hash)
			// the address of a heading is not an id
			if (text === "" || document.getElementById(text))
				return
			input.value = text
			show()
		}
		// Browsers refuse to change the address too often, so it waits for the end of the typing.
		let typing
		input.addEventListener("input", () => {
			const text = show()
			clearTimeout(typing)
			typing = setTimeout(() => history.replaceState(null, "", text === "" ?
				location.pathname + location.search : fragmentOf(text)), 200)
		})
		addEventListener("hashchange", fromAddress)

		const now = BigInt(Date.now()) * 1000n
		document.getElementById("inspect-examples").replaceChildren("Try one: ",
			...Object.values(types).flatMap((type, at) => {
				const text = type.format(type.min(now))
				return [at > 0 ? ", " : "", element("a", { href: fragmentOf(text) }, type.name)]
			}))

		// ----- Ids of a time

		const chosen = document.getElementById("inspect-type")
		const since = document.getElementById("inspect-since")
		const upto = document.getElementById("inspect-upto")
		const idsOfTime = document.getElementById("inspect-window-result")
		const shortest = Object.values(types).sort((a, b) => a.textSize - b.textSize)[0]
		chosen.replaceChildren(...Object.keys(types).map(name => element("option", {}, name)))

		const rangeOf = (type, from, to) => {
			const [low, high] = [from, to].map(us => quote(showInstant(us)))
			if (to < from)
				throw new RangeError(messages.rangeOrder)
			const range = `${type.name}_range(${low}, ${high})`
			const found = type.window(from, to)
			return found ? [[`lower(${range})`, found.first], [`upper(${range})`, found.last],
				`SELECT * FROM t WHERE id <@ ${range};`] : null
		}

		const momentOf = (type, us) => {
			const at = quote(showInstant(us))
			const [low, high] = [`${type.name}_min(${at})`, `${type.name}_max(${at})`]
			return [[low, type.min(us)], [high, type.max(us)],
				`SELECT * FROM t WHERE id BETWEEN ${low} AND ${high};`]
		}

		const showWindow = () => {
			const type = types[chosen.value]
			idsOfTime.replaceChildren()
			if (since.value.trim() === "")
				return
			try {
				const from = readInstant(since.value)
				const found = upto.value.trim() === "" ? momentOf(type, from) :
					rangeOf(type, from, readInstant(upto.value))
				if (found === null)
					throw new RangeError("No id has an instant in this window.")
				const [first, last, sql] = found
				const rows = [first, last].map(
					([expression, id]) => row(expression, type.format(id)))
				idsOfTime.append(formsOf(rows), element("pre", {}, code(sql)))
			} catch (error) {
				if (!(error instanceof IdError || error instanceof RangeError))
					throw error
				idsOfTime.append(element("p.inspect-not", {}, error.message))
				if (error.detail)
					idsOfTime.append(element("p.inspect-detail", {}, error.detail))
			}
		}
		for (const field of [chosen, since, upto])
			field.addEventListener("input", showWindow)
		const day = 86400000000n
		since.value = showInstant(now / day * day)
		upto.value = showInstant((now / day + 1n) * day)
		chosen.value = shortest.name
		showWindow()

		// ----- Repeats

		const ids = document.getElementById("inspect-ids")
		const servers = document.getElementById("inspect-servers")
		const rate = document.getElementById("inspect-rate")
		const repeats = document.getElementById("inspect-repeats-result")
		const kinds = Object.values(types).flatMap(type => type.repeats.map(
			kind => ({ ...kind, ticks: type.ticksPerSecond })))
		ids.replaceChildren(...kinds.map(({ name }) => element("option", {}, name)))

		const showRepeats = () => {
			const { ticks, randomBits, counts } = kinds[ids.selectedIndex]
			const [s, r] = [servers.valueAsNumber, rate.valueAsNumber]
			if (!(s >= 2 && r > 0)) {
				repeats.textContent = "Give two servers or more, and a rate above zero."
				return
			}
			const perTick = counts ? Math.min(r / ticks, 1) : r / ticks
			const often = s * (s - 1) / 2 * r * perTick / 2 ** randomBits
			repeats.replaceChildren(element("strong", { "data-repeats": "" }, threeDigits(often)),
				" repeats a second: one in ",
				element("strong", {}, span(1e6 / often)), ".")
		}
		for (const field of [ids, servers, rate])
			field.addEventListener("input", showRepeats)
		ids.selectedIndex = kinds.findIndex(({ name }) => name === shortest.repeats[0].name)
		showRepeats()

		fromAddress()
		if (input.value !== "")
			show()
	})

	// ----- What is there without the module: the controls

	const field = (label, control) => element("label", {}, element("span", {}, label), control)
	const text = (id, more = {}) => element("input",
		{ id, type: "text", autocomplete: "off", spellcheck: "false", ...more })

	document.getElementById("inspect").replaceChildren(
		field("Id", text("inspect-input",
			{ autocapitalize: "off", autocorrect: "off", placeholder: "paste an id" })),
		element("p", { id: "inspect-examples" }),
		element("div", { id: "inspect-result" }))
	document.getElementById("inspect-window").replaceChildren(
		field("Type", element("select", { id: "inspect-type" })),
		field("From", text("inspect-since", { placeholder: "2026-11-21 18:00" })),
		field("Until (empty: the instant alone)",
			text("inspect-upto", { placeholder: "2026-11-21 19:00" })),
		element("div", { id: "inspect-window-result", role: "status" }))
	document.getElementById("inspect-repeats").replaceChildren(
		field("Ids", element("select", { id: "inspect-ids" })),
		field("Servers", element("input",
			{ id: "inspect-servers", type: "number", min: "2", value: "2" })),
		field("Ids a second, each", element("input",
			{ id: "inspect-rate", type: "number", min: "1", value: "10000" })),
		element("p", { id: "inspect-repeats-result", role: "status" }))

	start(globalThis.idtypes).catch(error => {
		document.getElementById("inspect-result").textContent =
			"This browser cannot run the page: " + error.message
		throw error
	})
})()

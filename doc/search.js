// What is typed or pasted into the site's search box, as the words that its search looks for.
//
// The search would take colons, quotes and dashes as its own syntax and find nothing.  An error is
// looked for by its message alone: what comes before it is of the client library or of the log, and
// its position, values, detail and hint have words that stand everywhere.
(() => {
	const box = document.querySelector("input.md-search__input")
	const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")

	// Words of questions; each is the beginning of too many others.
	const common = new Set(("a about an and are as at be but by can do does for from has have " +
		"how i in is it its me my not of on or should so that the there this to up was we what " +
		"when where which who why will with you your").split(" "))

	const words = text => text
		.replace(/^.*\b(?:ERROR|FATAL|WARNING|NOTICE|LOG): +/, "")
		.replace(/^(?:\S+: +|\(\S+\) +)+/, "")
		.replace(/\s(?:LINE \d+|DETAIL|HINT|CONTEXT|STATEMENT): .*/s, "")
		.replace(/"[^"]*"/g, quoted => /^"[\w.$\/]*"$/.test(quoted) ? quoted : "")
		.split(/\W+/)
		.filter(word => word !== "" && !common.has(word.toLowerCase()))
		.join(" ")
		// the last word stands for all that begin so, as "id" for "identity"
		.replace(/ (\w|id)$/, "")

	Object.defineProperty(box, "value", {
		get: () => words(get.call(box)),
		set: text => set.call(box, text)
	})
	// The search waits for a key, which does not come where text is pasted with the mouse.
	box.addEventListener("input", () => box.dispatchEvent(new KeyboardEvent("keyup")))
})()

// SPDX-License-Identifier: GPL-2.0-only
//
// Draws the page from what dev/report.py put into it.  What was drawn, and what went
// wrong, is in the attributes of the body: dev/tests/report.t looks there.

"use strict";

window.addEventListener("error", (event) => {
	const box = document.createElement("div");
	box.id = "errors";
	box.textContent = event.message;
	document.body.prepend(box);
	document.body.dataset.errors = Number(document.body.dataset.errors || 0) + 1;
});

const data = JSON.parse(document.getElementById("data").textContent);
const NOWHERE = "(source not found)";	// mostly what macros make: ctags does not expand them
const HOTTEST = 32;
const SITES = 26;
const FOUND = 100;
const charts = [];

const functions = data.functions.map(([name, image, file, line, entered, counts, header], index) => ({
	index, name, image: data.images[image], line, entered, counts,
	file: file < 0 ? "" : data.files[file],
	defined: header === undefined ? (file < 0 ? "" : data.files[file]) : data.files[header],
}));
const ran = functions.filter((f) => f.counts);
const total = ran.reduce((sum, f) => sum + f.counts, 0);

/* words and numbers */

const whole = (n) => n.toLocaleString("en-GB");
const share = (part, all) => {
	const percent = all ? 100 * part / all : 0;
	return `${percent && percent < 10 ? percent.toFixed(1) : Math.round(percent)}%`;
};
function short(n) {
	for (const [unit, letter] of [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
		if (n >= unit)
			return Number((n / unit).toPrecision(3)) + " " + letter;
	}
	return String(n);
}
const html = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const at = (f) => f.defined ? f.defined + (f.line ? ":" + f.line : "") : NOWHERE;

function element(tag, name, text) {
	const made = document.createElement(tag);
	if (name)
		made.className = name;
	if (text !== undefined)
		made.textContent = text;
	return made;
}

/* colours: a directory has the same in all charts */

const COLOURS = {
	kernel: "#3b6fb6", mm: "#d9622b", fs: "#2f8f6b", net: "#8a5fb5", lib: "#c2982a", arch: "#b5485d",
	drivers: "#4a90a4", block: "#7a8f3a", crypto: "#b0629c", security: "#6b7b8c", init: "#a0744c",
	io_uring: "#5a6fd0", ipc: "#58a06a",
};
const OTHER = "#8b94a1";
const IMAGE = "#2b3442";	// frames
const directory = (file) => file.split("/")[0];
const colour = (file) => COLOURS[directory(file)] || OTHER;

function mixed(from, to, part) {
	const one = (i) => Math.round(from[i] + (to[i] - from[i]) * part);
	return `rgb(${one(0)}, ${one(1)}, ${one(2)})`;
}
// The eye finds the first few per cent most interesting.
const coverageColour = (part) => mixed([205, 210, 218], [14, 110, 112], Math.sqrt(part));

/* trees */

// parts: where a function is, from the image down to the file
function parts(f) {
	return [f.image, ...(f.file ? f.file.split("/") : [NOWHERE])];
}

function tree(list, leaves) {
	const root = { name: "all", kids: new Map(), all: 0, ran: 0, counts: 0, path: "", file: "" };
	for (const f of list) {
		let node = root;
		const add = (name, path, leaf) => {
			if (!node.kids.has(name))
				node.kids.set(name, { name, path, kids: new Map(), all: 0, ran: 0, counts: 0,
					file: f.file, f: leaf });
			node = node.kids.get(name);
		};
		const tally = () => {
			node.all++;
			node.ran += f.counts > 0;
			node.counts += f.counts;
		};
		tally();
		parts(f).forEach((part, i, all) => {
			add(part, all.slice(1, i + 1).join("/"));
			tally();
		});
		if (leaves) {
			add(`${f.name} ${f.index}`, "", f);
			tally();
			node.name = f.name;
		} else {
			(node.functions = node.functions || []).push(f);
		}
	}
	return root;
}

// A directory in which there is only one thing is no step of its own; an image is.
function merged(node) {
	let name = node.name;
	while (node.path && node.kids.size === 1) {
		const [only] = node.kids.values();
		if (only.f)
			break;
		name += `/${only.name}`;
		node = only;
	}
	return Object.assign({}, node, { name });
}

/* charts */

function chart(id, option, renderer) {
	const box = document.getElementById(id);
	const made = echarts.init(box, null, { renderer: renderer || "svg" });
	made.setOption(Object.assign({
		textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
		aria: { enabled: true, label: { description: box.closest("section").querySelector("p").textContent } },
		animationDuration: 0,
		animationDurationUpdate: 350,
	}, option));
	charts.push(made);
	document.body.dataset.drawn = `${document.body.dataset.drawn || ""} ${id}`.trim();
	return made;
}

const MONO = 'ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';
const TIP = { confine: true, padding: [8, 12], textStyle: { color: "#1d2430", fontSize: 13 } };

// A box that has room for two letters only has none.
function hideTight(made) {
	for (const box of made.getZr().storage.getDisplayList(true)) {
		const text = box.type === "rect" && box.getTextContent();
		const tight = box.type === "rect" && box.shape.width < 35;
		if (text && text.ignore !== tight)
			text.attr("ignore", tight);
	}
}

// A click goes into the directory or the file; in the file, to the function's source.
function into(made, node) {
	const box = node.f ? node.parent : node;
	if (made.box === box && node.f)
		return reveal(node.f);
	made.box = box;
	made.dispatchAction({ type: "treemapRootToNode", seriesIndex: 0, targetNodeId: box.id });
}

function treemap(id, nodes, depth, tip, label) {
	const made = chart(id, {
		tooltip: Object.assign({ formatter: (p) => tip(p.data.node || p.data) }, TIP),
		series: [{
			type: "treemap", name: "all", data: nodes, roam: false, leafDepth: depth, drillDownIcon: "",
			nodeClick: false, sort: "desc", visibleMin: 60, childrenVisibleMin: 500,
			left: 0, right: 0, top: 0, bottom: 34,
			breadcrumb: { height: 24, bottom: 0, left: 0, itemStyle: { color: "#eef1f5", borderColor: "#fff",
				textStyle: { color: "#1d2430" } }, emphasis: { itemStyle: { color: "#dbe1ea" } } },
			label: Object.assign({ fontSize: 11.5, padding: [3, 4], overflow: "truncate", ellipsis: "…" }, label),
			upperLabel: { show: true, height: 19, color: "#fff", fontSize: 12, fontWeight: 600,
				padding: [0, 5], overflow: "truncate" },
			itemStyle: { borderWidth: 0, gapWidth: 1 },
			levels: [
				{ itemStyle: { gapWidth: 4, borderWidth: 0 }, upperLabel: { show: false } },
				{ itemStyle: { gapWidth: 2, borderWidth: 3, borderColor: IMAGE },
					upperLabel: { height: 24, fontSize: 14 } },
				{ itemStyle: { gapWidth: 1, borderWidth: 2, borderColorSaturation: .45 } },
				{ itemStyle: { gapWidth: 1, borderWidth: 1, borderColorSaturation: .35 },
					upperLabel: { height: 17, fontSize: 11, fontWeight: 400 } },
				{ itemStyle: { gapWidth: 1, borderWidth: 1, borderColorSaturation: .3 },
					upperLabel: { height: 15, fontSize: 10.5, fontWeight: 400 } },
				{ itemStyle: { gapWidth: 1, borderWidth: 0, borderColorSaturation: .3 },
					upperLabel: { height: 15, fontSize: 10.5, fontWeight: 400 } },
				{ itemStyle: { gapWidth: 1, borderWidth: 0, borderColorSaturation: .3 },
					upperLabel: { height: 15, fontSize: 10.5, fontWeight: 400 } },
			],
		}],
	}, "canvas");
	hideTight(made);
	made.on("finished", () => hideTight(made));	// after a step in or out
	made.on("click", (p) => {
		if (p.selfType === "breadcrumb")
			made.box = null;
		else if (p.data && p.data.node)
			into(made, p.data.node);
	});
}

let boxes = 0;
function countNodes(node, parent) {
	node = Object.assign(merged(node), { id: `box${boxes++}`, parent });
	return {
		id: node.id, name: node.name, value: node.counts, node,
		itemStyle: { color: colour(node.file) },
		children: node.f ? undefined : [...node.kids.values()].map((kid) => countNodes(kid, node)),
	};
}

function drawCounts() {
	const root = tree(ran, true);
	treemap("counts", countNodes(root).children, 8, (node) => {
		if (node.all === undefined)
			return "everything";
		const what = node.f ? `${html(at(node.f))}<br>entered ${whole(node.f.entered)} times`
			: `${html(node.path)}<br>${whole(node.all)} functions that ran`;
		return `<b>${html(node.name)}</b><br>${what}<br><b>${whole(node.counts)}</b> counts,
			${share(node.counts, total)} of all`;
	}, { color: "#fff" });

	const sums = new Map();
	for (const f of ran) {
		const name = COLOURS[directory(f.file)] ? directory(f.file) : "others";
		sums.set(name, (sums.get(name) || 0) + f.counts);
	}
	const big = [...sums].filter(([, counts]) => counts > total / 500);
	for (const [name, counts] of big.sort((a, b) => b[1] - a[1])) {
		const key = element("span", "", `${name} ${share(counts, total)}`);
		const box = element("i");
		box.style.background = COLOURS[name] || OTHER;
		key.prepend(box);
		document.getElementById("directories").append(key);
	}
}

function coverageNodes(node) {
	node = Object.assign(merged(node), { id: `box${boxes++}` });
	const part = node.ran / node.all;
	return {
		id: node.id, name: node.name, value: node.all, node,
		itemStyle: { color: coverageColour(part) },
		label: { color: part > .12 ? "#fff" : "#48525f" },
		children: node.kids.size ? [...node.kids.values()].map(coverageNodes) : undefined,
	};
}

function drawCoverage(root) {
	treemap("coverage", coverageNodes(root).children, 8, (node) => node.all === undefined ? "everything"
		: `<b>${html(node.name)}</b><br>${html(node.path)}<br><b>${whole(node.ran)}</b> of ${whole(node.all)} functions
			ran, ${share(node.ran, node.all)}`, {});
	document.querySelector(".scale i").style.background = "linear-gradient(to right, " +
		[0, .05, .1, .2, .4, .6, .8, 1].map((p) => `${coverageColour(p)} ${100 * p}%`) + ")";
}

function bars(option) {
	return Object.assign({
		grid: { left: 8, right: 20, top: 6, bottom: 8, containLabel: true },
		tooltip: Object.assign({ trigger: "item" }, TIP),
	}, option);
}

const names = (list, width) => ({
	type: "category", inverse: true, data: list, axisTick: { show: false }, axisLine: { show: false },
	axisLabel: { fontFamily: MONO, fontSize: 12, width, overflow: "truncate", color: "#1d2430", interval: 0 },
});

function drawHottest() {
	const list = ran.slice(0, HOTTEST);
	const made = chart("hottest", bars({
		grid: { left: 8, right: 104, top: 6, bottom: 8, containLabel: true },
		xAxis: { type: "value", show: false },
		yAxis: Object.assign({ triggerEvent: true }, names(list.map((f) => f.name), 190)),
		tooltip: Object.assign({ formatter: (p) => {
			const f = list[p.dataIndex];
			return `<b>${html(f.name)}</b><br>${html(at(f))}<br>${whole(f.counts)} counts, ${share(f.counts, total)} of
				all<br>entered ${whole(f.entered)} times`;
		} }, TIP),
		series: [{
			type: "bar", barWidth: "68%", cursor: "pointer",
			data: list.map((f) => ({ value: f.counts, itemStyle: { color: colour(f.file), borderRadius: [0, 3, 3, 0] } })),
			label: { show: true, position: "right", color: "#1d2430", rich: { soft: { color: "#7b8794" } },
				formatter: (p) => `${short(p.value)} {soft|in ${short(list[p.dataIndex].entered)}}` },
		}],
	}));
	made.on("click", (p) => showSource(p.componentType === "yAxis" ? list.find((f) => f.name === p.value)
		: list[p.dataIndex]));
	const length = (f) => data.source[f.index] ? data.source[f.index][1].split("\n").length : 0;
	const first = list.find((f) => length(f) > 20) || list.find(length) || list[0];
	if (first)
		showSource(first);
}

/* the source of one function */

function showSource(f) {
	const box = document.getElementById("source");
	const head = element("div", "head");
	const perEntry = f.entered ? `, ${short(Math.round(f.counts / f.entered))} per entry` : "";
	const facts = element("p", "facts");
	facts.innerHTML = `<b>${whole(f.counts)}</b> counts, ${share(f.counts, total)} of all; entered
		<b>${whole(f.entered)}</b> times${perEntry}; in ${html(f.image)}`;
	head.append(element("div", "name", f.name), element("div", "at", at(f)), facts);
	const code = element("div", "code");
	const source = data.source[f.index];
	if (source)
		code.append(...sourceLines(f, ...source));
	else
		code.append(element("p", "note", f.line ? "The source of the hottest functions only is in this page."
			: "Its line is not known: a macro makes it, or there was no build folder."));
	for (const [index, number, count, targets] of data.calls) {
		if (index === f.index)
			code.append(element("p", "note", `Indirect call #${number + 1} went ` +
				targets.map(([name, , n]) => `${share(n, count)} to ${name}`).join(", ") + "."));
	}
	box.replaceChildren(head, code);
	box.dataset.name = f.name;
}

function reveal(f) {
	showSource(f);
	document.getElementById("source").scrollIntoView({ behavior: "smooth", block: "center" });
}

function sourceLines(f, first, text, more) {
	const count = text.split("\n").length;
	const sheet = element("div", "sheet");
	const numbers = element("pre", "no", Array.from({ length: count }, (_, i) => first + i).join("\n"));
	const code = element("pre");
	code.innerHTML = hljs.highlight(text, { language: "c", ignoreIllegals: true }).value;
	const mark = element("div", "entry");
	mark.style.top = `${(f.line - first) * 1.5}em`;
	mark.append(element("span", "", `× ${whole(f.entered)}`));
	sheet.append(mark, numbers, code);
	return more ? [sheet, element("p", "note", "… and more")] : [sheet];
}

function drawCalls() {
	const list = data.calls.slice(0, SITES);
	if (!list.length)
		return document.getElementById("calls-section").remove();
	const shades = ["#1c6e8c", "#3f8fa9", "#6aaabd", "#93c1cf", "#b5d5de", "#cde3e9", "#dcebf0", "#e6f1f4"];
	const caller = ([index, number]) => functions[index].name + (number ? ` #${number + 1}` : "");
	const deepest = Math.max(...list.map((site) => site[3].length));
	const named = (target) => target[0][0] !== "(";
	const series = Array.from({ length: deepest }, (_, rank) => ({
		type: "bar", stack: "targets", barWidth: "72%", cursor: "pointer",
		data: list.map((site) => {
			const target = site[3][rank];
			return target ? { value: 100 * target[2] / site[2], target, site, itemStyle: {
				color: named(target) ? shades[Math.min(rank, 7)] : "#e3e6ea", borderColor: "#fff", borderWidth: 1 } }
				: { value: 0 };
		}),
		label: { show: true, position: "insideLeft", fontFamily: MONO, fontSize: 11.5, overflow: "truncate",
			color: rank < 2 ? "#fff" : "#1d2430",
			formatter: (p) => p.data.target ? p.data.target[0] : "" },
		labelLayout: (p) => p.rect.width < 46 ? { fontSize: 0.01 } : { width: p.rect.width - 10 },
	}));
	for (const one of series)
		one.data.forEach((d) => {
			if (d.target && !named(d.target))
				d.label = { color: "#5d6878" };
		});
	const counts = names(list.map((site) => short(site[2])), 80);
	counts.position = "right";
	counts.axisLabel.color = "#5d6878";
	counts.name = "calls";
	counts.nameLocation = "start";
	const made = chart("calls", bars({
		grid: { left: 8, right: 8, top: 24, bottom: 4, containLabel: true },
		xAxis: { type: "value", max: 100, show: false },
		yAxis: [names(list.map(caller), 250), counts],
		tooltip: Object.assign({ formatter: (p) => {
			const [name, file, count] = p.data.target;
			return `<b>${html(name)}</b> ${html(file)}<br>called ${whole(count)} times, ${share(count, p.data.site[2])}<br>
				from ${html(caller(p.data.site))}, ${html(at(functions[p.data.site[0]]))}`;
		} }, TIP),
		series,
	}));
	made.on("click", (p) => reveal(functions[p.data.site[0]]));
}

function drawImages() {
	const list = data.images.map((name) => {
		const all = functions.filter((f) => f.image === name);
		return { name, all: all.length, ran: all.filter((f) => f.counts).length };
	}).filter((i) => i.all).sort((a, b) => b.all - a.all);
	const percent = (image) => 100 * image.ran / image.all;
	const says = (i) => `${whole(i.ran)} of ${whole(i.all)}`;
	chart("images", bars({
		grid: { left: 8, right: 118, top: 6, bottom: 8, containLabel: true },
		xAxis: { type: "value", max: 100, show: false },
		yAxis: names(list.map((i) => i.name), 150),
		tooltip: Object.assign({ formatter: (p) => `<b>${html(p.name)}</b><br>${says(list[p.dataIndex])} functions ran,
			${share(list[p.dataIndex].ran, list[p.dataIndex].all)}` }, TIP),
		series: [{
			type: "bar", barWidth: "62%", data: list.map(percent),
			itemStyle: { color: "#1c7c7d", borderRadius: 4 },
			showBackground: true, backgroundStyle: { color: "#e3e7ec", borderRadius: 4 },
		}, {	// its labels stand where a full bar would end
			type: "bar", barGap: "-100%", barWidth: "62%", data: list.map(() => 100), silent: true,
			itemStyle: { color: "transparent" },
			label: { show: true, position: "right", color: "#5d6878", formatter: (p) => says(list[p.dataIndex]) },
		}],
	}));
}

// Up to 8, clang counts each length; then powers of 2, and what is between two of
// them under the first (getMemOPSizeRange of InstrProf).
function lengthName(value) {
	if (value <= 8 || (value & (value - 1)) === 0)
		return String(value);
	return value > 512 ? "> 512" : `${value}–${2 * (value - 1) - 1}`;
}

function drawMemops() {
	if (!data.memops.length)
		return document.getElementById("memops-section").remove();
	chart("memops", bars({
		grid: { left: 8, right: 12, top: 28, bottom: 30, containLabel: true },
		xAxis: { type: "category", data: data.memops.map(([v]) => lengthName(v)), name: "bytes", nameLocation: "middle",
			nameGap: 56, axisTick: { show: false }, axisLabel: { interval: 0, rotate: 50 } },
		yAxis: { type: "value", axisLabel: { formatter: short }, splitLine: { lineStyle: { color: "#eceff3" } } },
		tooltip: Object.assign({ formatter: (p) => `<b>${p.name} bytes</b><br>${whole(p.value)} times` }, TIP),
		series: [{ type: "bar", barWidth: "72%", data: data.memops.map(([, n]) => n),
			itemStyle: { color: "#d9622b", borderRadius: [3, 3, 0, 0] } }],
	}));
}

/* lists */

function drawTiles() {
	const tile = (value, label, part) => {
		const box = element("div");
		box.append(element("dt", "", label), element("dd", "", value));
		if (part !== undefined) {
			const meter = element("div", "meter");
			meter.append(element("i"));
			meter.firstChild.style.width = `${100 * part}%`;
			box.prepend(meter);
		}
		document.getElementById("tiles").append(box);
	};
	const images = new Set(functions.map((f) => f.image)).size;
	tile(whole(images), images === 1 ? "image: vmlinux or a module" : "images: vmlinux and modules");
	tile(whole(functions.length), "functions that are counted");
	tile(whole(ran.length), `of them ran, ${share(ran.length, functions.length)}`, ran.length / functions.length);
	tile(short(total), "counts in all");
	tile(short(data.sites[1]), `indirect calls, from ${data.sites[0] === 1 ? "one place" : `${whole(data.sites[0])} places`}`);
}

function drawLead() {
	let half = 0;
	for (let sum = 0; sum < total / 2; half++)
		sum += ran[half].counts;
	const modules = new Set(functions.map((f) => f.image)).size - 1;
	document.getElementById("kernel").textContent = data.title;
	document.getElementById("lead").textContent = (modules === 0 ? "One image, counted while it worked. "
		: `vmlinux and ${modules === 1 ? "one module" : `${modules} modules`}, counted while they worked. `) +
		`${share(functions.length - ran.length, functions.length)} of the functions never ran` +
		(half ? `, and half of all counts are of ${half === 1 ? "one" : whole(half)} of those that did.` : ".");
}

function neverRow(node, name) {
	const row = element("details");
	const head = element("summary");
	const bar = element("span", "bar");
	bar.append(element("i"));
	bar.firstChild.style.width = `${100 * node.ran / node.all}%`;
	const num = element("span", "num");
	num.innerHTML = `<b>${whole(node.all - node.ran)}</b> of ${whole(node.all)} never ran, ${share(node.all - node.ran, node.all)}`;
	head.append(element("span", "dir", name), bar, num);
	row.append(head);
	row.addEventListener("toggle", () => {	// 14,000 names are made when asked for
		if (row.childElementCount === 1)
			row.append(...(node.functions ? [neverNames(node.functions)] : neverRows(node)));
	}, { once: true });
	return row;
}

function neverNames(list) {
	const names = element("div", "names");
	for (const f of list.filter((f) => !f.counts).sort((a, b) => a.line - b.line)) {
		const name = element("span", "", f.name);
		if (f.line)
			name.append(element("small", "", `:${f.line}`));
		names.append(name);
	}
	return names;
}

const never = (node) => node.all - node.ran;
function neverRows(node) {
	return [...node.kids.values()].map(merged).filter(never).sort((a, b) => never(b) - never(a))
		.map((kid) => neverRow(kid, kid.kids.size ? `${kid.name}/` : kid.name));
}

function find(text) {
	const rows = functions.filter((f) => f.name.includes(text) || f.defined.includes(text));
	const table = document.getElementById("found");
	const head = element("tr");
	for (const [title, name] of [["counts", "n"], ["entered", "n"], ["function"], ["source"], ["image"]])
		head.append(element("th", name, title));
	table.replaceChildren(head, ...rows.slice(0, text ? FOUND : 10).map((f) => {
		const row = element("tr");
		row.append(element("td", "n", whole(f.counts)), element("td", "n", whole(f.entered)), element("td", "f", f.name),
			element("td", "f", at(f)), element("td", "", f.image));
		return row;
	}));
	if (text && rows.length > FOUND)
		table.createCaption().textContent = `the first ${FOUND} of ${whole(rows.length)}`;
	else
		table.deleteCaption();
}

document.title = ["What the kernel ran", data.title].filter(Boolean).join(": ");
drawLead();
drawTiles();
drawCounts();
drawHottest();
drawCalls();
drawImages();
drawMemops();
const everything = tree(functions, false);
drawCoverage(everything);
// The directories of vmlinux, then the modules
const images = [...everything.kids.values()].sort((a, b) => never(b) - never(a));
const vmlinux = images.find((image) => image.name === data.images[0]);
document.getElementById("never").append(...(vmlinux ? neverRows(vmlinux) : []), ...images.filter(never)
	.filter((image) => image !== vmlinux).map((image) => neverRow(image, `module ${image.name}`)));
document.getElementById("find").addEventListener("input", (event) => find(event.target.value.trim()));
find("");
window.addEventListener("resize", () => charts.filter((c) => c.getWidth() !== c.getDom().clientWidth)
	.forEach((c) => c.resize()));

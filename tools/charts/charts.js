// The charts and tables of `simtlab report`. With vega, vega-lite and vega-interpreter this becomes one file
// (tools/charts.sh), which runs in the page and, for SVG, in node. Vega's interpreter evaluates expressions, since the
// page's policy forbids to make functions of texts.
import * as vega from "vega";
import { compile } from "vega-lite";
import { expressionInterpreter } from "vega-interpreter";

const fontSizes = { labelFontSize: 12, titleFontSize: 12, labelLimit: 180, titleLimit: 320 };
const ordered = (rows, field) => rows.every((row) => typeof row[field] === "number");

function parts(chart) {
  const { rows, names } = chart;
  const text = (field) => ({ field, type: ordered(rows, field) ? "ordinal" : "nominal", sort: ordered(rows, field) ? "ascending" : null, title: names[field] });
  const number = (field, more) => ({ field, type: "quantitative", title: names[field], ...more });
  const free = { scale: { zero: false } };
  const colour = names.colour ? { color: { ...text("colour"), type: "nominal" } } : {};
  const mark = (type, more) => ({ type, cursor: "pointer", ...more });
  const links = { href: { field: "link" }, description: { field: "label" } };
  const layer = (marks, encoding, more) => ({ mark: marks, encoding, ...more });
  const points = layer(mark("point", { filled: true, opacity: 1, size: 50 }), { x: number("x", free), y: number("y", free), ...colour, ...links });
  // Bars with a second layer would otherwise touch.
  const band = chart.kind === "bars" || chart.kind === "box" ? { scale: { type: "band", paddingInner: 0.2, paddingOuter: 0.1 } } : {};
  const x = { ...text("x"), ...band };
  const offset = names.colour ? { xOffset: text("colour") } : {};
  const intervals = (place) => layer({ type: "rule", aria: false }, { x, ...place, y: { field: "low", type: "quantitative" }, y2: { field: "high" } },
    { transform: [{ filter: "isValid(datum.low)" }] });
  switch (chart.kind) {
    case "bars":
      return [layer(mark("bar"), { x, ...offset, y: number("y"), ...colour, ...links }), intervals(offset)];
    case "lines":
      return [layer({ type: "line", aria: false }, { x, y: number("y"), ...colour }),
        layer(mark("point", { filled: true, opacity: 1, size: 60 }), { x, y: number("y"), ...colour, ...links }), intervals({})];
    case "box":
      return [layer({ type: "rule", aria: false }, { x, ...offset, y: number("least", free), y2: { field: "most" } }),
        layer(mark("bar"), { x, ...offset, y: number("lower", { ...free, title: names.y }), y2: { field: "upper" }, ...colour, ...links }),
        layer({ type: "tick", aria: false, color: "white", thickness: 2 }, { x, ...offset, y: number("y", free) })];
    case "heat map":
      return [layer(mark("rect"), { x, y: text("y"), color: number("colour"), ...links })];
    case "pareto":
      return [points, layer({ type: "line", aria: false, interpolate: "step-after", color: "gray", strokeDash: [4, 3] },
        { x: number("x"), y: number("y") }, { transform: [{ filter: "datum.front" }] })];
    case "roofline": {
      const { peak, bandwidth } = chart;
      const xs = rows.map((row) => row.x).filter((value) => value > 0).concat(peak / bandwidth);
      const roof = [Math.min(...xs) / 2, peak / bandwidth, 2 * Math.max(...xs)].map((at) => ({ x: at, y: Math.min(peak, at * bandwidth) }));
      const log = { scale: { type: "log" } };
      const both = { x: number("x", log), y: number("y", log) };
      return [layer({ type: "line", aria: false, color: "gray" }, both, { data: { values: roof } }),
        { ...points, encoding: { ...points.encoding, ...both } }];
    }
    default:
      return [points];
  }
}

function specification(chart, dark) {
  const rows = chart.rows.map((row, i) => ({ ...row, link: `#runs-${chart.number}-${i}`, label: describe(chart, row) }));
  const ink = dark ? "#e6e6e6" : "#1a1a1a", grid = dark ? "#444" : "#ddd";
  const unit = { layer: parts({ ...chart, rows }) };
  const size = { width: chart.names.facet ? 240 : 520, height: chart.names.facet ? 180 : 300 };
  return {
    data: { values: rows },
    ...(chart.names.facet
      ? { facet: { field: "facet", type: "nominal", sort: null, title: chart.names.facet }, columns: 3, spec: { ...unit, ...size } }
      : { ...unit, ...size }),
    description: chart.title,
    config: {
      background: null, axisX: { labelAngle: 0, labelOverlap: true }, axis: { ...fontSizes, labelColor: ink, titleColor: ink, gridColor: grid, domainColor: ink, tickColor: ink },
      legend: { ...fontSizes, labelColor: ink, titleColor: ink }, header: { ...fontSizes, labelColor: ink, titleColor: ink },
      view: { stroke: grid }, rule: { color: ink },
      range: { category: dark ? ["#7fb5ff", "#ffb562", "#7fd98b", "#ff8fa3", "#c9a6ff", "#8be0e0"] : ["#1f5fbf", "#b35900", "#1f7a33", "#b3203f", "#6b3fa0", "#0f7070"],
        heatmap: { scheme: "viridis" } },
    },
  };
}

const show = (value) => (typeof value === "number" ? String(Number(value.toPrecision(5))) : value ?? "");
const describe = (chart, row) => Object.keys(chart.names).map((field) => `${chart.names[field]}: ${show(row[field])}`).join("; ");

// In this SVG a mark is a link, which the keyboard reaches; in Vega's own view it is a path with a mouse handler.
export const svg = (chart, dark = false) =>
  new vega.View(vega.parse(compile(specification(chart, dark)).spec, null, { ast: true }), { expr: expressionInterpreter, renderer: "none" }).toSVG();

// ---- the page -------------------------------------------------------------------------------------------------------

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// columns: [[field, title]]. Buttons in the heads sort; the box keeps the rows that have all of its words. The linked chart
// hears which rows are kept, and which one is pointed at (undefined: none).
function table(caption, columns, rows, kept = () => {}, pointed = () => {}) {
  const body = element("tbody"), heads = [];
  const box = element("input", { type: "search", "aria-label": `Filter ${caption}`, placeholder: "filter" });
  const count = element("span", { role: "status" });
  const line = (row) => {
    const made = element("tr", {}, ...columns.map(([field]) =>
      field === "link" ? element("td", {}, element("a", { href: row.link }, "runs"))
        : element("td", typeof row[field] === "number" ? { class: "number" } : {}, show(row[field]))));
    for (const event of ["mouseenter", "focusin"]) made.addEventListener(event, () => pointed(row));
    for (const event of ["mouseleave", "focusout"]) made.addEventListener(event, () => pointed());
    return made;
  };
  let sorted = [...rows];
  const fill = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (row) => columns.map(([field]) => (field === "link" ? "" : show(row[field]))).join(" ").toLowerCase();
    const list = sorted.filter((row) => words.every((word) => text(row).includes(word)));
    body.replaceChildren(...list.map(line));
    count.textContent = words.length ? `${list.length} of ${rows.length} rows` : "";
    kept(list);
  };
  columns.forEach(([field, title]) => {
    const button = element("button", { type: "button" }, title), head = element("th", { scope: "col", "aria-sort": "none" }, button);
    heads.push(head);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      heads.forEach((other) => other.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", down > 0 ? "ascending" : "descending");
      sorted.sort((a, b) => down * (typeof a[field] === "number" && typeof b[field] === "number" ? a[field] - b[field]
        : String(a[field]).localeCompare(String(b[field]))));
      fill();
    });
  });
  box.addEventListener("input", fill);
  fill();
  return element("div", {}, element("p", { class: "filter" }, box, " ", count),
    element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": caption },
      element("table", {}, element("caption", {}, caption), element("thead", {}, element("tr", {}, ...heads)), body)));
}

// A chart's marks follow its table: those of rows that the filter drops are faint, and that of the row that is pointed at
// stands out.
function follow(place) {
  let links, chosen;
  const apply = () => {
    for (const mark of place.querySelectorAll("svg a")) {
      const link = mark.getAttribute("xlink:href") ?? mark.getAttribute("href");
      mark.classList.toggle("faint", links !== undefined && !links.has(link));
      mark.classList.toggle("chosen", link === chosen);
    }
  };
  return { apply, kept: (list) => { links = new Set(list.map((row) => row.link)); apply(); }, pointed: (row) => { chosen = row?.link; apply(); } };
}

function showRuns(page, where) {
  const [, number, row] = /^#runs-(\d+)-(\d+)$/.exec(location.hash) || [];
  const chart = page.charts[number], mark = chart?.rows[row];
  const of = new Set(mark?.run !== undefined ? [mark.run] : chart?.runs);
  const runs = mark ? page.runs.filter((run) => of.has(run.run) &&
    (mark.run !== undefined || chart.by.every((field) => run.names[chart.names[field]] === mark[field]))) : page.runs;
  const title = mark ? `Runs of ${chart.title}: ${describe(chart, mark)}` : "All runs";
  where.replaceChildren(element("h2", { tabindex: "-1" }, title),
    ...(mark ? [element("a", { href: "#all" }, "all runs")] : []),
    table(title, [["run", "run"], ["machine", "machine"], ["settings", "settings"], ["program", "program"], ["outcome", "outcome"],
      ["cycles", "cycles"], ["command", "command that repeats it"]], runs),
    ...(page.left ? [element("p", {}, `${page.left} more runs are in ${page.database}; simtlab query lists them.`)] : []));
  if (location.hash) where.firstChild.focus();
}

function start() {
  const page = JSON.parse(document.getElementById("page").textContent), main = document.querySelector("main");
  const dark = matchMedia("(prefers-color-scheme: dark)"), runs = element("section", { id: "all" }), places = [];
  main.append(element("h1", {}, page.title), element("p", {}, `Study ${page.study}, ${page.count} runs, simtlab ${page.version}.`));
  if (page.about) main.append(element("p", {}, page.about));
  for (const chart of page.charts) {
    const place = element("div", { class: "chart wide", tabindex: "0", role: "region", "aria-label": `${chart.title}, chart` });
    const fields = [...Object.entries(chart.names), ...(chart.kind === "box" ? ["least", "lower", "upper", "most"].map((f) => [f, f]) : []), ["link", "runs"]];
    const marks = follow(place);
    const rows = table(chart.title, fields, chart.rows.map((row, i) => ({ ...row, link: `#runs-${chart.number}-${i}` })), marks.kept, marks.pointed);
    const section = element("section", {}, element("h2", {}, chart.title));
    if (chart.kind !== "table") {
      places.push([chart, place, marks]);
      section.append(place, element("details", {}, element("summary", {}, "Table and filter"), rows));
    } else section.append(rows);
    if (chart.binned) section.append(element("p", {}, `${chart.binned} runs; each mark stands for the runs of a small area, and leads to one of them.`));
    main.append(section);
  }
  if (page.machines.length) main.append(element("section", {}, element("h2", {}, "Machines"),
    table("Machines of the study", [["name", "name"], ["base", "preset or file"], ["keys", "changed keys"], ["about", "about"]], page.machines)));
  main.append(runs);
  const draw = async () => {
    for (const [chart, place, marks] of places) {
      place.innerHTML = await svg(chart, dark.matches);
      for (const mark of place.querySelectorAll("a [aria-label]")) {
        mark.parentNode.setAttribute("aria-label", mark.getAttribute("aria-label"));
        const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
        title.textContent = mark.getAttribute("aria-label");
        mark.append(title);
      }
      marks.apply();
    }
    document.body.dataset.drawn = dark.matches ? "dark" : "light";
  };
  dark.addEventListener("change", draw);
  addEventListener("hashchange", () => showRuns(page, runs));
  showRuns(page, runs);
  draw();
}

if (typeof document !== "undefined") start();

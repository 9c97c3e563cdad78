// node svg.js PAGE.json FOLDER: writes each chart of a page as SVG.
const fs = require("fs");
const charts = require("./charts.js");
const [, , file, folder] = process.argv;
const page = JSON.parse(fs.readFileSync(file));
Promise.all(page.charts.filter((chart) => chart.kind !== "table").map(async (chart) =>
  fs.writeFileSync(`${folder}/chart-${chart.number + 1}.svg`, await charts.svg(chart))));

// Looks at the page it is in, and leaves a line per thing that is wrong in the document.
'use strict';
const wrong = [];
const check = (condition, what) => { if (!condition) wrong.push(what); };

const charts = [...document.querySelectorAll('svg.sl-chart')];
const bars = [...document.querySelectorAll('svg rect.bar')];
const tables = [...document.querySelectorAll('table')];

for (const chart of charts) {
  const frame = chart.getBoundingClientRect();
  check(frame.width >= 640 && frame.height > 200, `${chart.id} is not drawn`);
  check(chart.querySelector('title').textContent !== '' && chart.querySelector('desc').textContent !== '',
        `${chart.id} does not say what it is`);
  check([...chart.querySelectorAll('line.zero')].length === 1, `${chart.id} has no zero line`);
  // A screen reader has its name, and a table with its numbers.
  const named = (chart.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent);
  check(chart.getAttribute('role') === 'img' && named.length > 0 && named.every((text) => text), `${chart.id} has no name`);
  const own = [...(chart.closest('figure')?.querySelectorAll('details table') ?? [])];
  const groups = new Set([...chart.querySelectorAll('rect.bar title')].map((title) => title.textContent.split(/[,:]/)[0]));
  check([...groups].every((group) => (own.length > 0 ? own : tables).some((table) => table.textContent.includes(group))),
        `${chart.id} has no table`);
  check(own.every((table) => table.querySelectorAll('th:not([scope=col])').length === 0), `${chart.id}: a head without a scope`);
  for (const label of chart.querySelectorAll('text')) {
    const box = label.getBoundingClientRect();
    check(label.textContent.trim() !== '', `${chart.id} has an empty label`);
    check(box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.bottom <= frame.bottom + 1,
          `${chart.id}: '${label.textContent}' lies outside`);
  }
  check(chart.querySelectorAll('rect.bar').length === chart.querySelectorAll('text.number:not(.of-paper)').length,
        `${chart.id} has not a number beside every bar`);
  check((chart.querySelector('line.published') !== null) === /as published/.test(chart.textContent),
        `${chart.id} does not say what its marks are`);
  for (const bar of chart.querySelectorAll('rect.bar')) {
    const numbers = ['x', 'y', 'width', 'height'].map((name) => Number(bar.getAttribute(name)));
    check(numbers.every(Number.isFinite) && numbers[2] > 0 && numbers[3] >= 0, `${chart.id} has a bad bar`);
    const drawn = bar.getBBox();
    check(Math.abs(drawn.width - numbers[2]) < 0.1 && Math.abs(drawn.height - numbers[3]) < 0.1,
      `${chart.id}: a bar is drawn ${drawn.width} x ${drawn.height} instead of ${numbers[2]} x ${numbers[3]}`);
    check(/: -?[0-9.e+]+ /.test(bar.textContent), `${chart.id}: a bar without its value`);
  }
}
for (const table of tables.filter((table) => table.tHead)) {
  const columns = table.querySelectorAll('thead th').length;
  for (const row of table.querySelectorAll('tbody tr'))
    check([...row.cells].reduce((sum, cell) => sum + cell.colSpan, 0) === columns,
          `a row of ${row.cells.length} cells in a table of ${columns}`);
}
for (const cell of document.querySelectorAll('.figures td, .figures th, figcaption'))
  check(cell.textContent.trim() !== '', 'an empty cell');
check(!/\b(nan|inf|undefined|null)\b/i.test(document.body.innerText), 'a number that is none');
for (const link of document.querySelectorAll('a[href^="#"]'))
  check(document.querySelector(link.getAttribute('href')) !== null, `no target for ${link.getAttribute('href')}`);
const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
check(new Set(ids).size === ids.length, 'an id is used twice');
check(performance.getEntriesByType('resource').length === 0, 'another resource is loaded');
const scrolls = (element) => element !== null && (getComputedStyle(element).overflowX === 'auto' || scrolls(element.parentElement));
const wide = [...document.querySelectorAll('body *')].filter((element) =>
  element.getBoundingClientRect().right > innerWidth + 1 && !scrolls(element.parentElement) && !scrolls(element));
check(document.documentElement.scrollWidth <= innerWidth,
      `the page is wider than the window: ${wide.slice(0, 3).map((element) => element.outerHTML.slice(0, 80))}`);

// Titles are buttons; pressing one sorts, pressing it again turns round, and the table says so.
for (const table of document.querySelectorAll('table.sortable'))
  for (const title of table.tHead.rows[0].cells) {
    const button = title.querySelector('button');
    check(button !== null && button.tabIndex === 0, 'a title that the keyboard does not reach');
    if (button === null)
      continue;
    const column = () => [...table.tBodies[0].rows].map((row) => {
      const cell = row.cells[title.cellIndex];
      return cell.dataset.v ?? cell.textContent;
    });
    const numbers = () => column().map((text) => (text === '-' ? -Infinity : Number(text.replace(/[,+]/g, ''))));
    const falls = (values) => values.every((value, i) => i === 0 || values[i - 1] >= value);
    const before = column().sort().join();
    for (const way of ['first', 'second']) {
      button.click();
      const sorted = title.getAttribute('aria-sort');
      check(sorted === 'ascending' || sorted === 'descending', 'a sorted table does not say so');
      check(table.querySelectorAll('[aria-sort]').length === 1, 'a table sorted by two titles');
      if (numbers().every((value) => !Number.isNaN(value)))
        check(falls(sorted === 'descending' ? numbers() : numbers().reverse()), `${title.textContent}: not ${sorted} at the ${way}`);
    }
    check(column().sort().join() === before, 'sorting loses rows');
  }

// The key has the colours that bars have, and no others; what one colour is does not change.
const pieces = [...document.querySelectorAll('span.bar i')];
const kinds = (elements) => new Set(elements.map((element) => element.className).filter((name) => /^k\d+$/.test(name)));
const key = kinds([...document.querySelectorAll('.key i')]), used = kinds(pieces);
check([...used].every((name) => key.has(name)) && [...key].every((name) => used.has(name)),
      `the key has ${[...key].sort()}, the bars ${[...used].sort()}`);
const backgrounds = new Map(pieces.map((piece) => [piece.className, getComputedStyle(piece).background]));
check(new Set(backgrounds.values()).size === backgrounds.size, 'two kinds look alike');

// Every launch of the register plot can be chosen.
for (const choice of document.querySelectorAll('select[data-for]')) {
  const groups = [...document.getElementById(choice.dataset.for).querySelectorAll('g.launch')];
  check(groups.length === choice.options.length, 'a launch that cannot be chosen');
  for (const option of choice.options) {
    choice.value = option.value;
    choice.dispatchEvent(new Event('change'));
    const shown = groups.filter((group) => getComputedStyle(group).display !== 'none');
    check(shown.length === 1 && shown[0].dataset.launch === option.value, `launch ${option.value} is not shown`);
  }
}
for (const plot of document.querySelectorAll('svg.plot')) {
  const frame = plot.getBoundingClientRect();
  for (const label of plot.querySelectorAll('text')) {
    const box = label.getBoundingClientRect();
    check(box.width === 0 || (box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.bottom <= frame.bottom + 1),
          `${plot.id}: '${label.textContent}' lies outside`);
  }
  for (const point of plot.querySelectorAll('circle, rect, polyline.line'))
    check(Object.values(point.getBBox()).every(Number.isFinite), `${plot.id} has a bad point`);
}
check(![...document.querySelectorAll('td.number')].some((cell) => /\d{5}/.test(cell.textContent.split('.')[0])),
      'a number without separators');

// Contrast as in WCAG 2: 4.5 for text, 3 for bars.
const channels = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).map(Number);
const luminance = (colour) => {
  const [r, g, b] = channels(colour).map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};
const back = getComputedStyle(document.body).backgroundColor;
for (const selector of ['body', '.soft', '.faint', 'a', 'figcaption', 'th button'])
  for (const element of [...document.querySelectorAll(selector)].slice(0, 1))
    check(contrast(getComputedStyle(element).color, back) >= 4.5, `low contrast: ${selector}`);
for (const text of document.querySelectorAll('svg text'))
  check(contrast(getComputedStyle(text).fill, back) >= 4.5, 'low contrast: a label');
for (const bar of bars)
  check(contrast(getComputedStyle(bar).fill, back) >= 2.5, `low contrast: ${bar.getAttribute('class')}`);

const verdict = document.createElement('pre');
verdict.id = 'verdict';
verdict.textContent = ['', `scheme: ${matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'}`,
  `width: ${innerWidth}`, `charts: ${charts.length}, bars: ${bars.length}, tables: ${tables.length}`,
  `plots: ${document.querySelectorAll('svg.plot').length}, launches: ${document.querySelectorAll('g.launch').length}`,
  ...[...new Set(wrong)].map((what) => `wrong: ${what}`), ''].join('\n');
document.body.append(verdict);

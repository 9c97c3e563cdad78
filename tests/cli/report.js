// Looks at the page it is in, and leaves a line per thing that is wrong in the document.
'use strict';
const wrong = [];
const check = (condition, what) => { if (!condition) wrong.push(what); };

const charts = [...document.querySelectorAll('svg')];
const bars = [...document.querySelectorAll('svg rect.bar')];
const tables = [...document.querySelectorAll('table')];

for (const chart of charts) {
  const frame = chart.getBoundingClientRect();
  check(frame.width > 600 && frame.height > 200, `${chart.id} is not drawn`);
  check(chart.querySelector('title').textContent !== '' && chart.querySelector('desc').textContent !== '',
        `${chart.id} does not say what it is`);
  check([...chart.querySelectorAll('line.zero')].length === 1, `${chart.id} has no zero line`);
  for (const label of chart.querySelectorAll('text')) {
    const box = label.getBoundingClientRect();
    check(label.textContent.trim() !== '', `${chart.id} has an empty label`);
    check(box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.bottom <= frame.bottom + 1,
          `${chart.id}: '${label.textContent}' lies outside`);
  }
  for (const bar of chart.querySelectorAll('rect.bar')) {
    const numbers = ['x', 'y', 'width', 'height'].map((name) => Number(bar.getAttribute(name)));
    check(numbers.every(Number.isFinite) && numbers[2] > 0 && numbers[3] >= 0, `${chart.id} has a bad bar`);
    const drawn = bar.getBBox();
    check(Math.abs(drawn.width - numbers[2]) < 0.1 && Math.abs(drawn.height - numbers[3]) < 0.1,
      `${chart.id}: a bar is drawn ${drawn.width} x ${drawn.height} instead of ${numbers[2]} x ${numbers[3]}`);
    check(/: -?[0-9.e+]+ /.test(bar.textContent), `${chart.id}: a bar without its value`);
  }
}
for (const table of tables) {
  const columns = table.querySelectorAll('thead th').length;
  for (const row of table.querySelectorAll('tbody tr'))
    check([...row.cells].reduce((sum, cell) => sum + cell.colSpan, 0) === columns,
          `a row of ${row.cells.length} cells in a table of ${columns}`);
}
for (const cell of document.querySelectorAll('td, th, figcaption'))
  check(cell.textContent.trim() !== '', 'an empty cell');
check(!/\b(nan|inf|undefined|null)\b/i.test(document.body.innerText), 'a number that is none');
for (const link of document.querySelectorAll('a[href^="#"]'))
  check(document.querySelector(link.getAttribute('href')) !== null, `no target for ${link.getAttribute('href')}`);
const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
check(new Set(ids).size === ids.length, 'an id is used twice');
check(performance.getEntriesByType('resource').length === 0, 'another resource is loaded');
check(document.documentElement.scrollWidth <= innerWidth, 'the page is wider than the window');

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
for (const selector of ['body', '.soft', 'a', 'figcaption'])
  check(contrast(getComputedStyle(document.querySelector(selector)).color, back) >= 4.5, `low contrast: ${selector}`);
for (const text of document.querySelectorAll('svg text:not([font-size])'))
  check(contrast(getComputedStyle(text).fill, back) >= 4.5, 'low contrast: a label');
for (const bar of bars)
  check(contrast(getComputedStyle(bar).fill, back) >= 2.5, `low contrast: ${bar.getAttribute('class')}`);

const verdict = document.createElement('pre');
verdict.id = 'verdict';
verdict.textContent = ['', `scheme: ${matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'}`,
  `charts: ${charts.length}, bars: ${bars.length}, tables: ${tables.length}`,
  ...[...new Set(wrong)].map((what) => `wrong: ${what}`), ''].join('\n');
document.body.append(verdict);

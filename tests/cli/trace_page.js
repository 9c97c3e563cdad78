// Uses the page of a trace as a reader does, and leaves a line per thing that is wrong in the document.
'use strict';
const wrong = [];
const check = (condition, what) => { if (!condition) wrong.push(what); };
const settled = () => new Promise((resolve) => setTimeout(resolve, 400));
const press = async (key, target = document.body) => {
  target.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
  await settled();
};
const text = (id) => document.getElementById(id).textContent;
const range = () => text('status').match(/Cycles ([\d,]+) to ([\d,]+)/).slice(1).map((n) => Number(n.replaceAll(',', '')));
const colours = (id) => {
  const canvas = document.getElementById(id);
  const pixels = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  return new Set(pixels).size;
};

addEventListener('load', async () => {
  while (!document.documentElement.dataset.ready) await settled();
  const whole = range(), canvas = document.getElementById('picture'), box = canvas.getBoundingClientRect();
  check(whole[0] === 0 && whole[1] > 1000, `begins with ${text('status')}`);
  check(colours('picture') > 4, 'the timeline is empty');
  check(colours('memory') > 2, 'the memory system is empty');
  check(document.querySelectorAll('#legend li').length > 5, 'there is no legend');
  check(document.querySelectorAll('#source tr[data-line]').length > 3, 'no source line has executed');

  // The wheel zooms around the mouse; a click selects the instruction there.
  for (let i = 0; i < 24; i++) {
    canvas.dispatchEvent(new WheelEvent('wheel', {deltaY: -1, clientX: box.left + 400, clientY: box.top + 60, bubbles: true, cancelable: true}));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await settled();
  const near = range();
  check(near[1] - near[0] < (whole[1] - whole[0]) / 100, `the wheel does not zoom: ${near}`);
  check(/\d instructions/.test(text('status')), `no single instructions: ${text('status')}`);
  document.getElementById('visible').open = true;
  await settled();
  check(document.querySelectorAll('#table tbody tr').length > 0, 'the table of visible instructions is empty');
  const at = {clientX: box.left + 400, clientY: box.top + 60, pointerId: 1, bubbles: true};
  canvas.setPointerCapture = () => {};
  canvas.dispatchEvent(new PointerEvent('pointerdown', at));
  canvas.dispatchEvent(new PointerEvent('pointerup', at));
  await settled();
  check(/pc 0x[0-9a-f]+, warp \d+/.test(text('detail')), `a click shows ${text('detail').slice(0, 60)}`);
  check(document.querySelectorAll('#detail .lanes i.on').length > 0, 'no lane is active');

  // Search goes to the next match, and to the one before.
  const query = document.getElementById('query');
  query.value = SEARCHED;
  await press('Enter', query);
  const first = text('detail');
  check(first.toLowerCase().startsWith(SEARCHED.split(' ')[0]), `search found ${first.slice(0, 60)}`);
  check(/result|address/.test(first), `no values: ${first.slice(0, 200)}`);
  await press('n');
  const second = text('detail');
  check(second !== first, 'n does not go on');
  await press('p');
  check(text('detail') === first, `p does not go back: ${text('detail').slice(0, 90)} instead of ${first.slice(0, 90)}`);
  await press('.');
  check(text('detail') !== first, '. does not go to the next instruction of the warp');

  // A change of lanes is in the panel of the instruction that causes it.
  check(document.getElementById('legend').textContent.includes('lanes change') === SWITCHES, 'changes of lanes in the legend');
  if (SWITCHES) {
    query.value = 'vx_yield';
    view.selected = null;
    await press('f');
    await press('Enter', query);
    for (let i = 0; i < 200 && !/Then lanes? [\d, -]+ runs? at pc 0x[0-9a-f]+/.test(text('detail')); i++) await press('n');
    check(/Then lanes? [\d, -]+ runs? at pc 0x[0-9a-f]+/.test(text('detail')), `no yield changes lanes: ${text('detail').slice(0, 300)}`);
    query.value = SEARCHED;
  }

  // Keys move; f shows the whole run. A source line selects its instructions.
  const before = range();
  await press('ArrowRight');
  check(range()[0] > before[0], 'the right arrow does not move');
  await press('f');
  check(range()[1] === whole[1], 'f does not show the whole run');
  document.getElementById('plane').value = 'reason';
  document.getElementById('plane').dispatchEvent(new Event('change'));
  await settled();
  check(colours('picture') > 2, 'warps show no reasons');
  document.querySelector('#source tr[data-line]').click();
  await settled();
  check(query.value.startsWith('line:'), 'a source line is not searched');
  document.getElementById('theme').click();
  await settled();
  check(document.documentElement.dataset.theme !== undefined, 'the theme does not change');
  check(document.documentElement.scrollWidth <= innerWidth, 'the page is wider than the window');
  check(performance.getEntriesByType('resource').length === 0, 'another resource is loaded');
  const verdict = document.createElement('pre');
  verdict.id = 'verdict';
  verdict.textContent = wrong.length ? wrong.map((line) => `wrong: ${line}`).join('\n') : 'all right';
  document.body.replaceChildren(verdict);
  for (const script of document.querySelectorAll('script')) script.remove();
});
addEventListener('error', (event) => wrong.push(`${event.message} at line ${event.lineno}`));
addEventListener('unhandledrejection', (event) => wrong.push(`${event.reason && event.reason.stack}`));

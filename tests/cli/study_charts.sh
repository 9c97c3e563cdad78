# The page of simtlab report in a browser: its marks and links, tables that sort, light and dark, and no messages of the
# page's policy; the same charts as pictures.
. "$(dirname "$0")/_lib.sh"
! brief || { echo "skipped: the page is looked at in the other build"; exit 77; }
command -v chromium >/dev/null || { echo "skipped: no chromium"; exit 77; }
"$SOURCE/tools/charts.sh" "$BUILD" || { echo "skipped: the charts are not built"; exit 77; }
cd "$work" || exit 1
cat >study.yaml <<'YAML'
study: known
machines: [simtight]
keys: {lanes: [8, 16]}
programs: [{command: 'echo "{\"cycles\": $(({size} * 100))}" >{result}', sizes: [1, 2, 3, 15], name: known}]
metrics: {speed: 1000 / cycles}
report:
  charts:
    - {chart: bars, x: size, y: cycles, colour: lanes}
    - {chart: lines, x: size, y: cycles, facet: lanes}
    - {chart: heat map, x: size, y: lanes, colour: cycles}
    - {chart: scatter, x: cycles, y: speed}
    - {chart: pareto, x: cycles, y: speed}
    - {chart: box, x: lanes, y: cycles}
    - {chart: roofline, x: size, y: speed, peak: 8, bandwidth: 4}
    - {chart: table, x: size, y: cycles}
YAML
expect 0 "$SIMTLAB" sweep -q study.yaml
SIMTLAB_HOME=$BUILD expect 0 timeout 60 "$SIMTLAB" report --svg pictures study.yaml
[ "$(ls pictures)" = "$(for i in 1 2 3 4 5 6 7; do echo chart-$i.svg; done)" ] || complain "pictures: $(ls pictures)"
has pictures/chart-1.svg 'aria-label="size: 15; cycles: 1500; lanes: 16"'
! grep -Eq '(src|href)="?(https?:)?//' results/known.html || complain "the page refers to another host"

cat >check.html <<'HTML'
<script>
const seen = [], say = (...words) => seen.push(words.join(" "));
document.addEventListener("securitypolicyviolation", (event) => say("wrong:", event.violatedDirective));
const later = () => new Promise((done) => setTimeout(done, 100));
(async () => {
  for (let i = 0; i < 100 && !document.body.dataset.drawn; i++) await later();
  say("drawn:", document.body.dataset.drawn, getComputedStyle(document.body).backgroundColor);
  say("marks:", ...[...document.querySelectorAll(".chart")].map((chart) => chart.querySelectorAll("svg a").length));
  const link = document.querySelector(".chart svg a");
  link.focus();
  say("keyboard:", document.activeElement === link, link.getAttribute("aria-label"));
  say("labels:", document.querySelectorAll(".chart svg a [aria-label*='cycles: 1500']").length > 0);
  const heads = [...document.querySelectorAll("main > section:nth-of-type(8) th")], button = heads[0].querySelector("button");
  const column = () => [...document.querySelectorAll("main > section:nth-of-type(8) tbody td:first-child")].map((cell) => cell.textContent).join(",");
  button.focus(); button.click();
  say("sorted:", heads[0].getAttribute("aria-sort"), column(), document.activeElement === button, button.tabIndex);
  button.click();
  say("sorted:", heads[0].getAttribute("aria-sort"), column());
  const first = document.querySelector("main > section"), box = first.querySelector("input"), marks = () =>
    [...first.querySelectorAll("svg a")].map((mark) => mark.classList.value || "-").join(" ");
  box.value = "15"; box.dispatchEvent(new Event("input"));
  say("filtered:", first.querySelectorAll("tbody tr").length, "|", first.querySelector("[role=status]").textContent, "|", marks());
  first.querySelector("tbody tr").dispatchEvent(new Event("mouseenter"));
  say("pointed:", marks());
  first.querySelector("tbody tr").dispatchEvent(new Event("mouseleave"));
  box.value = ""; box.dispatchEvent(new Event("input"));
  say("all again:", first.querySelectorAll("tbody tr").length, marks());
  // What a screen reader needs: one main part and heading, sections with headings, and a name for all that takes the focus.
  const name = (node) => node.getAttribute("aria-label") || node.textContent.trim();
  const nameless = [...document.querySelectorAll("main a, main button, main input, main [tabindex='0'], main summary")].filter((node) => !name(node));
  say("structure:", document.documentElement.lang, document.title, document.querySelectorAll("main").length, document.querySelectorAll("h1").length,
    [...document.querySelectorAll("main > section")].every((part) => part.querySelector("h2")), nameless.length,
    [...document.querySelectorAll("table")].every((one) => one.caption && [...one.querySelectorAll("th")].every((head) => head.scope === "col")),
    [...document.querySelectorAll(".chart svg")].every((one) => one.parentNode.getAttribute("role") === "region"));
  location.hash = link.getAttribute("xlink:href");
  await later();
  const rows = document.querySelectorAll("#all tbody tr");
  say("runs:", rows.length, document.activeElement.textContent, "|", rows[0].lastChild.textContent);
  document.body.replaceChildren(Object.assign(document.createElement("pre"), { textContent: "\n" + seen.join("\n") + "\n" }));
})().catch((error) => { document.body.textContent = "wrong: " + error; });
</script>
HTML
cat results/known.html check.html >checked.html
for scheme in light dark; do
  command="the page in a browser, $scheme"
  timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" --enable-logging=stderr \
    --virtual-time-budget=20000 --blink-settings=preferredColorScheme=$([ $scheme = light ] && echo 1 || echo 0) \
    --dump-dom "file://$work/checked.html" >dom 2>err </dev/null || complain "the browser failed"
  for line in "drawn: $scheme rgb($([ $scheme = light ] && echo "255, 255, 255" || echo "22, 22, 22"))" "marks: 8 8 8 8 8 2 8" \
    "labels: true" "keyboard: true size: 1; cycles: 100; lanes: 8" "sorted: ascending 1,2,3,15 true 0" "sorted: descending 15,3,2,1" \
    "filtered: 2 | 2 of 8 rows | faint faint faint faint faint faint - -" "pointed: faint faint faint faint faint faint chosen -" \
    "all again: 8 - - - - - - - -" "structure: en known 1 1 true 0 true true" \
    "runs: 1 Runs of cycles by size: size: 1; cycles: 100; lanes: 8 | echo \"{\\\"cycles\\\": \$((1 * 100))}\" &gt;result.json"; do
    grep -qxF "$line" dom || complain "wrong contents: $line instead of $(sed -n '/<pre>/,$p' dom)"
  done
  ! grep -q '^wrong: ' dom || complain "$(grep '^wrong: ' dom)"
  ! grep -q 'CONSOLE' err || complain "the console has messages: $(grep CONSOLE err)"
done
finish

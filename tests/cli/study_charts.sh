# The page of simtlab report in a browser: its marks and links, tables that sort, light and dark, and no messages of the
# page's policy; the same charts as pictures.
. "$(dirname "$0")/_lib.sh"
! brief || { echo "skipped: the page is looked at in the other build"; exit 77; }
command -v chromium >/dev/null || { echo "skipped: no chromium"; exit 77; }
"$SOURCE/tools/charts.sh" "$BUILD" || { echo "skipped: the charts are not built"; exit 77; }
cd "$work" || exit 1
cat >study.yaml <<'YAML'
study: known
about: How the <size> counts.
machines: [{name: narrow, base: simtight, keys: {warps: 8}, about: half of the warps}]
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
kinds=svg
if command -v rsvg-convert >/dev/null; then
  kinds="svg png pdf"
  SIMTLAB_HOME=$BUILD expect 0 timeout 120 "$SIMTLAB" report --png png --pdf pdf study.yaml
  for kind in png pdf; do
    [ "$(ls $kind)" = "$(for i in 1 2 3 4 5 6 7; do echo chart-$i.$kind; done)" ] || complain "$kind: $(ls $kind)"
  done
fi
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
  // Each chart has a name, and a table with a row for each mark, in the same section.
  say("charts:", ...[...document.querySelectorAll(".chart")].map((chart) => {
    const part = chart.closest("section"), one = part.querySelector("table");
    return part.getAttribute("aria-label") === null && chart.getAttribute("aria-label") === part.querySelector("h2").textContent + ", chart" &&
      one.caption.textContent === part.querySelector("h2").textContent && one.tBodies[0].rows.length === chart.querySelectorAll("svg a").length;
  }));
  // The keyboard alone: every mark, head and box takes the focus in the order of the page, and a summary opens its table.
  const reach = [...document.querySelectorAll("main a, main button, main input, main summary, main [tabindex]")].filter((node) => node.tabIndex >= 0);
  const shown = reach.filter((node) => node.closest("details:not([open])") === null || node.tagName === "SUMMARY");
  say("reached:", shown.every((node) => { node.focus(); return document.activeElement === node; }), shown.every((node) => node.tabIndex === 0));
  const summary = document.querySelector("summary");
  summary.click();
  say("opened:", summary.parentNode.open, summary.textContent);
  say("about:", document.querySelector("h1 ~ p ~ p").textContent, "|",
    ...[...document.querySelectorAll("main > section:nth-of-type(9) td")].map((cell) => cell.textContent + ","));
  for (const picture of document.querySelectorAll("img.png")) {
    const canvas = Object.assign(document.createElement("canvas"), { width: picture.naturalWidth, height: picture.naturalHeight });
    const context = canvas.getContext("2d");
    context.drawImage(picture, 0, 0);
    const colours = new Set(new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer));
    say("picture:", picture.id, picture.naturalWidth >= 1000 && picture.naturalHeight >= 500, colours.size > 20);
  }
  location.hash = link.getAttribute("xlink:href");
  await later();
  const rows = document.querySelectorAll("#all tbody tr");
  say("runs:", rows.length, document.activeElement.textContent, "|", rows[0].lastChild.textContent);
  document.body.replaceChildren(Object.assign(document.createElement("pre"), { textContent: "\n" + seen.join("\n") + "\n" }));
})().catch((error) => { document.body.textContent = "wrong: " + error; });
</script>
HTML
{
  cat results/known.html
  for picture in png/*.png; do
    [ ! -s "$picture" ] || printf '<img class=png id=%s src="data:image/png;base64,%s">' "$(basename $picture .png)" "$(base64 -w 0 "$picture")"
  done
  cat check.html
} >checked.html
for scheme in light dark; do
  command="the page in a browser, $scheme"
  timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" --enable-logging=stderr \
    --virtual-time-budget=20000 --blink-settings=preferredColorScheme=$([ $scheme = light ] && echo 1 || echo 0) \
    --dump-dom "file://$work/checked.html" >dom 2>err </dev/null || complain "the browser failed"
  for line in "drawn: $scheme rgb($([ $scheme = light ] && echo "255, 255, 255" || echo "22, 22, 22"))" "marks: 8 8 8 8 8 2 8" \
    "labels: true" "keyboard: true size: 1; cycles: 100; lanes: 8" "sorted: ascending 1,2,3,15 true 0" "sorted: descending 15,3,2,1" \
    "filtered: 2 | 2 of 8 rows | faint faint faint faint faint faint - -" "pointed: faint faint faint faint faint faint chosen -" \
    "all again: 8 - - - - - - - -" "structure: en known 1 1 true 0 true true" "charts: true true true true true true true" \
    "reached: true true" "opened: true Table and filter" "about: How the <size> counts. | narrow, simtight, warps=8, half of the warps," \
    $(case $kinds in *png*) for i in 1 2 3 4 5 6 7; do echo "picture:_chart-${i}_true_true"; done ;; esac) \
    "runs: 1 Runs of cycles by size: size: 1; cycles: 100; lanes: 8 | echo \"{\\\"cycles\\\": \$((1 * 100))}\" &gt;result.json"; do
    line=$(printf '%s' "$line" | sed '/^picture:/s/_/ /g; s/<size>/\&lt;size\&gt;/')
    grep -qxF "$line" dom || complain "wrong contents: $line instead of $(sed -n '/<pre>/,$p' dom)"
  done
  ! grep -q '^wrong: ' dom || complain "$(grep '^wrong: ' dom)"
  ! grep -q 'CONSOLE' err || complain "the console has messages: $(grep CONSOLE err)"
done

# The page printed by the browser, and the charts as PDF: whole files with fonts, and with the words of the page.
command="the page as PDF"
timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" --virtual-time-budget=20000 \
  --print-to-pdf=printed.pdf "file://$work/results/known.html" >/dev/null 2>err </dev/null || complain "the browser failed"
python3 - printed.pdf $(ls pdf/*.pdf 2>/dev/null) <<'PYTHON' || complain "a PDF is not whole"
import re, sys, zlib
for name in sys.argv[1:]:
    data = open(name, "rb").read()
    assert data.startswith(b"%PDF-") and data.rstrip().endswith(b"%%EOF"), name
    streams = [zlib.decompressobj().decompress(part) for part in re.findall(rb"FlateDecode.*?stream\r?\n(.*?)endstream", data, re.S)]
    texts = sum(len(re.findall(rb"T[jJ]\b", stream)) for stream in streams)
    assert texts > 5, (name, texts)
PYTHON
finish

// Search of the documentation site. tools/site.sh puts the index before this text: a page that is opened as a file may
// not fetch one. A section matches if it has all words; matches in titles come first.
function find(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const score = section => {
    const title = section.title.toLowerCase();
    const text = title + " " + section.text.toLowerCase();
    if (!words.every(word => text.includes(word))) return -1;
    return words.filter(word => title.includes(word)).length;
  };
  return search_index.docs.map(section => ({ section, score: score(section) }))
    .filter(match => match.score >= 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 50)
    .map(match => match.section);
}

function show(query) {
  const results = document.getElementById("mkdocs-search-results");
  if (!results) return;
  const sections = find(query);
  results.replaceChildren(...sections.map(section => {
    const entry = document.createElement("article");
    const link = document.createElement("a");
    const text = document.createElement("p");
    link.href = base_url + "/" + section.location;
    link.textContent = section.title;
    text.textContent = section.text.slice(0, 200);
    entry.append(link, text);
    return entry;
  }));
  if (sections.length === 0) results.textContent = "No results found";
}

document.addEventListener("DOMContentLoaded", () => {
  const field = document.getElementById("mkdocs-search-query");
  if (!field) return;
  field.value = new URLSearchParams(location.search).get("q") || "";
  field.addEventListener("input", () => show(field.value));
  if (field.value) show(field.value);
});

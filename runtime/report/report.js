// Titles of sortable tables become buttons, which the keyboard can use, too. The first click sorts numbers in
// descending order and texts in ascending order; cells without a number come last. A select element shows the selected
// group of its plot.
for(const table of document.querySelectorAll('table.sortable'))
  for(const title of table.tHead.rows[0].cells){
    const button=document.createElement('button');
    button.type='button';button.append(...title.childNodes);title.append(button);
    button.addEventListener('click',()=>{
      const text=row=>{const c=row.cells[title.cellIndex];return (c.dataset.v??c.textContent).trim()};
      const number=row=>/^[-\u2013]$/.test(text(row))?-Infinity:Number(text(row).replace(/[,+%\s]/g,''));
      const rows=[...table.tBodies[0].rows];
      const numbers=rows.every(row=>text(row)!==''&&!isNaN(number(row)));
      const sorted=title.getAttribute('aria-sort'),up=sorted?sorted==='descending':!numbers;
      for(const other of table.tHead.rows[0].cells)other.removeAttribute('aria-sort');
      title.setAttribute('aria-sort',up?'ascending':'descending');
      rows.sort((a,b)=>{if(!numbers)return text(a).localeCompare(text(b))*(up?1:-1);
        const x=number(a),y=number(b);return x===y?0:(x-y)*(up?1:-1)});
      table.tBodies[0].append(...rows)})}
for(const choice of document.querySelectorAll('select[data-for]')){
  const show=()=>{for(const group of document.getElementById(choice.dataset.for).querySelectorAll('g.launch'))
    group.style.display=group.dataset.launch===choice.value?'':'none'};
  choice.addEventListener('change',show);show()}

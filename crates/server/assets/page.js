// Buttons that copy, and suggestions while somebody types. Pages work without both.
(() => {
  "use strict";

  for (const text of document.querySelectorAll(".copy")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copies";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(text);
        button.textContent = "Press Ctrl+C";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    text.after(button);
  }

  const box = document.getElementById("q");
  if (!box) return;
  const list = document.createElement("ul");
  list.id = "suggestions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  list.hidden = true;
  box.after(list);
  box.setAttribute("role", "combobox");
  box.setAttribute("aria-controls", "suggestions");
  box.setAttribute("aria-expanded", "false");
  box.setAttribute("aria-autocomplete", "list");

  let chosen = -1;
  let asked = 0;
  let waiting;

  const close = () => {
    list.hidden = true;
    chosen = -1;
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
  };

  const show = (hits) => {
    list.replaceChildren(...hits.map((hit, place) => {
      const item = document.createElement("li");
      item.id = `suggestion-${place}`;
      item.setAttribute("role", "option");
      const link = document.createElement("a");
      link.href = hit.address;
      link.tabIndex = -1;
      link.textContent = hit.name;
      const kind = document.createElement("small");
      kind.textContent = hit.kind;
      item.append(link, " ", kind);
      return item;
    }));
    chosen = -1;
    list.hidden = hits.length === 0;
    box.setAttribute("aria-expanded", String(!list.hidden));
  };

  const choose = (step) => {
    const items = [...list.children];
    if (items.length === 0) return;
    chosen = (chosen + step + items.length) % items.length;
    items.forEach((item, place) => item.setAttribute("aria-selected", String(place === chosen)));
    box.setAttribute("aria-activedescendant", items[chosen].id);
  };

  box.addEventListener("input", () => {
    clearTimeout(waiting);
    const text = box.value.trim();
    const mine = ++asked;
    if (text.length < 2) return close();
    waiting = setTimeout(async () => {
      try {
        const answer = await fetch(`/-/suggest?q=${encodeURIComponent(text)}`);
        const hits = answer.ok ? await answer.json() : [];
        if (mine === asked) show(hits);
      } catch {
        close();
      }
    }, 150);
  });

  box.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(event.key === "ArrowDown" ? 1 : (chosen < 0 ? 0 : -1));
    } else if (event.key === "Escape") {
      close();
    } else if (event.key === "Enter" && chosen >= 0) {
      event.preventDefault();
      list.children[chosen].querySelector("a").click();
    }
  });

  document.addEventListener("click", (event) => {
    if (!list.contains(event.target) && event.target !== box) close();
  });
})();

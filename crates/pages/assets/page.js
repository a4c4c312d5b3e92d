// What the pages gain from a script: copying, dialogs, uploads with their progress, suggestions. All work without it.
(() => {
  "use strict";

  const element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return made;
  };

  const live = element("p", "hidden");
  live.setAttribute("role", "status");
  document.body.append(live);

  // Copy buttons are hidden without a script. Without a secure connection, the text is selected instead.
  const addCopies = (part) => part.querySelectorAll("[data-copy]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = button.parentElement.querySelector("pre, code");
      const use = button.querySelector("use");
      const icon = use.getAttribute("href").replace(/#.*/, "#copy");
      try {
        await navigator.clipboard.writeText(source.textContent.trim());
        use.setAttribute("href", icon.replace(/#.*/, "#check"));
        button.classList.add("done");
        live.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(source);
        live.textContent = "Press Ctrl+C";
      }
      setTimeout(() => {
        use.setAttribute("href", icon);
        button.classList.remove("done");
        live.textContent = "";
      }, 1600);
    });
  });
  addCopies(document);

  // A menu closes on a click elsewhere and on Escape.
  const closeMenus = (except) => {
    for (const menu of document.querySelectorAll(".menu[open]")) if (menu !== except) menu.open = false;
  };
  document.addEventListener("click", (event) => closeMenus(event.target.closest(".menu")));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      const menu = document.querySelector(".menu[open]");
      closeMenus();
      menu?.querySelector("summary").focus();
    }
    // "/" goes to the search, as on other package sites.
    if (event.key === "/" && !event.target.closest("input, textarea, select") && !event.ctrlKey && !event.metaKey) {
      const search = document.querySelector("#q");
      if (search) { event.preventDefault(); search.focus(); }
    }
  });

  // The client that was chosen last is chosen on the next page too.
  for (const radio of document.querySelectorAll(".choose > input")) {
    try {
      if (localStorage.getItem("client") === radio.value) radio.checked = true;
      radio.addEventListener("change", () => localStorage.setItem("client", radio.value));
    } catch { /* Storage is refused: the first one stays chosen. */ }
  }

  // Of tabs that do not fit, the current one is in sight.
  for (const tab of document.querySelectorAll(".tabs [aria-current], .subnav [aria-current]")) {
    const list = tab.parentElement;
    list.scrollLeft = tab.offsetLeft - list.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
  }

  // Code and tables of a readme that do not fit can be scrolled with the keyboard.
  for (const part of document.querySelectorAll(".prose :is(pre, table)")) {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
  }

  // An input that adds an item to a list puts it there when it is chosen.
  document.querySelectorAll("[data-adds]").forEach((input) => {
    const list = document.getElementById(input.dataset.adds);
    const offered = new Set([...input.list.options].map((option) => option.value));
    const add = () => {
      if (!offered.has(input.value)) return;
      const items = list.value.split("\n").filter((item) => item.trim());
      if (!items.includes(input.value)) items.push(input.value);
      list.value = items.join("\n");
      input.value = "";
    };
    // One letter more may make another name of it, so only a choice counts at once.
    input.addEventListener("input", (event) => {
      if (!event.inputType || event.inputType === "insertReplacementText") add();
    });
    input.addEventListener("change", add);
  });

  // What cannot be undone asks in a dialog. Without a script, the server asks on a page of its own.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.dataset.ask || !form.elements.ask) return;
    event.preventDefault();
    const box = element("dialog", "card near");
    box.setAttribute("aria-labelledby", "ask-title");
    const title = element("h2", "", form.dataset.ask);
    title.id = "ask-title";
    const row = element("div", "bar");
    const yes = element("button", "button main danger", form.dataset.yes || "Continue");
    const no = element("button", "button", "Cancel");
    yes.id = "ask-yes";
    no.id = "ask-no";
    row.append(yes, no);
    box.append(title, element("p", "soft", form.dataset.effect), row);
    document.body.append(box);
    box.addEventListener("close", () => box.remove());
    no.addEventListener("click", () => box.close());
    yes.addEventListener("click", () => {
      form.elements.ask.remove();
      box.close();
      form.requestSubmit();
    });
    box.showModal();
  });

  // One file as the body of a request. Resolves with a text for the visitor, and whether the file is stored.
  const send = (form, file, bar) => new Promise((done) => {
    const folder = form.elements.folder.value.split("/").map((part) => part.trim()).filter((part) => part !== "");
    const path = [...folder, file.name].map(encodeURIComponent).join("/");
    const flags = ["publish", "override", "explode"].filter((name) => form.elements[name].checked);
    const request = new XMLHttpRequest();
    request.open("PUT", `${form.getAttribute("action")}/${path}?${flags.map((name) => `${name}=1`).join("&")}`);
    request.setRequestHeader("X-Form-Token", form.elements.form_token.value);
    const passphrase = form.elements.passphrase ? form.elements.passphrase.value : "";
    if (passphrase !== "") request.setRequestHeader("X-GPG-Passphrase", passphrase);
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) bar.value = event.total === 0 ? 1 : event.loaded / event.total;
    });
    request.addEventListener("load", () => {
      let answer = {};
      try { answer = JSON.parse(request.responseText); } catch { /* The status says it below. */ }
      const isStored = request.status === 201;
      done({ isStored, text: isStored ? answer.sha256 || "" : answer.message || `Refused (${request.status})` });
    });
    request.addEventListener("error", () => done({ isStored: false, text: "The server is unreachable" }));
    request.send(file);
  });

  const upload = document.getElementById("upload");
  if (upload) {
    const drop = document.getElementById("drop");
    const list = element("ul", "rows");
    const notice = element("p", "hint");
    list.id = "uploads";
    notice.id = "upload-notice";
    notice.setAttribute("role", "status");
    upload.append(notice, list);

    const show = async () => {
      const answer = await fetch(location.pathname);
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const id of ["staged", "published"]) {
        const part = fresh.getElementById(id);
        if (!answer.ok || !part) continue;
        addCopies(part);
        document.getElementById(id).replaceWith(part);
      }
    };

    const sendAll = async (files) => {
      if (files.length === 0 || upload.dataset.busy) return;
      upload.dataset.busy = "1";
      const button = document.getElementById("upload-button");
      button.disabled = true;
      let stored = 0;
      for (const [place, file] of files.entries()) {
        notice.textContent = `Sending ${place + 1} of ${files.length}`;
        const line = element("li");
        const text = element("div");
        const bar = element("progress");
        bar.max = 1;
        bar.value = 0;
        bar.setAttribute("aria-label", `Progress of ${file.name}`);
        text.append(element("strong", "", file.name), bar);
        line.append(text);
        list.append(line);
        const { isStored, text: told } = await send(upload, file, bar);
        stored += isStored ? 1 : 0;
        bar.value = 1;
        if (!isStored) bar.remove();
        line.dataset.state = isStored ? "stored" : "refused";
        const result = isStored ? element("p", "clip", "SHA-256 ") : element("p", "bad", told);
        if (isStored) result.append(element("code", "", told));
        text.append(result);
      }
      await show().catch(() => {});
      notice.textContent = `Stored ${stored} of ${files.length}`;
      upload.elements.file.value = "";
      button.disabled = false;
      delete upload.dataset.busy;
    };

    const holdsFiles = (event) => event.dataTransfer && [...event.dataTransfer.types].includes("Files");
    for (const name of ["dragenter", "dragover"]) {
      drop.addEventListener(name, (event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        drop.classList.add("over");
      });
    }
    drop.addEventListener("dragleave", () => drop.classList.remove("over"));
    drop.addEventListener("drop", (event) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      drop.classList.remove("over");
      sendAll([...event.dataTransfer.files]);
    });
    upload.addEventListener("submit", (event) => {
      event.preventDefault();
      sendAll([...upload.elements.file.files]);
    });
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

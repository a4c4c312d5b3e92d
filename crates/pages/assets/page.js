// Buttons that copy, uploads with their progress, and suggestions while the visitor types. Pages work without all three.
(() => {
  "use strict";

  const addCopies = (part) => part.querySelectorAll(".copy").forEach((text) => {
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
  });
  addCopies(document);

  const element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return made;
  };

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
    const drop = element("p", "drop", "Drop files here, or choose them below");
    const list = element("ul", "list");
    const notice = element("p", "hint");
    drop.id = "drop";
    list.id = "uploads";
    notice.id = "upload-notice";
    notice.setAttribute("role", "status");
    upload.prepend(drop);
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
        const bar = element("progress");
        bar.max = 1;
        bar.value = 0;
        bar.setAttribute("aria-label", `Progress of ${file.name}`);
        line.append(element("strong", "", file.name), bar);
        list.append(line);
        const { isStored, text } = await send(upload, file, bar);
        stored += isStored ? 1 : 0;
        bar.value = 1;
        if (!isStored) bar.remove();
        line.dataset.state = isStored ? "stored" : "refused";
        const result = isStored ? element("small", "", "SHA-256 ") : element("p", "bad", text);
        if (isStored) result.append(element("code", "long", text));
        line.append(result);
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

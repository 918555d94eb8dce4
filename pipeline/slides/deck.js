"use strict";
(() => {
  const root = document.documentElement;
  const slides = [...document.querySelectorAll(".slide")];
  const bar = document.querySelector("#bar");
  const place = document.querySelector("#place");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const began = Date.now();
  /* Milliseconds that a slide waits for its film; then it is shown with its last picture. */
  const LONGEST = 1500;
  let at = 0;
  let speaker = null;

  /* The slide's film, read out of the page when it is first needed. */
  const film = (slide) => {
    const video = slide?.querySelector("video");
    if (video && !video.src) {
      const written = slide.querySelector("script");
      const signs = atob(written.textContent);
      const bytes = new Uint8Array(signs.length);
      for (let each = 0; each < signs.length; each += 1) bytes[each] = signs.charCodeAt(each);
      written.remove();
      video.src = URL.createObjectURL(new Blob([bytes], { type: "video/mp4" }));
    }
    return video;
  };
  const ready = (video) =>
    video.readyState >= 3
      ? Promise.resolve()
      : new Promise((done) => ["canplay", "error"].forEach((each) => video.addEventListener(each, done, { once: true })));
  const after = (time) => new Promise((done) => setTimeout(done, time));
  const moves = (slide) => {
    const video = slide.querySelector("video");
    return Boolean(video) && slide.classList.contains("playing") && !video.ended;
  };

  /* Show the last picture, whatever the film was at. */
  const rest = (slide) => {
    slide.querySelector("video")?.pause();
    slide.classList.remove("playing");
  };
  const play = async (slide) => {
    const video = film(slide);
    if (!video) return;
    if (!slide.classList.contains("playing") || video.ended) video.currentTime = 0;
    await ready(video);
    if (slide !== slides[at] || video.error) return;
    slide.classList.add("playing");
    await video.play().catch(() => rest(slide));
  };
  const toggle = () => {
    const slide = slides[at];
    const video = slide.querySelector("video");
    if (video && moves(slide) && !video.paused) video.pause();
    else play(slide);
  };

  const show = async (index, playing) => {
    const target = Math.max(0, Math.min(slides.length - 1, index));
    const slide = slides[target];
    if (target !== at) rest(slides[at]);
    at = target;
    /* The slide before stays until the film has a picture: its last one is this one's first. */
    if (playing && !calm.matches && film(slide)) await Promise.race([play(slide), after(LONGEST)]);
    if (target !== at) return;
    slides.forEach((each) => each.classList.toggle("shown", each === slide));
    place.textContent = `${at + 1} / ${slides.length}`;
    history.replaceState(null, "", `#${slide.id}`);
    if (!bar.contains(document.activeElement)) slide.focus({ preventScroll: true });
    tell();
    setTimeout(() => film(slides[at + 1]), 50);
  };
  const next = () => {
    if (moves(slides[at])) rest(slides[at]);
    else if (at < slides.length - 1) show(at + 1, true);
  };
  const back = () => {
    if (at > 0) show(at - 1, false);
  };

  const full = () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen?.());
  const made = (tag, kind, text) => {
    const element = (speaker ? speaker.document : document).createElement(tag);
    element.className = kind;
    element.textContent = text;
    return element;
  };
  const tell = () => {
    if (!speaker || speaker.closed) return;
    const slide = slides[at];
    const title = (each) => each?.querySelector("h2").textContent ?? "";
    const top = speaker.document.createElement("header");
    top.append(made("span", "place", place.textContent), made("span", "clock", ""));
    const parts = [top, made("h1", "now", title(slide))];
    const copies = [...slide.querySelectorAll("img, .said, .notes")].map((each) => each.cloneNode(true));
    if (slides[at + 1]) parts.push(made("p", "following", bar.dataset.next + title(slides[at + 1])));
    speaker.document.body.replaceChildren(...parts, ...copies);
    tick();
  };
  const tick = () => {
    const clock = speaker?.document?.querySelector(".clock");
    const seconds = Math.floor((Date.now() - began) / 1000);
    if (clock) clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };
  const notes = () => {
    speaker = speaker && !speaker.closed ? speaker : window.open("", "", "popup,width=880,height=760");
    if (!speaker) {
      root.classList.toggle("noted");
      return;
    }
    const page = speaker.document;
    if (!page.body.classList.contains("speaker")) {
      page.title = document.title;
      page.documentElement.lang = root.lang;
      page.head.append(document.querySelector("style").cloneNode(true));
      page.body.className = "speaker";
      page.addEventListener("keydown", key);
      setInterval(tick, 1000);
    }
    tell();
    speaker.focus();
  };

  const keys = {
    ArrowRight: next, ArrowDown: next, PageDown: next, " ": next, Enter: next,
    ArrowLeft: back, ArrowUp: back, PageUp: back, Backspace: back,
    Home: () => show(0, false), End: () => show(slides.length - 1, false),
    p: toggle, f: full, s: notes, n: () => root.classList.toggle("noted"),
    b: () => root.classList.toggle("black"), ".": () => root.classList.toggle("black"),
  };
  const key = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("button") && [" ", "Enter"].includes(event.key)) return;
    const does = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (!does) return;
    event.preventDefault();
    does();
  };

  let idle = 0;
  const wake = () => {
    root.classList.remove("idle");
    clearTimeout(idle);
    idle = setTimeout(() => root.classList.add("idle"), 2500);
  };
  let touched = null;
  document.addEventListener("keydown", key);
  document.addEventListener("pointermove", wake);
  document.addEventListener("focusin", wake);
  document.addEventListener("touchstart", (event) => { touched = event.changedTouches[0].clientX; }, { passive: true });
  document.addEventListener("touchend", (event) => {
    const moved = event.changedTouches[0].clientX - touched;
    if (Math.abs(moved) > 40) (moved < 0 ? next : back)();
  });
  /* A button that was clicked must not take the next key. */
  bar.addEventListener("mousedown", (event) => event.preventDefault());
  document.querySelector("main").addEventListener("click", (event) => {
    if (event.target.closest(".picture")) toggle();
    else if (event.target.closest(".title")) next();
  });
  for (const [name, does] of Object.entries({ back, play: toggle, next, notes, full })) {
    document.getElementById(name).addEventListener("click", does);
  }
  window.addEventListener("hashchange", () => show(slides.findIndex((each) => `#${each.id}` === location.hash), false));
  window.addEventListener("beforeprint", () => root.classList.remove("black"));

  bar.hidden = false;
  root.classList.add("running");
  show(slides.findIndex((each) => `#${each.id}` === location.hash), false);
  wake();
})();

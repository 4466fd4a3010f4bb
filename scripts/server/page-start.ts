/** The key in localStorage of the class of Inter, once it has been fetched. */
const FONT_KEY = "duebook:font";

/** Milliseconds after the load of the first page until Inter is fetched. */
const FONT_AFTER_MS = 3_000;

/** Milliseconds after which a press on a disabled control is forgotten. */
const KEPT_PRESS_MS = 15_000;

/**
 * Fetches and runs the scripts that the page's head names: after the first paint, or at once in a tab that is not
 * painted. Turbopack needs the relative URL of a script. Until then controls are disabled; a press on
 * one is repeated when it is enabled. React marks an element that it has taken over by properties. This
 * script stands before the style sheet, for which a later script would wait, and not in the page's React
 * tree, which would contain it once more. Each line ends a statement or a list, because the lines are
 * joined.
 */
export const START = `{
  const { documentElement: root, fonts } = document;
  const run = () => {
    const links = document.querySelectorAll("link[data-run]");
    if (links.length === 0) return;
    const { body } = document;
    if (getComputedStyle(body).display === "none") body.style.display = "block";
    for (const link of links) {
      link.removeAttribute("data-run");
      const script = document.createElement("script");
      script.async = true;
      script.nonce = link.nonce;
      script.src = link.getAttribute("href");
      document.head.append(script);
    }
  };
  const runOnceParsed = () => {
    if (document.getElementById("page-end")) setTimeout(run);
    else requestAnimationFrame(runOnceParsed);
  };
  requestAnimationFrame(runOnceParsed);
  if (document.hidden) document.addEventListener("DOMContentLoaded", run);
  document.addEventListener("visibilitychange", () => document.body && run());
  let watch;
  document.addEventListener("pointerdown", ({ target }) => {
    const control = target.closest("label")?.control ?? target.closest("button");
    if (!control?.disabled || Object.keys(control).length > 0) return;
    watch?.disconnect();
    watch = new MutationObserver((changes, own) => {
      own.disconnect();
      control.click();
    });
    watch.observe(control, { attributeFilter: ["disabled"] });
    setTimeout((own) => own.disconnect(), ${KEPT_PRESS_MS}, watch);
  }, true);
  const [font, ...family] = root.dataset.font.split(" ");
  const stored = (act) => {
    try {
      return act(localStorage);
    } catch {}
  };
  if (stored((store) => store.getItem("${FONT_KEY}")) === font) {
    root.classList.add(font);
  } else {
    const keep = () => stored((store) => store.setItem("${FONT_KEY}", font));
    const fetchFont = () => fonts.load("1em " + family.join(" ")).then(keep, () => {});
    addEventListener("load", () => setTimeout(fetchFont, ${FONT_AFTER_MS}));
  }
}`.replace(/\s*([{}()=>,;:])\s*/g, "$1");

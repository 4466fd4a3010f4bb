interface Opening {
  /** Opens it, as it was pressed for. */
  go: () => void;
  /** Nothing is to open after all. */
  drop: () => void;
}

/** To be called in the press itself: browsers give a page no window later, once a server has answered. */
export function beginOpening(href: string): Opening {
  // An app that is no page takes over without a window.
  if (!isPage(href)) return { go: () => follow(href), drop: () => {} };
  const page = window.open("", "_blank");
  return {
    go: () => {
      if (!page || page.closed) return follow(href);
      page.opener = null;
      page.location.replace(href);
    },
    drop: () => page?.close(),
  };
}

/** Whether it is a page, which opens beside this one. */
export const isPage = (href: string) => href.startsWith("https:");

function follow(href: string) {
  const link = document.createElement("a");
  link.href = href;
  if (isPage(href)) link.target = "_blank";
  link.rel = "noreferrer";
  link.click();
}

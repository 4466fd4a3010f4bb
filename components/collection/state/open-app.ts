interface Opening {
  go: () => void;
  /** Closes the prepared window without opening the URL. */
  drop: () => void;
}

/**
 * Prepares to open a URL. Must run in the click handler: browsers block windows opened after a
 * request.
 */
export function prepareToOpen(href: string): Opening {
  // A URL that opens an app needs no window.
  if (!isWebUrl(href)) return { go: () => follow(href), drop: () => {} };
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

/** Whether the URL opens as a page in a new tab. */
export const isWebUrl = (href: string) => href.startsWith("https:");

function follow(href: string) {
  const link = document.createElement("a");
  link.href = href;
  if (isWebUrl(href)) link.target = "_blank";
  link.rel = "noreferrer";
  link.click();
}

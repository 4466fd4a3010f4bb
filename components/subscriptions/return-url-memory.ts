const KEY = "duebook.return_url";

/** The seller's address is the same nearly every time. Storage may be switched off. */
export function rememberReturnUrl(url: string) {
  try {
    localStorage.setItem(KEY, url);
  } catch {
    return;
  }
}

export function recallReturnUrl(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

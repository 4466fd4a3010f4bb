/** PostgreSQL cannot store NUL, and other control characters are only used to hide something. */
export const isPlainText = (text: string) =>
  text.isWellFormed() && !/[\p{Cc}]/u.test(text.replace(/[\n\t\r]/g, ""));

/** An absolute http or https URL without credentials. */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}

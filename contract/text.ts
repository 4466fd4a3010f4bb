/** PostgreSQL cannot store NUL, and other control characters only ever hide something. */
export const isPlainText = (text: string) =>
  text.isWellFormed() && !/[\p{Cc}]/u.test(text.replace(/[\n\t\r]/g, ""));

/** A full http or https address without a name and a password in it. */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}

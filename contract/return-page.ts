const TOKEN = /^[0-9a-f]{64}$/;
const PATH = "/returned/";

/** A dashboard's own page for buyers who come back: its path on that dashboard. */
export const returnPage = (token: string) => `${PATH}${token}`;

export const isReturnToken = (text: string) => TOKEN.test(text);

/** Whether an address is such a page, of whichever dashboard. */
export function isReturnPage(address: string): boolean {
  const path = URL.parse(address)?.pathname ?? "";
  return path.startsWith(PATH) && isReturnToken(path.slice(PATH.length));
}

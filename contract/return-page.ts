const TOKEN = /^[0-9a-f]{64}$/;
const PATH = "/returned/";

/** Path of the dashboard's own page for buyers who return from the checkout. */
export const returnPage = (token: string) => `${PATH}${token}`;

export const isReturnToken = (text: string) => TOKEN.test(text);

/** Whether a URL is such a page, of any dashboard. */
export function isReturnPage(address: string): boolean {
  const path = URL.parse(address)?.pathname ?? "";
  return path.startsWith(PATH) && isReturnToken(path.slice(PATH.length));
}

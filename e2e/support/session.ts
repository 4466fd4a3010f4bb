import type { Page } from "@playwright/test";
import type { Person } from "./person.ts";
import { duebookUrl } from "./seller.ts";

const kept = (response: Response) =>
  response.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");

/**
 * Posts the sign-in form without a page.
 * @param cookie the browser's cookies
 * @returns the redirect's target and the new cookies as `name=value`
 */
export async function postSignIn(
  email: string,
  password: string,
  cookie = "",
  url = duebookUrl(),
) {
  const auth = `${url}/api/auth`;
  const form = await fetch(`${auth}/csrf`, { headers: { cookie } });
  const { csrfToken } = (await form.json()) as { csrfToken: string };
  const own = kept(form);
  const answer = await fetch(`${auth}/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: {
      cookie: [cookie, ...own].filter(Boolean).join("; "),
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({ csrfToken, email, password }).toString(),
  });
  const location = answer.headers.get("location") ?? `status ${answer.status}`;
  return { location, cookies: [...own, ...kept(answer)] };
}

/** @returns the cookies of a sign-in, as `name=value` */
export async function openSession({ email, password }: Person): Promise<string[]> {
  const { location, cookies } = await postSignIn(email, password);
  if (!cookies.some((pair) => /session=./.test(pair)))
    throw new Error(`the sign-in failed: ${location}`);
  return cookies;
}

/** Signs the person in without the form, and opens the address. */
export async function openPageAs(page: Page, person: Person, address: string): Promise<void> {
  const cookies = await openSession(person);
  await page.context().addCookies(
    cookies.map((pair) => {
      const at = pair.indexOf("=");
      return { name: pair.slice(0, at), value: pair.slice(at + 1), url: duebookUrl() };
    }),
  );
  await page.goto(address);
}

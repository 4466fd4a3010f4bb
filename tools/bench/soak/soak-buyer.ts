import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { UnexpectedAnswer } from "../harness/person.ts";

const LOOKS = 15;

/** Times one request and records it under a name. */
export type TimeRequest = <Value>(name: string, run: () => Promise<Value>) => Promise<Value>;

/**
 * Pays at the hosted checkout, form by form as a buyer does, and reloads the page until it says
 * that the subscription is paid.
 * @param checkoutUrl as the dashboard shows it
 */
export async function payAt(checkoutUrl: string, timed: TimeRequest): Promise<void> {
  const { origin, pathname } = new URL(checkoutUrl);
  const look = (path: string) => timed("checkout page", () => readPage(origin + path));
  const send = (path: string, fields: Record<string, string>) =>
    timed("checkout form", () => sendForm(origin, path, fields));

  await look(pathname);
  const coded = await send(`${pathname}/code`, { method: "wallet", page: randomUUID() });
  const { text: form } = await look(coded);
  const code = /<strong>(\d{6})<\/strong>/.exec(form)?.[1] ?? "";
  const [attempt, total] = [fieldOf(form, "attempt"), fieldOf(form, "total")];
  const submitted = await send(`${pathname}/pay`, { attempt, total, code });
  await look(submitted);
  const waiting = await send(submitted, { outcome: "approve" });
  for (let looks = 0; looks < LOOKS; looks += 1) {
    if (!(await look(waiting)).isWaiting) return;
    await delay(1_000);
  }
  throw new UnexpectedAnswer("a payment that was approved stays open");
}

const fieldOf = (page: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? "";

async function readPage(url: string) {
  const answer = await fetch(url, { redirect: "manual" });
  const text = await answer.text();
  if (answer.status !== 200) throw new UnexpectedAnswer(`${answer.status} checkout page`);
  // Until the provider answers, the page reloads itself at the same URL.
  return { text, isWaiting: /^\d+$/.test(answer.headers.get("refresh") ?? "") };
}

/** Sends a form. @returns the path that the redirect leads to */
async function sendForm(origin: string, path: string, fields: Record<string, string>) {
  const answer = await fetch(origin + path, {
    method: "POST",
    redirect: "manual",
    headers: { origin, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });
  await answer.body?.cancel();
  const location = answer.headers.get("location");
  if (answer.status !== 303 || location === null)
    throw new UnexpectedAnswer(`${answer.status} checkout form`);
  const { pathname, search } = new URL(location, origin);
  return pathname + search;
}

import { expect, test } from "vitest";
import { messagesOfAllPages } from "#tools/testing/page-messages.ts";

const pages = messagesOfAllPages();

test("every page sends the browser the messages that it uses there", () => {
  const missing = pages.flatMap(({ page, asked, sent }) =>
    [...asked]
      .filter(([namespace]) => !sent.has(namespace))
      .map(([namespace, file]) => `${page} sends no '${namespace}', which ${file} asks for`),
  );
  expect(missing).toEqual([]);
});

test("the messages of a page are found across its components, also lazy ones", () => {
  const pageAt = (end: string) => pages.find(({ page }) => page.endsWith(end));
  const list = pageAt("subscriptions/(list)/page.tsx");
  expect([...(list?.asked.keys() ?? [])]).toEqual(
    expect.arrayContaining(["bulk", "failures", "format", "layout", "subscriptions", "table"]),
  );
  expect(list?.asked.has("webhooks")).toBe(false);
  expect(pageAt("webhooks/deliveries/[id]/page.tsx")?.asked.has("deliveries")).toBe(true);
  expect(pageAt("sign-in/page.tsx")?.sent.has("auth")).toBe(true);
});

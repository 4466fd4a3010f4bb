import type { Page } from "@playwright/test";
import { addMember, createPerson } from "./person.ts";
import { duebookUrl, signIn } from "./seller.ts";
import { openPageAs } from "./session.ts";

export const queueRows = (page: Page) => page.locator("[data-row]").filter({ visible: true });
export const openBuyerTitle = (page: Page) =>
  page.locator("#desk-buyer-title").filter({ visible: true });
export const statusMessages = (page: Page) =>
  page.getByRole("main").getByRole("status").filter({ visible: true });
export const buyerNameOfRow = async (page: Page, at: number) =>
  (await queueRows(page).nth(at).getByRole("link").textContent()) ?? "";

/**
 * Opens the desk as a new colleague in the demonstration; WhatsApp opens an empty page.
 * @returns the URLs that were opened
 */
export async function openCollectionDesk(page: Page, name: string, path = "") {
  await signIn(page);
  const [, seller = ""] = new URL(page.url()).pathname.split("/");
  await page.context().clearCookies();
  const person = await createPerson(name);
  await addMember(person, seller, "support");
  await openPageAs(page, person, `${duebookUrl()}/${seller}/test${path}`);
  const opened: string[] = [];
  await page.context().route(/^https:\/\/wa\.me\//, (route) => {
    opened.push(route.request().url());
    return route.fulfill({ body: "" });
  });
  return { seller, opened };
}

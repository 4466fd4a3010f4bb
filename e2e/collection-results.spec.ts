import { cookiesOf, knock } from "./intruder.ts";
import { openOwnSeller } from "./own-seller.ts";
import { expect, test } from "./seller.ts";

test("support sees the results, and neither the file nor what each colleague did", async ({
  page,
}) => {
  const { seller } = await openOwnSeller(page, "/collection/results", "support");
  await expect(
    page.getByRole("heading", { name: "What reminding did", level: 1 }),
  ).toBeVisible();
  await expect(page.getByRole("link", { name: "CSV" })).toHaveCount(0);
  const cookie = await cookiesOf(page.context());
  const file = await knock(`/api/${seller}/test/collection/results/file`, { cookie });
  expect(file.status).toBe(403);
  const answer = await knock(`/api/${seller}/test/collection/results`, { cookie });
  expect(answer.status).toBe(200);
  expect(await answer.text()).not.toContain("person_name");
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts, startCommand } from "../support/command.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";
import { expect, fillNewSubscription, OWN_PASSWORD, signIn, test } from "../support/seller.ts";
import { readSeed, runAdmin } from "../support/service-admin.ts";

test("every page reports a stopped service, and recovers by itself when the service is back", async ({
  page,
  context,
  buyer,
  shop,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "duebook-outage-"));
  const [port = 0, servicePort = 0] = await freePorts(2);
  const serviceSettings = {
    SERVICE_PORT: String(servicePort),
    DATA_DIR: join(folder, "service"),
  };
  let service = startCommand("service.ts", serviceSettings);
  await service.printed("is ready");
  const { key } = readSeed(await runAdmin(["seed", "--json"], serviceSettings));
  const dashboard = startCommand("up.ts", {
    PORT: String(port),
    DATA_DIR: join(folder, "dashboard"),
    BILLING_API_URL: `http://localhost:${servicePort}`,
    BILLING_API_KEY: key,
    DEMO_PASSWORD: OWN_PASSWORD,
  });
  await dashboard.printed("Duebook is ready.");
  const url = `http://localhost:${port}`;
  const bodies: Promise<string>[] = [];
  context.on("response", (response) => {
    // The bodies of event streams do not end, so they are not read.
    if (!response.headers()["content-type"]?.startsWith("text/event-stream"))
      bodies.push(response.text().catch(() => ""));
  });

  try {
    await signIn(page, url, OWN_PASSWORD);
    await expect(visibleText(page, /^1–20 of/)).toBeVisible();
    const record = await page
      .getByRole("row")
      .nth(1)
      .getByRole("link")
      .first()
      .getAttribute("href");

    // What was typed before the outage is still there.
    await page.goto(`${url}/subscriptions/new`);
    await fillNewSubscription(page, buyer, shop.returnUrl);
    await service.stop();
    await page.getByRole("button", { name: "Create and get the link" }).click();
    await expect(page.getByRole("main").getByRole("alert")).toContainText(/billing service/i);
    await expect(visibleField(page, "Full name")).toHaveValue(buyer.full_name);

    for (const path of ["/subscriptions", record ?? "", "/subscriptions/new"]) {
      await page.goto(`${url}${path}`);
      await expect(page.getByRole("main").getByRole("alert")).toContainText(/billing service/i);
      await expect(page.getByRole("button", { name: /Try again|Trying again/ })).toBeVisible();
    }

    await page.goto(`${url}/subscriptions`);
    await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
    service = startCommand("service.ts", serviceSettings);
    await service.printed("is ready");
    await expect(visibleText(page, /^1–20 of/)).toBeVisible({ timeout: 30_000 });

    const texts = await Promise.all(bodies);
    // The secret is base64url, so it may contain underscores itself.
    const secret = key.split("_").slice(3).join("_");
    expect(secret).toHaveLength(43);
    expect(texts.filter((text) => text.includes(secret)).length).toBe(0);
    expect(dashboard.output()).not.toContain(secret);
  } finally {
    expect(await dashboard.stop()).toBe(0);
    expect(await service.stop()).toBe(0);
    await rm(folder, { recursive: true, force: true });
  }
});

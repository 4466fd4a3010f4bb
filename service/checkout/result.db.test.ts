import { describe, expect, it } from "vitest";
import { choose, notify, post, read, start, submit } from "../testing/checkout-forms.ts";
import { Desk } from "../testing/desk.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const OWN_PAGE = `https://desk.example/returned/${"a1".repeat(32)}`;
const SECOND = 1_000;

const textOf = (body: string) => body.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

/** A buyer who has just paid. */
async function paid(return_url: string, seller = {}) {
  const desk = await Desk.open(service, seller);
  const { subscription_id: id } = await desk.create();
  await service.pool.query(
    "update subscription set return_url = $2 where subscription_id = $1",
    [id, return_url],
  );
  const attempt = await start(service, id);
  const { reference } = await submit(service, id, attempt);
  await choose(service, reference, "approve");
  for (let notices = 0; notices < 2; notices += 1) await notify(service, reference);
  return { id, url: `/pay/${id}?attempt=${attempt}` };
}

describe("the result of a payment", () => {
  it("says when, how much, how and to whom, with a reference that can be read out", async () => {
    const { id, url } = await paid(OWN_PAGE, { name: "Himal Dairy" });
    const { rows } = await service.pool.query<{ payment_id: string }>(
      "select payment_id from payment where subscription_id = $1",
      [id],
    );
    const reference = rows[0]?.payment_id.slice(0, 8).toUpperCase();
    expect(textOf((await read(service, url)).body)).toContain(
      `Paid NPR 1,130.00 Seller Himal Dairy Paid on 10 March 2026, 11:45 Paid with Mobile wallet Reference ${reference} `,
    );
  });

  it("stays where the way back is Duebook's own page, whose link is still there", async () => {
    const { id, url } = await paid(OWN_PAGE);
    const { headers, body } = await read(service, url);
    expect(headers.refresh).toBeUndefined();
    expect(body).toContain(`href="${OWN_PAGE}?subscription_id=${id}"`);
    expect(body).not.toContain("taken there");
  });

  it("Spec, What the service does 3: leads back to a shop, but not whoever reads it later", async () => {
    const { id, url } = await paid("https://shop.example/thanks");
    const back = `https://shop.example/thanks?subscription_id=${id}`;
    expect((await read(service, url)).headers.refresh).toBe(`5; url=${back}`);
    service.clock.advance(61 * SECOND);
    const later = await read(service, url);
    expect(later.headers.refresh).toBeUndefined();
    expect(later.body).toContain(`href="${back}"`);
  });
});

describe("a code that is still valid", () => {
  it("has its field when the link is opened again", async () => {
    const desk = await Desk.open(service);
    const { subscription_id: id } = await desk.create();
    const attempt = await start(service, id);
    const { body } = await read(service, `/pay/${id}`);
    expect(body).toContain('name="code"');
    expect(body).toContain(`value="${attempt}"`);
    service.clock.advance(10 * 60 * SECOND);
    expect((await read(service, `/pay/${id}`)).body).not.toContain('name="code"');
  });

  it("has its field when another is asked for too soon, from a page of before it too", async () => {
    const desk = await Desk.open(service);
    const { subscription_id: id } = await desk.create();
    const attempt = await start(service, id);
    const early = await post(service, `/pay/${id}/code`, { method: "wallet" });
    expect([early.outcome, early.query.get("attempt")]).toEqual(["too_soon", attempt]);
    const { body } = await read(service, `${early.path}?${early.query}`);
    expect(body).toContain("Use that one");
    expect(body).toContain('name="code"');
  });

  it("leaves the way to pay to be chosen again", async () => {
    const desk = await Desk.open(service);
    const { subscription_id: id } = await desk.create();
    await start(service, id);
    const { body } = await read(service, `/pay/${id}`);
    const [, other = ""] = /href="([^"]+)"\s*>Choose another way/.exec(body) ?? [];
    expect((await read(service, other)).body).toContain('type="radio"');
  });

  it("of a period that was paid meanwhile has none", async () => {
    const desk = await Desk.open(service);
    const { subscription_id: id } = await desk.create();
    await start(service, id);
    service.clock.advance(31 * SECOND);
    await desk.pay(id);
    for (const query of ["", "?ahead=1"])
      expect((await read(service, `/pay/${id}${query}`)).body).not.toContain('name="code"');
  });

  it("says under its field how many tries are left, after a reload too", async () => {
    const desk = await Desk.open(service);
    const { subscription_id: id } = await desk.create();
    const attempt = await start(service, id);
    const wrong = await submit(service, id, attempt, { code: "000000" });
    for (const url of [`${wrong.path}?${wrong.query}`, `/pay/${id}`]) {
      const { body } = await read(service, url);
      expect(body).toMatch(/aria-describedby="code-problem code-hint"/);
      expect(textOf(/id="code-problem"[^]*?<\/p>/.exec(body)?.[0] ?? "")).toContain(
        "Tries left: 4.",
      );
    }
  });

  it("that was used up is not told to be used", async () => {
    const desk = await Desk.open(service);
    const { subscription_id: id } = await desk.create();
    const attempt = await start(service, id);
    for (let guess = 0; guess < 5; guess += 1)
      await submit(service, id, attempt, { code: `10000${guess}` });
    const early = await post(service, `/pay/${id}/code`, { method: "wallet" });
    const { body } = await read(service, `${early.path}?${early.query}`);
    expect(body).toContain("Wait a little, then ask for another");
    expect(body).not.toContain("Use that one");
  });
});

it("the first page says that no money moves in the sandbox", async () => {
  const desk = await Desk.open(service);
  const { subscription_id: id } = await desk.create();
  expect((await read(service, `/pay/${id}`)).body).toContain("Test: no money moves here.");
});

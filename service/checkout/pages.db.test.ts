import { describe, expect, it } from "vitest";
import { Desk } from "../testing/desk.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const open = (id: string, query = "") => service.call(null, { url: `/pay/${id}${query}` });

describe("the checkout page", () => {
  it("A, checkout_url: opens without a key and masks what it knows of the buyer", async () => {
    const desk = await Desk.open(service);
    const { subscription_id, checkout_url } = await desk.create(desk.periods.monthly, {
      shipping: {
        phone: "9811111111",
        full_name: "Bimala Tamang",
        email: "bimala@example.com",
      },
    });
    expect(checkout_url).toBe(`http://billing.test/pay/${subscription_id}`);
    const page = await open(subscription_id);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain("1,130.00");
    for (const known of ["Asmita", "Rai", "asmita@", "9800000001", "Patan", "Bimala", "98111"])
      expect(page.body).not.toContain(known);
  });

  it("B, Parameters added to return_url: the subscription's id and never a result", async () => {
    const desk = await Desk.open(service);
    const id = await desk.createActive();
    const page = await open(id, "?outcome=paid");
    const [, address = ""] = /href="(https:\/\/shop\.example[^"]*)"/.exec(page.body) ?? [];
    expect(address).toBe(`https://shop.example/thanks?subscription_id=${id}`);
  });

  it("Spec, Events 2: opening the page, or its way back, is no payment", async () => {
    const desk = await Desk.open(service);
    const { subscription_id: id } = await desk.create();
    await open(id, "?outcome=paid");
    expect((await desk.read(id)).status).toBe("pending_checkout");
    expect(await desk.events(id)).toEqual([]);
  });

  it("B, Not found: unknown and malformed links are the same page", async () => {
    const pages = await Promise.all(
      ["11111111-1111-4111-8111-111111111111", "x"].map((id) => open(id)),
    );
    expect(pages.map((page) => page.statusCode)).toEqual([404, 404]);
    expect(pages[0]?.body).toBe(pages[1]?.body);
  });
});

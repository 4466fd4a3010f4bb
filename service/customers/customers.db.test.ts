import { describe, expect, it } from "vitest";
import { Customer, CustomerPage } from "#contract/customers.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const URL = "/api/v1/customers/";

const listed = async (api: SellerApi, query = "") =>
  CustomerPage.parse((await api.call({ url: `${URL}${query}` })).json());

describe("list customers", () => {
  it("Spec, GET customers: returns the buyers newest first, each once", async () => {
    const api = await SellerApi.open(service);
    for (const phone of ["9800000001", "9800000002", "+977 9800000001", "9800000003"]) {
      await api.create(api.periods.monthly, { phone, full_name: `Buyer ${phone}` });
      service.clock.advance(1_000);
    }
    const page = await listed(api);
    expect(page).toMatchObject({ count: 3, next: null, previous: null });
    expect(page.results.map((row) => row.buyer_phone)).toEqual([
      "9800000003",
      "9800000002",
      "9800000001",
    ]);
  });

  it.each([
    ["Asia/Kathmandu", ["01-4412345", "+977 1 4412345", "0097714412345"]],
    ["Asia/Kolkata", ["098765 43210", "+91 98765 43210", "9876543210", "919876543210"]],
    ["Asia/Dubai", ["+971 (0)50 123 4567", "00971501234567", "050 123 4567"]],
    ["Asia/Kathmandu", ["+974 3312 3456", "97433123456"]],
  ])(
    "Spec choice, phone numbers: all spellings of a phone number count as one buyer (%s %j)",
    async (time_zone, phones) => {
      const api = await SellerApi.open(service, { time_zone });
      for (const phone of phones) await api.create(api.periods.monthly, { phone });
      await api.create(api.periods.monthly, { phone: "+1 415 555 2671" });
      expect((await listed(api)).count).toBe(2);
    },
  );

  it("Spec, Customer: each customer has exactly five fields, with the buyer's latest values", async () => {
    const api = await SellerApi.open(service);
    await api.create();
    await api.create(api.periods.monthly, {
      full_name: "Asmita R.",
      email: "a.r@example.com",
    });
    const [customer] = (await listed(api)).results;
    expect(customer).toEqual({
      id: expect.any(Number),
      buyer_phone: "9800000001",
      buyer_email: "a.r@example.com",
      full_name: "Asmita R.",
      created_at: "2026-03-10T06:00:00.000Z",
    });
  });

  it("Spec, Limits: pages neither skip nor repeat customers", async () => {
    const api = await SellerApi.open(service);
    const other = await SellerApi.open(service);
    for (let index = 0; index < 5; index += 1) {
      await api.create(api.periods.monthly, { phone: `980000000${index}` });
      await other.create(other.periods.monthly, { phone: `981000000${index}` });
    }
    const pages = await Promise.all(
      [1, 2, 3].map((page) => listed(api, `?page_size=2&page=${page}`)),
    );
    expect(pages.flatMap(({ results }) => results.map((row) => row.buyer_phone))).toEqual(
      [4, 3, 2, 1, 0].map((index) => `980000000${index}`),
    );
    expect(pages[1]).toMatchObject({
      count: 5,
      next: `http://billing.test${URL}?page=3&page_size=2`,
      previous: `http://billing.test${URL}?page_size=2`,
    });
  });

  it("Spec, Client: twenty concurrent requests for one new buyer make one customer", async () => {
    const api = await SellerApi.open(service);
    await Promise.all(Array.from({ length: 20 }, () => api.create()));
    expect((await listed(api)).count).toBe(1);
  });

  it("Spec, Limits: concurrently created buyers are each listed once, at positions without gaps", async () => {
    const api = await SellerApi.open(service);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        api.create(api.periods.monthly, {
          phone: `98${String(index % 10).padStart(8, "0")}`,
        }),
      ),
    );
    const page = await listed(api);
    expect(page.count).toBe(10);
    expect(new Set(page.results.map((row) => row.id)).size).toBe(10);
    const { rows } = await service.pool.query<{ position: number }>(
      "select position::int from customer where seller_id = $1 order by 1",
      [api.seller.seller_id],
    );
    expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index + 1));
  });
});

describe("get a customer", () => {
  it("Spec, GET customer: returns the same record as the list", async () => {
    const api = await SellerApi.open(service);
    await api.create();
    const [customer] = (await listed(api)).results;
    const answer = await api.call({ url: `${URL}${customer?.id}/` });
    expect([answer.statusCode, Customer.parse(answer.json())]).toEqual([200, customer]);
  });

  it("Spec choice, not found: ids that are unknown, malformed or of another seller get the same 404", async () => {
    const api = await SellerApi.open(service);
    const other = await SellerApi.open(service);
    await other.create();
    const foreign = (await listed(other)).results[0]?.id;
    for (const id of [foreign, 0, -1, "1.0", "x", "9223372036854775808", "9".repeat(100)]) {
      const answer = await api.call({ url: `${URL}${id}/` });
      expect([answer.statusCode, answer.json()]).toEqual([404, { detail: "Not found." }]);
    }
  });
});

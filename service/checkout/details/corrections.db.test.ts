import { describe, expect, it } from "vitest";
import { CorrectionList, CustomerPage } from "#contract/customers.ts";
import { postForm, requestCode, submitCodePage } from "../../testing/checkout-forms.ts";
import { Follower, namedChanges } from "../../testing/follower.ts";
import { SellerApi } from "../../testing/seller-api.ts";
import { useTestService } from "../../testing/use-service.ts";
import { testCodeOf } from "../codes.ts";

const service = useTestService();
const MINUTE = 60_000;
const RIGHT = {
  full_name: "Asmita Rai Thapa",
  email: "asmita.t@example.com",
  address: "Bhaktapur 4",
};

const addressOf = (id: string) => `/pay/${id}/details`;
const open = async (url: string) => (await service.call(null, { url })).body;

/** Asks for a code. @returns the id of the request, or "" if no code was sent */
const askCode = async (id: string) =>
  (await postForm(service, `${addressOf(id)}/code`, {})).query.get("code") ?? "";

const send = (url: string, fields: Record<string, string>) =>
  service.call(null, {
    method: "POST",
    url,
    payload: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });

/** Sends the form of a request with the right code, or with the given one. */
const submit = (id: string, request: string, fields: Record<string, string>) =>
  send(addressOf(id), { id: request, code: testCodeOf(request), ...fields });

async function begin(client: Record<string, unknown> = {}) {
  const api = await SellerApi.open(service);
  const { subscription_id: id } = await api.create(api.periods.monthly, client);
  return { api, id };
}

const buyerOf = async (api: SellerApi, id: string) => (await api.read(id)).client;
const done = (id: string) => ({ status: 303, location: `${addressOf(id)}?done=1` });
const resultOf = ({ statusCode, headers }: Awaited<ReturnType<typeof send>>) => ({
  status: statusCode,
  location: headers.location,
});

describe("a buyer", () => {
  it("corrects name, email and address with a code, and the seller sees the correction", async () => {
    const { api, id } = await begin();
    const follower = await Follower.begin(api);
    expect(await open(`/pay/${id}`)).toContain(`href="${addressOf(id)}"`);
    const request = await askCode(id);
    expect(await open(`${addressOf(id)}?code=${request}`)).toContain(testCodeOf(request));
    expect(resultOf(await submit(id, request, RIGHT))).toEqual(done(id));
    expect(await buyerOf(api, id)).toMatchObject({ ...RIGHT, phone: "9800000001" });
    const customers = await api.call({ url: "/api/v1/customers/" });
    expect(CustomerPage.parse(customers.json()).results).toMatchObject([
      { full_name: RIGHT.full_name, buyer_email: RIGHT.email },
    ]);
    expect(namedChanges(await follower.news())).toEqual([
      `subscription changed ${id}`,
      expect.stringMatching(/^customer changed/),
    ]);
    expect(await open(`${addressOf(id)}?done=1`)).toContain("Your details are corrected");
    const told = await api.call({ url: `/account/v1/subscriptions/${id}/corrections/` });
    expect(CorrectionList.parse(told.json()).results).toMatchObject([
      {
        corrected_at: service.clock.now().toISOString(),
        changes: [
          { field: "full_name", before: "Asmita Rai", after: RIGHT.full_name },
          { field: "email", before: "asmita@example.com", after: RIGHT.email },
          { field: "address", after: RIGHT.address },
        ],
      },
    ]);
    const other = await SellerApi.open(service);
    const foreign = await other.call({ url: `/account/v1/subscriptions/${id}/corrections/` });
    expect(foreign.statusCode).toBe(404);
    // The link can be paid as before.
    expect(await api.pay(id)).toBe("paid");
    expect(await open(`/pay/${id}`)).toContain(`href="${addressOf(id)}"`);
  });

  it("changes only the fields they fill in, and no other subscription of the same buyer", async () => {
    const { api, id } = await begin();
    const other = await api.create(api.periods.weekly, { email: "newer@example.com" });
    const request = await askCode(id);
    await submit(id, request, { address: "Bhaktapur 4" });
    expect(await buyerOf(api, id)).toMatchObject({
      full_name: "Asmita Rai",
      address: "Bhaktapur 4",
    });
    expect((await buyerOf(api, other.subscription_id)).address).not.toBe("Bhaktapur 4");
    const [customer] = CustomerPage.parse(
      (await api.call({ url: "/api/v1/customers/" })).json(),
    ).results;
    expect(customer).toMatchObject({ buyer_email: "newer@example.com" });
  });

  it("does not lose what they typed when a field or the code is wrong, or when they request another code", async () => {
    const { api, id } = await begin();
    const request = await askCode(id);
    const typed = { full_name: 'Asmita "Asu" Rai', email: "asmita", address: "Bhaktapur 4" };
    const wrongField = await submit(id, request, typed);
    expect(wrongField.statusCode).toBe(400);
    expect(wrongField.body).toContain("Write a whole email address");
    expect(wrongField.body).toContain(`value="${testCodeOf(request)}"`);
    const wrongCode = await submit(id, request, { ...typed, email: "", code: "000000" });
    expect(wrongCode.body).toContain("Wrong code");
    expect(wrongCode.body).toContain("Tries left: 4.");
    service.clock.advance(MINUTE);
    const another = await send(`${addressOf(id)}/code`, { id: request, page: "", ...typed });
    expect(another.statusCode).toBe(200);
    for (const { body } of [wrongField, wrongCode, another])
      for (const kept of ['value="Asmita &quot;Asu&quot; Rai"', "\nBhaktapur 4</textarea"])
        expect(body).toContain(kept);
    const [, next = ""] = /name="id" value="([^"]+)"/.exec(another.body) ?? [];
    expect(next).not.toBe(request);
    expect(resultOf(await submit(id, next, { ...typed, email: "" }))).toEqual(done(id));
    expect((await buyerOf(api, id)).full_name).toBe('Asmita "Asu" Rai');
  });

  it("reads that too many codes were requested, even if their own code has expired", async () => {
    const { id } = await begin();
    const request = await askCode(id);
    for (let sent = 1; sent < 20; sent += 1) {
      service.clock.advance(MINUTE / 2);
      await askCode(id);
    }
    service.clock.advance(MINUTE / 2);
    const refused = await send(`${addressOf(id)}/code`, {
      id: request,
      page: "",
      address: "Bhaktapur 4",
    });
    expect(refused.body).toContain("Too many codes");
    expect(refused.body).toContain("\nBhaktapur 4</textarea");
  });

  it("can read the form in Nepali, and can type the code in Nepali digits", async () => {
    const { api, id } = await begin();
    const request = await askCode(id);
    expect(await open(`${addressOf(id)}?code=${request}&lang=ne`)).toContain("ठेगाना");
    const code = testCodeOf(request).replace(
      /\d/g,
      (digit) => "०१२३४५६७८९"[Number(digit)] ?? "",
    );
    const name = "अस्मिता राई";
    expect((await submit(id, request, { code, full_name: name })).statusCode).toBe(303);
    expect((await buyerOf(api, id)).full_name).toBe(name);
  });
});

describe("a person who has only the link", () => {
  it("can neither read nor change the buyer's name, phone, email or address", async () => {
    const { api, id } = await begin({ shipping: null });
    const request = await askCode(id);
    const before = await buyerOf(api, id);
    const pages = [await open(addressOf(id)), await open(`${addressOf(id)}?code=${request}`)];
    for (const code of ["", "000000", testCodeOf(id)])
      pages.push((await submit(id, request, { ...RIGHT, code })).body);
    for (const page of pages)
      for (const known of [before.phone, "Asmita R", "asmita@", before.address])
        expect(page.replaceAll(RIGHT.full_name, "")).not.toContain(known);
    expect(await buyerOf(api, id)).toEqual(before);
  });

  it("has five tries for a code, even at once; a try with a mistake in another field does not count", async () => {
    const { api, id } = await begin();
    const request = await askCode(id);
    for (let tries = 0; tries < 8; tries += 1)
      await submit(id, request, { email: "no address", code: "000000" });
    const guesses = Array.from({ length: 12 }, (_, index) => String(100_000 + index));
    const answers = await Promise.all(
      guesses.map((code) => submit(id, request, { ...RIGHT, code })),
    );
    expect(answers.filter(({ body }) => body.includes("Wrong code"))).toHaveLength(4);
    expect((await submit(id, request, RIGHT)).body).toContain("no longer valid");
    expect((await buyerOf(api, id)).full_name).toBe("Asmita Rai");
  });

  it.each<[string, (id: string) => Promise<string>]>([
    ["a code to pay", (id) => requestCode(service, id)],
    ["another buyer's code", async () => askCode((await begin()).id)],
    ["the id of no request", async (id) => id],
  ])("cannot change the buyer's details with %s", async (_, requestOf) => {
    const { api, id } = await begin();
    const request = await requestOf(id);
    await submit(id, request, RIGHT);
    expect((await buyerOf(api, id)).full_name).toBe("Asmita Rai");
  });

  it("cannot begin a payment with a code for correcting details", async () => {
    const { api, id } = await begin();
    const request = await askCode(id);
    expect((await submitCodePage(service, id, request)).outcome).toBe("expired");
    expect((await api.read(id)).status).toBe("pending_checkout");
  });

  it("gets at most twenty codes an hour, for corrections and payments together", async () => {
    const { id } = await begin();
    for (let sent = 0; sent < 20; sent += 1) {
      service.clock.advance(MINUTE / 2);
      expect(await (sent % 2 ? askCode(id) : requestCode(service, id))).not.toBe("");
      // A second request at once sends no code.
      expect(await askCode(id)).toBe("");
    }
    service.clock.advance(MINUTE / 2);
    const refused = await postForm(service, `${addressOf(id)}/code`, {});
    expect(refused.outcome).toBe("too_many");
    expect(await requestCode(service, id)).toBe("");
  });
});

describe("a code for correcting details", () => {
  it("is valid for ten minutes, and for one correction", async () => {
    const { api, id } = await begin();
    const used = await askCode(id);
    await submit(id, used, { address: "Bhaktapur 4" });
    // The form sent twice says that it is done, and changes nothing.
    expect(resultOf(await submit(id, used, { address: "Elsewhere" }))).toEqual(done(id));
    expect((await buyerOf(api, id)).address).toBe("Bhaktapur 4");
    const late = await askCode(id);
    service.clock.advance(10 * MINUTE);
    expect((await submit(id, late, RIGHT)).body).toContain("no longer valid");
  });

  it("cannot be used to change the email address to which the code was sent", async () => {
    const { api, id } = await begin();
    await service.pool.query(
      `insert into message_channel (seller_id, channel, provider, sealed_settings, per_minute, created_at)
       values ($1, 'email', 'smtp', '', 60, now())`,
      [api.seller.seller_id],
    );
    const request = await askCode(id);
    expect(await open(`${addressOf(id)}?code=${request}`)).not.toContain('name="email"');
    const refused = await submit(id, request, RIGHT);
    expect(refused.body).toContain("The code went to your email");
    const { email: _, ...others } = RIGHT;
    expect(resultOf(await submit(id, request, others))).toEqual(done(id));
    expect(await buyerOf(api, id)).toMatchObject({ ...others, email: "asmita@example.com" });
  });

  it("is not sent for an ended subscription, a suspended account or an unknown link", async () => {
    const { api, id } = await begin();
    const ended = await api.createActive(api.periods.weekly);
    await api.wait(40);
    expect(await askCode(ended)).toBe("");
    await service.pool.query("update seller set kyc_verified = false where seller_id = $1", [
      api.seller.seller_id,
    ]);
    expect(await askCode(id)).toBe("");
    expect(await open(addressOf(id))).not.toContain("<form");
    expect((await postForm(service, `${addressOf(crypto.randomUUID())}/code`, {})).status).toBe(
      404,
    );
  });
});

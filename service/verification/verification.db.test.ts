import { describe, expect, it } from "vitest";
import { MAX_DOCUMENT_BYTES } from "#contract/names.ts";
import { OperatorAccount, Verification } from "#contract/verification.ts";
import { jpegOf, pdf, pngOf } from "../testing/documents.ts";
import {
  TEST_OPERATOR_TOKEN,
  withAccountToken,
  type TestRequest,
  type TestSeller,
} from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService("live");
const DETAILS = {
  legal_name: "Phewa Dairy Pvt. Ltd.",
  pan: "301234567",
  contact_name: "Asmita Rai",
  contact_phone: "+977 9800000001",
  contact_email: "asmita@example.com",
  address: "Lakeside, Pokhara",
};

class Business {
  readonly account: TestSeller;
  private constructor(account: TestSeller) {
    this.account = account;
  }

  static async open() {
    const seller = await service.createSeller({ kyc_verified: false });
    return new Business(await withAccountToken(service, seller, "live"));
  }

  send(path: string, payload?: object, method: TestRequest["method"] = "POST") {
    const url = `/account/v1/verification/${path}`;
    return service.call(this.account, { method, url, ...(payload && { payload }) });
  }
  read = async () => Verification.parse((await this.send("", undefined, "GET")).json());
  change = async (details: object) =>
    this.send("", { version: (await this.read()).version, ...details }, "PATCH");
  upload = (content: Buffer, name = "Registration.pdf", kind = "registration") =>
    this.send("documents/", { kind, name, content: content.toString("base64") });

  async submit() {
    await this.change(DETAILS);
    await this.upload(pdf());
    return this.send("submit/");
  }
}

const ask = (path: string, payload?: object, token = TEST_OPERATOR_TOKEN) =>
  service.call(null, {
    method: payload ? "POST" : "GET",
    url: `/operator/v1/accounts/${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  });
const decide = (business: Business, decision: string, payload: object = {}) =>
  ask(`${business.account.seller_id}/${decision}/`, payload);

describe("a business that asks to be verified", () => {
  it("submits details and documents, is asked for another page, and is verified", async () => {
    const business = await Business.open();
    expect(await business.read()).toMatchObject({
      state: "not_verified",
      documents: [],
      note: null,
    });
    expect((await business.submit()).json()).toMatchObject({
      ...DETAILS,
      state: "submitted",
      documents: [{ kind: "registration", name: "Registration.pdf", bytes: pdf().length }],
    });
    const note = "The second page of the registration is missing.";
    expect((await decide(business, "return", { note })).json()).toMatchObject({ note });
    expect(await business.read()).toMatchObject({ state: "returned", note });
    await business.upload(pngOf(1_200, 800), "Page 2.png");
    await business.send("submit/");
    expect(await business.read()).toMatchObject({ state: "submitted", note: null });

    const key = { method: "POST", url: "/account/v1/keys/" } as const;
    const make = () =>
      service.call(business.account, { ...key, payload: { name: "Shop", scopes: ["read"] } });
    expect((await make()).statusCode).toBe(403);
    expect(OperatorAccount.parse((await decide(business, "approve")).json()).state).toBe(
      "verified",
    );
    expect((await make()).statusCode).toBe(201);
    expect((await business.change({ pan: "111111111" })).json()).toEqual({
      detail: "This account is verified already.",
    });
  });

  it("cannot change its request during the operator's check, and gets 409 for an outdated version", async () => {
    const business = await Business.open();
    const { version } = await business.read();
    await business.change({ pan: "301234567" });
    const late = await business.send("", { version, pan: "999999999" }, "PATCH");
    expect(late.statusCode).toBe(409);
    await business.submit();
    const { documents, state } = await business.read();
    for (const answer of [
      await business.change({ pan: "999999999" }),
      await business.upload(jpegOf(10, 10)),
      await business.send(`documents/${documents[0]?.id}/remove/`),
      await business.send("submit/"),
    ])
      expect([answer.statusCode, answer.json().detail]).toEqual([
        400,
        "The operator is checking what you handed in. Nothing was changed.",
      ]);
    expect(await business.read()).toMatchObject({ pan: "301234567", state, documents });
  });

  it("gets an error for each missing or invalid field", async () => {
    const business = await Business.open();
    expect(Object.keys((await business.send("submit/")).json()).toSorted()).toEqual([
      "address",
      "contact_name",
      "contact_phone",
      "documents",
      "legal_name",
      "pan",
    ]);
    await business.change(DETAILS);
    expect((await business.send("submit/")).json()).toEqual({
      documents: ["Upload at least one document."],
    });
    for (const [field, value] of [
      ["pan", "12345"],
      ["contact_phone", "12"],
      ["contact_email", "asmita"],
      ["legal_name", " "],
      ["legal_name", "a\nb"],
    ] as const) {
      const answer = await business.change({ [field]: value });
      expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, [field]]);
    }
  });

  it("can upload at most ten documents of at most 5 MB each, and the same document only once", async () => {
    const business = await Business.open();
    await business.upload(pdf("a"), "First.pdf");
    await business.upload(pdf("a"), "Again.pdf");
    expect((await business.read()).documents.map(({ name }) => name)).toEqual(["Again.pdf"]);
    for (let more = 2; more <= 10; more += 1) await business.upload(pdf(`${more}`));
    expect((await business.upload(pdf("b"))).statusCode).toBe(400);
    const { documents } = await business.read();
    expect(documents).toHaveLength(10);
    await business.send(`documents/${documents[0]?.id}/remove/`);
    const whole = Buffer.concat([
      pngOf(9, 9),
      Buffer.alloc(MAX_DOCUMENT_BYTES - pngOf(9, 9).length),
    ]);
    expect((await business.upload(whole)).statusCode).toBe(201);
    const over = await business.upload(Buffer.concat([whole, Buffer.alloc(1)]));
    expect([over.statusCode, over.json()]).toEqual([
      400,
      { content: ["Upload at most 5 MB."] },
    ]);
    const huge = await business.upload(Buffer.concat([whole, Buffer.alloc(100_000)]));
    expect(huge.statusCode).toBe(413);
  });

  it("can be suspended with a reason, and can ask for verification again", async () => {
    const business = await Business.open();
    await business.submit();
    await decide(business, "approve");
    await decide(business, "suspend", { note: "The registration has expired." });
    expect(await business.read()).toMatchObject({
      state: "suspended",
      note: "The registration has expired.",
    });
    await business.upload(pdf("renewed"), "Renewed.pdf");
    expect((await business.send("submit/")).json().state).toBe("submitted");
    expect((await decide(business, "approve")).json().state).toBe("verified");
  });
});

describe("the operator who verifies businesses", () => {
  it("can read a business's documents, which other accounts cannot read", async () => {
    const business = await Business.open();
    const other = await Business.open();
    await business.submit();
    const [document] = (await business.read()).documents;
    const path = `${business.account.seller_id}/documents/${document?.id}/`;
    const answer = await ask(path);
    expect(Buffer.from(answer.json().content, "base64")).toEqual(pdf());
    for (const token of [business.account.key, other.account.key, ""])
      expect((await ask(path, undefined, token)).statusCode).toBe(401);
    const foreign = `${other.account.seller_id}/documents/${document?.id}/`;
    expect((await ask(foreign)).statusCode).toBe(404);
    expect((await other.send(`documents/${document?.id}/remove/`)).statusCode).toBe(404);
  });

  it("sees the longest waiting business first, and gets an error for an unknown state or account", async () => {
    await service.pool.query("update verification set state = 'draft'");
    const waiting = [await Business.open(), await Business.open()];
    for (const business of waiting.toReversed()) {
      await business.submit();
      service.clock.advance(60_000);
    }
    const { results } = (await ask("?state=submitted")).json<{ results: OperatorAccount[] }>();
    expect(results.map(({ account_id }) => account_id)).toEqual(
      waiting.map(({ account }) => account.seller_id).toReversed(),
    );
    expect((await ask("?state=all")).statusCode).toBe(400);
    expect((await ask("999999/")).statusCode).toBe(404);
    expect((await ask("x/")).statusCode).toBe(404);
  });

  it("cannot return or suspend a business that has not asked to be verified", async () => {
    const business = await Business.open();
    expect((await decide(business, "return", { note: "More" })).statusCode).toBe(400);
    expect((await decide(business, "suspend", { note: "Why" })).statusCode).toBe(400);
    expect((await decide(business, "suspend", { note: " " })).json()).toHaveProperty("note");
    expect((await business.read()).state).toBe("not_verified");
  });
});

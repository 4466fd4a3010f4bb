import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { AccountImage, AccountProfile, type AccountProduct } from "#contract/account.ts";
import { contrastOf, MIN_CONTRAST } from "#contract/color.ts";
import { updateSeller } from "../sellers/store.ts";
import {
  choosePaymentOutcome,
  fetchCheckoutPage,
  notifyOfPayment,
  requestCode,
  submitCodePage,
} from "../testing/checkout-forms.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { withAccountToken, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

class Branded {
  readonly api: SellerApi;
  readonly account: TestSeller;
  private constructor(api: SellerApi, account: TestSeller) {
    this.api = api;
    this.account = account;
  }

  static async open() {
    const api = await SellerApi.open(service);
    return new Branded(api, await withAccountToken(service, api.seller));
  }

  send = (path: string, payload?: object, method: "POST" | "PATCH" = "PATCH") =>
    service.call(this.account, {
      url: `/account/v1/${path}`,
      ...(payload && { method, payload }),
    });
  read = async () => AccountProfile.parse((await this.send("profile/")).json());
  change = async (change: object) =>
    this.send("profile/", { version: (await this.read()).version, ...change });

  async upload(background: string) {
    const content = await sharp({
      create: { width: 20, height: 10, channels: 3, background },
    })
      .png()
      .toBuffer();
    const answer = await this.send("images/", { content: content.toString("base64") }, "POST");
    return AccountImage.parse(answer.json()).url;
  }

  async giveImage(image: string) {
    const { results } = (await this.send("products/")).json<{ results: AccountProduct[] }>();
    const [product] = results;
    const { product_id = "", version } = product ?? {};
    return this.send(`products/${product_id}/`, { version, images: [image] });
  }
}

const page = async (id: string, query = "") =>
  (await fetchCheckoutPage(service, `/pay/${id}${query}`)).body;
const pathOf = (url: string) => new URL(url).pathname;
const textOf = (body: string) => body.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

const LOOK = {
  checkout_name: "फेवा दूध र दही",
  checkout_color: "#FFD400",
  support_email: "help@example.com",
  support_phone: "+977 980-0000001",
  pay_otherwise: "In cash at the shop.\nOr to account 0123.",
};

describe("the look of a checkout", () => {
  it("is applied to every page of a payment link, even if the link was created before the look was chosen", async () => {
    const business = await Branded.open();
    const { subscription_id: id } = await business.api.create();
    const [logo, image] = [await business.upload("#112233"), await business.upload("#332211")];
    expect((await business.giveImage(image)).statusCode).toBe(200);
    const changed = await business.change({ ...LOOK, checkout_logo: logo });
    expect(AccountProfile.parse(changed.json())).toMatchObject({
      ...LOOK,
      checkout_color: "#ffd400",
      checkout_logo: logo,
    });

    const begun = await page(id);
    expect(textOf(begun)).toContain(
      "Other ways to pay In cash at the shop. Or to account 0123.",
    );
    const attempt = await requestCode(service, id);
    const code = await page(id, `?attempt=${attempt}`);
    const { reference } = await submitCodePage(service, id, attempt);
    const provider = (await fetchCheckoutPage(service, `/sandbox-pay/${reference}`)).body;
    const waiting = await page(id, `?attempt=${attempt}`);
    await choosePaymentOutcome(service, reference, "approve");
    for (let notices = 0; notices < 2; notices += 1) await notifyOfPayment(service, reference);
    const receipt = await page(id, `?attempt=${attempt}`);
    const settled = await page(id);
    expect(receipt).toContain("Payment received");
    for (const body of [begun, code, waiting, receipt, settled]) {
      expect(body).toContain(`<img class="logo" src="${pathOf(logo)}" alt="" />`);
      expect(body).toContain(`<img class="product" src="${pathOf(image)}" alt="" />`);
      expect(body).toContain('href="/pay-assets/color/ffd400.css"');
      expect(body).toContain('href="mailto:help@example.com"');
      expect(body).toContain('href="tel:+9779800000001"');
      expect(body).not.toContain(business.api.seller.name);
    }
    for (const body of [begun, code, provider, waiting, receipt])
      expect(body).toContain(LOOK.checkout_name);
    const nepali = textOf(await page(id, "?lang=ne"));
    expect(nepali).toContain("प्रश्न छ? यहाँ सोध्नुहोस्: help@example.com");
  });

  it("is the default look until the seller chooses a look, and again after the seller removes the chosen look", async () => {
    const business = await Branded.open();
    const { subscription_id: id } = await business.api.create();
    const plain = await page(id);
    for (const none of ["<img", "pay-assets/color", "mailto:", "tel:", "Other ways"])
      expect(plain).not.toContain(none);
    expect(plain).toContain(business.api.seller.name);
    await business.change({ ...LOOK, checkout_logo: await business.upload("#445566") });
    await business.change({
      checkout_name: null,
      checkout_color: null,
      checkout_logo: null,
      support_email: null,
      support_phone: null,
      pay_otherwise: null,
    });
    const [first, last] = [plain, await page(id)].map((body) =>
      body.replace(/name="page" value="[^"]*"/, ""),
    );
    expect(last).toBe(first);
  });

  it("includes the seller's other ways to pay and support address while the checkout takes no payments", async () => {
    const business = await Branded.open();
    const { subscription_id: id } = await business.api.create();
    await business.change(LOOK);
    await updateSeller(service.pool, business.api.seller.seller_id, { kyc_verified: false });
    const body = textOf(await page(id));
    expect(body).toContain("This business cannot take payments at the moment.");
    expect(body).toContain("In cash at the shop.");
    expect(body).toContain("help@example.com");
  });

  it("does not include a product image from another host, which could track the buyer", async () => {
    const business = await Branded.open();
    const { subscription_id: id } = await business.api.create();
    await service.pool.query(
      `insert into product_image (product_id, seller_id, image, image_order)
       select product_id, seller_id, 'https://shop.example/milk.png', 1 from product
       where seller_id = $1`,
      [business.api.seller.seller_id],
    );
    expect(await page(id)).not.toContain("<img");
  });

  it("is not saved if a field is invalid, and the error names the field", async () => {
    const business = await Branded.open();
    const other = await Branded.open();
    const before = await business.read();
    const refused: [field: string, value: unknown][] = [
      ["checkout_name", " "],
      ["checkout_name", "a\nb"],
      ["checkout_name", "x".repeat(101)],
      ["checkout_color", "red"],
      ["checkout_color", "#12345"],
      ["checkout_color", "#1f5fbf;}"],
      ["checkout_color", "url(https://evil.example)"],
      ["checkout_logo", await other.upload("#778899")],
      ["checkout_logo", "https://shop.example/logo.png"],
      ["checkout_logo", "data:image/svg+xml,<svg/>"],
      ["support_email", "help"],
      ["support_email", "a@example.com?bcc=b@example.com"],
      ["support_phone", "12"],
      ["support_phone", "javascript:alert(1)"],
      ["pay_otherwise", ""],
      ["pay_otherwise", "x".repeat(501)],
      ["pay_otherwise", "a\u0007b"],
    ];
    for (const [field, value] of refused) {
      const answer = await business.change({ [field]: value });
      expect([field, answer.statusCode, Object.keys(answer.json())]).toEqual([
        field,
        400,
        [field],
      ]);
    }
    expect(await business.read()).toEqual(before);
  });
});

describe("S10: what a business writes on its checkout", () => {
  it("is shown as text, and leaves the page's content security policy and color contrast intact", async () => {
    const business = await Branded.open();
    const { subscription_id: id } = await business.api.create();
    /** The tags with the names of their attributes. */
    const structure = (body: string) =>
      [...body.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/"[^"]*"/g, "")).join("");
    await business.change({ ...LOOK, checkout_name: "Plain" });
    const plain = structure(await page(id));
    const hostile = fc.oneof(
      fc.constantFrom(
        '<script>alert("1")</script>',
        '"><img src=x onerror=alert(1)>',
        "</title><svg/onload=alert(1)>",
        "' style='background:url(//evil.example)",
        "${7*7}{{7*7}}",
        "&lt;b&gt;",
        "\u202egnihtemos",
        "॥ क्षेत्र ॥".repeat(8),
        "W".repeat(100),
      ),
      fc.string({ unit: "grapheme", maxLength: 90 }),
    );
    const color = fc
      .integer({ min: 0, max: 0xffffff })
      .map((number) => `#${number.toString(16).padStart(6, "0")}`);
    await fc.assert(
      fc.asyncProperty(hostile, hostile, color, async (name, other, checkout_color) => {
        const change = { checkout_name: name, pay_otherwise: other, checkout_color };
        const { statusCode } = await business.change(change);
        fc.pre(statusCode === 200);
        const { headers, body } = await fetchCheckoutPage(service, `/pay/${id}`);
        expect(structure(body)).toBe(plain);
        expect(headers["content-security-policy"]).not.toContain("unsafe");
        const sheet = /href="(\/pay-assets\/color\/[^"]*)"/.exec(body)?.[1] ?? "";
        expect(sheet).toBe(`/pay-assets/color/${checkout_color.slice(1)}.css`);
        const { body: css } = await service.call(null, { url: sheet });
        const color = (name_: string) =>
          [...css.matchAll(new RegExp(`--${name_}:(#[0-9a-f]{6})`, "g"))].map(
            ([, found = ""]) => found,
          );
        const [onLight = "", onDark = ""] = color("accent");
        for (const text of color("on-brand"))
          expect(contrastOf(text, checkout_color)).toBeGreaterThanOrEqual(MIN_CONTRAST);
        for (const ground of ["#ffffff", "#f6f6f4"])
          expect(contrastOf(onLight, ground)).toBeGreaterThanOrEqual(MIN_CONTRAST);
        for (const ground of ["#1b1d21", "#121316"])
          expect(contrastOf(onDark, ground)).toBeGreaterThanOrEqual(MIN_CONTRAST);
      }),
      { numRuns: 60 },
    );
  });

  it("cannot inject styles: the stylesheet of a color is found only by six hexadecimal digits", async () => {
    for (const file of [
      "red.css",
      "1f5fb.css",
      "1f5fbf",
      "1F5FBF.css",
      "1f5fbf;}.css",
      "..css",
    ]) {
      const answer = await service.call(null, {
        url: `/pay-assets/color/${encodeURIComponent(file)}`,
      });
      expect([file, answer.statusCode]).toEqual([file, 404]);
    }
  });
});

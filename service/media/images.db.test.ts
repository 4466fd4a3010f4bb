import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { beforeEach, describe, expect, it } from "vitest";
import { AccountImage, AccountProduct } from "#contract/account.ts";
import { MAX_IMAGE_BYTES } from "#contract/names.ts";
import { ProductPage } from "#contract/products.ts";
import { updateSeller } from "../sellers/store.ts";
import { jpegOf, pdf, pngOf } from "../testing/documents.ts";
import { saveNamedState } from "../testing/saved-states.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { withAccountToken, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";
import { deleteUnusedImages } from "./store.ts";

const service = useTestService();
const DAY = 86_400_000;

let seller: TestSeller;
let account: TestSeller;
beforeEach(async () => {
  seller = await service.createSeller();
  account = await withAccountToken(service, seller);
});

/** A picture in one color; each color has other bytes. */
const picture = (color: string, width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: color } });

const send = (url: string, payload: object, method: "POST" | "PATCH" = "POST", as = account) =>
  service.call(as, { method, url: `/account/v1/${url}`, payload });
const upload = (content: Buffer, as = account) =>
  send("images/", { content: content.toString("base64") }, "POST", as);
const uploaded = async (content: Buffer, as = account) =>
  AccountImage.parse((await upload(content, as)).json());
const open = (url: string) =>
  service.call(null, { url: url.replace("http://billing.test", "") });

const MILK = {
  name: "Milk",
  plans: [
    {
      plan_name: "Litre",
      billing_periods: [
        { interval_type: "month", interval_count: 1, label: "Monthly", price: "9.90" },
      ],
    },
  ],
};
const added = async (images: string[], as = account) =>
  AccountProduct.parse((await send("products/", { ...MILK, images }, "POST", as)).json());
const imagesOf = ({ product_image }: Pick<AccountProduct, "product_image">) =>
  product_image.map(({ image }) => image);

describe("an uploaded image", () => {
  it("is stored upright, at most 1,200 pixels high and without metadata, at a public, cacheable URL", async () => {
    const photo = await picture("#884400", 3_000, 2_000)
      .jpeg()
      .withExif({ IFD0: { Copyright: "Asmita Rai" }, IFD3: { GPSLatitude: "27/1 42/1 0/1" } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const answer = await upload(photo);
    expect(answer.statusCode).toBe(201);
    const image = AccountImage.parse(answer.json());
    expect(image).toMatchObject({ width: 800, height: 1_200 });
    const shown = await service.app.inject({ url: new URL(image.url).pathname });
    expect(shown.statusCode).toBe(200);
    expect(shown.headers).toMatchObject({
      "content-type": "image/webp",
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
    });
    const stored = await sharp(shown.rawPayload).metadata();
    expect(stored).toMatchObject({ format: "webp", width: 800, height: 1_200 });
    expect([stored.exif, stored.orientation]).toEqual([undefined, undefined]);
    expect(shown.rawPayload.length).toBe(image.bytes);
  });

  it("keeps its transparency and size, and gets the same URL when it is uploaded again", async () => {
    const clear = await sharp({
      create: { width: 30, height: 20, channels: 4, background: "#00000000" },
    })
      .png()
      .toBuffer();
    const first = await uploaded(clear);
    expect(await uploaded(clear)).toEqual(first);
    expect(first).toMatchObject({ width: 30, height: 20 });
    const shown = await service.app.inject({ url: new URL(first.url).pathname });
    expect(await sharp(shown.rawPayload).metadata()).toMatchObject({ hasAlpha: true });
  });

  it("answers 404 at URLs that differ from its own", async () => {
    const { url } = await uploaded(await picture("#010203").png().toBuffer());
    const path = new URL(url).pathname;
    const wrong = [path.replace(/\w\.webp/, "g.webp"), path.replace(".webp", ".svg")];
    for (const one of [...wrong, "/media/images/x", `${path}/`])
      expect((await open(one)).statusCode).toBe(404);
  });
});

/** A PNG that announces a size and has no pixels. */
function emptyPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, check]);
  };
  const header = pngOf(width, height).subarray(16, 29);
  return Buffer.concat([
    pngOf(0, 0).subarray(0, 8),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc(0))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const NO_IMAGE = "Upload a PNG, JPEG or WebP image.";
const DAMAGED = "This image cannot be read. Save it again and upload that.";
const TOO_LARGE = "This image is too large. Upload one of at most 50 megapixels.";

describe("a file that is not a displayable image", () => {
  it.each<[string, Buffer | Promise<Buffer>, string]>([
    ["an SVG with a script", Buffer.from(SVG), NO_IMAGE],
    [
      "an SVG behind the mark of a PNG",
      Buffer.concat([pngOf(9, 9), Buffer.from(SVG)]),
      DAMAGED,
    ],
    ["a PDF", pdf(), NO_IMAGE],
    ["text that begins like a PDF", Buffer.from("%PDF-1.7 nothing"), NO_IMAGE],
    ["HTML", Buffer.from("<!doctype html><script>alert(1)</script>"), NO_IMAGE],
    ["a GIF", picture("#fff").gif().toBuffer(), NO_IMAGE],
    ["a TIFF", picture("#fff").tiff().toBuffer(), NO_IMAGE],
    ["an AVIF", picture("#fff").avif().toBuffer(), NO_IMAGE],
    ["text", Buffer.from("milk"), NO_IMAGE],
    ["a JPEG that ends early", jpegOf(10, 10), DAMAGED],
    ["half a PNG", picture("#fff", 900, 900).png().toBuffer().then(half), DAMAGED],
    ["a PNG that announces more than 50 megapixels", emptyPng(10_000, 5_001), TOO_LARGE],
    ["a PNG that announces 50 megapixels and has none", emptyPng(10_000, 5_000), DAMAGED],
    ["a PNG of four billion pixels a side", emptyPng(0xffffffff, 0xffffffff), DAMAGED],
  ])("is refused with a message: %s", async (_name, content, words) => {
    const answer = await upload(await content);
    expect([answer.statusCode, answer.json()]).toEqual([400, { content: [words] }]);
    const { rows } = await service.pool.query("select 1 from image where seller_id = $1", [
      seller.seller_id,
    ]);
    expect(rows).toEqual([]);
  });

  it("is refused with 400 just above 5 MB, and with 413 at 6 MB", async () => {
    const whole = Buffer.concat([await picture("#fff").png().toBuffer(), Buffer.alloc(6e6)]);
    const over = await upload(whole.subarray(0, MAX_IMAGE_BYTES + 1));
    expect([over.statusCode, over.json()]).toEqual([
      400,
      { content: ["Upload at most 5 MB."] },
    ]);
    expect((await upload(whole.subarray(0, MAX_IMAGE_BYTES))).statusCode).toBe(201);
    expect((await upload(whole)).statusCode).toBe(413);
  });

  it("is refused if its content is missing or not base64", async () => {
    for (const body of [{}, { content: "" }, { content: "ö" }, { content: 5 }]) {
      const answer = await send("images/", body);
      expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ["content"]]);
    }
  });
});

const half = (whole: Buffer) => whole.subarray(0, whole.length / 2);

describe("an image of a product", () => {
  it("is added, ordered and removed, and the API shows its URL", async () => {
    const [red, blue] = [
      await uploaded(await picture("#ff0000").png().toBuffer()),
      await uploaded(await picture("#0000ff").webp().toBuffer()),
    ];
    const product = await added([red.url]);
    const url = `products/${product.product_id}/`;
    const change = async (images: string[] | undefined, version: string) =>
      AccountProduct.parse((await send(url, { version, images }, "PATCH")).json());
    const both = await change([blue.url, red.url], product.version);
    const listed = ProductPage.parse(
      (await service.call(seller, { url: "/api/v1/products/" })).json(),
    );
    expect(listed.results[0]?.product_image).toEqual([
      { image: blue.url, image_order: 1 },
      { image: red.url, image_order: 2 },
    ]);
    expect(imagesOf(await change(undefined, both.version))).toEqual([blue.url, red.url]);
    const { version } = AccountProduct.parse(
      (await service.call(account, { url: `/account/v1/${url}` })).json(),
    );
    expect(imagesOf(await change([], version))).toEqual([]);
  });

  it("must be an image that the seller has uploaded", async () => {
    const other = await withAccountToken(service, await service.createSeller());
    const { url: foreign } = await uploaded(await picture("#123456").png().toBuffer(), other);
    const { url: own } = await uploaded(await picture("#654321").png().toBuffer());
    const { product_id, version } = await added([own]);
    const lost = own.replace(/[0-9a-f]{8}\.webp/, "00000000.webp");
    for (const url of [foreign, lost, "https://shop.example/milk.png", `${own}?x`]) {
      for (const answer of [
        await send("products/", { ...MILK, images: [own, url] }),
        await send(`products/${product_id}/`, { version, images: [own, url] }, "PATCH"),
      ])
        expect([answer.statusCode, answer.json()]).toEqual([
          400,
          { images: ["Upload the image first, and send its address."] },
        ]);
    }
    const theirs = await send(
      `products/${product_id}/`,
      { version, images: [] },
      "PATCH",
      other,
    );
    expect(theirs.statusCode).toBe(404);
    const kept = await service.call(account, { url: `/account/v1/products/${product_id}/` });
    expect(imagesOf(AccountProduct.parse(kept.json()))).toEqual([own]);
  });

  it("that an operator set from another host can stay when the product is changed", async () => {
    const { product_id, version } = await added([]);
    const image = "https://shop.example/milk.png";
    await service.pool.query(
      "insert into product_image (product_id, seller_id, image, image_order) values ($1, $2, $3, 1)",
      [product_id, seller.seller_id, image],
    );
    const { url } = await uploaded(await picture("#abcdef").png().toBuffer());
    const answer = await send(
      `products/${product_id}/`,
      { version, images: [url, image] },
      "PATCH",
    );
    expect(imagesOf(AccountProduct.parse(answer.json()))).toEqual([url, image]);
  });

  it("cannot be uploaded for a suspended account", async () => {
    await updateSeller(service.pool, seller.seller_id, { kyc_verified: false });
    const answer = await upload(await picture("#fff").png().toBuffer());
    expect([answer.statusCode, answer.json().detail]).toEqual([
      403,
      expect.stringContaining("The account of this key is suspended."),
    ]);
  });
});

describe("images that their seller does not use", () => {
  const sweep = () =>
    deleteUnusedImages(service.pool, new Date(service.clock.now().getTime() - DAY));
  const isThere = async ({ url }: AccountImage) => (await open(url)).statusCode === 200;

  it("are deleted after a day; images of products, checkouts and saved sandbox states stay", async () => {
    const api = await SellerApi.open(service);
    account = await withAccountToken(service, api.seller);
    const [unused, named, logo, saved, late] = [
      await uploaded(await picture("#100000").png().toBuffer()),
      await uploaded(await picture("#200000").png().toBuffer()),
      await uploaded(await picture("#300000").png().toBuffer()),
      await uploaded(await picture("#400000").png().toBuffer()),
      await uploaded(await picture("#500000").png().toBuffer()),
    ];
    await added([named.url]);
    const { product_id, version } = await added([saved.url]);
    await saveNamedState(api);
    await send(`products/${product_id}/`, { version, images: [] }, "PATCH");
    const profile = await service.call(account, { url: "/account/v1/profile/" });
    const change = { version: profile.json().version, checkout_logo: logo.url };
    expect((await send("profile/", change, "PATCH")).statusCode).toBe(200);
    service.clock.advance(DAY - 1_000);
    await sweep();
    expect(await isThere(unused)).toBe(true);
    await uploaded(await picture("#500000").png().toBuffer());
    service.clock.advance(2_000);
    await sweep();
    const left = await Promise.all([unused, named, logo, saved, late].map(isThere));
    expect(left).toEqual([false, true, true, true, true]);
    const again = await send("products/", { ...MILK, images: [unused.url] });
    expect(again.statusCode).toBe(400);
  });

  it("stay at their URL while another seller uses the same image", async () => {
    const bytes = await picture("#600000").png().toBuffer();
    const other = await withAccountToken(service, await service.createSeller());
    const image = await uploaded(bytes);
    await uploaded(bytes, other);
    await added([image.url], other);
    service.clock.advance(2 * DAY);
    await sweep();
    expect(await isThere(image)).toBe(true);
    expect((await send("products/", { ...MILK, images: [image.url] })).statusCode).toBe(400);
  });
});

describe("many images at once", () => {
  it("are processed up to a limit; the uploads above it are refused with 503 and Retry-After", async () => {
    const large = await picture("#777777", 4_000, 4_000).png().toBuffer();
    const answers = await Promise.all(Array.from({ length: 30 }, () => upload(large)));
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(22);
    const refused = answers.filter(({ statusCode }) => statusCode === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length + statuses.filter((status) => status === 201).length).toBe(30);
    expect(refused[0]?.headers["retry-after"]).toBeDefined();
    expect((await upload(large)).statusCode).toBe(201);
  });
});

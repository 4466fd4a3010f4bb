import "server-only";
import {
  ISSUED_KEY_HEADER,
  ReceivedAccountImage,
  ReceivedAccountKey,
  ReceivedAccountKeyPage,
  ReceivedAccountMove,
  ReceivedAccountMovePreview,
  ReceivedAccountProduct,
  ReceivedAccountProductPage,
  ReceivedAccountProfile,
  ReceivedIssuedKey,
  ReceivedIssuedToken,
  ReceivedProductSubscribers,
  ReceivedUndoneMove,
  type AccountImage,
  type AccountKey,
  type AccountMove,
  type AccountMovePreview,
  type AccountProduct,
  type AccountProfile,
  type ChangeProfile,
  type IssuedKey,
  type OpenAccount,
  type ProductSubscribers,
  type UndoneMove,
} from "#contract/account.ts";
import {
  ReceivedVerification,
  type AddDocument,
  type ChangeVerification,
  type Verification,
} from "#contract/verification.ts";
import {
  ReceivedBillSettings,
  type BillSettings,
  type ChangeBillSettings,
} from "#contract/payments.ts";
import {
  ReceivedSharedLink,
  ReceivedSharedLinkList,
  type ChangeSharedLink,
  type SharedLink,
  type SharedLinkList,
} from "#contract/products.ts";
import type { KeyScope } from "#contract/names.ts";
import type { Paging } from "#lib/list-answer.ts";
import { AppError } from "#lib/failure.ts";
import { pathSegment, rawCall, Transport } from "./transport.ts";

interface NewAccountKey {
  name: string;
  scopes: readonly KeyScope[];
  /** ISO 8601; null for a key without an end. */
  expires_at: string | null;
}

/** Milliseconds. */
const IMAGE_TIMEOUT = 10_000;

/** The name of an image that a billing service stores, the same at each; null for another address. */
export const imageNameOf = (url: string): string | null =>
  /\/media\/images\/([0-9a-f]{64}\.webp)$/.exec(url)?.[1] ?? null;

const root = "account/v1";
const headers = [ISSUED_KEY_HEADER];

/**
 * The account API with the seller's account token, which no browser sees. All methods throw
 * AppError.
 */
export class AccountClient {
  readonly #transport: Transport;
  readonly #baseUrl: string;

  constructor({ baseUrl, token }: { baseUrl: string; token: string }) {
    this.#baseUrl = baseUrl;
    this.#transport = new Transport({ baseUrl, connect: async () => ({ apiKey: token }) });
  }

  /**
   * Opens an account, with the token of this installation; only this answer has the account's
   * token. The same reference opens the same account again, with another token.
   */
  openAccount(body: OpenAccount) {
    const path = `${root}/accounts`;
    return this.#transport.write({ path, body, headers, answer: ReceivedIssuedToken });
  }

  readProfile(): Promise<AccountProfile> {
    return this.#transport.read({ path: `${root}/profile`, answer: ReceivedAccountProfile });
  }

  changeProfile(body: ChangeProfile): Promise<AccountProfile> {
    const path = `${root}/profile`;
    return this.#transport.write({ path, body, answer: ReceivedAccountProfile }, "PATCH");
  }

  /** @param content the bytes in base64. @returns the image as it is stored */
  uploadImage(content: string): Promise<AccountImage> {
    const path = `${root}/images`;
    return this.#transport.write({ path, body: { content }, answer: ReceivedAccountImage });
  }

  /** The bytes of an image that the service stores; any other address is not found. */
  async readImage(url: string): Promise<Buffer> {
    const name = imageNameOf(url);
    if (name === null) throw new AppError({ kind: "not_found" });
    const address = `${this.#baseUrl.replace(/\/+$/, "")}/media/images/${name}`;
    const signal = AbortSignal.timeout(IMAGE_TIMEOUT);
    try {
      const response = await fetch(address, { redirect: "manual", cache: "no-store", signal });
      if (!response.ok) throw new AppError({ kind: "not_found" });
      return Buffer.from(await response.arrayBuffer());
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      throw new AppError({ kind: "unavailable", outcome_unknown: false }, { cause });
    }
  }

  readVerification(): Promise<Verification> {
    return this.#transport.read({ path: `${root}/verification`, answer: ReceivedVerification });
  }

  changeVerification(body: ChangeVerification): Promise<Verification> {
    const path = `${root}/verification`;
    return this.#transport.write({ path, body, answer: ReceivedVerification }, "PATCH");
  }

  addDocument(body: AddDocument): Promise<Verification> {
    const path = `${root}/verification/documents`;
    return this.#transport.write({ path, body, answer: ReceivedVerification });
  }

  removeDocument(id: string): Promise<Verification> {
    const path = `${root}/verification/documents/${pathSegment(id)}/remove`;
    return this.#transport.write({ path, answer: ReceivedVerification });
  }

  /** Hands details and documents to the operator. */
  submitVerification(): Promise<Verification> {
    const path = `${root}/verification/submit`;
    return this.#transport.write({ path, answer: ReceivedVerification });
  }

  readBillSettings(): Promise<BillSettings> {
    const path = `${root}/bills/settings`;
    return this.#transport.read({ path, answer: ReceivedBillSettings });
  }

  /** @throws AppError `conflict` with status 409 if `version` is not the newest; nothing is changed then */
  changeBillSettings(body: ChangeBillSettings): Promise<BillSettings> {
    const path = `${root}/bills/settings`;
    return this.#transport.write({ path, body, answer: ReceivedBillSettings }, "PATCH");
  }

  listKeys({ page, page_size }: Paging) {
    return this.#transport.read({
      path: `${root}/keys`,
      query: { page, page_size },
      answer: ReceivedAccountKeyPage,
      isPage: true,
    });
  }

  /** Only this answer has the key's text. */
  createKey(body: NewAccountKey): Promise<IssuedKey> {
    const path = `${root}/keys`;
    return this.#transport.write({ path, body, headers, answer: ReceivedIssuedKey });
  }

  /** @param overlap_hours for which the replaced key works on; 0 revokes it at once */
  rollKey(id: number, overlap_hours: number): Promise<IssuedKey> {
    const path = `${root}/keys/${pathSegment(String(id))}/roll`;
    const body = { overlap_hours };
    return this.#transport.write({ path, body, headers, answer: ReceivedIssuedKey });
  }

  revokeKey(id: number): Promise<AccountKey> {
    const path = `${root}/keys/${pathSegment(String(id))}/revoke`;
    return this.#transport.write({ path, answer: ReceivedAccountKey });
  }

  /**
   * Products with archived billing periods, newest first.
   * @param sale `off`: only those off sale
   */
  listProducts({ page, page_size }: Paging, sale?: "off") {
    return this.#transport.read({
      path: `${root}/products`,
      query: { page, page_size, ...(sale && { is_active: "false" }) },
      answer: ReceivedAccountProductPage,
      isPage: true,
    });
  }

  readProduct(id: string): Promise<AccountProduct> {
    const path = `${root}/products/${pathSegment(id)}`;
    return this.#transport.read({ path, answer: ReceivedAccountProduct });
  }

  /** The product as the service sends it. */
  async readRawProduct(id: string): Promise<string> {
    return (await this.#transport.read(rawCall(`${root}/products/${pathSegment(id)}`))).text;
  }

  /** @param idempotencyKey a second call with the same key and product adds no other one */
  createProduct(body: object, idempotencyKey: string): Promise<AccountProduct> {
    const answer = ReceivedAccountProduct;
    const path = `${root}/products`;
    return this.#transport.write({ path, body, answer, idempotencyKey });
  }

  /** @throws AppError `conflict` with status 409 if `version` is not the newest; nothing is changed then */
  changeProduct(id: string, body: { version: string }): Promise<AccountProduct> {
    const path = `${root}/products/${pathSegment(id)}`;
    return this.#transport.write({ path, body, answer: ReceivedAccountProduct }, "PATCH");
  }

  readSubscribers(id: string): Promise<ProductSubscribers> {
    const path = `${root}/products/${pathSegment(id)}/subscribers`;
    return this.#transport.read({ path, answer: ReceivedProductSubscribers });
  }

  readSharedLinks(id: string): Promise<SharedLinkList> {
    const path = `${root}/products/${pathSegment(id)}/shared-links`;
    return this.#transport.read({ path, answer: ReceivedSharedLinkList });
  }

  /** Switches the shared link of a billing period on or off, or gives it another address. */
  changeSharedLink(id: string, body: ChangeSharedLink): Promise<SharedLink> {
    const path = `${root}/products/${pathSegment(id)}/shared-links`;
    return this.#transport.write({ path, body, answer: ReceivedSharedLink });
  }

  /** Previews moving the subscribers of an archived billing period to the one in its place. */
  previewMove(from: string): Promise<AccountMovePreview> {
    return this.#transport.read({
      path: `${root}/moves/preview`,
      query: { from },
      answer: ReceivedAccountMovePreview,
    });
  }

  startMove(from: string): Promise<AccountMove> {
    const path = `${root}/moves`;
    return this.#transport.write({ path, body: { from }, answer: ReceivedAccountMove });
  }

  /** Undoes a move for all whose billing date has not come yet. */
  undoMove(id: number): Promise<UndoneMove> {
    const path = `${root}/moves/${pathSegment(String(id))}/undo`;
    return this.#transport.write({ path, answer: ReceivedUndoneMove });
  }
}

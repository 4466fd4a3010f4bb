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
  type ChangeProfile,
  type OpenAccount,
} from "#contract/account.ts";
import {
  ReceivedVerification,
  type AddDocument,
  type ChangeVerification,
} from "#contract/verification.ts";
import { ReceivedBillSettings, type ChangeBillSettings } from "#contract/payments.ts";
import {
  ReceivedSharedLink,
  ReceivedSharedLinkList,
  type ChangeSharedLink,
} from "#contract/products.ts";
import type { KeyScope } from "#contract/names.ts";
import type { Paging } from "#lib/list-answer.ts";
import { AppError } from "#lib/failure.ts";
import { AccountApi, pathWith, type AccountApiOptions } from "./account-api.ts";

interface NewAccountKey {
  name: string;
  scopes: readonly KeyScope[];
  /** ISO 8601; null for a key without an end. */
  expires_at: string | null;
}

/** Milliseconds. */
const IMAGE_TIMEOUT = 10_000;

/**
 * The name of an image that a billing service stores; null for another URL. Every service names the
 * same image alike.
 */
export const imageNameOf = (url: string): string | null =>
  /\/media\/images\/([0-9a-f]{64}\.webp)$/.exec(url)?.[1] ?? null;

const headers = [ISSUED_KEY_HEADER];

/** The account itself, its verification, settings of bills, keys and products. */
export class AccountClient extends AccountApi {
  readonly #baseUrl: string;

  constructor(options: AccountApiOptions) {
    super(options);
    this.#baseUrl = options.baseUrl;
  }

  /**
   * Opens an account, with the token of this installation; only this answer has the account's
   * token. The same reference opens the same account again, with a new token.
   */
  openAccount = (body: OpenAccount) =>
    this.write("accounts", ReceivedIssuedToken, body, { headers });

  readProfile = () => this.read("profile", ReceivedAccountProfile);

  changeProfile = (body: ChangeProfile) => this.change("profile", ReceivedAccountProfile, body);

  /** @param content the bytes in base64. @returns the image as it is stored */
  uploadImage = (content: string) => this.write("images", ReceivedAccountImage, { content });

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

  readVerification = () => this.read("verification", ReceivedVerification);

  changeVerification = (body: ChangeVerification) =>
    this.change("verification", ReceivedVerification, body);

  addDocument = (body: AddDocument) =>
    this.write("verification/documents", ReceivedVerification, body);

  removeDocument = (id: string) =>
    this.write(pathWith`verification/documents/${id}/remove`, ReceivedVerification);

  /** Hands details and documents to the operator. */
  submitVerification = () => this.write("verification/submit", ReceivedVerification);

  readBillSettings = () => this.read("bills/settings", ReceivedBillSettings);

  /** @throws AppError `conflict` with status 409 if `version` is not the newest; nothing is changed then */
  changeBillSettings = (body: ChangeBillSettings) =>
    this.change("bills/settings", ReceivedBillSettings, body);

  listKeys = ({ page, page_size }: Paging) =>
    this.readPage("keys", ReceivedAccountKeyPage, { page, page_size });

  /** Only this answer has the key's text. */
  createKey = (body: NewAccountKey) => this.write("keys", ReceivedIssuedKey, body, { headers });

  /** @param overlap_hours hours for which the replaced key still works; 0 revokes it at once */
  rollKey = (id: number, overlap_hours: number) =>
    this.write(pathWith`keys/${id}/roll`, ReceivedIssuedKey, { overlap_hours }, { headers });

  revokeKey = (id: number) => this.write(pathWith`keys/${id}/revoke`, ReceivedAccountKey);

  /**
   * Products, newest first, also with their archived billing periods.
   * @param sale `off`: only those off sale
   */
  listProducts = ({ page, page_size }: Paging, sale?: "off") =>
    this.readPage("products", ReceivedAccountProductPage, {
      page,
      page_size,
      ...(sale && { is_active: "false" }),
    });

  readProduct = (id: string) => this.read(pathWith`products/${id}`, ReceivedAccountProduct);

  /** The product as the service sends it. */
  readRawProduct = (id: string) => this.readRaw(pathWith`products/${id}`);

  /** @param idempotencyKey a second call with the same key and product adds no second product */
  createProduct = (body: object, idempotencyKey: string) =>
    this.write("products", ReceivedAccountProduct, body, { idempotencyKey });

  /** @throws AppError `conflict` with status 409 if `version` is not the newest; nothing is changed then */
  changeProduct = (id: string, body: { version: string }) =>
    this.change(pathWith`products/${id}`, ReceivedAccountProduct, body);

  readSubscribers = (id: string) =>
    this.read(pathWith`products/${id}/subscribers`, ReceivedProductSubscribers);

  readSharedLinks = (id: string) =>
    this.read(pathWith`products/${id}/shared-links`, ReceivedSharedLinkList);

  /** Switches the shared link of a billing period on or off, or gives it another address. */
  changeSharedLink = (id: string, body: ChangeSharedLink) =>
    this.write(pathWith`products/${id}/shared-links`, ReceivedSharedLink, body);

  /** Previews moving the subscribers of an archived billing period to its successor. */
  previewMove = (from: string) =>
    this.read("moves/preview", ReceivedAccountMovePreview, { from });

  startMove = (from: string) => this.write("moves", ReceivedAccountMove, { from });

  /** Undoes a move for all subscribers whose billing date has not come yet. */
  undoMove = (id: number) => this.write(pathWith`moves/${id}/undo`, ReceivedUndoneMove);
}

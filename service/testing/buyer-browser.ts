import { SharedLink, SharedLinkList } from "#contract/products.ts";
import { queryRow } from "../db/database.ts";
import { testCodeOf } from "../checkout/codes.ts";
import { fetchCheckoutPage, postForm } from "./checkout-forms.ts";
import { SellerApi } from "./seller-api.ts";
import { testBuyer, withAccountToken, type TestService } from "./service.ts";

/** Each buyer has its own network, so that no test uses up the tries of another. */
let networks = 0;
const newNetwork = () => `10.${(networks += 1) >> 8}.${networks & 255}.1`;

/** A browser at a seller's page for buyers. */
export class BuyerBrowser {
  readonly address: string;
  private readonly network = newNetwork();
  private readonly service: TestService;
  cookie = "";

  private constructor(at: TestService, address: string) {
    this.service = at;
    this.address = address;
  }

  static async at({ service, seller }: SellerApi): Promise<BuyerBrowser> {
    const row = await queryRow<{ page_key: string }>(
      service.pool,
      "select page_key from seller where seller_id = $1",
      [seller.seller_id],
    );
    return new BuyerBrowser(service, `/my/${row?.page_key}`);
  }

  async send(path: string, fields: Record<string, string>) {
    const answer = await this.service.call(null, {
      method: "POST",
      url: `${this.address}/${path}`,
      payload: new URLSearchParams(fields).toString(),
      remoteAddress: this.network,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        cookie: this.cookie,
      },
    });
    const [, text] = String(answer.headers.location).split("?");
    const set = String(answer.headers["set-cookie"] ?? "");
    if (set) this.cookie = set.split(";", 1)[0] ?? "";
    return {
      status: answer.statusCode,
      query: new URLSearchParams(text),
      set,
      body: answer.body,
    };
  }

  /** @returns the id of the request, or "" if none began */
  async ask(address: string): Promise<string> {
    return (await this.send("code", { phone_or_email: address })).query.get("code") ?? "";
  }

  async enter(address: string): Promise<this> {
    const id = await this.ask(address);
    await this.send("enter", { id, code: testCodeOf(id) });
    return this;
  }

  async open(query = ""): Promise<string> {
    return (await this.page(query)).body;
  }

  page(query = "") {
    return fetchCheckoutPage(this.service, `${this.address}${query}`, this.cookie);
  }
}

/** The text of a page, without markup, head and navigation. */
export const wordsOf = (body: string) =>
  body.replaceAll(/<head>[^]*<\/head>|<nav[^]*<\/nav>|<[^>]+>/g, " ").replaceAll(/\s+/g, " ");

/** A browser at the page of a seller whose buyer has paid one subscription and owes another. */
export async function beginAtBuyersPage(service: TestService) {
  const api = await SellerApi.open(service);
  const paid = await api.createActive();
  const { subscription_id: owed } = await api.create(api.periods.weekly);
  const browser = await BuyerBrowser.at(api);
  return { api, paid, owed, browser };
}

/** A seller with a shared link of its monthly period. */
export async function beginShared(service: TestService, mode: "test" | "live" = "test") {
  const api = await SellerApi.open(service);
  const owner = await withAccountToken(service, api.seller, mode);
  const { product_id } = (await service.call(owner, { url: "/account/v1/products/" })).json<{
    results: [{ product_id: string }];
  }>().results[0];
  const url = `/account/v1/products/${product_id}/shared-links/`;
  const change = (payload: object) => service.call(owner, { method: "POST", url, payload });
  const list = async () => SharedLinkList.parse((await service.call(owner, { url })).json());
  const pbp_id = api.periods.monthly;
  const link = SharedLink.parse((await change({ pbp_id, change: "open" })).json());
  const path = new URL(link.address).pathname;
  const network = newNetwork();
  const send = (
    url: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ) =>
    postForm(
      { call: (as, request) => service.call(as, { ...request, remoteAddress: network }) },
      url,
      fields,
      headers,
    );
  const place = (changes: Record<string, string> = {}, headers = {}) =>
    send(path, { ...(testBuyer() as Record<string, string>), ...changes }, headers);
  /** Types the right code. */
  const confirm = (id: string) => send(`${path}/confirm`, { order: id, code: testCodeOf(id) });
  const order = async (changes: Record<string, string> = {}) => {
    const id = (await place(changes)).query.get("order") ?? "";
    const { path: end, cookie } = await confirm(id);
    return { id, cookie, subscription_id: end.replace("/pay/", "") };
  };
  const open = async (query = "") => {
    const { statusCode, body } = await service.call(null, { url: `${path}${query}` });
    return { status: statusCode, body, words: wordsOf(body) };
  };
  return {
    api,
    network,
    send,
    place,
    confirm,
    order,
    open,
    owner,
    product_id,
    pbp_id,
    change,
    list,
    link,
    path,
  };
}

import { SharedLink, SharedLinkList } from "#contract/products.ts";
import { testCodeOf } from "../checkout/codes.ts";
import { newNetwork, wordsOf } from "./buyer-browser.ts";
import { postForm } from "./checkout-forms.ts";
import { SellerApi } from "./seller-api.ts";
import { testBuyer, withAccountToken, type TestService } from "./service.ts";

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

import { formIn, type GatewayProtocol, type SimulatedAnswer } from "./gateway-simulator.ts";

interface SparrowAccount {
  token: string;
  from: string;
  /** Whether the caller's address is on the account's list. */
  isListed?: boolean;
  credit?: number;
}

const error = (code: number, response: string, status = 403): SimulatedAnswer => ({
  status,
  body: { count: 0, response_code: code, response },
});

/** Sparrow SMS, version 2, as https://docs.sparrowsms.com describes it. */
export const sparrowProtocol = ({
  token,
  from,
  isListed = true,
  credit = 100,
}: SparrowAccount): GatewayProtocol => ({
  answer: (request) => {
    const { method, path, query } = request;
    if (path === "/v2/credit/")
      return query.get("token") === token
        ? {
            status: 200,
            body: { credits_available: credit, credits_consumed: 0, response_code: 200 },
          }
        : error(1002, "Invalid token");
    if (path === "/v2/sms") return { status: 301, body: "", headers: { location: "/v2/sms/" } };
    if (path !== "/v2/sms/") return { status: 404, body: "Not found" };
    const fields = method === "GET" ? query : method === "POST" ? formIn(request) : null;
    if (!fields) return { status: 405, body: "Method not allowed" };
    if (!isListed) return error(1001, "Caller IP is not on the list");
    for (const name of ["token", "from", "to"])
      if (!fields.get(name)) return error(1000, `A required field is missing: ${name}`);
    if (fields.get("token") !== token) return error(1002, "Invalid token");
    if (fields.get("from") !== from) return error(1008, "Invalid sender");
    const text = fields.get("text") ?? "";
    if (text === "") return error(1010, "Text cannot be empty");
    const numbers = (fields.get("to") ?? "").split(",");
    const valid = numbers.filter((number) => /^9[678]\d{8}$/.test(number));
    if (valid.length === 0) return error(1011, "No valid receiver");
    if (credit <= 0) return error(1012, "No credits available");
    return {
      status: 200,
      body: {
        count: valid.length,
        response_code: 200,
        response: `${valid.length} messages has been queued for delivery`,
      },
      taken: valid.map((to) => ({
        to,
        text,
        reference: null,
        reportUrl: null,
        fields: Object.fromEntries(fields),
      })),
    };
  },
  refusal: () => error(1002, "Invalid token"),
  errorIn200: ({ body }) => error(1007, `Invalid receiver: ${body}`, 200),
});

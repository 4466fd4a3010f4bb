import {
  formIn,
  jsonIn,
  type GatewayProtocol,
  type SimulatedAnswer,
  type SimulatedRequest,
} from "./gateway-simulator.ts";

interface AakashAccount {
  token: string;
  credit?: number;
}

const isMobile = (number: string) => /^9[678]\d{8}$/.test(number);
const wrongToken = "The provided Auth Token is not valid.";

const v3Error = (message: string, status = 200): SimulatedAnswer => ({
  status,
  body: { error: true, message, data: [] },
});

/** Aakash SMS, versions 3 and 4, as its clients use it, because it publishes no documentation. */
export function aakashProtocol({ token, credit = 100 }: AakashAccount): GatewayProtocol {
  let ids = 2_673_160;
  const take = (to: string, text: string) => ({
    to,
    text,
    reference: String((ids += 1)),
    reportUrl: null,
    fields: {},
  });

  const sendV3 = (request: SimulatedRequest): SimulatedAnswer => {
    const fields = formIn(request);
    if (!fields) return { status: 415, body: "" };
    for (const name of ["auth_token", "to", "text"])
      if (!fields.get(name)) return v3Error(`The ${name} field is required.`);
    if (fields.get("auth_token") !== token) return v3Error(wrongToken);
    if (credit <= 0) return v3Error("Not enough balance.");
    const text = fields.get("text") ?? "";
    const numbers = (fields.get("to") ?? "").split(",");
    const taken = numbers.filter(isMobile).map((to) => take(to, text));
    const entry = { text, credit: 1, network: "ncell" };
    return {
      status: 200,
      body: {
        error: false,
        message: `${taken.length} messages has been queued for delivery.`,
        data: {
          valid: taken.map(({ to, reference }) => ({
            ...entry,
            id: Number(reference),
            mobile: `977${to.slice(0, 3)}*******`,
            status: "queued",
          })),
          invalid: numbers
            .filter((number) => !isMobile(number))
            .map((mobile) => ({ ...entry, mobile, credit: 0, status: "aborted" })),
        },
      },
      taken,
    };
  };

  const sendV4 = (request: SimulatedRequest): SimulatedAnswer => {
    const { to, text } = jsonIn(request) ?? {};
    if (request.headers["auth-token"] !== token)
      return { status: 401, body: { message: wrongToken } };
    if (!Array.isArray(to) || !Array.isArray(text) || to.length === 0 || text.length === 0)
      return { status: 422, body: { message: "The to and text fields are required." } };
    if (credit <= 0)
      return {
        status: 200,
        body: { responses: [], errors: [{ message: "Not enough balance." }] },
      };
    const numbers = to.map(String);
    const taken = numbers
      .filter(isMobile)
      .map((number, index) => take(number, String(text[index] ?? text[0])));
    const errors = numbers
      .filter((number) => !isMobile(number))
      .map((mobile) => ({ mobile, message: `The number ${mobile} is not valid.` }));
    const responses = taken.map(({ to: mobile, reference }) => ({
      id: Number(reference),
      mobile,
      status: "queued",
    }));
    return { status: 200, body: { responses, errors }, taken };
  };

  return {
    answer: (request) => {
      const route = `${request.method} ${request.path}`;
      if (route === "POST /sms/v3/send") return sendV3(request);
      if (route === "POST /sms/v4/send-user") return sendV4(request);
      if (route === "GET /sms/v4/available-credit")
        return request.headers["auth-token"] === token
          ? { status: 200, body: { available_credit: credit } }
          : { status: 401, body: { message: wrongToken } };
      return { status: 404, body: { message: "Not found" } };
    },
    refusal: ({ path }) =>
      path.includes("v3")
        ? v3Error(wrongToken)
        : { status: 401, body: { message: wrongToken } },
    errorIn200: ({ path, body }) =>
      path.includes("v3")
        ? v3Error(`Refused: ${body}`)
        : { status: 200, body: { responses: [], errors: [{ message: `Refused: ${body}` }] } },
  };
}

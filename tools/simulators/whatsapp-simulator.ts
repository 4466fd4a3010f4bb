import { createHmac, randomBytes } from "node:crypto";
import { jsonIn, type GatewayProtocol, type SimulatedAnswer } from "./gateway-simulator.ts";

interface WhatsAppAccount {
  phoneNumberId: string;
  accessToken: string;
  appSecret: string;
  /** The approved templates. */
  templates: { name: string; language: string; parameters: number; hasButton?: boolean }[];
  /** Numbers that wrote within the last 24 hours. */
  windows?: string[];
  /** The URL for statuses. */
  webhookUrl?: () => string | null;
}

const error = (code: number, message: string, status = 400): SimulatedAnswer => ({
  status,
  body: { error: { message: `(#${code}) ${message}`, type: "OAuthException", code } },
});

const textIn = (value: unknown) => (typeof value === "string" ? value : "");

interface Component {
  type?: string;
  sub_type?: string;
  parameters?: { type?: string; text?: string }[];
}

/** WhatsApp Cloud API, as https://developers.facebook.com/docs/whatsapp/cloud-api describes it. */
export function whatsAppProtocol({
  phoneNumberId,
  accessToken,
  appSecret,
  templates,
  windows = [],
  webhookUrl = () => null,
}: WhatsAppAccount): GatewayProtocol {
  /** @returns the text, or the error */
  const readTemplate = (given: Record<string, unknown>): string | SimulatedAnswer => {
    const {
      name,
      language,
      components = [],
    } = given as {
      name?: string;
      language?: { code?: string };
      components?: Component[];
    };
    const named = templates.find(
      (each) => each.name === name && each.language === language?.code,
    );
    if (!named) return error(132001, "Template name does not exist in the translation", 404);
    const body = components.find(({ type }) => type === "body")?.parameters ?? [];
    const button = components.find(({ type }) => type === "button")?.parameters ?? [];
    const isRight =
      body.length === named.parameters && button.length === (named.hasButton ? 1 : 0);
    const parameters = [...body, ...button];
    if (!isRight || parameters.some(({ type }) => type !== "text"))
      return error(132000, "Number of parameters does not match the expected number of params");
    if (parameters.some(({ text }) => !text || /[\n\t]| {5}/.test(text)))
      return error(100, "Param text cannot have new-line, tab or more than 4 spaces");
    return body.map(({ text }) => text).join("|");
  };

  return {
    answer: (request) => {
      const { method, path, headers } = request;
      const [, version = "", id, rest] = path.split("/");
      if (headers.authorization !== `Bearer ${accessToken}`)
        return error(190, "Invalid OAuth access token - Cannot parse access token", 401);
      if (!/^v\d+\.\d+$/.test(version) || id !== phoneNumberId)
        return error(100, "Unsupported request. Object does not exist");
      if (method === "GET" && rest === undefined)
        return { status: 200, body: { id, verified_name: "Phewa", quality_rating: "GREEN" } };
      const message = method === "POST" && rest === "messages" ? jsonIn(request) : null;
      if (!message) return error(100, "Unsupported request");
      if (message["messaging_product"] !== "whatsapp")
        return error(100, "The parameter messaging_product is required.");
      const to = textIn(message["to"]).replace(/^\+/, "");
      if (!/^[1-9]\d{6,14}$/.test(to)) return error(100, "The parameter to is not valid.");
      const isTemplate = message["type"] === "template";
      const content = message[isTemplate ? "template" : "text"] as Record<string, unknown>;
      const text = isTemplate ? readTemplate(content) : textIn(content?.["body"]);
      if (typeof text !== "string") return text;
      if (!isTemplate && !windows.includes(to))
        return error(131047, "Re-engagement message: more than 24 hours have passed");
      const reference = `wamid.${randomBytes(24).toString("base64url")}`;
      return {
        status: 200,
        body: {
          messaging_product: "whatsapp",
          contacts: [{ input: to, wa_id: to }],
          messages: [{ id: reference }],
        },
        taken: [{ to, text, reference, reportUrl: webhookUrl(), fields: message }],
      };
    },
    refusal: () => error(190, "Error validating access token: Session has expired", 401),
    errorIn200: ({ body }) => error(131026, `Message undeliverable: ${body}`, 200),
    report: ({ reference, to, reportUrl, fields }, state, code) => {
      const body = JSON.stringify({
        object: "whatsapp_business_account",
        entry: [
          {
            id: "1",
            changes: [
              {
                field: "messages",
                value: {
                  messaging_product: "whatsapp",
                  metadata: { phone_number_id: phoneNumberId },
                  statuses: [
                    {
                      id: reference,
                      status: state,
                      timestamp: "1790000000",
                      recipient_id: to,
                      biz_opaque_callback_data: fields["biz_opaque_callback_data"],
                      ...(code && { errors: [{ code: Number(code), title: "Undeliverable" }] }),
                    },
                  ],
                },
              },
            ],
          },
        ],
      });
      const signature = createHmac("sha256", appSecret).update(body).digest("hex");
      return {
        url: reportUrl ?? "",
        headers: {
          "content-type": "application/json",
          "x-hub-signature-256": `sha256=${signature}`,
        },
        body,
      };
    },
  };
}

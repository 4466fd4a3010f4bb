import { expect, test } from "vitest";
import { curlOf } from "../../rules.ts";
import { readDelivery } from "./rules.ts";

const BODY = `{"id" : "a-1", "event" : "checkout.succeeded", "name" : "O'Brien सीता \\"x\\""}`;
const HEADERS = {
  "webhook-id": "a-1",
  "webhook-timestamp": "1795148100",
  "webhook-signature": "v1,c2lnbmF0dXJlL3dpdGgrY2hhcnM= v1,b3RoZXI=",
};
const LINES = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`);
const URL = "https://shop.example/hooks";
const list = Object.entries(HEADERS).map(([name, value]) => ({ name, value }));

/** What matters of it: the three headers by their usual names, and the body. */
function read(text: string) {
  const pasted = readDelivery(text);
  if (!pasted) return null;
  const { body, form, headers } = pasted;
  const named = headers
    .map(({ name, value }) => [
      name
        .toLowerCase()
        .replaceAll("_", "-")
        .replace(/^http-/, ""),
      value,
    ])
    .filter(([name]) => name && name in HEADERS);
  return { form, body, headers: Object.fromEntries(named) as Record<string, string> };
}

const php = Object.entries(HEADERS)
  .map(([name, value]) => `    [HTTP_${name.toUpperCase().replaceAll("-", "_")}] => ${value}`)
  .join("\n");

test.each<[string, string, string]>([
  ["curl", "what this dashboard copies", curlOf({ url: URL, headers: HEADERS, body: BODY })],
  [
    "curl",
    "curl in double quotes",
    `curl --request POST --url "${URL}" ${list.map(({ name, value }) => `--header "${name}: ${value}"`).join(" ^\n")} -d ${JSON.stringify(BODY)}`,
  ],
  [
    "curl",
    "curl with ANSI quotes, as browsers copy it",
    `$ curl '${URL}' ${LINES.map((line) => `-H$'${line}'`).join(" ")} --data-raw $'${BODY.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}' --compressed`,
  ],
  [
    "http",
    "a raw request",
    `POST /hooks HTTP/1.1\r\nHost: shop.example\r\n${LINES.join("\r\n")}\r\n\r\n${BODY}`,
  ],
  ["http", "headers and body alone", `${LINES.join("\n")}\n\n${BODY}`],
  ["http", "no empty line between", `${LINES.join("\n")}\n${BODY}`],
  [
    "http",
    "what curl -v prints",
    `> POST /hooks HTTP/1.1\n${LINES.map((line) => `> ${line}`).join("\n")}\n>\n${BODY}`,
  ],
  ["json", "a function's event", JSON.stringify({ headers: HEADERS, body: BODY })],
  [
    "json",
    "a function's event in base64",
    JSON.stringify({
      headers: HEADERS,
      body: Buffer.from(BODY).toString("base64"),
      isBase64Encoded: true,
    }),
  ],
  [
    "json",
    "Node's raw headers",
    JSON.stringify({
      rawHeaders: list.flatMap(({ name, value }) => [name, value]),
      body: BODY,
    }),
  ],
  [
    "json",
    "a HAR entry",
    JSON.stringify({ request: { headers: list, postData: { text: BODY } } }),
  ],
  [
    "json",
    "lists of values",
    JSON.stringify([
      {
        req: {
          headers: Object.fromEntries(list.map(({ name, value }) => [name, [value]])),
          rawBody: BODY,
        },
      },
    ]),
  ],
  ["log", "PHP's print_r", `Array\n(\n${php}\n)\nphp://input: ${BODY}`],
  [
    "log",
    "a line of environment",
    `${php.replaceAll(/[[\]]/g, "").replaceAll(" => ", "=")}\nBODY=${BODY}`,
  ],
  [
    "log",
    "Python's dict",
    `headers={${list.map(({ name, value }) => `'${name}': '${value}'`).join(", ")}} body=b'${BODY}'`,
  ],
  [
    "log",
    "Go's map",
    `map[${list.map(({ name, value }) => `${name}:[${value}]`).join(" ")}] ${BODY}`,
  ],
])("reads %s: %s", (form, _name, text) => {
  expect(read(text)).toEqual({ form, headers: HEADERS, body: BODY });
});

test("of several objects of a log the longest that names an event is the body", () => {
  const other = JSON.stringify({ level: "info", tags: { event: 1 }, text: "x".repeat(300) });
  const short = '{"event":"ping"}';
  expect(read(`${other} ${short} ${BODY} done`)).toMatchObject({ form: "log", body: BODY });
  expect(read(`got {"level":"info","entry":${BODY}} at last`)?.body).toBe(BODY);
  expect(read(`got ${other} at last`)?.body).toBe(other);
});

test("headers that were printed as one value are those in it, and no header", () => {
  const printed = `Headers: ${JSON.stringify(HEADERS)}\nBody: ${BODY}`;
  expect(read(printed)).toEqual({ form: "log", headers: HEADERS, body: BODY });
  const lines = `Headers: ${JSON.stringify(HEADERS, null, 2)}\nBody: ${BODY}`;
  expect(read(lines)).toEqual({ form: "log", headers: HEADERS, body: BODY });
});

test("a body that was only logged as a value is known to be so", () => {
  const text = JSON.stringify({ headers: HEADERS, body: { a: 1 } });
  expect(readDelivery(text)).toMatchObject({ body: '{"a":1}', was_parsed: true });
});

test("the address is read where it is there", () => {
  expect(readDelivery(`curl ${URL} -d x`)?.url).toBe(URL);
  expect(readDelivery("POST /hooks HTTP/1.1\nHost: shop.example\n\nx")?.url).toBe(URL);
});

test("what is cut off is read as far as it goes", () => {
  expect(readDelivery(`${LINES.join(" ")} {"id" : "a-`)?.body).toBe('{"id" : "a-');
});

test.each([
  "webhook-".repeat(100_000),
  "a-b_".repeat(200_000),
  `webhook-id=${" ".repeat(400_000)})`,
  `webhook-id${" ".repeat(400_000)})`,
  "content-length:".repeat(60_000),
])(
  "a long text that says nothing is read once, and not once for each of its letters: %#",
  (text) => {
    expect(readDelivery(`it came: ${text}`)?.form).toBe("log");
  },
);

test("nothing is read out of nothing, and no text breaks it", () => {
  expect(readDelivery(" \n")).toBeNull();
  for (const text of ["{", "curl", "curl '", "[]", "null", '"', "::", "a:b", "\\", "curl -H"])
    expect(() => readDelivery(text)).not.toThrow();
});

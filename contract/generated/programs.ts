// Generated from docs/integrate.md by npm run check docs -- --write

export const CREATE_PROGRAMS = [
  {
    language: "curl",
    code: `send() { # method, path, idempotency key, body
  curl -sS --max-time 30 --retry 2 --retry-all-errors -w '\\n%{http_code}\\n' \\
    -X "$1" "$DUEBOOK_URL$2" \\
    -H "Authorization: Bearer $DUEBOOK_KEY" \\
    -H "Content-Type: application/json" \\
    -H "Idempotency-Key: $3" \\
    -d "$4"
}

send POST /api/v1/subscriptions/ "order-$ORDER" '{
  "pbp_id": "'"$PBP_ID"'",
  "return_url": "https://shop.example/thanks",
  "client": {
    "phone": "9800000001",
    "full_name": "Asmita Rai",
    "email": "asmita@example.com",
    "address": "Patan, Lalitpur"
  }
}'

# A refusal: 400, with the problems by field.
send POST /api/v1/subscriptions/ "mistake-$ORDER" '{"pbp_id": "unknown"}'
`,
  },
  {
    language: "node",
    code: `import { duebook, DuebookError } from "@duebook/client";

// The client tries again by itself; the service carries out each write once.
const billing = duebook({
  baseUrl: process.env.DUEBOOK_URL,
  apiKey: process.env.DUEBOOK_KEY,
});

const { results } = await billing.products.list().first();
const { pbp_id } = results[0].plan[0].billing_periods[0];
const made = await billing.subscriptions.create(
  {
    pbp_id,
    return_url: "https://shop.example/thanks",
    client: {
      phone: "9800000001",
      full_name: "Asmita Rai",
      email: "asmita@example.com",
      address: "Patan, Lalitpur",
    },
  },
  { idempotencyKey: \`order-\${process.env.ORDER}\` },
);
console.log("Send this link to the buyer:", made.checkout_url);

try {
  await billing.subscriptions.cancel("unknown");
} catch (error) {
  if (!(error instanceof DuebookError)) throw error;
  console.log("Refused:", error.status, error.code, error.message, error.requestId);
}
`,
  },
  {
    language: "python",
    code: `import http.client
import json
import os
import random
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ["DUEBOOK_URL"]
KEY = os.environ["DUEBOOK_KEY"]
TRIED_AGAIN = {408, 429, 500, 502, 503, 504}


class BillingError(Exception):
    """problem: the service's answer, \`detail\` or texts by field"""

    def __init__(self, status, problem, request_id=None):
        super().__init__(f"{status}: {problem}")
        self.status, self.problem, self.request_id = status, problem, request_id


def send(method, path, body=None, idempotency_key=None):
    headers = {"Authorization": f"Bearer {KEY}"}
    data = None
    if body is not None:
        headers["Content-Type"] = "application/json"
        data = json.dumps(body).encode()
    if method != "GET":
        headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
    for tries in range(3):
        wait = 2**tries * random.uniform(0.5, 1)
        request = urllib.request.Request(URL + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            try:
                problem = json.load(refusal)
            except (OSError, ValueError, http.client.HTTPException):
                problem = refusal.reason
            error = BillingError(refusal.code, problem, refusal.headers["x-request-id"])
            asked = refusal.headers["retry-after"] or ""
            wait = int(asked) if asked.isdigit() else wait
            if refusal.code not in TRIED_AGAIN or wait > 60:
                raise error from None
        except (OSError, ValueError, http.client.HTTPException):
            error = BillingError(None, "The answer was lost.")
        if tries < 2:
            time.sleep(wait)
    raise error


products = send("GET", "/api/v1/products/")["results"]
pbp_id = products[0]["plan"][0]["billing_periods"][0]["pbp_id"]
made = send(
    "POST",
    "/api/v1/subscriptions/",
    {
        "pbp_id": pbp_id,
        "return_url": "https://shop.example/thanks",
        "client": {
            "phone": "9800000001",
            "full_name": "Asmita Rai",
            "email": "asmita@example.com",
            "address": "Patan, Lalitpur",
        },
    },
    idempotency_key="order-" + os.environ["ORDER"],
)
print("Send this link to the buyer:", made["checkout_url"])

try:
    send("POST", "/api/v1/subscriptions/unknown/cancel/")
except BillingError as error:
    print("Refused:", error.status, error.problem, error.request_id)
`,
  },
  {
    language: "php",
    code: `<?php
const TRIED_AGAIN = [408, 429, 500, 502, 503, 504];

class BillingError extends RuntimeException
{
    // $problem: the service's answer, \`detail\` or texts by field
    public function __construct(
        public ?int $status,
        public mixed $problem,
        public ?string $requestId = null,
    ) {
        parent::__construct("$status: " . json_encode($problem));
    }
}

function send(string $method, string $path, ?array $body = null, ?string $idempotencyKey = null): array
{
    $headers = ['Authorization: Bearer ' . getenv('DUEBOOK_KEY')];
    $http = ['method' => $method, 'timeout' => 30, 'ignore_errors' => true, 'follow_location' => 0];
    if ($body !== null) {
        $headers[] = 'Content-Type: application/json';
        $http['content'] = json_encode($body);
    }
    if ($method !== 'GET') {
        $headers[] = 'Idempotency-Key: ' . ($idempotencyKey ?? bin2hex(random_bytes(16)));
    }
    $context = stream_context_create(['http' => $http + ['header' => $headers]]);
    for ($tries = 0; ; $tries++) {
        $wait = 2 ** $tries * random_int(500, 1000) / 1000;
        $stream = @fopen(getenv('DUEBOOK_URL') . $path, 'rb', false, $context);
        $text = $stream ? stream_get_contents($stream) : false;
        $lines = $stream ? stream_get_meta_data($stream)['wrapper_data'] : [];
        $status = $stream ? (int) explode(' ', $lines[0])[1] : null;
        $answer = $text === false ? null : json_decode($text, true);
        if ($status !== null && $status < 300 && is_array($answer)) {
            return $answer;
        }
        $named = [];
        foreach (array_slice($lines, 1) as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $named[strtolower($name)] = trim($value);
        }
        $wait = ctype_digit($named['retry-after'] ?? '') ? (int) $named['retry-after'] : $wait;
        $isLost = $status === null || $status < 300;
        if ($tries === 2 || $wait > 60 || !($isLost || in_array($status, TRIED_AGAIN, true))) {
            $problem = $isLost ? 'The answer was lost.' : $answer;
            throw new BillingError($isLost ? null : $status, $problem, $named['x-request-id'] ?? null);
        }
        usleep((int) ($wait * 1_000_000));
    }
}

$products = send('GET', '/api/v1/products/')['results'];
$made = send('POST', '/api/v1/subscriptions/', [
    'pbp_id' => $products[0]['plan'][0]['billing_periods'][0]['pbp_id'],
    'return_url' => 'https://shop.example/thanks',
    'client' => [
        'phone' => '9800000001',
        'full_name' => 'Asmita Rai',
        'email' => 'asmita@example.com',
        'address' => 'Patan, Lalitpur',
    ],
], 'order-' . getenv('ORDER'));
echo "Send this link to the buyer: $made[checkout_url]\\n";

try {
    send('POST', '/api/v1/subscriptions/unknown/cancel/');
} catch (BillingError $error) {
    echo "Refused: {$error->getMessage()} $error->requestId\\n";
}
`,
  },
] as const;

export const RECEIVE_PROGRAMS = [
  {
    language: "node",
    code: `import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { verifyWebhook } from "@duebook/client";

const secrets = process.env.DUEBOOK_WEBHOOK_SECRETS.split(" ");
// In a shop, use a table whose key is the id, written together with the order.
const done = new Set();

createServer(async (request, response) => {
  let event;
  try {
    event = await verifyWebhook(await text(request), request.headers, secrets);
  } catch {
    return response.writeHead(400).end();
  }
  if (event.event === "checkout.succeeded" && !done.has(event.id)) {
    done.add(event.id);
    console.log("Paid:", event.subscription_id, event.data.amount, event.data.currency);
  }
  response.writeHead(204).end();
}).listen(process.env.PORT ?? 8000);
`,
  },
  {
    language: "python",
    code: `import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from verify import verify_delivery

SECRETS = os.environ["DUEBOOK_WEBHOOK_SECRETS"].split()
# In a shop, use a table whose key is the id, written together with the order.
done = set()


class Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            event = verify_delivery(SECRETS, headers, body)
        except ValueError:
            return self.answer(400)
        if event["event"] == "checkout.succeeded" and event["id"] not in done:
            done.add(event["id"])
            paid = event["data"]
            print("Paid:", event["subscription_id"], paid["amount"], paid["currency"], flush=True)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


ThreadingHTTPServer(("", int(os.environ.get("PORT", 8000))), Hook).serve_forever()
`,
  },
  {
    language: "php",
    code: `<?php
require __DIR__ . '/verify.php';

$secrets = explode(' ', getenv('DUEBOOK_WEBHOOK_SECRETS'));
$headers = array_change_key_case(getallheaders(), CASE_LOWER);
try {
    $event = verify_delivery($secrets, $headers, file_get_contents('php://input'));
} catch (RuntimeException) {
    http_response_code(400);
    exit;
}
// In a shop, store the event's id in one transaction with the order, and skip ids that are already stored.
if ($event['event'] === 'checkout.succeeded') {
    error_log("Paid: $event[subscription_id] {$event['data']['amount']} {$event['data']['currency']}");
}
http_response_code(204);
`,
  },
] as const;

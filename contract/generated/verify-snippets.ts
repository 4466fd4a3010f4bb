// Generated from docs/integrate.md by npm run check docs -- --write

export const SNIPPETS = [
  {
    language: "node",
    code: `// Node.js 18 or later; no package needed.
import { createHmac, timingSafeEqual } from "node:crypto";

const TOLERANCE = 5 * 60; // seconds

// secrets: one for each event that is registered at this address
// headers: with lower-case names
// body:    the text as received, before JSON.parse
export function verifyDelivery(secrets, headers, body) {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!id || !(age <= TOLERANCE)) throw new Error("Missing headers, or too old or too new.");

  const signatures = String(headers["webhook-signature"] ?? "")
    .split(" ")
    .filter((part) => part.startsWith("v1,"))
    .map((part) => Buffer.from(part.slice(3), "base64"));
  const isGenuine = secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    const signed = \`\${id}.\${timestamp}.\${body}\`;
    const expected = createHmac("sha256", key).update(signed).digest();
    return signatures.some(
      (given) => given.length === expected.length && timingSafeEqual(given, expected),
    );
  });
  if (!isGenuine) throw new Error("No signature matches.");
  return JSON.parse(body);
}
`,
  },
  {
    language: "python",
    code: `# Python 3.9 or later; no package needed.
import base64
import hashlib
import hmac
import json
import time

TOLERANCE = 5 * 60  # seconds


def verify_delivery(secrets, headers, body):
    """secrets: one for each event that is registered at this address
    headers: with lower-case names
    body:    the bytes as received, before json.loads
    """
    delivery_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not delivery_id or not (timestamp.isascii() and timestamp.isdigit()):
        raise ValueError("Missing headers.")
    if abs(time.time() - int(timestamp)) > TOLERANCE:
        raise ValueError("Too old or too new.")

    signatures = headers.get("webhook-signature", "").split(" ")
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        signed = f"{delivery_id}.{timestamp}.".encode() + body
        digest = hmac.new(key, signed, hashlib.sha256).digest()
        expected = b"v1," + base64.b64encode(digest)
        if any(hmac.compare_digest(expected, given.encode()) for given in signatures):
            return json.loads(body)
    raise ValueError("No signature matches.")
`,
  },
  {
    language: "php",
    code: `<?php
// PHP 8.0 or later; no package needed.

const TOLERANCE = 5 * 60; // seconds

// $secrets: one for each event that is registered at this address
// $headers: array_change_key_case(getallheaders(), CASE_LOWER)
// $body:    file_get_contents('php://input'), before json_decode
function verify_delivery(array $secrets, array $headers, string $body): array
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if ($id === '' || !ctype_digit($timestamp)) {
        throw new RuntimeException('Missing headers.');
    }
    if (abs(time() - (int) $timestamp) > TOLERANCE) {
        throw new RuntimeException('Too old or too new.');
    }

    $signatures = explode(' ', $headers['webhook-signature'] ?? '');
    foreach ($secrets as $secret) {
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
        $digest = hash_hmac('sha256', "$id.$timestamp.$body", $key, true);
        $expected = 'v1,' . base64_encode($digest);
        foreach ($signatures as $given) {
            if (hash_equals($expected, $given)) {
                return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
            }
        }
    }
    throw new RuntimeException('No signature matches.');
}
`,
  },
] as const;

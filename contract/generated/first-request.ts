// Generated from docs/integrate.md by npm run check docs -- --write

export const FIRST_REQUEST = [
  {
    language: "curl",
    code: `curl -sS "$DUEBOOK_URL/api/v1/products/" \\
  -H "Authorization: Bearer $DUEBOOK_KEY"
`,
  },
  {
    language: "node",
    code: `import { duebook } from "@duebook/client";

const billing = duebook({
  baseUrl: process.env.DUEBOOK_URL,
  apiKey: process.env.DUEBOOK_KEY,
});
for await (const product of billing.products.list())
  for (const plan of product.plan)
    for (const period of plan.billing_periods)
      console.log(period.pbp_id, product.name, period.label, period.price);
`,
  },
  {
    language: "python",
    code: `import json
import os
import urllib.request

request = urllib.request.Request(
    os.environ["DUEBOOK_URL"] + "/api/v1/products/",
    headers={"Authorization": "Bearer " + os.environ["DUEBOOK_KEY"]},
)
with urllib.request.urlopen(request, timeout=30) as answer:
    for product in json.load(answer)["results"]:
        for plan in product["plan"]:
            for period in plan["billing_periods"]:
                print(period["pbp_id"], product["name"], period["label"], period["price"])
`,
  },
  {
    language: "php",
    code: `<?php
$context = stream_context_create(['http' => [
    'header' => 'Authorization: Bearer ' . getenv('DUEBOOK_KEY'),
    'timeout' => 30,
]]);
$answer = file_get_contents(getenv('DUEBOOK_URL') . '/api/v1/products/', false, $context);
foreach (json_decode($answer, true)['results'] as $product) {
    foreach ($product['plan'] as $plan) {
        foreach ($plan['billing_periods'] as $period) {
            echo "$period[pbp_id] $product[name] $period[label] $period[price]\\n";
        }
    }
}
`,
  },
] as const;

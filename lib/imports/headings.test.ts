import { expect, test } from "vitest";
import { areHeadings, headingKey, matchCells, matchHeadings } from "./headings.ts";

test("English and Nepali headings are matched to fields, whatever their case and punctuation", () => {
  expect(
    matchHeadings([
      "S.N.",
      "Customer Name",
      "Mobile No.",
      "E-mail",
      "Address",
      "PAN",
      "Product Name",
      "Plan",
      "Paid until",
    ]),
  ).toEqual([
    null,
    "name",
    "phone",
    "email",
    "address",
    "pan_vat",
    "product",
    "price",
    "paid_until",
  ]);
  expect(
    matchHeadings(["नाम", "मोबाइल नं.", "इमेल", "ठेगाना", "सेवा", "योजना", "भुक्तानी मिति"]),
  ).toEqual(["name", "phone", "email", "address", "product", "price", "paid_until"]);
});

test.each([
  ["Expiry date", "paid_until"],
  ["valid till", "paid_until"],
  ["Next payment date", "paid_until"],
  ["म्याद सकिने मिति", "paid_until"],
  ["WhatsApp", "phone"],
  ["सम्पर्क नम्बर", "phone"],
  ["ग्राहकको नाम", "name"],
  ["Full name", "name"],
  ["Member", "name"],
  ["Member ID", null],
  ["Remarks", null],
  ["", null],
])("the heading %j is matched to the field %s", (heading, field) => {
  expect(matchHeadings([heading])).toEqual([field]);
});

test("each field gets one column, and the seller's earlier choice for a heading takes precedence", () => {
  expect(matchHeadings(["Phone", "Mobile"])).toEqual(["phone", null]);
  const known = new Map([
    [headingKey("Phone"), null],
    [headingKey("Remarks"), "product"],
  ] as const);
  expect(matchHeadings(["Product", "phone", "Mobile", " REMARKS "], known)).toEqual([
    null,
    null,
    "phone",
    "product",
  ]);
});

test("without a heading row, the first row is a buyer, and the columns are inferred from the cells", () => {
  expect(areHeadings(["Name", "Phone"], new Map())).toBe(true);
  expect(areHeadings(["Name", "९८४१२३४५६७"], new Map())).toBe(false);
  expect(areHeadings(["Asha", "Kathmandu"], new Map())).toBe(false);
  expect(
    matchCells([
      ["1", "Asha Rai", "9841234567", "asha@example.com", "2083-04-15"],
      ["2", "श्याम", "+977 9841234568", "", "2083/04/16"],
    ]),
  ).toEqual([null, "name", "phone", "email", "paid_until"]);
});

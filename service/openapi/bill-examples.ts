import { EXAMPLE_TIME } from "./example-shop.ts";

const version = "8c2b0d1f-64b0-4d07-9a53-1b7f2e9c3d40";

export const BILL_EXAMPLES = {
  BillPage: {
    totals: [
      { kind: "vat_bill", currency: "NPR", bills: 1, amount: "1130.00", vat: "130.00" },
      { kind: "credit_note", currency: "NPR", bills: 1, amount: "113.00", vat: "13.00" },
    ],
    next: null,
    results: [
      {
        id: "b7f0a9de-3f5b-4f07-9b6d-2f5f0d8f4c11",
        kind: "vat_bill",
        fiscal_year: "2082/83",
        number: "HIM-B-2082/83-00001",
        payment_id: "d6061684-2f0e-4b3a-9c57-81e4a7d09b26",
        subscription_id: "3f0c2b7e-9a41-4d6c-8e15-7b2d90c4a6f1",
        corrects: null,
        buyer: "Asmita Rai",
        buyer_pan: "301234567",
        currency: "NPR",
        amount: "1130.00",
        vat: "130.00",
        issued_at: EXAMPLE_TIME,
      },
    ],
  },
  BillSettings: {
    issues_vat_bills: true,
    pan: null,
    address: null,
    verified_pan: "301234567",
    verified_address: "Kupondole, Lalitpur",
    fiscal_year: "nepal",
    prefix: "HIM",
    sends_bills: false,
    version,
  },
  ChangeBillSettings: { version, issues_vat_bills: true, prefix: "HIM" },
};

/** Descriptions of the bills' fields, part of `DESCRIPTIONS`. */
export const BILL_DESCRIPTIONS: Record<string, string> = {
  "BillPage.totals":
    "The sums of all bills that match, by kind and currency; null on pages after the first.",
  "BillPage.results": "The bills of this page, in the order that was asked for.",
  "BillPage.id": "The bill's id.",
  "totals.kind": "The kind of bill.",
  "totals.bills": "Number of bills.",
  "totals.amount": "The sum of these bills, as decimal text.",
  "totals.vat": "The tax included in the sum, as decimal text.",
  "BillPage.kind":
    "`vat_bill`: for a payment to a business with a VAT registration. `receipt`: for a payment to any other business. `credit_note`: for money given back, or a payment that was taken back. `debit_note`: cancels a credit note whose refund failed and was given up.",
  "BillPage.fiscal_year": "The fiscal year of the bill's number, such as 2082/83 or 2026.",
  "BillPage.number": "The number as the bill shows it, with its prefix, kind and fiscal year.",
  "BillPage.amount": "The bill's amount, as decimal text.",
  corrects: "The number of the bill that a credit or debit note corrects; null for others.",
  buyer: "The buyer's name on the bill.",
  buyer_pan: "The buyer's PAN or VAT number; null if it was not given.",
  "BillPage.vat": "The tax included in the amount, as decimal text; null if none applies.",
  issued_at: "When the bill was issued.",
  issues_vat_bills: "Whether payments get VAT bills; otherwise they get receipts.",
  "BillSettings.pan": "The PAN or VAT number on bills; null to use that of the verification.",
  "BillSettings.address": "The address on bills; null to use that of the verification.",
  "ChangeBillSettings.pan":
    "The PAN or VAT number on bills; null to use that of the verification.",
  "ChangeBillSettings.address": "The address on bills; null to use that of the verification.",
  verified_pan: "The number that the verification names; null if none.",
  verified_address: "The address that the verification names; null if none.",
  "BillSettings.fiscal_year": "`nepal`: from 1 Shrawan. `calendar`: from 1 January.",
  "ChangeBillSettings.fiscal_year": "`nepal`: from 1 Shrawan. `calendar`: from 1 January.",
  sends_bills:
    "Whether buyers are sent each new bill by the channels for messages: by mail with the PDF, otherwise as a link.",
  "BillSettings.prefix": "The text with which bill numbers begin; may be empty.",
  "ChangeBillSettings.prefix": "The text with which bill numbers begin; may be empty.",
};

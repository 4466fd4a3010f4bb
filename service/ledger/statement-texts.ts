import type { JournalKind, LedgerAccount } from "#contract/names.ts";

export interface StatementTexts {
  title: string;
  until: (from: string, to: string, timeZone: string) => string;
  incomplete: string;
  totals: Record<
    | "payments"
    | "paid"
    | "takenBack"
    | "givenBack"
    | "disputed"
    | "providerFee"
    | "serviceFee"
    | "net",
    string
  >;
  headings: Record<
    "sum" | "account" | "opening" | "debit" | "credit" | "closing" | "when" | "what" | "amount",
    string
  >;
  accounts: Record<Exclude<LedgerAccount, "provider">, string>;
  kinds: Record<JournalKind, string>;
  none: string;
  tooMany: string;
  inDebit: (amount: string) => string;
  inCredit: (amount: string) => string;
  page: (page: string, pages: string) => string;
}

export const STATEMENT_EN: StatementTexts = {
  title: "Statement",
  until: (from, to, timeZone) => `${from} to ${to} (${timeZone})`,
  incomplete: "This month has not ended; more can be added.",
  totals: {
    payments: "Payments",
    paid: "Paid",
    takenBack: "Taken back",
    givenBack: "Given back",
    disputed: "Kept back for disputes",
    providerFee: "Providers' fees",
    serviceFee: "Service's fee (1.99 %)",
    net: "Left to you",
  },
  headings: {
    sum: "Sum",
    amount: "Amount",
    account: "Account",
    opening: "Before",
    debit: "Debit",
    credit: "Credit",
    closing: "After",
    when: "When",
    what: "What",
  },
  accounts: {
    cash: "Paid another way",
    buyer: "Owed to buyers",
    seller: "Your income",
    refunds: "Given back",
    disputes: "Disputed",
    provider_fee: "Providers' fees",
    our_fee: "Service's fee",
  },
  kinds: {
    charge: "Charged",
    payment: "Payment",
    reversal: "Taken back",
    refund: "Given back",
    provider_refund: "Given back by the provider",
    refund_failed: "Refund that failed",
    dispute: "Kept back for a dispute",
    dispute_returned: "Given again after a dispute",
  },
  none: "Nothing was booked in this month.",
  tooMany: "This month has too many entries for a PDF. They are in the CSV file.",
  inDebit: (amount) => `${amount} Dr`,
  inCredit: (amount) => `${amount} Cr`,
  page: (page, pages) => `Page ${page} of ${pages}`,
};

export const STATEMENT_NE: StatementTexts = {
  title: "विवरण",
  until: (from, to, timeZone) => `${from} देखि ${to} सम्म (${timeZone})`,
  incomplete: "यो महिना सकिएको छैन; अझ थपिन सक्छ।",
  totals: {
    payments: "भुक्तानीहरू",
    paid: "तिरिएको",
    takenBack: "फिर्ता लिइएको",
    givenBack: "फिर्ता दिइएको",
    disputed: "विवादका लागि रोकिएको",
    providerFee: "प्रदायकका शुल्क",
    serviceFee: "सेवाको शुल्क (१.९९ %)",
    net: "तपाईंलाई बाँकी",
  },
  headings: {
    sum: "जम्मा",
    amount: "रकम",
    account: "खाता",
    opening: "अघि",
    debit: "डेबिट",
    credit: "क्रेडिट",
    closing: "पछि",
    when: "कहिले",
    what: "के",
  },
  accounts: {
    cash: "अर्को तरिकाले तिरिएको",
    buyer: "ग्राहकलाई दिन बाँकी",
    seller: "तपाईंको आम्दानी",
    refunds: "फिर्ता दिइएको",
    disputes: "विवादित",
    provider_fee: "प्रदायकका शुल्क",
    our_fee: "सेवाको शुल्क",
  },
  kinds: {
    charge: "प्रदायकले लिएको",
    payment: "भुक्तानी",
    reversal: "फिर्ता लिइएको",
    refund: "फिर्ता दिइएको",
    provider_refund: "प्रदायकले फिर्ता दिएको",
    refund_failed: "असफल भएको फिर्ता",
    dispute: "विवादका लागि रोकिएको",
    dispute_returned: "विवादपछि फेरि दिइएको",
  },
  none: "यो महिनामा केही लेखिएको छैन।",
  tooMany: "यो महिनामा PDF का लागि धेरै प्रविष्टि छन्। ती CSV फाइलमा छन्।",
  inDebit: (amount) => `${amount} डे.`,
  inCredit: (amount) => `${amount} क्रे.`,
  page: (page, pages) => `पृष्ठ ${page} / ${pages}`,
};

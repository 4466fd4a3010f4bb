import type { Language } from "./languages.ts";

/** One JSON file for each namespace. English defines the keys. */
const ENGLISH = {
  account: () => import("./messages/en/account.json"),
  apiKeys: () => import("./messages/en/apiKeys.json"),
  audit: () => import("./messages/en/audit.json"),
  auth: () => import("./messages/en/auth.json"),
  bills: () => import("./messages/en/bills.json"),
  bulk: () => import("./messages/en/bulk.json"),
  byHand: () => import("./messages/en/byHand.json"),
  collection: () => import("./messages/en/collection.json"),
  connection: () => import("./messages/en/connection.json"),
  create: () => import("./messages/en/create.json"),
  customers: () => import("./messages/en/customers.json"),
  deliveries: () => import("./messages/en/deliveries.json"),
  examine: () => import("./messages/en/examine.json"),
  export: () => import("./messages/en/export.json"),
  failures: () => import("./messages/en/failures.json"),
  fields: () => import("./messages/en/fields.json"),
  reports: () => import("./messages/en/reports.json"),
  finding: () => import("./messages/en/finding.json"),
  format: () => import("./messages/en/format.json"),
  guide: () => import("./messages/en/guide.json"),
  imports: () => import("./messages/en/imports.json"),
  importRun: () => import("./messages/en/importRun.json"),
  keyboard: () => import("./messages/en/keyboard.json"),
  layout: () => import("./messages/en/layout.json"),
  leaving: () => import("./messages/en/leaving.json"),
  live: () => import("./messages/en/live.json"),
  mail: () => import("./messages/en/mail.json"),
  messages: () => import("./messages/en/messages.json"),
  moneyToCheck: () => import("./messages/en/moneyToCheck.json"),
  notices: () => import("./messages/en/notices.json"),
  notifications: () => import("./messages/en/notifications.json"),
  optOuts: () => import("./messages/en/optOuts.json"),
  overview: () => import("./messages/en/overview.json"),
  owed: () => import("./messages/en/owed.json"),
  products: () => import("./messages/en/products.json"),
  payAccounts: () => import("./messages/en/payAccounts.json"),
  payments: () => import("./messages/en/payments.json"),
  raw: () => import("./messages/en/raw.json"),
  tags: () => import("./messages/en/tags.json"),
  receiver: () => import("./messages/en/receiver.json"),
  compare: () => import("./messages/en/compare.json"),
  statement: () => import("./messages/en/statement.json"),
  subscription: () => import("./messages/en/subscription.json"),
  reminding: () => import("./messages/en/reminding.json"),
  reminders: () => import("./messages/en/reminders.json"),
  sandbox: () => import("./messages/en/sandbox.json"),
  sellers: () => import("./messages/en/sellers.json"),
  sending: () => import("./messages/en/sending.json"),
  settings: () => import("./messages/en/settings.json"),
  settingTexts: () => import("./messages/en/settingTexts.json"),
  sheet: () => import("./messages/en/sheet.json"),
  subscriptions: () => import("./messages/en/subscriptions.json"),
  table: () => import("./messages/en/table.json"),
  team: () => import("./messages/en/team.json"),
  ui: () => import("./messages/en/ui.json"),
  operator: () => import("./messages/en/operator.json"),
  verification: () => import("./messages/en/verification.json"),
  views: () => import("./messages/en/views.json"),
  webhooks: () => import("./messages/en/webhooks.json"),
};

export type Namespace = keyof typeof ENGLISH;

export type Catalogue = {
  [Name in Namespace]: Awaited<ReturnType<(typeof ENGLISH)[Name]>>["default"];
};

const load = async (language: Language): Promise<Catalogue> => {
  const loaded = Object.entries(ENGLISH).map(async ([namespace, english]) => {
    const { default: messages } = await (language === "en"
      ? english()
      : (import(`./messages/${language}/${namespace}.json`) as ReturnType<typeof english>));
    return [namespace, messages] as const;
  });
  return Object.fromEntries(await Promise.all(loaded)) as Catalogue;
};

const catalogues = new Map<Language, Promise<Catalogue>>();

/** All messages of a language; read once in a process. */
export function readCatalogue(language: Language): Promise<Catalogue> {
  const known = catalogues.get(language) ?? load(language);
  catalogues.set(language, known);
  return known;
}

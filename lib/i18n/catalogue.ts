import en_account from "./messages/en/account.json";
import en_audit from "./messages/en/audit.json";
import en_auth from "./messages/en/auth.json";
import en_bulk from "./messages/en/bulk.json";
import en_collection from "./messages/en/collection.json";
import en_connection from "./messages/en/connection.json";
import en_create from "./messages/en/create.json";
import en_customers from "./messages/en/customers.json";
import en_deliveries from "./messages/en/deliveries.json";
import en_examine from "./messages/en/examine.json";
import en_export from "./messages/en/export.json";
import en_failures from "./messages/en/failures.json";
import en_fields from "./messages/en/fields.json";
import en_reports from "./messages/en/reports.json";
import en_finding from "./messages/en/finding.json";
import en_format from "./messages/en/format.json";
import en_guide from "./messages/en/guide.json";
import en_keyboard from "./messages/en/keyboard.json";
import en_layout from "./messages/en/layout.json";
import en_live from "./messages/en/live.json";
import en_mail from "./messages/en/mail.json";
import en_messages from "./messages/en/messages.json";
import en_notifications from "./messages/en/notifications.json";
import en_overview from "./messages/en/overview.json";
import en_owed from "./messages/en/owed.json";
import en_products from "./messages/en/products.json";
import en_payments from "./messages/en/payments.json";
import en_receiver from "./messages/en/receiver.json";
import en_reconciliation from "./messages/en/reconciliation.json";
import en_record from "./messages/en/record.json";
import en_reminding from "./messages/en/reminding.json";
import en_sandbox from "./messages/en/sandbox.json";
import en_sellers from "./messages/en/sellers.json";
import en_subscriptions from "./messages/en/subscriptions.json";
import en_table from "./messages/en/table.json";
import en_team from "./messages/en/team.json";
import en_ui from "./messages/en/ui.json";
import en_views from "./messages/en/views.json";
import en_webhooks from "./messages/en/webhooks.json";
import ne_account from "./messages/ne/account.json";
import ne_audit from "./messages/ne/audit.json";
import ne_auth from "./messages/ne/auth.json";
import ne_bulk from "./messages/ne/bulk.json";
import ne_collection from "./messages/ne/collection.json";
import ne_connection from "./messages/ne/connection.json";
import ne_create from "./messages/ne/create.json";
import ne_customers from "./messages/ne/customers.json";
import ne_deliveries from "./messages/ne/deliveries.json";
import ne_examine from "./messages/ne/examine.json";
import ne_export from "./messages/ne/export.json";
import ne_failures from "./messages/ne/failures.json";
import ne_fields from "./messages/ne/fields.json";
import ne_reports from "./messages/ne/reports.json";
import ne_finding from "./messages/ne/finding.json";
import ne_format from "./messages/ne/format.json";
import ne_guide from "./messages/ne/guide.json";
import ne_keyboard from "./messages/ne/keyboard.json";
import ne_layout from "./messages/ne/layout.json";
import ne_live from "./messages/ne/live.json";
import ne_mail from "./messages/ne/mail.json";
import ne_messages from "./messages/ne/messages.json";
import ne_notifications from "./messages/ne/notifications.json";
import ne_overview from "./messages/ne/overview.json";
import ne_owed from "./messages/ne/owed.json";
import ne_products from "./messages/ne/products.json";
import ne_payments from "./messages/ne/payments.json";
import ne_receiver from "./messages/ne/receiver.json";
import ne_reconciliation from "./messages/ne/reconciliation.json";
import ne_record from "./messages/ne/record.json";
import ne_reminding from "./messages/ne/reminding.json";
import ne_sandbox from "./messages/ne/sandbox.json";
import ne_sellers from "./messages/ne/sellers.json";
import ne_subscriptions from "./messages/ne/subscriptions.json";
import ne_table from "./messages/ne/table.json";
import ne_team from "./messages/ne/team.json";
import ne_ui from "./messages/ne/ui.json";
import ne_views from "./messages/ne/views.json";
import ne_webhooks from "./messages/ne/webhooks.json";

const EN = {
  account: en_account,
  audit: en_audit,
  auth: en_auth,
  bulk: en_bulk,
  collection: en_collection,
  connection: en_connection,
  create: en_create,
  customers: en_customers,
  deliveries: en_deliveries,
  examine: en_examine,
  export: en_export,
  failures: en_failures,
  fields: en_fields,
  reports: en_reports,
  finding: en_finding,
  format: en_format,
  guide: en_guide,
  keyboard: en_keyboard,
  layout: en_layout,
  live: en_live,
  mail: en_mail,
  messages: en_messages,
  notifications: en_notifications,
  overview: en_overview,
  owed: en_owed,
  products: en_products,
  payments: en_payments,
  receiver: en_receiver,
  reconciliation: en_reconciliation,
  record: en_record,
  reminding: en_reminding,
  sandbox: en_sandbox,
  sellers: en_sellers,
  subscriptions: en_subscriptions,
  table: en_table,
  team: en_team,
  ui: en_ui,
  views: en_views,
  webhooks: en_webhooks,
};

/** One namespace a file; English is the one that says which words there are. */
export type Catalogue = typeof EN;

const NE: Catalogue = {
  account: ne_account,
  audit: ne_audit,
  auth: ne_auth,
  bulk: ne_bulk,
  collection: ne_collection,
  connection: ne_connection,
  create: ne_create,
  customers: ne_customers,
  deliveries: ne_deliveries,
  examine: ne_examine,
  export: ne_export,
  failures: ne_failures,
  fields: ne_fields,
  reports: ne_reports,
  finding: ne_finding,
  format: ne_format,
  guide: ne_guide,
  keyboard: ne_keyboard,
  layout: ne_layout,
  live: ne_live,
  mail: ne_mail,
  messages: ne_messages,
  notifications: ne_notifications,
  overview: ne_overview,
  owed: ne_owed,
  products: ne_products,
  payments: ne_payments,
  receiver: ne_receiver,
  reconciliation: ne_reconciliation,
  record: ne_record,
  reminding: ne_reminding,
  sandbox: ne_sandbox,
  sellers: ne_sellers,
  subscriptions: ne_subscriptions,
  table: ne_table,
  team: ne_team,
  ui: ne_ui,
  views: ne_views,
  webhooks: ne_webhooks,
};

export const CATALOGUES = { en: EN, ne: NE };

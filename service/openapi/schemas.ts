import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import {
  AccountDirectory,
  AccountImage,
  AccountKey,
  AccountKeyPage,
  AccountMove,
  AccountMovePreview,
  AccountProduct,
  AccountProductPage,
  AccountProfile,
  ChangeKey,
  ChangeProfile,
  CreateKey,
  OpenAccount,
  OpenedAccount,
  ProductSubscribers,
  RollKey,
  StartMove,
  UndoneMove,
  UploadImage,
} from "#contract/account.ts";
import { ChangePage, SubscriptionChangePage } from "#contract/changes.ts";
import { Customer, CustomerPage } from "#contract/customers.ts";
import {
  Delivery,
  DeliveryPage,
  NoticeList,
  RecoverDeliveries,
  RecoveredDeliveries,
  SendExample,
  SentExample,
} from "#contract/deliveries.ts";
import { FieldErrors, GeneralError } from "#contract/errors.ts";
import {
  BuyerLanguage,
  CheckedChannel,
  ChannelSetup,
  ChannelSetups,
  HandedMessage,
  HandOverMessage,
  MessagePage,
  SaveChannel,
  SendTestMessage,
  SentMessage,
  SetBuyerLanguage,
} from "#contract/messages.ts";
import {
  CheckedPaymentAccount,
  ComparedStatement,
  CompareStatement,
  OrderPaymentAccounts,
  PaymentAccounts,
  SavedPaymentAccount,
  SavePaymentAccount,
} from "#contract/payment-accounts.ts";
import * as payments from "#contract/payments.ts";
import { Product, ProductPage } from "#contract/products.ts";
import * as reminders from "#contract/reminders.ts";
import {
  Clock,
  ClockMove,
  MoveClock,
  ReplacedAccount,
  RestoredAccount,
  SavedState,
  SaveState,
  ScenarioList,
  SetClock,
  SimulatedPayment,
  SimulatePayment,
  StartScenario,
  StateList,
  TimeSpan,
} from "#contract/sandbox.ts";
import {
  CreatedSubscription,
  CreateSubscription,
  Message,
  RescheduleSubscription,
  Subscription,
  SubscriptionPage,
  TakeOverSubscription,
} from "#contract/subscriptions.ts";
import {
  CreateWebhook,
  RotateSecret,
  UpdateWebhook,
  Webhook,
  WebhookPage,
} from "#contract/webhooks.ts";
import {
  AddDocument,
  ChangeVerification,
  DocumentContent,
  OperatorAccount,
  OperatorAccountList,
  OperatorNote,
  Verification,
} from "#contract/verification.ts";
import { EVENT_BODIES } from "./event-examples.ts";
import { BUYER_ANSWERS, BUYER_REQUESTS } from "./buyer-examples.ts";
import { PAYMENT_ANSWERS, PAYMENT_REQUESTS } from "./payment-examples.ts";
import { ChangeProduct, CreateProduct } from "../products/input.ts";

export type JsonSchema = Record<string, unknown>;

export const Health = z.strictObject({ status: z.string() });
export const OpenApiDocument = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({}),
  paths: z.looseObject({}),
});

const ANSWERS = {
  Subscription,
  SubscriptionPage,
  CreatedSubscription,
  Message,
  Product,
  ProductPage,
  Customer,
  CustomerPage,
  Webhook,
  WebhookPage,
  GeneralError,
  FieldErrors,
  Problem: z.union([GeneralError, FieldErrors]),
  OpenApiDocument,
  Clock,
  SetClock,
  TimeSpan,
  ClockMove,
  SavedState,
  StateList,
  Replaced: ReplacedAccount,
  Restored: RestoredAccount,
  Delivery,
  DeliveryPage,
  NoticeList,
  AccountPayment: payments.AccountPayment,
  AccountPaymentPage: payments.AccountPaymentPage,
  ...PAYMENT_ANSWERS,
  ...BUYER_ANSWERS,
  ChangePage,
  SubscriptionChangePage,
  Recovered: RecoveredDeliveries,
  SentExample,
  ScenarioList,
  SimulatedPayment,
  ...EVENT_BODIES,
  Health,
  AccountDirectory,
  AccountProfile,
  AccountImage,
  OpenedAccount,
  Verification,
  OperatorAccount,
  OperatorAccountList,
  DocumentContent,
  AccountKey,
  AccountKeyPage,
  AccountProduct,
  AccountProductPage,
  AccountMove,
  AccountMovePreview,
  ProductSubscribers,
  UndoneMove,
  ReminderSchedule: reminders.ReminderSchedule,
  ReminderPreview: reminders.ReminderPreview,
  PlannedReminders: reminders.PlannedReminders,
  BuyerLanguage,
  ReminderHold: reminders.ReminderHold,
  ReminderHoldList: reminders.ReminderHoldList,
  ReminderResults: reminders.ScheduleResults,
  OptOut: reminders.OptOut,
  OptOutPage: reminders.OptOutPage,
  LedgerBalances: payments.LedgerBalances,
  Statement: payments.MonthlyStatement,
  BillPage: payments.AccountBillPage,
  BillSettings: payments.BillSettings,
  ComparedStatement,
  HandedMessage,
  CheckedPaymentAccount,
  PaymentAccounts,
  SavedPaymentAccount,
  CheckedChannel,
  ChannelSetup,
  ChannelSetups,
  MessagePage,
  SentMessage,
};
const REQUESTS = {
  CreateSubscription,
  RescheduleSubscription,
  TakeOverSubscription,
  CreateWebhook,
  UpdateWebhook,
  MoveClock,
  RecoverDeliveries,
  SendExample,
  RotateSecret,
  StartScenario,
  SimulatePayment,
  SaveState,
  ChangeProfile,
  OpenAccount,
  ChangeVerification,
  AddDocument,
  OperatorNote,
  CreateKey,
  ChangeKey,
  RollKey,
  CreateProduct,
  ChangeProduct,
  StartMove,
  OrderPaymentAccounts,
  CompareStatement,
  SavePaymentAccount,
  SaveChannel,
  SendTestMessage,
  UploadImage,
  ChangeBillSettings: payments.ChangeBillSettings,
  ...PAYMENT_REQUESTS,
  ...BUYER_REQUESTS,
  ChangeReminderSchedule: reminders.ChangeReminderSchedule,
  PreviewReminders: reminders.PreviewReminders,
  SetBuyerLanguage,
  HoldReminders: reminders.HoldReminders,
  SendReminder: reminders.SendReminder,
  FindOptOuts: reminders.FindOptOuts,
  AddOptOut: reminders.AddOptOut,
  HandOverMessage,
};

export type SchemaName = keyof typeof ANSWERS | keyof typeof REQUESTS;

const NAMES = new Map<z.ZodType, SchemaName>(
  Object.entries({ ...ANSWERS, ...REQUESTS }).map(([name, schema]) => [
    schema,
    name as SchemaName,
  ]),
);

export function schemaNameOf(schema: z.ZodType): SchemaName {
  const name = NAMES.get(schema);
  if (!name) throw new Error("A route's schema has no name in openapi/schemas.ts.");
  return name;
}

export const schemaReference = (name: SchemaName) => ({ $ref: `#/components/schemas/${name}` });

/** The contract's schemas as JSON Schema 2020-12, by name; nested ones become references. */
export function componentSchemas(): Record<SchemaName, JsonSchema> {
  const whole = {
    ...convert(ANSWERS, "output"),
    ...convert(REQUESTS, "input"),
  } as Record<SchemaName, JsonSchema>;
  const named = Object.entries(whole) as [SchemaName, JsonSchema][];
  return Object.fromEntries(
    named.map(([name, schema]) => [name, withReferences(schema, name, named)]),
  ) as Record<SchemaName, JsonSchema>;
}

const convert = (schemas: Record<string, z.ZodType>, io: "input" | "output") =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, toJsonSchema(schema, io)]),
  );

export function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, { io });
  return converted;
}

function withReferences(
  schema: JsonSchema,
  own: SchemaName,
  named: [SchemaName, JsonSchema][],
): JsonSchema {
  const visit = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const found = named.find(
      ([name, other]) => name !== own && isDeepStrictEqual(other, value),
    );
    if (found) return schemaReference(found[0]);
    if (Array.isArray(value)) return value.map(visit);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visit(inner)]));
  };
  return Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, visit(inner)]));
}

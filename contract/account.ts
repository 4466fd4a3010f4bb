import * as z from "zod";
import { FIELD_MESSAGES, isPlainText, isWebAddress, tooLongMessage } from "./field-messages.ts";
import { KEY_KINDS, KEY_SCOPES, KEY_STATES, USAGE_TYPES } from "./names.ts";
import { billingPeriodFields, productFields, vatFields } from "./products.ts";
import { MAX_URL_LENGTH } from "./webhooks.ts";
import {
  defineSentAndReceived,
  filledText,
  pageEnvelope,
  required,
  textLine,
  type WireTypes,
} from "./wire.ts";

/** The header of an answer that carries a new key or account token, once. */
export const ISSUED_KEY_HEADER = "x-issued-key";

/** GET /account/v1/: what this service offers besides `/api/v1/`, and what each route needs. */
export const [AccountDirectory, ReceivedAccountDirectory] = defineSentAndReceived((wire) =>
  wire.object({
    mode: wire.oneOf(["test", "live"]),
    capabilities: wire.list(wire.text),
    /** The kinds of events that endpoints receive. */
    events: wire.list(wire.text),
    operations: wire.list(
      wire.object({
        method: wire.text,
        path: wire.text,
        capability: wire.text,
        /** The scope that an API key needs; null if no API key opens it. */
        scope: wire.nullable(wire.oneOf(KEY_SCOPES)),
        account_token: wire.boolean,
        /** Whether an installation's token opens it; that token belongs to no account. */
        installation_token: wire.boolean,
        before_verification: wire.boolean,
      }),
    ),
  }),
);
export type AccountDirectory = z.output<typeof AccountDirectory>;

/** The look of the business at its checkout; null where nothing was chosen. */
const branding = (wire: WireTypes) => ({
  /** Shown instead of the account's name. */
  checkout_name: wire.nullable(wire.text),
  /** A color, #rrggbb. */
  checkout_color: wire.nullable(wire.text),
  checkout_logo: wire.nullable(wire.url),
  support_email: wire.nullable(wire.text),
  support_phone: wire.nullable(wire.text),
  /** How buyers can pay without this checkout; may have several lines. */
  pay_otherwise: wire.nullable(wire.text),
});

export const [AccountProfile, ReceivedAccountProfile] = defineSentAndReceived((wire) =>
  wire.object({
    name: wire.text,
    /** The base URL of this API, without a slash at its end. */
    api_url: wire.url,
    /** The page on which buyers see with a code what they owe; null if there is none. */
    buyers_page: wire.nullable(wire.url),
    time_zone: wire.text,
    grace_days: wire.integer,
    api_usage_type: wire.nullable(wire.oneOf(USAGE_TYPES)),
    currency: wire.text,
    return_url: wire.nullable(wire.url),
    /** A recorded payment above it counts once a second member approves it; null for no limit. */
    approve_payments_above: wire.nullable(wire.decimal),
    ...branding(wire),
    version: wire.id,
    created_at: wire.datetime,
    /** The credential of this request. */
    credential: wire.object({
      kind: wire.oneOf(KEY_KINDS),
      scopes: wire.list(wire.oneOf(KEY_SCOPES)),
      expires_at: wire.nullable(wire.datetime),
    }),
  }),
);
export type AccountProfile = z.output<typeof AccountProfile>;

/** POST /account/v1/images/: an image as it is stored. */
export const [AccountImage, ReceivedAccountImage] = defineSentAndReceived((wire) =>
  wire.object({
    url: wire.url,
    width: wire.integer,
    height: wire.integer,
    bytes: wire.integer,
  }),
);
export type AccountImage = z.output<typeof AccountImage>;

/** POST /account/v1/accounts/; the account token is in a header. */
export const [OpenedAccount, ReceivedOpenedAccount] = defineSentAndReceived((wire) =>
  wire.object({ account_id: wire.number_id, is_verified: wire.boolean }),
);
export type OpenedAccount = z.output<typeof OpenedAccount>;

const key = (wire: WireTypes) =>
  wire.object({
    id: wire.number_id,
    kind: wire.oneOf(KEY_KINDS),
    mode: wire.oneOf(["test", "live"]),
    name: wire.text,
    scopes: wire.list(wire.oneOf(KEY_SCOPES)),
    prefix: wire.text,
    last_four: wire.text,
    state: wire.oneOf(KEY_STATES),
    created_at: wire.datetime,
    expires_at: wire.nullable(wire.datetime),
    last_used_at: wire.nullable(wire.datetime),
    last_used_address: wire.nullable(wire.text),
  });

export const [AccountKey, ReceivedAccountKey] = defineSentAndReceived(key);
export type AccountKey = z.output<typeof AccountKey>;

/** An answer that issues a key or token, which is in a header and is parsed as a field. */
const withIssuedKey = <Answer>(answer: z.ZodType<Answer>) =>
  z.unknown().transform((given, context): { answer: Answer; issued: string } => {
    const parsed = answer.safeParse(given);
    const headers = z.object({ [ISSUED_KEY_HEADER]: z.string().min(1) }).safeParse(given);
    const issued = headers.data?.[ISSUED_KEY_HEADER];
    if (parsed.success && issued !== undefined) return { answer: parsed.data, issued };
    context.addIssue({ code: "custom", message: "no key was issued" });
    return z.NEVER;
  });
export const ReceivedIssuedKey = withIssuedKey(ReceivedAccountKey);
export type IssuedKey = z.output<typeof ReceivedIssuedKey>;
export const ReceivedIssuedToken = withIssuedKey(ReceivedOpenedAccount);

export const [AccountKeyPage, ReceivedAccountKeyPage] = defineSentAndReceived((wire) =>
  wire.object(pageEnvelope(wire, key(wire))),
);

const product = (wire: WireTypes) =>
  wire.object({
    ...productFields(
      wire,
      wire.object({
        ...billingPeriodFields(wire),
        /** The archived period that this one replaced with another price; null for all others. */
        replaces: wire.nullable(wire.text),
        /** The tax of its price; an archived period keeps the tax with which it was sold. */
        vat: wire.object(vatFields(wire)),
      }),
    ),
    version: wire.id,
  });

/** A product as its seller sees it, also when it is off sale, with its archived billing periods. */
export const [AccountProduct, ReceivedAccountProduct] = defineSentAndReceived(product);
export type AccountProduct = z.output<typeof AccountProduct>;

export const [AccountProductPage, ReceivedAccountProductPage] = defineSentAndReceived((wire) =>
  wire.object(pageEnvelope(wire, product(wire))),
);

/** Query of GET /account/v1/products/. */
export const ProductFilter = z.object({
  is_active: z.enum(["true", "false"], 'Use "true" or "false".').optional(),
});

const money = (wire: WireTypes) => wire.object({ currency: wire.text, amount: wire.decimal });
const movePreview = (wire: WireTypes) => ({
  from: wire.text,
  to: wire.text,
  subscribers: wire.integer,
  /** Subscribers who have the other billing period too and so keep both. */
  staying: wire.integer,
  /** The earliest and the latest billing date with the new price; null without subscribers. */
  first_day: wire.nullable(wire.date),
  last_day: wire.nullable(wire.date),
  /**
   * What all subscribers together pay for the first billing with the new price: at the old price,
   * and at the new.
   */
  before: money(wire),
  after: money(wire),
});

export const [AccountMovePreview, ReceivedAccountMovePreview] = defineSentAndReceived((wire) =>
  wire.object(movePreview(wire)),
);
export const [AccountMove, ReceivedAccountMove] = defineSentAndReceived((wire) =>
  wire.object({ id: wire.number_id, ...movePreview(wire) }),
);
export type AccountMovePreview = z.output<typeof AccountMovePreview>;
export type AccountMove = z.output<typeof AccountMove>;
export const [UndoneMove, ReceivedUndoneMove] = defineSentAndReceived((wire) =>
  wire.object({ id: wire.number_id, undone: wire.integer }),
);
export type UndoneMove = z.output<typeof UndoneMove>;

/** GET /account/v1/products/{id}/subscribers/: every billing period, also archived ones. */
export const [ProductSubscribers, ReceivedProductSubscribers] = defineSentAndReceived((wire) =>
  wire.object({
    periods: wire.list(
      wire.object({
        pbp_id: wire.text,
        subscribers: wire.integer,
        /** The newest move of its subscribers that was not undone; null without one. */
        move: wire.nullable(
          wire.object({
            id: wire.number_id,
            to: wire.text,
            /** The number of subscribers whose move can still be undone. */
            waiting: wire.integer,
          }),
        ),
      }),
    ),
  }),
);
export type ProductSubscribers = z.output<typeof ProductSubscribers>;

const PeriodId = z
  .string(required("Send a pbp_id as text."))
  .min(1, FIELD_MESSAGES.blank)
  .max(100, tooLongMessage(100))
  .refine(isPlainText, { error: FIELD_MESSAGES.hidden });

/** Body of POST /account/v1/moves/, and query of its preview. */
export const StartMove = z.object({ from: PeriodId, to: PeriodId.optional() });
export type StartMove = z.output<typeof StartMove>;

const isTimeZone = (timeZone: string) => {
  try {
    // Intl also accepts the typographic minus sign (U+2212); other programs do not.
    if (!/^[\w+/:-]+$/.test(timeZone)) return false;
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
};
/** The name of a zone, or an offset. */
export const TimeZone = z
  .string(required("Send text."))
  .max(100, tooLongMessage(100))
  .refine(isTimeZone, "not a time zone; write one such as Asia/Kathmandu or +05:45");

/** The version that a change was made from, as read with the record. */
export const Version = z.uuid(required("Send the version that you read, as text."));

const GraceDays = z
  .int("Send a whole number of days, 0 to 90.")
  .min(0, "Send a whole number of days, 0 to 90.")
  .max(90, "Send a whole number of days, 0 to 90.");
const UsageType = z.enum(USAGE_TYPES, `Use one of ${USAGE_TYPES.join(", ")}.`);
const Currency = z
  .string(required("Send text."))
  .regex(/^[A-Z]{3}$/, "Use three capital letters, such as NPR.");
const WebAddress = z
  .string(required("Send text."))
  .trim()
  .max(MAX_URL_LENGTH, tooLongMessage(MAX_URL_LENGTH))
  .refine((text) => isPlainText(text) && isWebAddress(text), { error: FIELD_MESSAGES.url });

/** A phone number of 7 to 15 digits. */
export const PhoneNumber = z
  .string(required("Send text."))
  .trim()
  .regex(/^\+?[\d -]{7,20}$/, FIELD_MESSAGES.phone)
  .refine((text) => /^\d{7,15}$/.test(text.replace(/\D/g, "")), FIELD_MESSAGES.phone);
const Email = z
  .string(required("Send text."))
  .trim()
  .max(254, FIELD_MESSAGES.email)
  .pipe(z.email(FIELD_MESSAGES.email));
const Color = z
  .string(required("Send text."))
  .regex(/^#[\dA-Fa-f]{6}$/, "Send a color such as #1f5fbf.")
  .toLowerCase();
const LongText = filledText(500);

/** Body of PATCH /account/v1/profile/; omitted fields stay unchanged. */
export const ChangeProfile = z.strictObject({
  version: Version,
  name: textLine(200).optional(),
  time_zone: TimeZone.optional(),
  grace_days: GraceDays.optional(),
  api_usage_type: UsageType.optional(),
  currency: Currency.optional(),
  return_url: WebAddress.nullable().optional(),
  approve_payments_above: z
    .string(required("Send an amount as text, or null."))
    .regex(/^\d{1,12}(\.\d{1,2})?$/, "Send an amount as text, such as 5000.00, or null.")
    .nullable()
    .optional(),
  checkout_name: textLine(100).nullable().optional(),
  checkout_color: Color.nullable().optional(),
  /** The address of an image that the account uploaded. */
  checkout_logo: WebAddress.nullable().optional(),
  support_email: Email.nullable().optional(),
  support_phone: PhoneNumber.nullable().optional(),
  pay_otherwise: LongText.nullable().optional(),
});
export type ChangeProfile = z.output<typeof ChangeProfile>;

/** Body of POST /account/v1/images/. */
export const UploadImage = z.strictObject({
  /** The bytes in base64. */
  content: z.base64(required("Send the bytes in base64.")).min(1, FIELD_MESSAGES.blank),
});

/** Body of POST /account/v1/accounts/. */
export const OpenAccount = z.strictObject({
  /** The caller's own name for the account; the same name opens the same account again. */
  reference: textLine(100),
  name: textLine(200),
  time_zone: TimeZone,
  currency: Currency,
  api_usage_type: UsageType.default("payment"),
  return_url: WebAddress.nullable().default(null),
});
export type OpenAccount = z.output<typeof OpenAccount>;

const Scopes = z
  .array(
    z.enum(KEY_SCOPES, `Use one of ${KEY_SCOPES.join(", ")}.`),
    required(`Send a list with some of ${KEY_SCOPES.join(", ")}.`),
  )
  .min(1, "Name at least one scope.")
  .max(10, "Name each scope once.");
const ExpiresAt = z.iso.datetime({
  offset: true,
  error: "Send a time such as 2027-01-31T00:00:00Z, or null for a key without an end.",
});

/** Body of POST /account/v1/keys/. */
export const CreateKey = z.strictObject({
  name: textLine(100),
  scopes: Scopes,
  expires_at: ExpiresAt.nullable().default(null),
});
export type CreateKey = z.output<typeof CreateKey>;

/** Body of PATCH /account/v1/keys/{id}/; omitted fields stay unchanged. */
export const ChangeKey = z.strictObject({
  name: textLine(100).optional(),
  scopes: Scopes.optional(),
  expires_at: ExpiresAt.nullable().optional(),
});
export type ChangeKey = z.output<typeof ChangeKey>;

const MAX_OVERLAP_HOURS = 30 * 24;
const wholeHours = `Send whole hours, 0 to ${MAX_OVERLAP_HOURS}.`;

/** Body of POST /account/v1/keys/{id}/roll/. With 0 hours the old key ends at once. */
export const RollKey = z.strictObject({
  overlap_hours: z
    .int(required(wholeHours))
    .min(0, wholeHours)
    .max(MAX_OVERLAP_HOURS, wholeHours),
});

import * as z from "zod";
import { FIELD_MESSAGES, isPlainText, tooLongMessage } from "./field-messages.ts";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "./names.ts";

/** A known value of a list, or any value that a newer server sends. */
export type OpenEnum<Known extends string> = Known | (string & {});

/**
 * The types with which each resource is defined once and parsed in two ways: `strict` is what
 * the service sends (an extra or missing key is a bug), `tolerant` is what a client accepts
 * (extra keys dropped, missing ones filled, unknown values kept).
 */
export interface WireTypes {
  /** Required in both readings, because the object is useless without it. */
  id: z.ZodType<string>;
  number_id: z.ZodType<number>;
  text: z.ZodType<string>;
  decimal: z.ZodType<string>;
  /** A decimal that can be below zero. */
  signed_decimal: z.ZodType<string>;
  url: z.ZodType<string>;
  date: z.ZodType<string>;
  datetime: z.ZodType<string>;
  boolean: z.ZodType<boolean>;
  /** A flag that is true for every object in a list, also if the server leaves it out. */
  visible: z.ZodType<boolean>;
  integer: z.ZodType<number>;
  number: z.ZodType<number>;
  /** Number of rows; null if the server does not send it. */
  count: z.ZodType<number | null>;
  /** Texts by arbitrary names, such as headers. */
  texts: z.ZodType<Record<string, string>>;
  oneOf: <Known extends string>(values: readonly Known[]) => z.ZodType<OpenEnum<Known>>;
  nullable: <Value extends z.ZodType>(value: Value) => z.ZodType<z.output<Value> | null>;
  list: <Item extends z.ZodType>(item: Item) => z.ZodType<z.output<Item>[]>;
  object: <Shape extends z.ZodRawShape>(
    shape: Shape,
  ) => z.ZodType<z.output<z.ZodObject<Shape>>>;
}

export const strictTypes: WireTypes = {
  id: z.string().min(1),
  number_id: z.int(),
  text: z.string(),
  decimal: z.string().regex(/^\d+\.\d{2}$/),
  signed_decimal: z.string().regex(/^-?\d+\.\d{2}$/),
  url: z.url(),
  date: z.iso.date(),
  datetime: z.iso.datetime(),
  boolean: z.boolean(),
  visible: z.boolean(),
  integer: z.int(),
  number: z.number(),
  count: z.int().nonnegative(),
  texts: z.record(z.string(), z.string()),
  oneOf: (values) => z.enum(values),
  nullable: (value) => value.nullable(),
  list: (item) => z.array(item),
  object: (shape) => z.strictObject(shape),
};

/** A resource as the service sends it, and as a client accepts it. */
export const defineSentAndReceived = <Schema extends z.ZodType>(
  define: (wire: WireTypes) => Schema,
): [sent: Schema, received: Schema] => [define(strictTypes), define(tolerantTypes)];

const looseText = z.union([z.string(), z.number().transform(String)]).catch("");
const looseNumber = z.union([z.number(), z.string().trim().min(1).pipe(z.coerce.number())]);
const looseBoolean = z.union([
  z.boolean(),
  z.enum(["true", "True", "1"]).transform(() => true),
  z.enum(["false", "False", "0"]).transform(() => false),
  z.literal(1).transform(() => true),
  z.literal(0).transform(() => false),
]);
const objectOrEmpty = (value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};

const tolerantTypes: WireTypes = {
  id: z.union([z.string().min(1), z.number().transform(String)]),
  number_id: looseNumber,
  text: looseText,
  decimal: looseText,
  signed_decimal: looseText,
  url: looseText,
  date: looseText,
  datetime: looseText,
  boolean: looseBoolean.catch(false),
  visible: looseBoolean.catch(true),
  integer: looseNumber.catch(0),
  number: looseNumber.catch(0),
  count: looseNumber.nullable().catch(null),
  texts: z.preprocess(objectOrEmpty, z.record(z.string(), looseText)),
  oneOf: () => looseText,
  // Empty values become null first, because the value's own parser would turn a missing key into an
  // empty text.
  nullable: (value) => z.preprocess((given) => given || null, value.nullable()).catch(null),
  list: (item) => z.preprocess((value) => (Array.isArray(value) ? value : []), z.array(item)),
  object: (shape) => z.preprocess(objectOrEmpty, z.object(shape)),
};

/** The fields around the rows of every list; a list may add its own. */
export const pageEnvelope = <Item extends z.ZodType>(wire: WireTypes, item: Item) => ({
  count: wire.count,
  next: wire.nullable(wire.text),
  previous: wire.nullable(wire.text),
  results: wire.list(item),
});

/** The page size in a query. */
export const PageSize = z.coerce
  .number()
  .pipe(z.int().min(1).max(MAX_PAGE_SIZE))
  .default(DEFAULT_PAGE_SIZE);

/** The message of a missing value, or of a value of a wrong type. */
export const required = (wrong: string) => ({
  error: ({ input }: { input?: unknown }) =>
    input === undefined ? FIELD_MESSAGES.required : wrong,
});

/** A text that may be empty. */
export const anyText = (limit: number) =>
  z
    .string(required("Send text."))
    .trim()
    .max(limit, tooLongMessage(limit))
    .refine(isPlainText, FIELD_MESSAGES.hidden);

const filled = (limit: number) =>
  z
    .string(required("Send text."))
    .trim()
    .min(1, { error: FIELD_MESSAGES.blank, abort: true })
    .max(limit, tooLongMessage(limit));

/** A text that is not blank. */
export const filledText = (limit: number) =>
  filled(limit).refine(isPlainText, FIELD_MESSAGES.hidden);

/** One line of text that is not blank. */
export const textLine = (limit: number) =>
  filled(limit).refine(
    (text) => isPlainText(text) && !/\s/.test(text.replaceAll(" ", "")),
    FIELD_MESSAGES.hidden,
  );

/** Text of one or more lines, not only spaces; each line break becomes \n. */
export const textBlock = (limit: number) =>
  z
    .string(required("Send text."))
    .transform((text) => text.replace(/\r\n?/g, "\n"))
    .pipe(filledText(limit));

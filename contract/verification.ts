import * as z from "zod";
import { PhoneNumber, Version } from "./account.ts";
import { FIELD_MESSAGES } from "./field-messages.ts";
import { DOCUMENT_KINDS, DOCUMENT_TYPES, VERIFICATION_STATES } from "./names.ts";
import { defineSentAndReceived, required, textLine, type WireTypes } from "./wire.ts";

export const MAX_DOCUMENTS = 10;

/** The details of the business; those that were not given yet are empty. */
const details = (wire: WireTypes) => ({
  legal_name: wire.text,
  pan: wire.text,
  contact_name: wire.text,
  contact_phone: wire.text,
  contact_email: wire.text,
  address: wire.text,
});

const document = (wire: WireTypes) =>
  wire.object({
    id: wire.id,
    kind: wire.oneOf(DOCUMENT_KINDS),
    name: wire.text,
    media_type: wire.oneOf(DOCUMENT_TYPES),
    bytes: wire.integer,
    uploaded_at: wire.datetime,
  });

const verification = (wire: WireTypes) => ({
  state: wire.oneOf(VERIFICATION_STATES),
  /** The operator's answer; null without one. */
  note: wire.nullable(wire.text),
  ...details(wire),
  documents: wire.list(document(wire)),
  submitted_at: wire.nullable(wire.datetime),
  version: wire.id,
});

export const [Verification, ReceivedVerification] = defineSentAndReceived((wire) =>
  wire.object(verification(wire)),
);
export type Verification = z.output<typeof Verification>;

export const [VerificationDocument, ReceivedVerificationDocument] =
  defineSentAndReceived(document);
export type VerificationDocument = z.output<typeof VerificationDocument>;

/** An account as the operator sees it. */
const operatorAccount = (wire: WireTypes) =>
  wire.object({
    account_id: wire.number_id,
    name: wire.text,
    opened_at: wire.datetime,
    ...verification(wire),
  });
export const [OperatorAccount, ReceivedOperatorAccount] =
  defineSentAndReceived(operatorAccount);
export type OperatorAccount = z.output<typeof OperatorAccount>;

export const [OperatorAccountList, ReceivedOperatorAccountList] = defineSentAndReceived(
  (wire) => wire.object({ results: wire.list(operatorAccount(wire)) }),
);
export type OperatorAccountList = z.output<typeof OperatorAccountList>;

/** A document with its bytes in base64. */
export const [DocumentContent, ReceivedDocumentContent] = defineSentAndReceived((wire) =>
  wire.object({
    name: wire.text,
    media_type: wire.oneOf(DOCUMENT_TYPES),
    content: wire.text,
  }),
);
export type DocumentContent = z.output<typeof DocumentContent>;

/** Body of PATCH /account/v1/verification/; omitted fields stay unchanged. */
export const ChangeVerification = z.strictObject({
  version: Version,
  legal_name: textLine(200).optional(),
  pan: z
    .string(required("Send text."))
    .regex(/^\d{9}$/, FIELD_MESSAGES.panVat)
    .optional(),
  contact_name: textLine(200).optional(),
  contact_phone: PhoneNumber.optional(),
  contact_email: z.email(FIELD_MESSAGES.email).max(254, FIELD_MESSAGES.email).optional(),
  address: textLine(300).optional(),
});
export type ChangeVerification = z.output<typeof ChangeVerification>;

/** Body of POST /account/v1/verification/documents/. */
export const AddDocument = z.strictObject({
  kind: z.enum(DOCUMENT_KINDS, `Use one of ${DOCUMENT_KINDS.join(", ")}.`),
  name: textLine(200),
  /** The bytes in base64. */
  content: z.base64(required("Send the bytes in base64.")).min(1, FIELD_MESSAGES.blank),
});
export type AddDocument = z.output<typeof AddDocument>;

/** Body of the operator's answers that need a note. */
export const OperatorNote = z.strictObject({ note: textLine(2_000) });
export type OperatorNote = z.output<typeof OperatorNote>;

/** The query of GET /operator/v1/accounts/. */
export const OperatorQuery = z.object({
  state: z
    .enum(VERIFICATION_STATES, `Use one of ${VERIFICATION_STATES.join(", ")}.`)
    .optional(),
});

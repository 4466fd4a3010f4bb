import { can, type Permission, type Role } from "#lib/auth/permissions.ts";

/** Kinds of notices outside the desk. */
export const NOTICE_KINDS = [
  "morning",
  "payment",
  "promise_broken",
  "endpoint_off",
  "channel_failed",
  "provider_failed",
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export const NOTICE_WAYS = ["mail", "push"] as const;
export type NoticeWay = (typeof NOTICE_WAYS)[number];

const KINDS_OF: Record<NoticeWay, readonly NoticeKind[]> = {
  mail: ["morning", "endpoint_off", "channel_failed", "provider_failed"],
  push: NOTICE_KINDS,
};

/** The permission to open the page of a notice: the notice shows no more than the page. */
const PERMISSION_OF: Record<NoticeKind, Permission> = {
  morning: "subscriptions:read",
  payment: "subscriptions:read",
  promise_broken: "subscriptions:read",
  endpoint_off: "webhooks:read",
  channel_failed: "connection:read",
  provider_failed: "connection:read",
};

export const mayGetNotice = (role: Role, kind: NoticeKind): boolean =>
  can(role, PERMISSION_OF[kind]);

/** The kinds that a role can switch on. */
export const offeredKinds = (way: NoticeWay, role: Role): NoticeKind[] =>
  KINDS_OF[way].filter((kind) => mayGetNotice(role, kind));

export const isNoticeKind = (text: string): text is NoticeKind =>
  NOTICE_KINDS.some((kind) => kind === text);

export interface NoticeChoices extends Record<NoticeWay, NoticeKind[]> {
  /** HH:MM in the seller's time zone. */
  morning_at: string;
  /** Whether a push may name buyers. */
  shows_names: boolean;
}

/** The choices of a member who has not chosen anything yet. */
export const NO_NOTICES: NoticeChoices = {
  mail: [],
  push: [],
  morning_at: "07:00",
  shows_names: false,
};

/** A browser that gets a person's pushes. */
export interface PushBrowser {
  id: string;
  endpoint: string;
  user_agent: string | null;
  created_at: string;
  /** Whether it subscribed with another push key, so that pushes no longer reach it. */
  is_stale: boolean;
}

export const MOST_BROWSERS = 10;

export interface NoticeOptions {
  choices: NoticeChoices;
  offered: Record<NoticeWay, NoticeKind[]>;
  email: string;
  /** Whether this installation has a mail server. */
  canMail: boolean;
  /** The public key for browsers; null if this installation sends no pushes. */
  pushKey: string | null;
  browsers: PushBrowser[];
}

export interface TestResult {
  mail: "sent" | "failed" | "off";
  /** How many browsers were reached. */
  browsers: number;
}

/** The path of the settings for notices, below the seller and mode. */
export const NOTICES_PAGE = "/settings/notifications";

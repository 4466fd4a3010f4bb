"use client";

import {
  type ComponentProps,
  createContext,
  type FocusEvent,
  type ReactNode,
  use,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import Link from "next/link";
import { usePathname, useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { can, type Permission, type Role } from "#lib/auth/permissions.ts";
import { type Scope, scopePath } from "#lib/scope.ts";
import type { SecondCalendar } from "#lib/i18n/languages.ts";
import { type AmountStyle, type Format, makeFormat } from "#lib/format/format.ts";

interface Seller {
  scope: Scope;
  name: string;
  time_zone: string;
  /** The currency of amounts that have no currency of their own. */
  currency: string;
  amount_style: AmountStyle;
  /** Why buyers leave: names of standard reasons, or the seller's words. */
  leave_reasons: string[];
  needs_leave_reason: boolean;
  role: Role;
  /** True if the seller requires a second factor and the person has none. */
  lacks_second_factor: boolean;
  /** The signed-in person's id. */
  person: string;
  /** A calendar whose dates are shown next to Gregorian ones. */
  second_calendar: SecondCalendar | null;
  /** Whether single-key shortcuts are on. */
  character_keys: boolean;
}

interface SellerContextValue extends Seller {
  /** The current time, ISO; initially the server's, so that server and browser render the same. */
  now: string;
}

const SellerContext = createContext<SellerContextValue | null>(null);

const MINUTE = 60_000;

interface SellerProviderProps extends SellerContextValue {
  children: ReactNode;
}

/** The seller, the signed-in person and the time for relative dates. */
export function SellerProvider({ children, now: atServer, ...seller }: SellerProviderProps) {
  const [now, setNow] = useState(atServer);
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date().toISOString()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  return <SellerContext value={{ ...seller, now }}>{children}</SellerContext>;
}

export function useSeller(): SellerContextValue {
  const seller = use(SellerContext);
  if (!seller) throw new Error("useSeller needs a SellerProvider above it");
  return seller;
}

/** The seller and mode, for URLs, actions and query keys. */
export function useScope(): Scope {
  return useSeller().scope;
}

/** The current path within the seller and mode; "" for the overview. */
export function useScopedPath(): string {
  return usePathname().slice(scopePath(useScope()).length);
}

/** The id of the record that the page shows: the last part of its path, as it is in the URL. */
export const useRecordId = (): string => usePathname().split("/").at(-1) ?? "";

/** Whether the person has the permission, for hiding controls; the server enforces permissions. */
export function usePermission(permission: Permission): boolean {
  return can(useSeller().role, permission);
}

/** Milliseconds that a mouse has to rest on a link. */
const REST_MS = 50;

/**
 * Event handlers for a link or tab that call `prefetch` when the user is about to press it: on hover, focus or
 * touch, but not on a slow connection or one whose user saves data.
 */
export function useIntent(prefetch: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isOver = useRef(false);
  const cancel = () => clearTimeout(timer.current);
  useEffect(() => cancel, []);
  function start(pause: number) {
    cancel();
    if (!isConnectionSlow()) timer.current = setTimeout(prefetch, pause);
  }
  return {
    // Not pointerenter, which also comes when a link scrolls under a mouse that does not move.
    onPointerMove() {
      if (!isOver.current) start(REST_MS);
      isOver.current = true;
    },
    onPointerLeave() {
      isOver.current = false;
      cancel();
    },
    onPointerDown: () => start(0),
    onFocus({ currentTarget }: FocusEvent<Element>) {
      if (currentTarget.matches(":focus-visible")) start(REST_MS);
    },
  };
}

/** Whether the connection is slow or its user saves data; false where the browser does not tell. */
export function isConnectionSlow(): boolean {
  const { connection } = navigator as Navigator & {
    connection?: { saveData: boolean; effectiveType: string };
  };
  return connection !== undefined && (connection.saveData || connection.effectiveType !== "4g");
}

interface PageLinkProps extends Omit<ComponentProps<typeof Link>, "href" | "prefetch"> {
  href: string;
  /** Whether to prefetch the page; true by default. */
  prefetch?: boolean;
  /** Prefetches more than the page. */
  onIntent?: (() => void) | undefined;
}

/** A link to another page, which is prefetched when the user is about to press it. */
export function PageLink({ href, prefetch = true, onIntent, ...props }: PageLinkProps) {
  const router = useRouter();
  const intent = useIntent(() => {
    if (prefetch) router.prefetch(href);
    onIntent?.();
  });
  return <Link href={href} prefetch={false} {...intent} {...props} />;
}

/** @param href the path below the current seller and mode */
export function ScopedLink({ href, ...props }: PageLinkProps) {
  return <PageLink href={scopePath(useScope(), href)} {...props} />;
}

/**
 * Formats dates, amounts and counts in the user's language and the seller's time zone and style.
 * @param at ISO; relative days count from it instead of from now
 */
export function useFormat(at?: string): Format {
  const t = useTranslations("format");
  const language = useLocale();
  const { time_zone, now: today, currency, amount_style } = useSeller();
  const now = at ?? today;
  return useMemo(
    () => makeFormat(t, { language, time_zone, now, currency, amount_style }),
    [t, language, time_zone, now, currency, amount_style],
  );
}

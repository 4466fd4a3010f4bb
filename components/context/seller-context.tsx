"use client";

import { createContext, use, useEffect, useState, type ReactNode } from "react";
import { can, type Permission, type Role } from "#lib/auth/permissions.ts";
import type { Scope } from "#lib/scope.ts";
import type { SecondCalendar } from "#lib/i18n/languages.ts";
import type { AmountStyle } from "#lib/format/format.ts";

interface Seller {
  scope: Scope;
  name: string;
  time_zone: string;
  /** Of amounts that come without one. */
  currency: string;
  amount_style: AmountStyle;
  role: Role;
  /** The seller demands one and this person has none: only their account is open to them. */
  lacks_second_factor: boolean;
  /** The id of whoever is signed in, for what a tab keeps of theirs. */
  person: string;
  /** The person's wish, beside the Gregorian calendar. */
  second_calendar: SecondCalendar | null;
  /** Whether single characters act at once. */
  character_keys: boolean;
}

interface SellerContextValue extends Seller {
  /** ISO; the server's at first, so that both sides render the same words. */
  now: string;
}

const SellerContext = createContext<SellerContextValue | null>(null);

const MINUTE = 60_000;

interface SellerProviderProps extends SellerContextValue {
  children: ReactNode;
}

/** Who the page is shown for, and the time that its relative dates are counted from. */
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

/** Which seller and mode: for addresses, calls and cache keys. */
export function useScope(): Scope {
  return useSeller().scope;
}

/** For hiding what would be refused anyway; the refusal itself is the server's. */
export function usePermission(permission: Permission): boolean {
  return can(useSeller().role, permission);
}

"use client";

import { createContext, use, useEffect, useState, type ReactNode } from "react";
import { can, type Permission, type Role } from "#lib/auth/permissions.ts";

interface Seller {
  name: string;
  time_zone: string;
  role: Role;
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

/** For hiding what would be refused anyway; the refusal itself is the server's. */
export function usePermission(permission: Permission): boolean {
  return can(useSeller().role, permission);
}

"use client";

import Link from "next/link";
import type { ComponentProps } from "react";
import { scopePath } from "#lib/scope.ts";
import { useScope } from "./seller-context.tsx";

interface ScopedLinkProps extends Omit<ComponentProps<typeof Link>, "href"> {
  /** A path within the seller and mode that are open. */
  href: string;
}

export function ScopedLink({ href, ...props }: ScopedLinkProps) {
  return <Link href={scopePath(useScope(), href)} {...props} />;
}

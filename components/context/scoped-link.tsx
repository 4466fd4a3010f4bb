"use client";

import Link from "next/link";
import type { ComponentProps } from "react";
import { scopePath } from "#lib/scope.ts";
import { useScope } from "./seller-context.tsx";

interface ScopedLinkProps extends Omit<ComponentProps<typeof Link>, "href"> {
  /** A path within the current seller and mode. */
  href: string;
}

export function ScopedLink({ href, ...props }: ScopedLinkProps) {
  return <Link href={scopePath(useScope(), href)} {...props} />;
}

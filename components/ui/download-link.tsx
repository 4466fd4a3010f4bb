import type { ReactNode } from "react";
import { buttonClass } from "./button-class.ts";
import { Download } from "./icons.tsx";

interface DownloadLinkProps {
  href: string;
  className?: string;
  children: ReactNode;
}

/** A link to a file that the browser saves; it looks like a button. */
export function DownloadLink({ href, className, children }: DownloadLinkProps) {
  return (
    <a href={href} download className={buttonClass("secondary", className)}>
      <Download aria-hidden className="size-4" />
      {children}
    </a>
  );
}

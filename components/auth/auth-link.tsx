import Link from "next/link";
import type { ComponentProps } from "react";

/** A link within a sentence, large enough for a thumb. */
export function AuthLink(props: ComponentProps<typeof Link>) {
  return (
    <Link
      prefetch={false}
      className="inline-block rounded py-1 font-medium text-accent underline-offset-2 hover:underline max-md:py-3"
      {...props}
    />
  );
}

import type { ReactNode } from "react";
import { Logo } from "./navigation/logo.tsx";
import { SellerSwitcher, type SellerChoice } from "./navigation/seller-switcher.tsx";
import { SkipLink } from "./navigation/skip-link.tsx";
import { SignOutButton } from "./navigation/user-menu.tsx";

interface AccountShellProps {
  sellers: SellerChoice[];
  children: ReactNode;
}

/** The frame of the account page for people who lack a required second factor. */
export function AccountShell({ sellers, children }: AccountShellProps) {
  return (
    <div className="min-h-dvh">
      <SkipLink />
      <header className="flex h-14 items-center gap-5 border-b px-4 md:px-6 lg:px-8">
        <Logo isCompact />
        <SellerSwitcher sellers={sellers} />
        <div className="ml-auto shrink-0">
          <SignOutButton />
        </div>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-7xl px-4 py-6 outline-none md:px-6 md:py-8 lg:px-8"
      >
        {children}
      </main>
    </div>
  );
}

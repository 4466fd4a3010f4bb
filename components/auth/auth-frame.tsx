import type { ComponentProps, ReactNode } from "react";
import Link from "next/link";
import { Logo } from "#components/shell/navigation/logo.tsx";
import { ClientMessages } from "#components/shell/client-messages.tsx";
import { Card } from "#components/ui/card.tsx";
import { LanguageChoice } from "./language-choice.tsx";

interface AuthFrameProps {
  title: string;
  text?: ReactNode;
  /** Links below the card. */
  footer?: ReactNode;
  children: ReactNode;
}

/** The frame of the pages before sign-in. */
export function AuthFrame({ title, text, footer, children }: AuthFrameProps) {
  return (
    <ClientMessages of="auth">
      <main className="flex min-h-dvh flex-col items-center justify-center px-4 py-12">
        <Logo />
        <Card className="mt-6 w-full max-w-sm p-6">
          <h1 className="text-lg font-semibold">{title}</h1>
          {text && <p className="mt-1 text-muted">{text}</p>}
          <div className="mt-5">{children}</div>
        </Card>
        {footer && <div className="mt-4 text-center text-sm text-muted">{footer}</div>}
        <LanguageChoice />
      </main>
    </ClientMessages>
  );
}

/** A link within a sentence, large enough to touch. */
export function AuthLink(props: ComponentProps<typeof Link>) {
  return (
    <Link
      prefetch={false}
      className="inline-block rounded py-1 font-medium text-accent underline-offset-2 hover:underline max-md:py-3"
      {...props}
    />
  );
}

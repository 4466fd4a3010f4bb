import { Logo } from "#components/shell/navigation/logo.tsx";
import { NotFoundPanel } from "#components/shell/not-found-panel.tsx";
import { pageTitle } from "#lib/i18n/page-title.ts";

export const generateMetadata = pageTitle("layout.notFound.heading");

export default function NotFound() {
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 py-12">
      <Logo />
      <div className="my-auto">
        <NotFoundPanel />
      </div>
    </main>
  );
}

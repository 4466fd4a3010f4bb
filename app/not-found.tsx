import { NotFoundPage } from "#components/shell/not-found-panel.tsx";
import { pageTitle } from "#lib/i18n/page-title.ts";

export const generateMetadata = pageTitle("layout.notFound.heading");

export default NotFoundPage;

import { Figures } from "#components/figures/figures.tsx";
import { HydratedQueries } from "#components/shell/hydrated-queries.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { getFigure } from "#lib/figures/data.ts";
import { figureQuery } from "#lib/figures/queries.ts";
import { parseFiguresSearch, type FigureName } from "#lib/figures/search.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { prefetchAll } from "#lib/query/prefetch.ts";

export const generateMetadata = pageTitle("figures.title");

/** Milliseconds that the page waits for its slowest figure. */
const PATIENCE = 1_000;

interface FiguresPageProps {
  params: ScopeParams;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function FiguresPage({ params, searchParams }: FiguresPageProps) {
  const { scope } = await sellerPage(params, "figures:read");
  const search = parseFiguresSearch(await searchParams);
  const read = (name: FigureName) => ({
    queryKey: figureQuery(scope, name, search).queryKey,
    queryFn: () => getFigure(scope, name, search),
  });
  const reads = {
    revenue: read("revenue"),
    subscribers: read("subscribers"),
    movement: read("movement"),
    checkouts: read("checkouts"),
    owed: read("owed"),
    expected: read("expected"),
    collected: read("collected"),
    products: read("products"),
    retention: read("retention"),
  };
  const { state, failures } = await prefetchAll(reads, PATIENCE);
  return (
    <HydratedQueries state={state}>
      <Figures failures={failures} />
    </HydratedQueries>
  );
}

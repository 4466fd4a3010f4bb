import { FiguresFallback } from "#components/figures/figures.tsx";

export default function FiguresLoading() {
  return <FiguresFallback />;
}

import type { Metadata } from "next";
import { NotFoundPanel } from "#components/layout/not-found-panel.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function DashboardNotFound() {
  return <NotFoundPanel />;
}

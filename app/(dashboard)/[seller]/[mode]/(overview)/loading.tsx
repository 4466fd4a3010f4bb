export { OverviewPlaceholder as default } from "#components/overview/overview.tsx";

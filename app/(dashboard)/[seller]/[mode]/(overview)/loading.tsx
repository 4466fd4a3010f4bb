export { OverviewPlaceholder as default } from "./overview.tsx";

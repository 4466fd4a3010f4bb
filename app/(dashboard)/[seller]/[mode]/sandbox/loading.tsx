export { SandboxSkeleton as default } from "#components/sandbox/sandbox-tools.tsx";

import { SandboxSkeleton } from "#components/sandbox/sandbox-tools.tsx";

export default function SandboxLoading() {
  return <SandboxSkeleton />;
}

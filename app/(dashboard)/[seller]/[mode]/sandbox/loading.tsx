import { SandboxDeskFallback } from "#components/sandbox/sandbox-desk.tsx";

export default function SandboxLoading() {
  return <SandboxDeskFallback />;
}

/** @param isCompact hides the name while the sidebar is narrow */
export function Logo({ isCompact = false }: { isCompact?: boolean }) {
  return (
    <span className="flex items-center gap-2 font-semibold tracking-tight">
      <svg aria-hidden viewBox="0 0 32 32" className="size-6">
        <rect width="32" height="32" rx="8" className="fill-accent-strong" />
        <path
          d="M9 7.5h11.5A2.5 2.5 0 0 1 23 10v14.5H11.5A2.5 2.5 0 0 1 9 22z"
          className="fill-white"
        />
        <path
          d="m12.8 15.6 2.4 2.4 4.2-4.6"
          className="fill-none stroke-accent-strong"
          strokeWidth="2.2"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <span className={isCompact ? "max-lg:hidden" : undefined}>Duebook</span>
    </span>
  );
}

/** A tab's text that is as wide in bold (current) as in regular weight. */
export function SteadyWords({ children }: { children: string }) {
  return (
    <span data-words={children} className="steady-words">
      {children}
    </span>
  );
}

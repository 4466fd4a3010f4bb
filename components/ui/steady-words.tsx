/** The words of a tab: as wide when it is the current one, in bolder letters, as when it is not. */
export function SteadyWords({ children }: { children: string }) {
  return (
    <span data-words={children} className="steady-words">
      {children}
    </span>
  );
}

import { cn } from "#lib/cn.ts";
import { CopyButton } from "./copy-button.tsx";

interface CodeBlockProps {
  text: string;
  /** Names what the copy button copies; no button without it. */
  copyLabel?: string;
  className?: string;
}

/** Preformatted text that wraps long lines. */
export function CodeBlock({ text, copyLabel, className }: CodeBlockProps) {
  return (
    <div className="grid gap-2">
      <pre
        className={cn(
          "rounded border bg-canvas px-3 py-2 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap",
          className,
        )}
      >
        {text}
      </pre>
      {copyLabel && (
        <div className="flex items-center gap-2">
          <CopyButton text={text} label={copyLabel} />
        </div>
      )}
    </div>
  );
}

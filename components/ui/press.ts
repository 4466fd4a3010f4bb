/**
 * Whether the event is a press on this element or the focus that follows: the element's own click then closes
 * what it opened.
 */
export function isPressOn(element: HTMLElement | null, event: Event): boolean {
  if (event instanceof KeyboardEvent) return false;
  const target = event instanceof FocusEvent ? event.relatedTarget : event.target;
  return target instanceof Node && element !== null && element.contains(target);
}

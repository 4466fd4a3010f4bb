/**
 * Whether it is a press on this element, or the way of the focus to it that such a press brings: what
 * the element opened is then closed by the element's own click, not before it.
 */
export function isPressOn(element: HTMLElement | null, event: Event): boolean {
  if (event instanceof KeyboardEvent) return false;
  const target = event instanceof FocusEvent ? event.relatedTarget : event.target;
  return target instanceof Node && element !== null && element.contains(target);
}

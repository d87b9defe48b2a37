/** A ref: what scrolls can be reached by keyboard, what does not scroll is no stop. */
export function focusableIfScrollable(element: HTMLElement | null): void {
  if (element === null) return;
  const scrolls = element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;
  if (scrolls) element.tabIndex = 0;
}

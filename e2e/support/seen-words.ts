import type { Page } from '@playwright/test';

declare global {
  interface Window {
    vigilSeen?: string[];
  }
}

/**
 * Remembers every status that the page has shown, however briefly. Polling would miss one that came and went; this reads
 * after every change of the document. Call it before the page is opened.
 */
export async function rememberStatuses(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: string[] = [];
    window.vigilSeen = seen;
    const read = () => {
      for (const element of document.querySelectorAll('[data-status]')) {
        const words = element.getAttribute('aria-label') ?? element.textContent ?? '';
        if (words !== '' && !seen.includes(words)) seen.push(words);
      }
    };
    new MutationObserver(read).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: ['data-status', 'aria-label'],
    });
  });
}

/** Every status shown since the page was opened or `forgetStatuses` was called. */
export function seenStatuses(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => [...(window.vigilSeen ?? [])]);
}

/** Begins anew with what is shown now. */
export async function forgetStatuses(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = window.vigilSeen;
    if (seen === undefined) return;
    const now = [...document.querySelectorAll('[data-status]')].map(
      (element) => element.getAttribute('aria-label') ?? element.textContent ?? '',
    );
    seen.splice(0, seen.length, ...new Set(now));
  });
}

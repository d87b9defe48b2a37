import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** One line per violation, with the places: what a reader of a failed run needs. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found, passes } = await new AxeBuilder({ page }).analyze();
  expect(passes.length, 'rules that axe could check').toBeGreaterThan(10);
  return found.map(
    ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}

/** Nothing that axe knows of is wrong, and nothing sticks out sideways. */
export async function isAccessible(page: Page, where: string): Promise<void> {
  expect(await violations(page), `axe on ${where}`).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, `width of ${where}`).toBeLessThanOrEqual(0);
}

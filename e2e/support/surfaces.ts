import { expect, type Locator, type Page } from '@playwright/test';
import type { StatusWords } from './words.ts';

/** The places of one page that show the status of one task. */
export class Surfaces {
  readonly page: Page;
  readonly title: string;

  constructor(page: Page, title: string) {
    this.page = page;
    this.title = title;
  }

  get card(): Locator {
    return this.page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: this.page.getByRole('link', { name: this.title, exact: true }) });
  }

  /** A task that needs somebody has two rows: the last stands in the group of its column. */
  get row(): Locator {
    return this.page
      .getByRole('navigation', { name: 'Tasks' })
      .getByRole('link')
      .filter({ hasText: this.title })
      .last();
  }

  get header(): Locator {
    return this.page.getByTestId('task-status');
  }

  async cardSays(words: StatusWords): Promise<void> {
    await expect(this.card).toContainText(words);
  }

  async rowSays(words: StatusWords): Promise<void> {
    await expect(this.row.getByRole('img').first()).toHaveAccessibleName(words);
  }

  async headerSays(words: StatusWords): Promise<void> {
    await expect(this.header).toHaveText(words);
  }
}

/** The same task in two tabs: its page, and the board. What one says, all must say. */
export class Everywhere {
  readonly task: Surfaces;
  readonly board: Surfaces;

  constructor(task: Surfaces, board: Surfaces) {
    this.task = task;
    this.board = board;
  }

  async say(words: StatusWords): Promise<void> {
    await Promise.all([
      this.task.headerSays(words),
      this.task.rowSays(words),
      this.board.cardSays(words),
      this.board.rowSays(words),
    ]);
  }
}

import { expect, type Locator, type Page } from '@playwright/test';

/** The open session of a task page: its transcript, requests, queue and composer. */
export class SessionView {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get transcript(): Locator {
    return this.page.getByRole('region', { name: 'Transcript' });
  }

  get composer(): Locator {
    return this.page.getByRole('textbox', { name: 'Prompt' });
  }

  get queue(): Locator {
    return this.page.getByRole('list', { name: 'Queued prompts' });
  }

  get facts(): Locator {
    return this.page.getByRole('complementary', { name: 'Facts of the session' });
  }

  /** The line of a tool call, with its state in words. */
  tool(title: string): Locator {
    const escaped = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const state = '(pending|running|completed|failed|cancelled)';
    return this.transcript.getByRole('button', { name: new RegExp(`^${escaped} ${state}`) });
  }

  /** A permission or question that waits for an answer. */
  request(title: string): Locator {
    return this.page.getByRole('region', { name: title });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Writes a prompt, one line per part, and sends it with the button that says what will happen. */
  async submit(as: 'Send' | 'Queue', ...lines: readonly string[]): Promise<void> {
    await this.composer.fill(lines.join('\n'));
    await this.button(as).click();
    await expect(this.composer).toHaveValue('');
  }

  /** What the agent said; not the prompt, in which the mock's script says the same. */
  said(text: string): Locator {
    return this.transcript
      .getByRole('listitem')
      .filter({ hasText: /^Agent: / })
      .filter({ hasText: text });
  }

  async says(text: string): Promise<void> {
    await expect(this.said(text)).toHaveCount(1);
  }

  /** A boundary that Vigil tells: a wake, a death, a cancel. */
  async tells(text: string): Promise<void> {
    await expect(this.transcript).toContainText(text);
  }

  /** What happens to the next prompt, as the composer puts it. */
  async offers(button: 'Send' | 'Queue', hint: string): Promise<void> {
    await expect(this.composer).toHaveAccessibleDescription(hint);
    await expect(this.button(button)).toBeVisible();
  }
}

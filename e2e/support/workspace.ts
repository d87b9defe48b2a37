import type { BrowserContext, Page } from '@playwright/test';
import type { Session, Task } from '@vigil/client';
import { rememberStatuses } from './seen-words.ts';
import type { ServerProcess } from './server-process.ts';
import { SessionView } from './session-view.ts';
import { Everywhere, Surfaces } from './surfaces.ts';

export type MockAgent = 'mock' | 'mock-v2' | 'mock-hermes';

export interface Opened {
  readonly task: Task;
  readonly session: Session;
  readonly page: Page;
  readonly view: SessionView;
  readonly surfaces: Surfaces;
}

/** What tests do before the part that they are about: tasks are made by API and opened in the browser. */
export class Workspace {
  readonly #server: ServerProcess;
  readonly #context: BrowserContext;

  constructor(server: ServerProcess, context: BrowserContext) {
    this.#server = server;
    this.#context = context;
  }

  async task(title: string, agentId: MockAgent): Promise<{ task: Task; session: Session }> {
    const { api } = this.#server.client;
    const task = await api.task.create.mutate({ title });
    const session = await api.session.create.mutate({ taskId: task.id, agentId });
    return { task, session };
  }

  /** Sends a prompt as a service would. */
  async submit(session: Session, ...lines: readonly string[]): Promise<void> {
    const clientKey = `${session.id}-${performance.now()}`;
    await this.#server.client.api.session.submit.mutate({ sessionId: session.id, text: lines.join('\n'), clientKey });
  }

  session(session: Session): Promise<Session> {
    return this.#server.client.api.session.get.query({ sessionId: session.id }).then((found) => found.session);
  }

  /** A tab that remembers every status it shows. */
  async tab(path: string): Promise<Page> {
    const page = await this.#context.newPage();
    await rememberStatuses(page);
    await page.goto(path);
    return page;
  }

  /** A new task with one session, opened in a tab. */
  async open(title: string, agentId: MockAgent): Promise<Opened> {
    const { task, session } = await this.task(title, agentId);
    const page = await this.tab(`/tasks/${task.id}`);
    return { task, session, page, view: new SessionView(page), surfaces: new Surfaces(page, title) };
  }

  /** The same with the board in a second tab. */
  async openWithBoard(title: string, agentId: MockAgent): Promise<Opened & { board: Page; everywhere: Everywhere }> {
    const opened = await this.open(title, agentId);
    const board = await this.tab('/');
    return { ...opened, board, everywhere: new Everywhere(opened.surfaces, new Surfaces(board, title)) };
  }
}

import { and, inArray } from 'drizzle-orm';
import type { Db } from './connection.ts';
import { isOpen, selectPrompts } from './prompt-table.ts';
import { isUnresolved, selectRequests } from './request-table.ts';
import type { Board } from './rows.ts';
import { pendingRequests, prompts, sessions, tasks } from './schema.ts';
import { selectSessions } from './session-table.ts';
import { isOnBoard, selectTasks } from './task-table.ts';

/** Everything on the board, from one snapshot of the database. */
export function loadBoard(db: Db): Promise<Board> {
  const shownTasks = db.select({ id: tasks.id }).from(tasks).where(isOnBoard);
  const ofBoard = inArray(sessions.taskId, shownTasks);
  const shownSessions = db.select({ id: sessions.id }).from(sessions).where(ofBoard);
  return db.transaction(
    async (tx) => ({
      tasks: await selectTasks(tx, isOnBoard),
      sessions: await selectSessions(tx, ofBoard),
      prompts: await selectPrompts(tx, and(isOpen, inArray(prompts.sessionId, shownSessions))),
      requests: await selectRequests(tx, and(isUnresolved, inArray(pendingRequests.sessionId, shownSessions))),
    }),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

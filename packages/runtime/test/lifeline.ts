import type { Database, TransitionAnswer } from '@vigil/db';

/** A database as one life of the server sees it. */
export interface Lifeline {
  readonly database: Database;
  /** From now on that life tells no end of anything: a killed server does not see its agents go. */
  cut(): void;
}

export function lifelineTo(database: Database): Lifeline {
  let isCut = false;
  const gone = Promise.resolve<TransitionAnswer>({ applied: false, state: null });
  const sessions = standIn(database.sessions, {
    transition: (...args) => (isCut ? gone : database.sessions.transition(...args)),
  });
  const executions = standIn(database.executions, {
    end: (...args) => (isCut ? database.executions.get(args[0]) : database.executions.end(...args)),
  });
  const messages = standIn(database.messages, {
    write: (batch) => (isCut ? Promise.resolve({ written: 0, dropped: 0 }) : database.messages.write(batch)),
  });
  return {
    database: withRepositories(database, { sessions, executions, messages }),
    cut: () => {
      isCut = true;
    },
  };
}

/** The database with some of its repositories replaced. */
function withRepositories(database: Database, replaced: Partial<Database>): Database {
  return new Proxy(database, {
    get: (from, key) => Reflect.get(Object.hasOwn(replaced, key) ? replaced : from, key),
  });
}

/** The repository with some of its methods replaced; the others keep their own `this`. */
function standIn<T extends object>(target: T, replaced: Partial<T>): T {
  return new Proxy(target, {
    get(from, key) {
      if (Object.hasOwn(replaced, key)) return Reflect.get(replaced, key);
      const value: unknown = Reflect.get(from, key);
      return typeof value === 'function' ? (...args: unknown[]) => Reflect.apply(value, from, args) : value;
    },
  });
}

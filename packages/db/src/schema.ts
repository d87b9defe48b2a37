import { type SQL, sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  bigserial,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  unique,
} from 'drizzle-orm/pg-core';
import { instant, json, text } from './columns.ts';
import {
  LIVE_SESSION_STATES,
  PROMPT_ORIGINS,
  PROMPT_STATUSES,
  type PromptOrigin,
  type PromptStatus,
  REQUEST_KINDS,
  type RequestKind,
  SESSION_STATES,
  type SessionState,
  TASK_STATES,
  type TaskState,
} from './rows.ts';

// No column here may hold a live reading (S140): no tier, count, claim, generation or registration.

const quoted = (values: readonly string[]): SQL => sql.raw(values.map((value) => `'${value}'`).join(', '));
const oneOf = (column: AnyPgColumn, values: readonly string[]): SQL => sql`${column} in (${quoted(values)})`;

export const tasks = pgTable(
  'tasks',
  {
    id: text().primaryKey(),
    title: text().notNull(),
    description: text().notNull().default(''),
    state: text().$type<TaskState>().notNull().default('backlog'),
    position: doublePrecision().notNull(),
    parentId: text('parent_id').references((): AnyPgColumn => tasks.id, { onDelete: 'set null' }),
    archivedAt: instant('archived_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [check('tasks_state', oneOf(t.state, TASK_STATES)), index('tasks_parent').on(t.parentId)],
);

export const taskDependencies = pgTable(
  'task_dependencies',
  {
    taskId: text('task_id')
      .notNull()
      .references(() => tasks.id, { onDelete: 'cascade' }),
    dependsOnId: text('depends_on_id')
      .notNull()
      .references(() => tasks.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.taskId, t.dependsOnId] }),
    check('task_dependencies_not_itself', sql`${t.taskId} <> ${t.dependsOnId}`),
    index('task_dependencies_depends_on').on(t.dependsOnId),
  ],
);

export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    taskId: text('task_id')
      .notNull()
      .references(() => tasks.id, { onDelete: 'cascade' }),
    agentId: text('agent_id').notNull(),
    provider: text().notNull(),
    title: text().notNull(),
    cwd: text().notNull(),
    state: text().$type<SessionState>().notNull().default('created'),
    // No foreign key: the execution's own row is written separately and may come later (S142).
    executionId: text('execution_id'),
    agentSessionId: text('agent_session_id'),
    autoRun: boolean('auto_run').notNull().default(true),
    stopReason: text('stop_reason'),
    error: text(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    check('sessions_state', oneOf(t.state, SESSION_STATES)),
    check(
      'sessions_execution_iff_live',
      sql`(${t.executionId} is not null) = (${oneOf(t.state, LIVE_SESSION_STATES)})`,
    ),
    index('sessions_task').on(t.taskId),
    index('sessions_live').on(t.id).where(oneOf(t.state, LIVE_SESSION_STATES)),
  ],
);

const ofSession = () =>
  text('session_id')
    .notNull()
    .references(() => sessions.id, { onDelete: 'cascade' });

export const transitions = pgTable(
  'transitions',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    sessionId: ofSession(),
    from: text().$type<SessionState>().notNull(),
    to: text().$type<SessionState>().notNull(),
    cause: text().notNull(),
    at: instant().notNull(),
  },
  (t) => [index('transitions_session').on(t.sessionId, t.id)],
);

export const executions = pgTable(
  'executions',
  {
    id: text().primaryKey(),
    sessionId: ofSession(),
    pid: integer(),
    processStartTime: text('process_start_time'),
    startedAt: instant('started_at').notNull(),
    endedAt: instant('ended_at'),
    cause: text(),
    causeDetail: text('cause_detail'),
  },
  (t) => [
    check('executions_cause_iff_ended', sql`(${t.endedAt} is not null) = (${t.cause} is not null)`),
    index('executions_session').on(t.sessionId, t.startedAt),
    index('executions_open').on(t.id).where(sql`${t.endedAt} is null`),
  ],
);

export const prompts = pgTable(
  'prompts',
  {
    id: text().primaryKey(),
    sessionId: ofSession(),
    clientKey: text('client_key').notNull(),
    origin: text().$type<PromptOrigin>().notNull(),
    text: text().notNull(),
    status: text().$type<PromptStatus>().notNull().default('queued'),
    position: doublePrecision().notNull(),
    reason: text(),
    error: text(),
    createdAt: instant('created_at').notNull(),
    settledAt: instant('settled_at'),
  },
  (t) => [
    unique('prompts_client_key').on(t.sessionId, t.clientKey),
    check('prompts_origin', oneOf(t.origin, PROMPT_ORIGINS)),
    check('prompts_status', oneOf(t.status, PROMPT_STATUSES)),
    check('prompts_settled_iff_final', sql`(${t.settledAt} is null) = (${t.status} in ('queued', 'reserved'))`),
    index('prompts_open').on(t.sessionId, t.position).where(sql`${t.status} in ('queued', 'reserved')`),
  ],
);

export const messages = pgTable(
  'messages',
  {
    sessionId: ofSession(),
    id: text().notNull(),
    seq: bigint({ mode: 'number' }).notNull(),
    kind: text().notNull(),
    role: text(),
    payload: json(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.sessionId, t.id] }),
    // Not unique: an upsert may move a message, and a conflict would block what is written behind it for good.
    index('messages_order').on(t.sessionId, t.seq),
  ],
);

export const pendingRequests = pgTable(
  'pending_requests',
  {
    id: text().primaryKey(),
    sessionId: ofSession(),
    executionId: text('execution_id').notNull(),
    kind: text().$type<RequestKind>().notNull(),
    title: text().notNull(),
    detail: json(),
    askedBy: text('asked_by'),
    options: json().$type<{ id: string; kind: string; label: string }[]>().notNull(),
    schema: json(),
    createdAt: instant('created_at').notNull(),
    resolvedAt: instant('resolved_at'),
    outcome: json(),
  },
  (t) => [
    check('pending_requests_kind', oneOf(t.kind, REQUEST_KINDS)),
    index('pending_requests_open').on(t.sessionId).where(sql`${t.resolvedAt} is null`),
    index('pending_requests_session').on(t.sessionId),
  ],
);

export const settings = pgTable('settings', { key: text().primaryKey(), value: json() });

export const featureOverrides = pgTable('feature_overrides', {
  key: text().primaryKey(),
  value: boolean().notNull(),
});

export const users = pgTable('users', {
  id: text().primaryKey(),
  name: text().notNull(),
  createdAt: instant('created_at').notNull(),
});

export const tokens = pgTable(
  'tokens',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    label: text().notNull(),
    hash: text().notNull().unique(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('tokens_user').on(t.userId)],
);

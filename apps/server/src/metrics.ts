import { droppedFrames } from '@vigil/acp';
import type { Vigil } from '@vigil/runtime';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

export interface Metrics {
  readonly contentType: string;
  countRequest(route: string, status: number): void;
  countError(code: string): void;
  /** Everything, in Prometheus' text format. */
  render(): Promise<string>;
}

export interface MetricsSource {
  /** Null until the server is ready. */
  vigil(): Vigil | null;
  sockets(): number;
}

/** A registry of its own, so that two servers in one process do not meet. */
export function createMetrics(source: MetricsSource): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'vigil_http_requests_total',
    help: 'Answered HTTP requests.',
    labelNames: ['route', 'status'],
    registers,
  });
  const errors = new Counter({
    name: 'vigil_trpc_errors_total',
    help: 'Failed tRPC calls and streams.',
    labelNames: ['code'],
    registers,
  });
  new Gauge({
    name: 'vigil_websockets',
    help: 'Open WebSockets.',
    registers,
    collect() {
      this.set(source.sockets());
    },
  });
  addActivity(registry, source);
  return {
    contentType: registry.contentType,
    countRequest: (route, status) => requests.inc({ route, status }),
    countError: (code) => errors.inc({ code }),
    render: () => registry.metrics(),
  };
}

function addActivity(registry: Registry, source: MetricsSource): void {
  const registers = [registry];
  new Gauge({
    name: 'vigil_sessions',
    help: 'Sessions of tasks that are not archived, by coarse state and exposed tier.',
    labelNames: ['state', 'tier'],
    registers,
    collect() {
      this.reset();
      for (const session of source.vigil()?.activitySnapshot().sessions ?? []) {
        this.inc({ state: session.state, tier: session.foregroundActivity ?? 'none' });
      }
    },
  });
  new Gauge({
    name: 'vigil_subagents',
    help: 'Live subagents.',
    registers,
    collect() {
      const sessions = source.vigil()?.activitySnapshot().sessions ?? [];
      this.set(sessions.reduce((sum, session) => sum + session.activeSubagentCount, 0));
    },
  });
  new Counter({
    name: 'vigil_agent_frames_dropped_total',
    help: 'What agents wrote that was dropped, or answered with an error, by its reason.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of droppedFrames()) this.inc({ reason }, count);
    },
  });
}

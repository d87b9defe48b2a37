#!/usr/bin/env node
import { Agent } from './agent.ts'
import { DIALECTS, isDialect } from './dialect.ts'
import { LocalGates } from './gate.ts'
import { HistoryStore } from './history.ts'

const dialect = process.env.MOCK_AGENT_DIALECT ?? 'claude-v1'
if (!isDialect(dialect)) {
  process.stderr.write(`mock agent: expected MOCK_AGENT_DIALECT to be one of ${DIALECTS.join(', ')}; got: ${dialect}\n`)
  process.exit(64)
}

const gates = new LocalGates()
const agent = new Agent({
  dialect,
  gates,
  history: new HistoryStore(process.env.MOCK_AGENT_STATE_DIR),
  write: (line) => process.stdout.write(line),
})

process.stdin.setEncoding('utf8')
process.stdin.on('data', (text: string) => agent.receive(text))
process.stdin.on('end', () => process.exit(0))
// The client went away without closing our input first.
process.stdout.on('error', () => process.exit(0))

import { startChild } from './child.ts'
import { keepAlive, saturate, type Target } from './client.ts'
import type { Row } from './report.ts'
import { interleave, median, type Bounds } from './statistics.ts'

const CALLERS = 16
const LEAST = 1 / 3

const body = Buffer.from(
  JSON.stringify({
    model: 'sandbox/allegro-mini',
    messages: [{ role: 'user', content: 'A plan for a small garden' }],
  }),
)

/**
 * Plain chat of the sandbox compared with a bare route of the same framework: requests per second, and
 * processor time per request.
 */
export async function sandboxService({ rounds, deadlineMs }: Bounds, count: number): Promise<Row[]> {
  await using bare = await startChild<{ port: number }>('bare-route.ts')
  await using sandbox = await startChild<{ port: number; apiKey: string }>('sandbox-service.ts')
  const target = (port: number, headers: Record<string, string> = {}): Target => ({
    port,
    path: '/v1/chat/completions',
    headers,
    body,
  })
  const subjects = {
    bare: { target: target(bare.ready.port), cpu: bare.cpu },
    sandbox: {
      target: target(sandbox.ready.port, { authorization: `Bearer ${sandbox.ready.apiKey}` }),
      cpu: sandbox.cpu,
    },
  }
  const agent = keepAlive(CALLERS)
  const cpu: Record<keyof typeof subjects, number[]> = { bare: [], sandbox: [] }
  const turn = { callers: CALLERS, count, deadlineMs: deadlineMs / (rounds * 2) }
  const rates = await interleave(['bare', 'sandbox'], { rounds, deadlineMs, warmUp: 1 }, async (name) => {
    const before = await subjects[name].cpu()
    const { answered, elapsedMs } = await saturate(agent, subjects[name].target, turn)
    cpu[name].push(((await subjects[name].cpu()).all - before.all) / answered)
    return answered / (elapsedMs / 1_000)
  })
  agent.destroy()
  const share = median(rates.sandbox) / median(rates.bare)
  return [
    { what: `a bare route: ${String(CALLERS)} callers`, value: median(rates.bare), unit: 'requests/s' },
    {
      what: `plain chat of the sandbox: ${String(CALLERS)} callers`,
      value: median(rates.sandbox),
      unit: 'requests/s',
      against: { what: 'bare route', value: median(rates.bare) },
      aim: { says: '≥ a third of it', met: share >= LEAST },
    },
    {
      what: 'plain chat of the sandbox: processor time per request',
      value: median(cpu.sandbox),
      unit: 'ms',
      against: { what: 'bare route', value: median(cpu.bare) },
    },
  ]
}

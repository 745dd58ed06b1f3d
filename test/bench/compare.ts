import { resolve } from 'node:path'
import { chatBody, PLAINTEXT_MODEL, PRIVATE_MODEL } from './chat-body.ts'
import { startChild, type Child } from './child.ts'
import { keepAlive, saturate, send, type Target } from './client.ts'
import type { EnclaveReady } from './enclave.ts'
import { withoutEnclave } from './enclave-share.ts'
import type { Row } from './report.ts'
import { CALLERS, inARow, turns } from './requests.ts'
import type { ProxyReady } from './sotto-proxy.ts'
import { interleave, median, type Bounds } from './statistics.ts'
import { readyTime } from './start.ts'
import { EVENTS, STREAMS } from './streams.ts'
import { CHAT, preSealed } from './targets.ts'
import { warmRoute } from './warm-up.ts'

type Side = 'first' | 'second'
type Subject = 'direct' | 'pre-sealed' | `${'forwarded' | 'sealed'} ${Side}`
const SIDES: readonly Side[] = ['first', 'second']
const SUBJECTS: readonly Subject[] = [
  'direct',
  'pre-sealed',
  'forwarded first',
  'forwarded second',
  'sealed first',
  'sealed second',
]

/** A change may make a row worse by one twentieth. */
const AIM = 1.05

/**
 * The summary's rows of docs/performance.md, for two checkouts. Both proxies share client and enclave, and take
 * turns, so that noise of the machine affects both alike.
 * @param checkouts folders, installed and built, whose `test/bench/sotto-proxy.ts` understands the argument
 *   that this checkout's enclave gives
 */
export async function compareCheckouts(
  checkouts: Record<Side, string>,
  bounds: (rounds: number, seconds: number) => Bounds,
): Promise<Row[]> {
  await using enclave = await startChild<EnclaveReady>('enclave.ts')
  const start = (side: Side) =>
    startChild<ProxyReady>(resolve(checkouts[side], 'test/bench/sotto-proxy.ts'), { argument: enclave.ready })
  await using here = await start('first')
  await using there = await start('second')
  const proxies: Record<Side, Child<ProxyReady>> = { first: here, second: there }
  const target = (subject: Subject, stream: boolean, events?: number): Target => {
    if (subject === 'pre-sealed') return preSealed(enclave.ready, stream)
    const side = SIDES.find((each) => subject.endsWith(each))
    const { port, localKey = '' }: ProxyReady = side ? proxies[side].ready : enclave.ready
    return {
      port,
      path: CHAT,
      headers: side ? { authorization: `Bearer ${localKey}` } : {},
      body: chatBody({
        model: subject.startsWith('sealed') ? PRIVATE_MODEL : PLAINTEXT_MODEL,
        stream,
        ...(events !== undefined && { asked: { max_completion_tokens: events } }),
      }),
    }
  }
  const many = keepAlive(CALLERS)
  for (const subject of SUBJECTS)
    await warmRoute(many, { whole: target(subject, false), streamed: target(subject, true) })

  const one = keepAlive(1)
  const whole = await interleave(SUBJECTS, { ...turns(bounds(4_000, 120)), warmUp: 2 }, (subject) =>
    inARow(async () => (await send(one, target(subject, false))).end),
  )
  const first = await interleave(SUBJECTS, { ...turns(bounds(2_000, 120)), warmUp: 2 }, (subject) =>
    inARow(async () => (await send(one, target(subject, true))).first),
  )
  const events = await interleave(SIDES, { ...bounds(9, 120), warmUp: 1 }, async (side) => {
    const streamed = target(`sealed ${side}`, true, EVENTS)
    const before = await proxies[side].cpu()
    await Promise.all(Array.from({ length: STREAMS }, () => send(many, streamed)))
    return ((await proxies[side].cpu()).all - before.all) / ((STREAMS * EVENTS) / 1_000)
  })
  const rates = await interleave(SUBJECTS, { ...bounds(31, 240), warmUp: 1 }, async (subject) => {
    const turn = { callers: CALLERS, count: bounds(1_000, 0).rounds, deadlineMs: 20_000 }
    const { answered, elapsedMs } = await saturate(many, target(subject, false), turn)
    return answered / (elapsedMs / 1_000)
  })
  one.destroy()
  many.destroy()
  const ready = await interleave(SIDES, { ...bounds(15, 240), warmUp: 1 }, (side) =>
    readyTime(checkouts[side]),
  )

  const adds =
    (samples: Record<Subject, number[]>, kind: 'forwarded' | 'sealed', without: Subject) => (side: Side) =>
      median(samples[`${kind} ${side}`]) - median(samples[without])
  return [
    compared('time added to a forwarded chat, median', 'ms', adds(whole, 'forwarded', 'direct')),
    compared('time added to a sealed chat, median', 'ms', adds(whole, 'sealed', 'pre-sealed')),
    compared(
      'first token of a sealed stream later by, without the enclave’s share',
      'ms',
      adds(first, 'sealed', 'pre-sealed'),
    ),
    compared('processor time for 1,000 sealed events', 'ms', (side) => median(events[side])),
    compared('time of a sealed request with 16 callers, without the enclave’s share', 'ms', (side) => {
      const rate = withoutEnclave(
        median(rates[`sealed ${side}`]),
        median(rates['pre-sealed']),
        median(rates.direct),
      )
      return 1_000 / rate
    }),
    compared('ready after process start', 'ms', (side) => median(ready[side])),
  ]
}

/** All rows are times, so more is worse. */
function compared(what: string, unit: string, of: (side: Side) => number): Row {
  const [value, other] = [of('first'), of('second')]
  return {
    what,
    value,
    unit,
    against: { what: 'the other checkout', value: other },
    aim: { says: `≤ ${String(AIM)} ×`, met: value <= AIM * other },
  }
}

import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import type { EnclaveReady } from '../bench/enclave.ts'
import type { ProxyReady } from '../bench/sotto-proxy.ts'
import { startChild, type Child, type MemoryInUse } from '../bench/child.ts'
import type { ClientArgument, ClientReport } from './client.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL, type Soak } from './streams.ts'

/**
 * `npm run soak`: many streams at once through the proxy, forwarded and then sealed, each event numbered: not one may be
 * lost, doubled or misordered, and the proxy's memory may not grow by more than 50 MB, and must come back. Client, proxy and
 * enclave are processes of their own. `--quick` for a look.
 */
const {
  values: { quick },
} = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const soak: Soak = quick
  ? { streams: 50, eventsPerSecond: 20, seconds: 3 }
  : { streams: 500, eventsPerSecond: 20, seconds: 60 }
const MB = 1024 * 1024
const GROWTH_MB = 50
/** What may stay: code that was compiled, pools that were filled. */
const STAYS_MB = 15
const SAMPLE_EVERY_MS = 5_000
const COMES_BACK_WITHIN_MS = 30_000

await using enclave = await startChild<EnclaveReady>('../soak/enclave.ts', { argument: soak })
await using proxy = await startChild<ProxyReady>('sotto-proxy.ts', {
  argument: enclave.ready,
  execArgv: ['--expose-gc'],
})
const { port, localKey: key = '' } = proxy.ready
console.log(
  `${String(soak.streams)} streams of ${String(soak.eventsPerSecond)} events a second for ${String(soak.seconds)} s, Node ${process.version}, ${String(availableParallelism())} cores`,
)
// Both ways once, and the key's setups prepared: from here on memory is that of streams.
for (const model of [PLAINTEXT_MODEL, PRIVATE_MODEL]) await soakOnce({ ...soak, streams: 20, model })

let failed = false
for (const [way, model] of [
  ['forwarded', PLAINTEXT_MODEL],
  ['sealed', PRIVATE_MODEL],
] as const) {
  const load = loadavg()[0] ?? NaN
  const before = await settled(proxy)
  const cpuBefore = await proxy.cpu()
  const most = { rss: before.rss, inUse: before.inUse }
  const ended = new AbortController()
  const sampling = (async () => {
    while (!ended.signal.aborted) {
      await pause(SAMPLE_EVERY_MS, ended.signal)
      const now = await proxy.memory()
      most.rss = Math.max(most.rss, now.rss)
      most.inUse = Math.max(most.inUse, now.inUse)
    }
  })()
  const report = await soakOnce({ ...soak, model })
  ended.abort()
  await sampling
  const cpu = (await proxy.cpu()).all - cpuBefore.all
  const after = await back(before)
  const grew = { rss: (most.rss - before.rss) / MB, inUse: (most.inUse - before.inUse) / MB }
  const stayed = { rss: (after.rss - before.rss) / MB, inUse: (after.inUse - before.inUse) / MB }
  const { events, lost, doubled, misordered, broken, delay, atOnce } = report
  const whole =
    lost + doubled + misordered + broken.length === 0 &&
    events === soak.streams * soak.eventsPerSecond * soak.seconds
  const slim = grew.inUse < GROWTH_MB && stayed.inUse < STAYS_MB
  failed ||= !whole || !slim
  console.log(`
${way}: ${whole && slim ? 'held' : 'FAILED'}
  events       ${String(events)} of ${String(soak.streams * soak.eventsPerSecond * soak.seconds)}, ${String(atOnce)} streams at once; lost ${String(lost)}, doubled ${String(doubled)}, misordered ${String(misordered)}, broken streams ${String(broken.length)}
  delay        median ${delay.median.toFixed(1)} ms, p99 ${delay.p99.toFixed(1)} ms, most ${delay.most.toFixed(1)} ms
  memory       in use ${mb(before.inUse)} MB before, +${grew.inUse.toFixed(1)} MB at most, ${signed(stayed.inUse)} MB after
               RSS    ${mb(before.rss)} MB before, +${grew.rss.toFixed(1)} MB at most, ${signed(stayed.rss)} MB after
  processor    ${((cpu / events) * 1_000).toFixed(1)} ms for 1,000 events
  load         ${load.toFixed(2)} before, ${(loadavg()[0] ?? NaN).toFixed(2)} after`)
  for (const why of broken) console.log(`  ${why}`)
}
process.exitCode = failed ? 1 : 0

async function soakOnce(argument: Soak & { model: string }): Promise<ClientReport> {
  await using client = await startChild<ClientReport>('../soak/client.ts', {
    argument: { ...argument, port, key } satisfies ClientArgument,
    timeoutMs: (soak.seconds + 240) * 1_000,
  })
  return client.ready
}

/** Two readings that agree: what a run before left has been collected. */
async function settled({ memory }: Pick<Child<unknown>, 'memory'>): Promise<MemoryInUse> {
  for (let last = await memory(); ;) {
    const now = await memory()
    if (Math.abs(now.inUse - last.inUse) < MB / 4) return now
    last = now
  }
}

async function back(to: MemoryInUse): Promise<MemoryInUse> {
  await proxy.rest()
  const endsAt = performance.now() + COMES_BACK_WITHIN_MS
  for (;;) {
    const now = await settled(proxy)
    if (now.inUse - to.inUse < (STAYS_MB * MB) / 3 || performance.now() > endsAt) return now
    await pause(1_000)
  }
}

function pause(ms: number, until?: AbortSignal): Promise<void> {
  return new Promise((resume) => {
    setTimeout(resume, ms)
    until?.addEventListener('abort', () => resume())
  })
}

function mb(bytes: number): string {
  return (bytes / MB).toFixed(1)
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(1)}`
}

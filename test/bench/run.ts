import { availableParallelism, loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { adapterStart } from './adapter-start.ts'
import { callersAtOnce } from './callers.ts'
import { compareCheckouts } from './compare.ts'
import { largeBodies } from './bodies.ts'
import { knowledgeSearch } from './knowledge.ts'
import { librarySearch } from './library-search.ts'
import { firstToken, latency, throughput } from './requests.ts'
import { replicas } from './replica-rows.ts'
import { printTable, type Row } from './report.ts'
import { sandboxService } from './sandbox-rows.ts'
import { sealing } from './sealing-rows.ts'
import { start } from './start.ts'
import { abortDelay, streamedEvents } from './streams.ts'
import { startTargets } from './targets.ts'
import { uploads } from './upload.ts'
import { uploadsSent } from './upload-sent.ts'
import { verdict } from './verdict-rows.ts'
import { firstRequests, warmUp } from './warm-up.ts'

/**
 * `npm run bench`: the cost of Sotto, next to its comparisons. `--quick` for a short run, `--json` for one
 * object on stdout, `--only name` for one part. `--compare folder` instead compares the summary's rows with
 * those of another checkout, installed and built; given twice, those of the first with those of the second.
 */
const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    compare: { type: 'string', multiple: true, default: [] },
  },
})
const scale = options.quick ? 0.1 : 1
const bounds = (rounds: number, seconds: number) => ({
  rounds: Math.ceil(rounds * scale),
  deadlineMs: seconds * 1_000,
})

await using stack = new AsyncDisposableStack()
let started: ReturnType<typeof startTargets> | undefined
const cold = () => (started ??= startTargets(stack))
let warmed: Promise<void> | undefined
const all = async () => {
  const ways = await cold()
  await (warmed ??= warmUp(ways.targets))
  return ways
}
const targets = async () => (await all()).targets

const parts: Record<string, { title: string; rows: () => Promise<Row[]> }> = {
  sealing: { title: 'EHBP', rows: () => sealing(bounds(200, 30), bounds(60, 30)) },
  verdict: {
    title: 'Attestation',
    rows: async () => [
      ...(await verdict(bounds(300, 90), Math.ceil(5 * scale))),
      ...adapterStart(Math.ceil(9 * scale)),
    ],
  },
  start: { title: 'The built product', rows: () => start(Math.ceil(7 * scale)) },
  first: {
    title: 'The first requests of a process',
    rows: async () => firstRequests((await cold()).targets),
  },
  latency: { title: 'One caller', rows: async () => latency(await targets(), bounds(1_000, 60)) },
  'first-token': { title: 'Streaming', rows: async () => firstToken(await targets(), bounds(400, 60)) },
  sandbox: { title: 'The sandbox', rows: () => sandboxService(bounds(7, 60), Math.ceil(2_000 * scale)) },
  callers: {
    title: 'Callers at once',
    rows: async () => callersAtOnce(await targets(), bounds(5, 90), scale),
  },
  streams: {
    title: 'Streams',
    rows: async () => [
      ...(await streamedEvents(await targets(), bounds(5, 45))),
      ...(await abortDelay(await all(), bounds(60, 30))),
    ],
  },
  bodies: { title: 'Bodies of 20 MB', rows: async () => largeBodies(await targets(), bounds(8, 90)) },
  search: { title: 'Search', rows: () => librarySearch(scale) },
  knowledge: { title: 'Documents of a project', rows: () => knowledgeSearch(scale) },
  upload: {
    title: 'Files handed over',
    rows: async () => [...(await uploads(Math.ceil(5 * scale))), ...(await uploadsSent())],
  },
  replicas: { title: 'Replicas', rows: () => replicas(bounds(5, 160), scale) },
  throughput: {
    title: 'Sixteen callers',
    rows: async () => throughput(await targets(), bounds(5, 90), Math.ceil(2_000 * scale)),
  },
}

const [second, first = second && join(import.meta.dirname, '../..')] = options.compare.toReversed()
if (first !== undefined && second !== undefined) {
  const checkouts = { first: resolve(first), second: resolve(second) }
  printTable('Another checkout', await compareCheckouts(checkouts, bounds))
  process.exit()
}

const cores = availableParallelism()
/** Programs that wanted a processor in the last minute, before this one did. */
const load = loadavg()[0] ?? NaN
const result: Record<string, Row[]> = {}
for (const [name, part] of Object.entries(parts)) {
  if (options.only !== undefined && options.only !== name) continue
  const rows = await part.rows()
  result[name] = rows
  if (!options.json) printTable(part.title, rows)
}
const missing = (await started)?.missing ?? []
if (options.json)
  console.log(
    JSON.stringify(
      { node: process.version, at: new Date().toISOString(), cores, load, ...result, missing },
      null,
      2,
    ),
  )
else {
  console.log(
    `Node ${process.version}, ${String(cores)} cores, load ${load.toFixed(2)} before the run${load > cores / 2 ? ': other programs took part in these figures' : ''}`,
  )
  for (const why of missing) console.log(`not measured: ${why}`)
}

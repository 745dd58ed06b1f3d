import { Agent, request as httpRequest } from 'node:http'
import { givenArgument, tellReady } from '../bench/child.ts'
import { readEvent, sharedNow, type Soak } from './streams.ts'

export interface ClientArgument extends Soak {
  readonly port: number
  readonly key: string
  readonly model: string
}

export interface ClientReport {
  readonly events: number
  /** Numbers that never came, came again, or came before a lower one. */
  readonly lost: number
  readonly doubled: number
  readonly misordered: number
  /** Streams that ended without `[DONE]` or not at all, and why. */
  readonly broken: readonly string[]
  /** Milliseconds from where an event was written to where it was read. */
  readonly delay: { readonly median: number; readonly p99: number; readonly most: number }
  /** Streams that were open at the same time. */
  readonly atOnce: number
}

/** Opens all streams within this time, so that what is measured is streams and not the rush to open them. */
const CONNECT_WITHIN_MS = 2_000
const { streams, eventsPerSecond, seconds, port, key, model } = givenArgument() as ClientArgument
const expected = eventsPerSecond * seconds
const agent = new Agent({ keepAlive: true, maxSockets: streams })
const report = { events: 0, lost: 0, doubled: 0, misordered: 0, broken: [] as string[], atOnce: 0 }
const delays = new Float64Array(streams * expected)
let open = 0

function readStream(stream: number): Promise<void> {
  const seen = new Uint8Array(expected)
  let last = -1
  let rest = ''
  let done = false
  const note = (event: string): void => {
    if (event === ': open') return
    if (event === 'data: [DONE]') {
      done = true
      return
    }
    const read = readEvent(event)
    if (read?.stream !== stream || read.number >= expected)
      return void report.broken.push(`stream ${String(stream)}: not its event: ${event.slice(0, 200)}`)
    delays[report.events] = sharedNow() - read.at
    report.events += 1
    if (seen[read.number] === 1) report.doubled += 1
    else if (read.number < last) report.misordered += 1
    seen[read.number] = 1
    last = Math.max(last, read.number)
  }
  return new Promise((resolve) => {
    const end = (why?: string): void => {
      report.lost += seen.filter((times) => times === 0).length
      if (why !== undefined || !done)
        report.broken.push(`stream ${String(stream)}: ${why ?? 'it ended without [DONE]'}`)
      resolve()
    }
    const body = JSON.stringify({
      model,
      stream: true,
      seed: stream,
      together: streams,
      max_tokens: expected,
      messages: [{ role: 'user', content: 'Count.' }],
    })
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        agent,
        method: 'POST',
        path: '/v1/chat/completions',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      },
      (response) => {
        if (response.statusCode !== 200) return end(`answered with ${String(response.statusCode)}`)
        report.atOnce = Math.max(report.atOnce, ++open)
        response.setEncoding('utf8')
        response.on('data', (text: string) => {
          rest += text
          const events = rest.split('\n\n')
          rest = events.pop() ?? ''
          for (const event of events) note(event)
        })
        response.on('end', () => {
          open -= 1
          end()
        })
        response.on('error', (failure) => end(failure.message))
      },
    )
    request.on('error', (failure) => end(failure.message))
    request.end(body)
  })
}

const reading: Promise<void>[] = []
for (let stream = 0; stream < streams; stream += 1) {
  reading.push(
    new Promise((begin) => setTimeout(begin, (stream / streams) * CONNECT_WITHIN_MS)).then(() =>
      readStream(stream),
    ),
  )
}
await Promise.all(reading)
const sorted = delays.subarray(0, report.events).sort()
const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN
tellReady({
  ...report,
  broken: report.broken.slice(0, 10),
  delay: { median: at(0.5), p99: at(0.99), most: at(1) },
} satisfies ClientReport)

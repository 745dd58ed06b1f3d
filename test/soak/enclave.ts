import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { givenArgument, tellReady } from '../bench/child.ts'
import type { EnclaveReady } from '../bench/enclave.ts'
import { startScriptedService, type Answering } from '../scripted-service.ts'
import { eventOf, PLAINTEXT_MODEL, PRIVATE_MODEL, type Soak } from './streams.ts'

/** Writes every stream at its rate. If a stream is late, all its overdue events are written at once. */
const { eventsPerSecond, seconds } = givenArgument() as Soak
const everyMs = 1_000 / eventsPerSecond
const events = eventsPerSecond * seconds
const usage = Buffer.from(
  `data: {"id":"chatcmpl-soak","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":10,"completion_tokens":${String(events)},"total_tokens":${String(events + 10)}}}\n\n`,
)
/** All streams begin when all are open, because the soak test needs that many at the same time. */
const waiting: (() => void)[] = []
const folder = resolve(import.meta.dirname, '../../node_modules/.cache/sotto-bench')
mkdirSync(folder, { recursive: true, mode: 0o700 })

const { baseUrl, port, profile, trust, hpkePublicKey } = await startScriptedService({
  folder,
  models: [PLAINTEXT_MODEL, PRIVATE_MODEL],
  script: ({ plain }, answer) => {
    const { seed, together } = JSON.parse(plain.toString()) as { seed: number; together: number }
    answer.begin({ 'content-type': 'text/event-stream' })
    answer.write(Buffer.from(': open\n\n'))
    waiting.push(() => writeEvents(seed, answer))
    if (waiting.length === together) for (const begin of waiting.splice(0)) begin()
  },
})

function writeEvents(stream: number, answer: Answering): void {
  const begun = performance.now()
  let written = 0
  const timer = setInterval(() => {
    const due = Math.min(events, Math.floor((performance.now() - begun) / everyMs))
    while (written < due) answer.write(Buffer.from(eventOf(stream, written++)))
    if (written < events) return
    clearInterval(timer)
    answer.write(usage)
    answer.end(Buffer.from('data: [DONE]\n\n'))
  }, everyMs)
  answer.gone.addEventListener('abort', () => clearInterval(timer))
}

const genoa = trust.amd.Genoa
if (genoa === undefined) throw new Error('the sandbox has no Genoa roots')
tellReady({
  baseUrl,
  port,
  profile,
  hpkePublicKey: hpkePublicKey.toString('hex'),
  trust: {
    ark: Buffer.from(genoa.ark).toString('base64'),
    ask: Buffer.from(genoa.ask).toString('base64'),
    sigstoreTrustedRoot: trust.sigstoreTrustedRoot,
  },
} satisfies EnclaveReady)

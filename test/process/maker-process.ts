import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { limitMarksIn, createPayer, type LightningWallet, type Payer } from '../../src/core/payments/index.ts'
import type { PaymentTransport } from '../../src/core/gateway/relay/index.ts'
import { createStore } from '../../src/core/storage/index.ts'
import { createSpool } from '../../src/core/storage/spool.ts'
import { createJobs, type StudioService } from '../../src/core/jobs/index.ts'
import type { JobPart, JobRecord } from '../../src/shared/job-record.ts'
import { mintInvoice } from '../core/payments/mint-invoice.ts'
import { limitClockOf } from '../core/payments/scripted-clock.ts'
import type { JobAsk } from '../../src/shared/job-ask.ts'
import type { Receipt } from '../../src/shared/receipt.ts'
import { sleep } from '../../src/shared/sleep.ts'
import { makerCost, type MakerOrder, type MakerReport } from './maker.ts'

/**
 * Creates one image, clip, batch or embedding over a store in a folder, as a process that tests can kill. Its
 * service and its wallet store their actions in their own files, as real ones would: a kill undoes none of
 * them.
 */
const order = JSON.parse(process.argv[2] ?? '{}') as MakerOrder
const ownId = `image-${randomBytes(6).toString('hex')}`
const killAtPoint = (point: string): void => {
  if (!order.finish && order.killAt === point) process.kill(process.pid, 'SIGKILL')
}

function remembered(name: string): { add(line: string): void; all(): string[] } {
  const path = join(order.folder, name)
  return {
    add: (line) => appendFileSync(path, `${line}\n`),
    all: () => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []),
  }
}
async function* bytes(content: string): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(Buffer.from(content))
}
const kind = order.kind ?? 'image'
const ROWS = 4
const TEXTS = 600
const vectorOf = (text: string): number[] => [text.length, Number(text.split('-').at(-1))]
const clipOf = (prompt: string): string => `gen_${prompt}`
function answerTo(prompt: string): string {
  if (kind === 'batch') return JSON.stringify({ found: prompt })
  if (kind === 'embedding')
    return JSON.stringify({
      data: textsOf(prompt).map((text, index) => ({ index, embedding: vectorOf(text) })),
    })
  return JSON.stringify({
    ...(kind === 'video' && { id: clipOf(prompt), status: 'completed' }),
    data: [{ url: `own:${prompt}` }],
  })
}
/** The texts of a part of an embedding, from the name of its first text and their number. */
function textsOf(part: string): string[] {
  const [, name = '', first = 0, count = 0] = /^(.*)-(\d+)\+(\d+)$/.exec(part) ?? []
  return Array.from({ length: Number(count) }, (_, at) => `${name}-${String(Number(first) + at)}`)
}
const madeAt = (address: string) => ({
  status: 200,
  contentType: 'image/png',
  body: bytes(`image of ${address.slice('own:'.length)}`),
})

const store = createStore({ folder: order.folder, key: Buffer.alloc(32, 7), now: Date.now })
const jobs = {
  ...store.jobs,
  put(job: JobRecord) {
    killAtPoint(`before put ${job.state}`)
    store.jobs.put(job)
    killAtPoint(`after put ${job.state}`)
  },
}
const jobParts = {
  ...store.jobParts,
  put(id: string, part: JobPart) {
    killAtPoint(`before row ${String(part.part)} ${part.state}`)
    store.jobParts.put(id, part)
    killAtPoint(`after row ${String(part.part)} ${part.state}`)
  },
}
const jobFiles = {
  ...store.jobFiles,
  async save(id: string, index: number, content: AsyncIterable<Uint8Array>) {
    killAtPoint(`before file ${String(index)}`)
    const length = await store.jobFiles.save(id, index, content)
    killAtPoint(`after file ${String(index)}`)
    return length
  },
  async adopt(...adopted: Parameters<typeof store.jobFiles.adopt>) {
    killAtPoint('before adopting')
    const length = await store.jobFiles.adopt(...adopted)
    killAtPoint('after adopting')
    return length
  },
}

const transport: PaymentTransport = {
  send({ body }, { idempotencyKey, authorization }) {
    const prompt = Buffer.from(body).toString()
    if (authorization === undefined) {
      const { invoice, preimage, paymentHash } = mintInvoice({
        timestamp: Math.floor(Date.now() / 1000),
        expirySeconds: 300,
      })
      remembered('issued.log').add([invoice, prompt, preimage, paymentHash].join(' '))
      killAtPoint('priced')
      return Promise.resolve({
        kind: 'demand',
        status: 402,
        challenge: { scheme: 'l402', invoice, token: idempotencyKey, stated: { paymentHash } },
      })
    }
    // The service honors the Idempotency-Key.
    if (!remembered('service.log').all().includes(prompt)) remembered('service.log').add(prompt)
    killAtPoint('service did it')
    return Promise.resolve({
      kind: 'answer',
      status: 200,
      contentType: 'application/json',
      body: bytes(answerTo(prompt)),
    })
  },
  fetchOwn: (address) => Promise.resolve(madeAt(address)),
}
const wallet: LightningWallet = {
  publicKey: 'ab'.repeat(32),
  canLookUp: true,
  pay(invoice) {
    const [, prompt = '', preimage = ''] = issued(invoice)
    remembered('wallet.log').add(prompt)
    killAtPoint('wallet paid')
    return Promise.resolve({ outcome: 'paid', preimage, feeMsat: 1000n })
  },
  lookUp(hash) {
    const [, prompt = '', preimage = ''] = issued(hash)
    return Promise.resolve(
      remembered('wallet.log').all().includes(prompt)
        ? { state: 'settled', preimage }
        : { state: 'not-found' },
    )
  },
}
function issued(named: string): string[] {
  return (
    remembered('issued.log')
      .all()
      .map((line) => line.split(' '))
      .find((fields) => fields.includes(named)) ?? []
  )
}

const payer: Payer = createPayer({
  journal: store.payments,
  files: store.deliveredFiles,
  transport,
  now: Date.now,
  limitClock: limitClockOf(Date.now, { marks: limitMarksIn(store.settings) }),
  monotonic: Date.now,
  wallet: () => wallet,
  service: { host: 'pay.service.example', lightningNetwork: 'regtest', kind: 'service' },
  limits: () => ({
    perPayment: 10n ** 9n,
    perDay: 10n ** 12n,
    perHostAndDay: 10n ** 12n,
    automaticUpTo: 10n ** 9n,
  }),
  confirm: { ask: () => Promise.resolve(true), pending: () => null, answer: () => ({ accepted: false }) },
  requireIntact: () => undefined,
  resumedAt: { read: () => 0, write: () => undefined },
})
function promptOf(ask: object): string {
  const { body, input } = ask as { body?: { prompt?: string; input?: string[] }; input?: { who: string } }
  return input?.who ?? body?.prompt ?? `${body?.input?.[0] ?? ''}+${String(body?.input?.length ?? 0)}`
}
const receipt: Receipt = {
  id: 'r',
  at: 1,
  caller: { kind: 'window' },
  service: 'service',
  model: 'brush',
  path: '/v1',
  privacy: 'forwarded',
  outcome: 'complete',
  bytesSent: 1,
  bytesReceived: 1,
  cost: makerCost,
}
const service: StudioService = {
  revision: 'B',
  open({ ask }) {
    remembered('service.log').add(promptOf(ask))
    killAtPoint('service did it')
    return Promise.resolve({
      privacy: 'forwarded',
      receiptId: 'r',
      timing: { addedMs: 0, proofMs: 0, sealMs: 0, upstreamMs: 0 },
      receipt: () => receipt,
      status: 200,
      contentType: 'application/json',
      body: bytes(
        kind === 'video'
          ? JSON.stringify({ id: clipOf(promptOf(ask)), status: 'pending' })
          : answerTo(promptOf(ask)),
      ),
    })
  },
  async quote({ ask, caller, signal }) {
    const quoted = await payer.quote(
      {
        ...(kind === 'batch'
          ? ({ endpoint: 'data', path: '/v1/data/api/people/people-search' } as const)
          : ({ endpoint: 'images/generations', path: '/v1/images/generations' } as const)),
        method: 'POST',
        body: Buffer.from(promptOf(ask)),
      },
      { caller, subject: 'brush' },
      signal,
    )
    if (quoted.kind !== 'quoted') throw new Error('not asked to pay')
    return quoted.record.id
  },
  estimate: () => Promise.resolve('unknown'),
  fetchOwn: (address) => Promise.resolve(madeAt(address)),
  accountId: () => 'account',
  history: () => Promise.resolve({ records: [], pages: 1 }),
  look: (look) =>
    look.at === 'videos'
      ? Promise.resolve({
          status: 200,
          contentType: 'application/json',
          body: bytes(answerTo(look.id.slice('gen_'.length))),
        })
      : Promise.reject(new Error('nothing else is looked at')),
}
const studio = createJobs({
  store: { jobs, jobFiles, jobParts, deliveredFiles: store.deliveredFiles, receipts: store.receipts },
  spool: createSpool(join(order.folder, 'spool')),
  service,
  payer,
  removeMetadata: (image) => image,
  now: Date.now,
  ...(kind === 'video' && { wait: (_ms, signal) => sleep(1, signal) }),
})

const signal = new AbortController().signal
async function asked(): Promise<JobAsk> {
  if (kind === 'image' || kind === 'video') return { kind, model: 'brush', prompt: ownId }
  const texts = Array.from({ length: kind === 'batch' ? ROWS : TEXTS }, (_, at) => `${ownId}-${String(at)}`)
  const content = Buffer.from(`${kind === 'batch' ? 'who\n' : ''}${texts.join('\n')}\n`)
  const { uploadId, path } = studio.uploads.begin('given', content.length, content.length)
  await studio.uploads.receive(path.slice('/upload/'.length), bytes(content.toString()))
  const file = { uploadId }
  if (kind === 'embedding') return { kind, model: 'm', source: { form: 'lines', file } }
  return {
    kind,
    method: 'POST',
    path: '/api/people/people-search',
    file,
    columns: { who: { column: 0, as: 'text' } },
    header: true,
    concurrency: 2,
  }
}
payer.resume()
studio.resumeAll()
if (!order.finish) {
  const job = await studio.start({ ask: await asked(), pay: order.pay, caller: { kind: 'window' }, signal })
  if (order.pay === 'single' && kind === 'batch') studio.send(job.id)
  if (order.pay === 'single' && job.purchaseId !== undefined)
    await payer.pay(job.purchaseId, { asks: 'person', from: 'window' }, signal)
}
if (order.resume)
  for (const { id, state } of studio.list({ limit: 10_000 }).jobs)
    if (state === 'paused' || state === 'unknown' || (state === 'stopped' && kind === 'batch'))
      studio.resume(id)
// Wait until no job that can continue automatically is in progress.
const underWay = new Set(['paying', 'sending', 'working', 'saving'])
while (
  studio.open().some(({ state }) => underWay.has(state)) ||
  payer.list(10_000).some(({ state }) => state === 'paying' || state === 'paid') ||
  (order.finish && studio.open().some(({ id }) => store.jobParts.count(id, ['sending']) > 0))
)
  await new Promise((resolve) => {
    setTimeout(resolve, 10)
  })
for (const { id } of studio.open()) await studio.settled(id)
const listed = studio.list({ limit: 10_000 }).jobs
const report: MakerReport = {
  jobs:
    kind === 'image' || kind === 'video'
      ? await Promise.all(
          listed.map(async ({ id, state, ask, cost }) => {
            const prompt = ask.kind === 'image' || ask.kind === 'video' ? (ask.prompt ?? '') : ''
            return {
              id,
              prompt,
              state,
              ...(cost !== undefined && { cost }),
              whole: (await text(id, 0)) === answerTo(prompt) && (await text(id, 1)) === `image of ${prompt}`,
            }
          }),
        )
      : (await Promise.all(listed.map(partsOf))).flat(),
  done: remembered('service.log').all(),
  paid: remembered('wallet.log').all(),
}
process.send?.(report, () => process.exit(0))

async function partsOf({ id, state }: JobRecord): Promise<MakerReport['jobs']> {
  if (kind === 'batch') {
    const { rows } = await studio.rows(id, { from: 0, limit: ROWS })
    return rows.map(({ cells: [prompt = ''], state: row, answer = '' }) => ({
      id,
      prompt,
      state: row,
      whole: answer === answerTo(prompt),
    }))
  }
  const { total, labels, vectors } = await studio.vectors(id, 0, TEXTS)
  const floats = new Float32Array(Uint8Array.from(Buffer.from(vectors, 'base64')).buffer)
  return [
    {
      id,
      prompt: labels[0]?.replace(/-\d+$/, '') ?? '',
      state,
      whole:
        total === TEXTS &&
        labels.every((label, at) =>
          vectorOf(label).every((value, place) => floats[at * 2 + place] === value),
        ),
    },
  ]
}

async function text(id: string, index: number): Promise<string> {
  const content = store.jobFiles.stream(id, index)
  return content ? Buffer.concat(await Array.fromAsync(content)).toString() : ''
}

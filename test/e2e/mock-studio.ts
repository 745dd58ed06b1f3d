import type { IncomingMessage, ServerResponse } from 'node:http'
import { actionsOf } from '../../src/core/jobs/job-state.ts'
import { sniffMedia } from '../../src/shared/sniff-media.ts'
import type { ErrorCode } from '../../src/shared/error-codes.ts'
import { errorCodes } from '../../src/shared/error-codes.ts'
import { storedAskSchema, type JobAsk, type JobKind, type StoredAsk } from '../../src/shared/job-ask.ts'
import type {
  Job,
  JobEstimate,
  JobFile,
  JobMatch,
  JobState,
  PayWay,
  Transcript,
  Upload,
} from '../../src/shared/job.ts'
import type { Model } from '../../src/shared/model.ts'
import { mediaModels, usd } from './mock-data.ts'
import { picture } from './mock-picture.ts'
import { MOCK_URI, purchase, type MockPurchases } from './mock-purchases.ts'

type StoredFile = { readonly file: JobFile; readonly bytes: Buffer }

/** Jobs of the mock core. A test changes them, and `put` also sends a change to the window. */
export interface MockStudio {
  /** Newest first. */
  jobs: Job[]
  /** By `job/index`. */
  files: Map<string, StoredFile>
  models: Model[]
  /** The estimate of a request, or the code of its refusal. */
  price: (ask: JobAsk) => JobEstimate | ErrorCode
  /**
   * The result of a new job: done at once, held until the test calls `finish`, or one of the states it can
   * end in.
   */
  becomes: 'done' | 'held' | Extract<JobState, 'failed' | 'unknown' | 'lost'>
  /** The files that a job generates. */
  makes: (ask: StoredAsk, jobId: string) => readonly Buffer[]
  /** The JSON response of a lookup. */
  answers: (ask: StoredAsk) => string
  matches: { matches: JobMatch[]; whole: boolean }
  transcript: (jobId: string) => Transcript
  /** Delays uploads. */
  beforeUpload: () => Promise<void>
  /** Uploaded files by their ID. */
  uploads: Map<string, { name: string; bytes: Buffer }>
  undoMs: number
  /** Adds or changes a job, and sends it to the window. */
  put: (job: Job) => Job
  /** Ends a held job. */
  finish: (jobId: string, how?: Exclude<MockStudio['becomes'], 'held'>) => Job
  /** Called for each job that starts, before the window gets it. */
  begun: (job: Job) => void
  /** Streams of generated speech by their job, as MPEG audio. */
  streams: Map<string, AsyncIterable<Uint8Array>>
  /** Expires the issued addresses. */
  endLinks: () => void
  /** Interrupts the streams of changes. */
  cut: () => void
}

export const IMAGE_COST = usd(0.0805)

export function mockStudio(): MockStudio {
  const none = (): never => {
    throw new Error('the door is not open')
  }
  return {
    jobs: [],
    files: new Map(),
    models: [...mediaModels],
    price: usualPrice,
    becomes: 'done',
    makes: (ask, jobId) => usualWork(ask, jobId),
    answers: () => '{"people":[]}',
    matches: { matches: [], whole: true },
    transcript: () => ({
      text: 'A quiet room.',
      language: 'en',
      seconds: 4,
      segments: [
        { start: 0, end: 2, text: 'A quiet' },
        { start: 2, end: 4, text: 'room.' },
      ],
    }),
    beforeUpload: () => Promise.resolve(),
    uploads: new Map(),
    streams: new Map(),
    begun: () => undefined,
    undoMs: 30_000,
    put: none,
    finish: none,
    endLinks: none,
    cut: none,
  }
}

function usualPrice(ask: JobAsk): JobEstimate {
  if (ask.kind === 'image') {
    const count = ask.n ?? 1
    if (ask.quality === undefined)
      return { cost: { least: usd(0.02 * count), most: usd(0.2 * count) }, unknown: ['choice'] }
    return { cost: { least: usd(0.0805 * count), most: usd(0.0805 * count) }, unknown: [] }
  }
  return { cost: { least: usd(0.015), most: usd(0.015) }, unknown: [] }
}

function usualWork(ask: StoredAsk, jobId: string): readonly Buffer[] {
  if (ask.kind !== 'image') return []
  return Array.from({ length: ask.n ?? 1 }, (_, index) =>
    picture(jobId.length * 7 + Number(/\d+$/.exec(jobId)?.[0] ?? 0) * 5 + index),
  )
}

/** A job in any state, as the window shows it. */
export function job(id: string, part: Partial<Omit<Job, 'may'>> = {}): Job {
  const at = part.at ?? Date.now() - 60_000
  const ask: StoredAsk = part.ask ?? {
    kind: 'image',
    model: 'sandbox/painter',
    prompt: 'A quiet room by the sea',
  }
  return withActions({
    id,
    at,
    changedAt: at,
    kind: ask.kind,
    state: 'done',
    pay: 'balance',
    caller: { kind: 'window' },
    ask,
    files: [],
    may: [],
    ...part,
  })
}

function withActions(input: Job): Job {
  const { failure, ...rest } = input
  const code = failure
    ? Object.keys(errorCodes).find((each): each is ErrorCode => each === failure.code)
    : undefined
  return { ...input, may: actionsOf({ ...rest, ...(code && { failure: { code } }) }) }
}

interface Around {
  readonly state: {
    studio: MockStudio
    purchases: MockPurchases
    status: { account: { connected: boolean } }
  }
  readonly refuse: (code: ErrorCode) => never
  readonly confirm: (question: string, signal: AbortSignal | undefined) => Promise<void>
  readonly newId: (prefix: string) => string
}

const INPUT_INDEX = 10_000

/** A mock studio with the contract's types, which generates small pictures. */
export function createMockStudio({ state, refuse, confirm, newId }: Around) {
  const { studio } = state
  const followers = new Set<{
    take: (changed: { jobs: Job[]; removed: string[] }) => void
    cut: () => void
  }>()
  const removed = new Map<string, Job>()
  const links = new Map<string, { stored: StoredFile; download: boolean }>()
  const paths = new Map<string, { uploadId: string; name: string; size: number }>()
  let clock = 0

  const find = (id: string): Job => studio.jobs.find((each) => each.id === id) ?? refuse('studio/unknown')
  const tell = (changed: { jobs: Job[]; removed: string[] }) => {
    for (const { take } of followers) take(changed)
  }
  function put(changed: Job): Job {
    clock = Math.max(clock + 1, Date.now())
    const updated = withActions({ ...changed, changedAt: clock })
    const known = studio.jobs.some(({ id }) => id === updated.id)
    studio.jobs = known
      ? studio.jobs.map((each) => (each.id === updated.id ? updated : each))
      : [updated, ...studio.jobs]
    tell({ jobs: [updated], removed: [] })
    return updated
  }
  function finish(jobId: string, how: Exclude<MockStudio['becomes'], 'held'> = 'done'): Job {
    const { failure: _, ...going } = find(jobId)
    if (how === 'unknown') return put({ ...going, state: how, failure: failureOf('studio/outcome-unknown') })
    if (how === 'lost')
      return put({ ...going, state: how, cost: IMAGE_COST, failure: failureOf('service/media-expired') })
    if (how === 'failed') return put({ ...going, state: how, failure: failureOf('service/rejected') })
    const results = studio
      .makes(going.ask, jobId)
      .map((bytes, at) => keep(jobId, at + 1, 'made', bytes, `${going.kind}-${String(at + 1)}`))
    if (going.kind === 'data')
      results.unshift(keep(jobId, 0, 'answer', Buffer.from(studio.answers(going.ask)), 'answer'))
    return put({
      ...going,
      state: 'done',
      ...(going.pay === 'balance' ? { cost: IMAGE_COST } : {}),
      files: [...going.files.filter(({ role }) => role === 'given'), ...results],
    })
  }
  function keep(jobId: string, index: number, role: JobFile['role'], bytes: Buffer, name: string): JobFile {
    const type = sniffMedia(bytes)
    const size = type === 'image/png' ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : {}
    const file: JobFile = {
      index,
      role,
      name: `${name.replace(/\.\w+$/, '')}.${type.split('/')[1] ?? 'bin'}`,
      type,
      bytes: bytes.length,
      ...size,
    }
    studio.files.set(`${jobId}/${String(index)}`, { file, bytes })
    return file
  }
  Object.assign(studio, {
    put,
    finish,
    endLinks: () => links.clear(),
    cut: () => {
      for (const { cut } of followers) cut()
    },
  } satisfies Partial<MockStudio>)

  function estimate(ask: JobAsk): JobEstimate {
    const price = studio.price(ask)
    return typeof price === 'string' ? refuse(price) : price
  }
  /** Turns an upload into a file of the job. */
  function storeInput(jobId: string, ask: JobAsk): { ask: StoredAsk; files: JobFile[] } {
    // Texts become a single file, whatever their source.
    if (ask.kind === 'embedding')
      return {
        ask: storedAskSchema.parse({
          ...ask,
          source: { form: ask.source.form, file: { file: INPUT_INDEX } },
        }),
        files: [keep(jobId, INPUT_INDEX, 'given', Buffer.from('{}\n'), 'texts.jsonl')],
      }
    const input = 'image' in ask ? ask.image : 'file' in ask ? ask.file : undefined
    if (!input || 'url' in input) return { ask: storedAskSchema.parse(ask), files: [] }
    const source = 'uploadId' in input ? studio.uploads.get(input.uploadId) : former(input)
    if (!source) return refuse('studio/upload-unknown')
    if ('uploadId' in input) studio.uploads.delete(input.uploadId)
    const file = keep(jobId, INPUT_INDEX, 'given', source.bytes, source.name)
    return {
      ask: storedAskSchema.parse({ ...ask, ['image' in ask ? 'image' : 'file']: { file: INPUT_INDEX } }),
      files: [file],
    }
  }
  function former({
    jobId,
    index,
  }: {
    jobId: string
    index: number
  }): { name: string; bytes: Buffer } | undefined {
    const found = studio.files.get(`${jobId}/${String(index)}`)
    return found && { name: found.file.name, bytes: found.bytes }
  }
  function start(ask: JobAsk, pay: PayWay): Job {
    const { cost } = estimate(ask)
    if (pay === 'balance' && !state.status.account.connected) return refuse('service/no-account')
    const id = newId('job')
    const begun = { ...storeInput(id, ask), ...(cost && { estimate: cost }) }
    const at = Date.now()
    if (pay === 'single') {
      const quoted = purchase(`purchase-${id}`, {
        at,
        state: 'quoted',
        expiresAt: at + 600_000,
        uri: MOCK_URI,
        payable: false,
        attempts: 0,
        subject: 'model' in ask ? (ask.model ?? '') : '',
      })
      state.purchases.list = [quoted, ...state.purchases.list]
      return put(job(id, { ...begun, at, kind: ask.kind, pay, state: 'ready', purchase: quoted }))
    }
    const going = job(id, { ...begun, at, kind: ask.kind, pay, sentAt: at, state: 'sending' })
    studio.begun(going)
    return send(going)
  }
  function send(going: Job): Job {
    const sent = put(going)
    if (studio.becomes === 'held') return sent
    const how = studio.becomes
    setTimeout(() => {
      if (studio.jobs.some(({ id }) => id === sent.id)) finish(sent.id, how)
    }, 0)
    return sent
  }
  const acted = (id: string, action: Job['may'][number]): Job => {
    const found = find(id)
    return found.may.includes(action) ? found : refuse('studio/invalid-state')
  }
  function path(file: StoredFile, download: boolean): string {
    const token = newId('link').padEnd(43, '0')
    links.set(token, { stored: file, download })
    return `/media/${token}`
  }

  function storeUpload(uploadId: string, name: string, bytes: Buffer): Upload {
    studio.uploads.set(uploadId, { name, bytes })
    const type = sniffMedia(bytes)
    return {
      uploadId,
      bytes: bytes.length,
      type,
      ...(type === 'image/png' ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : {}),
    }
  }

  return {
    listen: (jobId: string) => {
      if (!studio.streams.has(jobId)) refuse('studio/invalid-state')
      return { path: `/media/listen-${jobId}`, expiresAt: Date.now() + 300_000, type: 'audio/mpeg' }
    },
    /** An image of a message. */
    attached: (name: string, bytes: Buffer) => storeUpload(newId('upload'), name, bytes),
    begin(name: string, size: number) {
      if (size === 0) refuse('studio/file-empty')
      const uploadId = newId('upload')
      const token = uploadId.padEnd(43, '0')
      paths.set(token, { uploadId, name, size })
      return { uploadId, path: `/upload/${token}`, expiresAt: Date.now() + 600_000 }
    },
    link: (jobId: string, index: number, download: boolean) => {
      find(jobId)
      const found = studio.files.get(`${jobId}/${String(index)}`) ?? refuse('studio/unknown')
      return { path: path(found, download), expiresAt: Date.now() + 300_000 }
    },
    estimate,
    start,
    async pay(jobId: string, signal: AbortSignal | undefined): Promise<Job> {
      const ready = acted(jobId, 'pay')
      if (ready.pay === 'balance') return send({ ...ready, state: 'sending' })
      await confirm('Pay the service.', signal)
      const paid = ready.purchase && { ...ready.purchase, state: 'delivered' as const }
      put({ ...ready, state: 'paying' })
      put({
        ...find(jobId),
        state: 'sending',
        sentAt: Date.now(),
        paidMsat: '53000',
        ...(paid && { purchase: paid }),
      })
      return studio.becomes === 'held' ? find(jobId) : finish(jobId, studio.becomes)
    },
    stop: (jobId: string) => put({ ...acted(jobId, 'stop'), state: 'stopped' }),
    again(jobId: string, pay: PayWay | undefined): Job {
      const before = acted(jobId, 'again')
      const id = newId('job')
      const files = before.files
        .filter(({ role }) => role === 'given')
        .map((file) =>
          keep(
            id,
            file.index,
            'given',
            studio.files.get(`${jobId}/${String(file.index)}`)?.bytes ?? Buffer.alloc(1),
            file.name,
          ),
        )
      const { cost: _, paidMsat: __, failure: ___, receiptId: ____, ...same } = before
      return send({
        ...same,
        id,
        at: Date.now(),
        pay: pay ?? before.pay,
        state: 'sending',
        files,
        sentAt: Date.now(),
      })
    },
    resume(jobId: string): Job {
      const { failure: _, ...before } = acted(jobId, 'resume')
      put({ ...before, state: 'saving' })
      return finish(jobId)
    },
    poll: (jobId: string) => put(acted(jobId, 'poll')),
    compare: (jobId: string) => (acted(jobId, 'compare'), studio.matches),
    list({
      kinds,
      text = '',
      before,
      limit,
    }: {
      kinds?: readonly JobKind[] | undefined
      text?: string | undefined
      before?: string | undefined
      limit: number
    }) {
      const terms = text
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== '')
      const found = studio.jobs.filter(
        ({ kind, ask, title = '', files }) =>
          (!kinds || kinds.includes(kind)) &&
          terms.every((word) =>
            `${title} ${JSON.stringify(ask)} ${files.map(({ name }) => name).join(' ')}`
              .toLowerCase()
              .includes(word),
          ),
      )
      const from = Number(before ?? 0)
      const jobs = found.slice(from, from + limit)
      return { jobs, ...(from + limit < found.length ? { next: String(from + limit) } : {}) }
    },
    get: find,
    async *watch(signal: AbortSignal | undefined): AsyncGenerator<{ jobs: Job[]; removed: string[] }, void> {
      const changes: { jobs: Job[]; removed: string[] }[] = [
        {
          jobs: studio.jobs.filter(({ state: how }) => !['done', 'failed', 'stopped', 'lost'].includes(how)),
          removed: [],
        },
      ]
      let wake: () => void = () => undefined
      let ended: 'open' | 'left' | 'cut' = 'open'
      const follower = {
        take: (changed: { jobs: Job[]; removed: string[] }) => {
          changes.push(changed)
          wake()
        },
        cut: () => {
          ended = 'cut'
          wake()
        },
      }
      const how = () => ended
      followers.add(follower)
      signal?.addEventListener(
        'abort',
        () => {
          ended = 'left'
          wake()
        },
        { once: true },
      )
      try {
        while (how() === 'open') {
          const next = changes.shift()
          if (next) yield next
          else
            await new Promise<void>((resolve) => {
              wake = resolve
            })
        }
        if (how() === 'cut') throw new Error('the door was cut')
      } finally {
        followers.delete(follower)
      }
    },
    rename: (jobId: string, title: string) => put({ ...find(jobId), title }),
    remove(jobIds: readonly string[]) {
      const gone = studio.jobs.filter(
        ({ id, state: how }) =>
          jobIds.includes(id) && ['done', 'failed', 'stopped', 'unknown', 'lost'].includes(how),
      )
      for (const each of gone) removed.set(each.id, each)
      studio.jobs = studio.jobs.filter((each) => !gone.includes(each))
      tell({ jobs: [], removed: gone.map(({ id }) => id) })
      return { removed: gone.map(({ id }) => id), undoMs: studio.undoMs }
    },
    restore(jobIds: readonly string[]): Job[] {
      const back = jobIds.flatMap((id) => removed.get(id) ?? [])
      for (const each of back) removed.delete(each.id)
      studio.jobs = [...back, ...studio.jobs].toSorted((one, other) => other.at - one.at)
      tell({ jobs: back, removed: [] })
      return back
    },
    usage() {
      const kinds = [...new Set(studio.jobs.map(({ kind }) => kind))]
      return kinds.map((kind) => {
        const files = studio.jobs.filter((each) => each.kind === kind).flatMap((each) => each.files)
        return {
          kind,
          jobs: studio.jobs.filter((each) => each.kind === kind).length,
          files: files.length,
          bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
        }
      })
    },
    export(jobIds: readonly string[]) {
      for (const id of jobIds) find(id)
      const bytes = Buffer.from(`PK\u0003\u0004 ${jobIds.join(' ')}`)
      const name = 'sotto-library-2026-01-01.zip'
      return {
        path: path(
          { file: { index: 0, role: 'made', name, type: 'application/zip', bytes: bytes.length }, bytes },
          true,
        ),
        name,
        expiresAt: Date.now() + 300_000,
      }
    },
    transcript: (jobId: string) => (find(jobId), studio.transcript(jobId)),
    edit: (jobId: string, text: string) => {
      const before = studio.transcript
      studio.transcript = (id) => ({ ...before(id), ...(id === jobId ? { edited: text } : {}) })
      return put(find(jobId))
    },
    models: (types: readonly string[]) =>
      studio.models.filter(({ type }) => type !== undefined && types.includes(type)),

    /** Refuses calls that this mock doesn't support. */
    none: (): never => refuse('studio/unknown'),
    /** Handles the two paths outside the contract. Returns false for other paths. */
    async route(path: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<boolean> {
      const [, kind, token = ''] = /^\/(media|upload)\/([\w-]+)$/.exec(path) ?? []
      const spoken =
        kind === 'media' && token.startsWith('listen-')
          ? studio.streams.get(token.slice('listen-'.length))
          : undefined
      if (spoken) {
        outgoing.writeHead(200, { 'content-type': 'audio/mpeg' })
        for await (const piece of spoken) outgoing.write(piece)
        outgoing.end()
        return true
      }
      if (kind === 'media') {
        const found = links.get(token)
        if (!found) outgoing.writeHead(404).end('Not found')
        else answer(found.stored, found.download, incoming, outgoing)
        return true
      }
      if (kind !== 'upload' || incoming.method !== 'PUT') return false
      const waiting = paths.get(token)
      paths.delete(token)
      await studio.beforeUpload()
      const bytes = Buffer.concat((await incoming.toArray()) as Buffer[])
      const code = !waiting
        ? 'studio/upload-unknown'
        : bytes.length !== waiting.size
          ? 'studio/upload-incomplete'
          : undefined
      if (code !== undefined || !waiting) {
        outgoing
          .writeHead(422, { 'content-type': 'application/json' })
          .end(JSON.stringify(failureOf(code ?? 'studio/upload-unknown')))
        return true
      }
      outgoing
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(storeUpload(waiting.uploadId, waiting.name, bytes)))
      return true
    },
  }
}

function failureOf(code: ErrorCode): { code: string; says: string; remedy: string } {
  const { says, remedy } = errorCodes[code]
  return { code, says, remedy }
}

/** Supports a single range, as a player requests it. */
function answer(
  { file, bytes }: StoredFile,
  download: boolean,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const headers = {
    'content-type': file.type,
    'accept-ranges': 'bytes',
    'content-disposition': `${download ? 'attachment' : 'inline'}; filename="${file.name}"`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  }
  const [, from = '', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(incoming.headers.range ?? '') ?? []
  if (from === '')
    return void outgoing.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes)
  const last = to === '' ? bytes.length - 1 : Math.min(Number(to), bytes.length - 1)
  outgoing
    .writeHead(206, { ...headers, 'content-range': `bytes ${from}-${String(last)}/${String(bytes.length)}` })
    .end(bytes.subarray(Number(from), last + 1))
}

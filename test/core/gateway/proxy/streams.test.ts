import { once } from 'node:events'
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { createParser } from 'eventsource-parser'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Receipt } from '../../../../src/shared/receipt.ts'
import { RawCaller } from '../../../raw-caller.ts'
import { sandboxFolder } from '../../../sandbox/cached-roots.ts'
import {
  startScriptedService,
  type Answering,
  type Arrived,
  type Script,
  type ScriptedService,
} from '../../../scripted-service.ts'
import { startWorld, type World } from '../../../world.ts'

const OPEN = 'scripted/open'
const PRIVATE = 'private/scripted'
const EVENTS = { 'content-type': 'text/event-stream' }

let script: Script = () => undefined
let service: ScriptedService
let world: World
/** The signal of the newest chat completion that was sent to the service. */
let exchange: AbortSignal | undefined
beforeAll(async () => {
  service = await startScriptedService({
    folder: await sandboxFolder(),
    models: [OPEN, PRIVATE],
    script: (request, answer) => script(request, answer),
  })
  world = await startWorld({
    profile: (profile) => ({ ...profile, baseUrl: service.baseUrl }),
    fetch: (fetch) => (url, init) => {
      if (url.endsWith('/chat/completions')) exchange = init.signal
      return fetch(url, init)
    },
  })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await service.close()
})

const port = (): number => Number(new URL(world.baseUrl).port)
const both = [
  [OPEN, 'forwarded'],
  [PRIVATE, 'sealed'],
] as const
const bodyFor = (model: string, extra: object = {}): string =>
  JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'hello' }], ...extra })

function head(body: string, path = '/v1/chat/completions'): string {
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${String(port())}\r\nAuthorization: Bearer ${world.key}\r\nContent-Type: application/json\r\nContent-Length: ${String(Buffer.byteLength(body))}\r\n\r\n`
}

function send(model: string, extra: object = {}): ClientRequest {
  const request = httpRequest({
    host: '127.0.0.1',
    port: port(),
    method: 'POST',
    path: '/v1/chat/completions',
    agent: false,
    headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
  })
  request.on('error', () => undefined)
  request.end(bodyFor(model, extra))
  return request
}

async function answered(request: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.on('error', () => undefined)
  return response
}

async function bytesOf(request: ClientRequest): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await answered(request)) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const receipts = async (): Promise<Receipt[]> =>
  (await world.call('receipts/list', { limit: 5 })) as Receipt[]
const newest = async (): Promise<string | undefined> => (await receipts())[0]?.id

/** The receipt of the newest request, once it is written. */
async function receiptAfter(before: string | undefined): Promise<Receipt> {
  await expect.poll(newest).not.toBe(before)
  return (await receipts())[0]!
}

const delta = (text: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`
const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } })}\n\n`
const DONE = 'data: [DONE]\n\n'

/** A script that passes its request and answer to the test, which continues with them. */
function arriving(): Promise<{ request: Arrived; answer: Answering }> {
  return new Promise((resolve) => {
    script = (request, answer) => resolve({ request, answer })
  })
}

const lineText = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll(/[\r\n]/g, ' '))
const line = fc.oneof(
  lineText.map((text) => `: ${text}`),
  lineText.map((text) => `data:${JSON.stringify({ other: text })}`),
  lineText.map(
    (text) =>
      `data: ${JSON.stringify({ choices: [{ delta: { content: `${text} "usage" data: [DONE]` } }] })}`,
  ),
  lineText.map((text) => `data: ${JSON.stringify({ choices: [{ delta: { content: text } }], usage: null })}`),
  lineText.map((text) => `data: {"choices":[],\ndata: "x": ${JSON.stringify(text)}}`),
  lineText.map((text) => `id: ${text}`),
  fc.nat().map((ms) => `retry: ${String(ms)}`),
  lineText.map((text) => `event: ${text}`),
  lineText.map((text) => `x-unknown: ${text}`),
  fc.constantFrom('event', ':', ' data: x'),
)
const lineEnd = fc.constantFrom('\n', '\r\n', '\r')
/** At most one line of data, because two of these lines together aren't JSON, and no event named `error`. */
const event = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 4 }), lineEnd, lineEnd)
  .map(([all, end, last]) => {
    const lines = all
      .filter(
        (each, at) => !each.startsWith('data:') || all.findIndex((one) => one.startsWith('data:')) === at,
      )
      .flatMap((each) => each.split('\n'))
      .map((each) => (each === 'event: error' ? 'event: other' : each))
    // After a lone CR, an LF would belong to it and would not be a separate line.
    const blank = end === '\r' && last === '\n' ? '\r' : last
    return `${lines.map((each) => each + end).join('')}${blank}`
  })
/** The byte order mark, the events, the position of the usage event and the ends of the pieces. */
const stream = fc.record({
  mark: fc.constantFrom('', '\uFEFF'),
  events: fc.array(event, { maxLength: 12 }),
  usageAt: fc.nat(),
  cuts: fc.array(fc.nat(), { maxLength: 40 }),
  everyByte: fc.boolean(),
})

function pieces(bytes: Buffer, { cuts, everyByte }: { cuts: number[]; everyByte: boolean }): Buffer[] {
  const edges = everyByte
    ? Array.from(bytes, (_, index) => index)
    : [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b)]
  return edges
    .map((edge, index) => bytes.subarray(edge, edges[index + 1] ?? bytes.length))
    .filter((piece) => piece.length > 0)
}

/** The events of a stream, with its comments, as any client reads them. */
function eventsIn(text: string): {
  id?: string | undefined
  event?: string | undefined
  data?: string
  comment?: string
  retry?: number
}[] {
  const events: ReturnType<typeof eventsIn> = []
  createParser({
    onEvent: ({ id, event: name, data }) => events.push({ id, event: name, data }),
    onComment: (comment) => events.push({ comment }),
    onRetry: (retry) => events.push({ retry }),
  }).feed(text)
  return events
}

describe.each(both)('a stream from %s (%s)', (model) => {
  it('is passed on event by event and in order, with any content and in any pieces, except for the usage event that Sotto requested', async () => {
    await fc.assert(
      fc.asyncProperty(stream, fc.boolean(), async ({ mark, events, usageAt, ...cut }, asked) => {
        const at = usageAt % (events.length + 1)
        // The byte order mark belongs to the first event.
        const before = (at > 0 ? mark : '') + events.slice(0, at).join('')
        const after = events.slice(at).join('') + DONE
        script = async (_request, answer) => {
          answer.begin(EVENTS)
          for (const piece of pieces(Buffer.from(before + usage + after), cut))
            if (!answer.write(piece)) await answer.drained()
          answer.end()
        }
        const received = await bytesOf(send(model, asked ? { stream_options: { include_usage: true } } : {}))
        expect(eventsIn(received.toString())).toEqual(
          eventsIn(before + usage + after).filter(
            ({ data }) => asked || data !== usage.slice('data: '.length).trim(),
          ),
        )
      }),
      { numRuns: 60 },
    )
  })

  it('adds to the request only the usage option and, for a private prompt, a cache secret', async () => {
    const arrival = arriving()
    const answer = bytesOf(send(model, { seed: 7, 'x-tool': { deep: [1, null, 'ü\u2028'] } }))
    const { request, answer: upstream } = await arrival
    const { user_cache_secret: secret, ...asked } = JSON.parse(request.plain.toString()) as Record<
      string,
      unknown
    >
    expect(secret).toEqual(model.startsWith('private/') ? expect.stringMatching(/^[0-9a-f]{64}$/) : undefined)
    expect(asked).toEqual({
      model: model.replace(/^private\//, ''),
      stream: true,
      messages: [{ role: 'user', content: 'hello' }],
      seed: 7,
      'x-tool': { deep: [1, null, 'ü\u2028'] },
      stream_options: { include_usage: true },
    })
    upstream.begin(EVENTS)
    upstream.end(Buffer.from(DONE))
    expect((await answer).toString()).toBe(DONE)
  })

  it('reaches the caller event by event, before the next one exists', async () => {
    const arrival = arriving()
    const answer = send(model)
    const { answer: upstream } = await arrival
    upstream.begin(EVENTS)
    upstream.write(Buffer.from(delta('first')))
    const response = await answered(answer)
    let text = ''
    response.on('data', (chunk: Buffer) => (text += chunk.toString()))
    for (const word of ['second', 'third']) {
      await expect.poll(() => text.endsWith('\n\n')).toBe(true)
      const known = text
      upstream.write(Buffer.from(delta(word)))
      await expect.poll(() => text).toBe(known + delta(word))
    }
    upstream.end(Buffer.from(DONE))
    await once(response, 'end')
  })

  it.each([
    ['after whole events', delta('a') + delta('b'), delta('a') + delta('b')],
    ['within an event', delta('a') + 'data: {"choi', delta('a')],
    ['within a line end', `${delta('a')}data: {}\r\n`, delta('a')],
    ['before anything', '', ''],
  ])(
    'that ends without [DONE] %s ends with an error in the caller’s dialect',
    async (_where, sent, passed) => {
      for (const cut of [true, false]) {
        script = async (_request, answer) => {
          answer.begin(EVENTS)
          answer.write(Buffer.from(': begun\n\n' + sent))
          await answer.drained()
          // The proxy must read the written bytes before the connection is dropped.
          if (cut) setImmediate(() => answer.cut())
          else answer.end()
        }
        const received = (await bytesOf(send(model))).toString()
        const [events, error] = [
          received.slice(0, received.lastIndexOf('data: {"error"')),
          received.slice(received.lastIndexOf('data: {"error"')),
        ]
        if (!cut) expect(events).toBe(': begun\n\n' + passed)
        expect(error).toMatch(/^data: .*\n\n$/)
        const {
          error: { code },
        } = JSON.parse(error.slice('data: '.length)) as { error: { code: string } }
        expect(['service/interrupted', 'channel/response-truncated']).toContain(code)
        // The part before the error consists of complete events, so that a reader recognizes the error.
        expect(events === '' || events.endsWith('\n\n')).toBe(true)
      }
    },
  )

  it('is complete even if the caller or the service closes the connection after [DONE]', async () => {
    for (const who of ['caller', 'service']) {
      const before = await newest()
      const arrival = arriving()
      const request = send(model)
      const { answer: upstream } = await arrival
      upstream.begin(EVENTS)
      upstream.write(Buffer.from(delta('a') + usage + DONE))
      const response = await answered(request)
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      await expect.poll(() => text).toBe(delta('a') + DONE)
      if (who === 'caller') request.destroy()
      else upstream.cut()
      expect(await receiptAfter(before)).toMatchObject({
        outcome: 'complete',
        usage: { prompt: 7, completion: 3 },
        cost: '13000000',
      })
      expect(text).toBe(delta('a') + DONE)
    }
  })

  it('is not read from the service while the caller does not read, and resumes where it stopped', async () => {
    const piece = (number: number): Buffer =>
      Buffer.from(`data: "${String(number).padStart(8, '0')} ${'x'.repeat(16_000)}"\n\n`)
    let written = 0
    let blocked = false
    script = async (request, answer) => {
      answer.begin(EVENTS)
      if ((JSON.parse(request.plain.toString()) as { seed?: number }).seed === 1) {
        // The other stream carries as many bytes as all buffers on the way can contain, and ends.
        for (let number = 0; number < 700; number += 1)
          if (!answer.write(piece(number))) await answer.drained()
        return answer.end(Buffer.from(DONE))
      }
      while (!answer.gone.aborted) {
        blocked = !answer.write(piece(written))
        written += 1
        if (blocked) await answer.drained()
      }
    }
    const request = send(model)
    const response = await answered(request)
    response.pause()
    // The first stream has stopped if another complete stream passes while the first makes no progress.
    let seen = -1
    await expect
      .poll(async () => {
        seen = written
        await bytesOf(send(model, { seed: 1 }))
        return blocked && written === seen
      })
      .toBe(true)
    // The bytes in the kernel's buffers of two connections and in the proxy.
    expect(written * 16_012).toBeLessThan(24 * 1024 * 1024)
    const stoppedAt = written

    let next = 0
    let rest = ''
    response.on('data', (chunk: Buffer) => {
      rest += chunk.toString('latin1')
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        if (Number(rest.slice(7, 15)) !== next)
          response.destroy(new Error(`event ${rest.slice(7, 15)} where ${String(next)} was to come`))
        next += 1
        rest = rest.slice(end + 2)
      }
    })
    response.resume()
    await expect.poll(() => next).toBeGreaterThan(stoppedAt + 200)
    request.destroy()
  })
})

describe.each(both)('a caller of %s (%s) that disconnects', (model, privacy) => {
  it('while its body is read causes no request', async () => {
    const before = await newest()
    let asked = 0
    script = () => void (asked += 1)
    const body = bodyFor(model)
    const caller = await RawCaller.to(port())
    caller.write(head(body) + body.slice(0, -5))
    await once(caller.socket.end(), 'close')
    // A later request is answered, but the abandoned one never reached the service.
    script = (_request, answer) => {
      answer.begin(EVENTS)
      answer.end(Buffer.from(DONE))
    }
    await bytesOf(send(model))
    expect(asked).toBe(0)
    expect((await receiptAfter(before)).outcome).toBe('complete')
  })

  it('before the response begins ends the upstream request', async () => {
    const before = await newest()
    const arrival = arriving()
    const request = send(model)
    const { answer } = await arrival
    request.destroy()
    await expect.poll(() => answer.gone.aborted).toBe(true)
    const receipt = await receiptAfter(before)
    expect(receipt).toMatchObject({
      outcome: 'cancelled',
      privacy,
      code: 'request/canceled',
      requestDigest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    })
    // The receipt counts the sent bytes, even though no answer arrived.
    expect(receipt.bytesSent).toBeGreaterThan(50)
  })

  it('during a stream ends it upstream', async () => {
    const before = await newest()
    const arrival = arriving()
    const request = send(model)
    const { answer } = await arrival
    answer.begin(EVENTS)
    answer.write(Buffer.from(delta('a')))
    await once(await answered(request), 'data')
    request.destroy()
    await expect.poll(() => answer.gone.aborted).toBe(true)
    expect(await receiptAfter(before)).toMatchObject({ outcome: 'cancelled', privacy })
  })

  it('during a reply in one piece ends it upstream', async () => {
    const before = await newest()
    const arrival = arriving()
    const request = send(model, { stream: false })
    const { answer } = await arrival
    answer.begin({ 'content-type': 'application/json' })
    answer.write(Buffer.from('{"choices":'))
    request.destroy()
    await expect.poll(() => answer.gone.aborted).toBe(true)
    expect(await receiptAfter(before)).toMatchObject({ outcome: 'cancelled' })
  })

  it('after it stopped reading ends the stream upstream, with a receipt', async () => {
    const before = await newest()
    let upstream: Answering | undefined
    let blocked = false
    script = async (_request, answer) => {
      upstream = answer
      answer.begin(EVENTS)
      while (!answer.gone.aborted) {
        blocked = !answer.write(Buffer.from(delta('x'.repeat(16_000))))
        if (blocked) await answer.drained()
      }
    }
    const request = send(model)
    const response = await answered(request)
    response.pause()
    await expect.poll(() => blocked).toBe(true)
    request.destroy()
    await expect.poll(() => upstream?.gone.aborted).toBe(true)
    expect(await receiptAfter(before)).toMatchObject({ outcome: 'cancelled', privacy })
  })

  it('with a second request on its connection ends both', async () => {
    const before = await newest()
    const upstream: Answering[] = []
    script = async (_request, answer) => {
      upstream.push(answer)
      answer.begin(EVENTS)
      // The bytes of the second answer wait for the end of the first.
      while (!answer.gone.aborted)
        if (!answer.write(Buffer.from(delta('x'.repeat(16_000))))) await answer.drained()
    }
    const caller = await RawCaller.to(port())
    caller.socket.pause()
    const body = bodyFor(model)
    caller.write((head(body) + body).repeat(2))
    await expect.poll(() => upstream.length).toBe(2)
    caller.destroy()
    await expect.poll(() => upstream.map(({ gone }) => gone.aborted)).toEqual([true, true])
    await expect
      .poll(async () => (await receipts()).slice(0, 3).map(({ id, outcome }) => id === before || outcome))
      .toEqual(['cancelled', 'cancelled', true])
  })
})

it.each([
  ['of another type, in the open,', OPEN, { 'content-type': 'text/html' }, 'service/response-invalid'],
  ['of another type, sealed,', PRIVATE, { 'content-type': 'text/html' }, 'service/response-invalid'],
  [
    'with a nonce that is none',
    PRIVATE,
    { ...EVENTS, 'ehbp-response-nonce': 'none' },
    'channel/response-invalid',
  ],
] as const)(
  'a response %s is refused, and the upstream request is canceled',
  async (_what, model, headers, code) => {
    const arrival = arriving()
    const request = send(model)
    const { answer } = await arrival
    answer.begin(headers)
    answer.write(Buffer.from(delta('a')))
    const refusal = await bytesOf(request)
    expect(JSON.parse(refusal.toString())).toMatchObject({ error: { code } })
    expect(exchange?.aborted).toBe(true)
    await expect.poll(() => answer.gone.aborted).toBe(true)
  },
)

it('nothing is sent for a caller that disconnects during verification', async () => {
  const before = await newest()
  let asked = 0
  script = () => void (asked += 1)
  world.core.invalidateVerdict()
  let release = (): void => undefined
  let waiting = false
  service.holdEvidence = {
    then: (resolve: () => void) => {
      waiting = true
      release = resolve
    },
  } as unknown as Promise<void>
  const request = send(PRIVATE)
  await expect.poll(() => waiting).toBe(true)
  const closed = new Promise((resolve) => request.once('close', resolve))
  request.destroy()
  await closed
  service.holdEvidence = undefined
  release()
  expect(await receiptAfter(before)).toMatchObject({ outcome: 'cancelled', privacy: 'refused', bytesSent: 0 })
  expect(asked).toBe(0)
})

it.each([
  [
    '/v1/messages',
    { max_tokens: 10, messages: [{ role: 'user', content: 'hello' }] },
    'event: message_stop\n',
  ],
  ['/v1/responses', { input: 'hello' }, 'event: response.completed\n'],
  ['/api/chat', { messages: [{ role: 'user', content: 'hello' }] }, '"done":true'],
])('%s is complete if nothing follows [DONE], not even a line end', async (path, body, last) => {
  for (const end of ['', '\n', '\r', '\r\n']) {
    script = (_request, answer) => {
      answer.begin(EVENTS)
      answer.end(Buffer.from(delta('a') + `data: [DONE]${end}`))
    }
    const text = await (
      await world.post({ ...body, model: PRIVATE, stream: true }, {}, path.replace(/^\/v1/, ''))
    ).text()
    expect(text).toContain(last)
    expect(text).not.toContain('service/interrupted')
  }
})

const others = [
  ...[OPEN, PRIVATE].flatMap((model) => [
    {
      name: `/v1/messages with ${model}`,
      path: '/v1/messages',
      body: { model, stream: true, max_tokens: 10, messages: [{ role: 'user', content: 'hello' }] },
      type: EVENTS,
    },
    {
      name: `/api/chat with ${model}`,
      path: '/api/chat',
      body: { model, messages: [{ role: 'user', content: 'hello' }] },
      type: EVENTS,
    },
    {
      name: `/v1/responses with ${model}`,
      path: '/v1/responses',
      body: { model, stream: true, input: 'hello' },
      type: EVENTS,
    },
  ]),
  {
    name: '/v1/audio/speech',
    path: '/v1/audio/speech',
    body: { model: 'scripted-voice', voice: 'scripted-voice', input: 'hello' },
    type: { 'content-type': 'audio/mpeg' },
  },
]

describe.each(others)('$name', ({ path, body, type }) => {
  const text = JSON.stringify(body)
  const ask = async (times = 1): Promise<RawCaller> => {
    const caller = await RawCaller.to(port())
    caller.write((head(text, path) + text).repeat(times))
    return caller
  }
  const piece = Buffer.from(delta('x'.repeat(16_000)))

  it('ends upstream if its caller disconnects while it waits', async () => {
    const before = await newest()
    const arrival = arriving()
    const caller = await ask()
    const { answer } = await arrival
    caller.destroy()
    await expect.poll(() => answer.gone.aborted).toBe(true)
    expect(await receiptAfter(before)).toMatchObject({ outcome: 'cancelled' })
  })

  it('ends upstream if a caller stops reading with two requests on its connection', async () => {
    const before = await newest()
    const upstream: Answering[] = []
    script = async (_request, answer) => {
      upstream.push(answer)
      answer.begin(type)
      while (!answer.gone.aborted) if (!answer.write(piece)) await answer.drained()
    }
    const caller = await ask(2)
    caller.socket.pause()
    await expect.poll(() => upstream.length).toBe(2)
    caller.destroy()
    await expect.poll(() => upstream.map(({ gone }) => gone.aborted)).toEqual([true, true])
    await expect
      .poll(async () => (await receipts()).slice(0, 3).map(({ id, outcome }) => id === before || outcome))
      .toEqual(['cancelled', 'cancelled', true])
  })

  it('reports a stream that ends before [DONE] in the caller’s dialect', async () => {
    script = (_request, answer) => {
      answer.begin(type)
      answer.write(Buffer.from(delta('a') + delta('b')))
      answer.end()
    }
    const caller = await ask()
    await expect.poll(() => caller.answers().length).toBe(1)
    const answer = caller.answers()[0]!.body.toString()
    // A body that isn't an event stream has no event that could report a premature end.
    if (type !== EVENTS) expect(answer).toBe(delta('a') + delta('b'))
    else {
      expect(answer).toMatch(
        path === '/api/chat'
          ? /\n\{"error":"[^\n]*"\}\n$/
          : path === '/v1/messages'
            ? /\nevent: error\ndata: \{"type":"error",[^\n]*\n\n$/
            : /event: response\.failed\ndata: [^\n]*"code":[^\n]*\n\n$/,
      )
      expect(answer).toMatch(/(The reply stopped early|was cut off in transit)/)
    }
    caller.destroy()
  })
})

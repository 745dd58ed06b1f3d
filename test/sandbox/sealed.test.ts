import { DecryptionError, Identity, KeyConfigMismatchError, ProtocolError, Transport } from 'ehbp'
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/index.ts'
import { fetchEvidence, offeredKey } from './evidence.ts'
import { createAccount, startTestSandbox, type TestAccount } from './cached-roots.ts'

let sandbox: Sandbox
let account: TestAccount
beforeAll(async () => {
  sandbox = await startTestSandbox()
  account = await createAccount(sandbox)
})
afterEach(() => {
  for (const fault of sandbox.faults()) sandbox.setFault(fault, false)
  sandbox.clearReceived()
})
afterAll(() => sandbox.close())

const path = () => `${sandbox.baseUrl}/private/v1/chat/completions`

/** The published client, sealing to the key that the evidence attests. */
async function attestedTransport(): Promise<Transport> {
  const { report } = await fetchEvidence(sandbox)
  return new Transport(
    await Identity.fromPublicKeyHex(report.subarray(0x70, 0x90).toString('hex')),
    new URL(sandbox.baseUrl).host,
  )
}

function headers(model = 'private/sandbox-lento-8b'): Record<string, string> {
  return {
    authorization: `Bearer ${account.apiKey}`,
    'content-type': 'application/json',
    'x-private-model': model,
  }
}

function body(rest: object = {}): string {
  return JSON.stringify({
    model: 'sandbox-lento-8b',
    messages: [{ role: 'user', content: 'Which apples keep through the winter?' }],
    ...rest,
  })
}

interface Completion {
  model: string
  choices: { message: { content: string }; finish_reason: string }[]
  usage: { completion_tokens: number }
}

describe('the published client', () => {
  test('gets the attested key in the key configuration', async () => {
    const response = await fetch(`${sandbox.baseUrl}/private/.well-known/hpke-keys`)
    expect(response.headers.get('content-type')).toBe('application/ohttp-keys')
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(bytes).toHaveLength(41)
    const identity = await Identity.unmarshalPublicConfig(bytes)
    const { report } = await fetchEvidence(sandbox)
    expect(await identity.getPublicKeyHex()).toBe(report.subarray(0x70, 0x90).toString('hex'))
  })

  test('opens a reply in one piece', async () => {
    const response = await (await attestedTransport()).post(path(), body(), { headers: headers() })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-sotto-service')).toBe('sandbox')
    const completion = (await response.json()) as Completion
    expect(completion.model).toBe('sandbox-lento-8b')
    expect(completion.choices[0]?.message.content).toContain('apples')
    expect(sandbox.received().at(-1)).toMatchObject({
      path: '/private/v1/chat/completions',
      sealed: true,
      apiKeyPresent: true,
      aborted: false,
    })
    expect(sandbox.received().at(-1)?.bodyBytes).toBeGreaterThan(body().length)
    const entry = sandbox.ledger().at(-1)
    expect(entry).toMatchObject({
      model: 'private/sandbox-lento-8b',
      account: account.creditId,
      aborted: false,
    })
    expect(entry!.picoUsd > 0n).toBe(true)
  })

  test('opens a stream frame by frame', async () => {
    const response = await (
      await attestedTransport()
    ).post(path(), body({ stream: true }), { headers: headers() })
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const text = await response.text()
    expect(text).toMatch(/^: SANDBOX PROCESSING\n\n/)
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  test('sends and receives no plaintext', async () => {
    const seen: Buffer[] = []
    const original = globalThis.fetch
    globalThis.fetch = async (input, init) => {
      const response = await original(input, init)
      const [mine, theirs] = response.body?.tee() ?? []
      if (mine) for await (const chunk of mine) seen.push(Buffer.from(chunk as Uint8Array))
      return new Response(theirs ?? null, response)
    }
    try {
      const transport = await attestedTransport()
      seen.length = 0
      const response = await transport.post(path(), body(), { headers: headers() })
      expect(await response.text()).toContain('apples')
    } finally {
      globalThis.fetch = original
    }
    expect(Buffer.concat(seen).length).toBeGreaterThan(100)
    expect(Buffer.concat(seen).includes('apples')).toBe(false)
  })

  test('opens the sealed errors of the enclave', async () => {
    const transport = await attestedTransport()
    const unknown = await transport.post(path(), body({ model: 'sandbox-nobody' }), {
      headers: headers('private/sandbox-nobody'),
    })
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { error: { message: 'Unknown model: sandbox-nobody', code: 404 } },
    ])
    const malformed = await transport.post(path(), '{', { headers: headers() })
    expect(malformed.status).toBe(400)
    const misrouted = await transport.post(path(), body(), {
      headers: headers('private/sandbox-whisper-70b'),
    })
    expect(misrouted.status).toBe(400)
    expect(await misrouted.text()).toContain('X-Private-Model')
  })

  test('gets the usage in plaintext if requested', async () => {
    const response = await (
      await attestedTransport()
    ).post(path(), body(), { headers: { ...headers(), 'x-tinfoil-request-usage-metrics': 'true' } })
    const { usage } = (await response.json()) as Completion
    expect(response.headers.get('x-tinfoil-usage-metrics')).toMatch(
      new RegExp(
        `^prompt=\\d+,completion=${usage.completion_tokens},total=\\d+,cached_prompt_tokens=0,model=sandbox-lento-8b,cost_usd=0\\.\\d+$`,
      ),
    )
  })
})

describe('refused requests', () => {
  const post = (key: string | undefined, bytes: Uint8Array) =>
    fetch(path(), {
      method: 'POST',
      headers: { ...headers(), ...(key !== undefined && { 'ehbp-encapsulated-key': key }) },
      body: Buffer.from(bytes),
    })

  test('a plaintext body', async () => {
    const response = await post(undefined, Buffer.from(body()))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'missing_encryption' })
    const other = await fetch(`${sandbox.baseUrl}/private/v1/convert/file`, { method: 'POST', body: 'x' })
    expect([other.status, await other.json()]).toMatchObject([400, { error: 'missing_encryption' }])
  })

  test.each([
    ['an encapsulated key of upper-case digits', 'AB'.repeat(32), Buffer.from('0000000100', 'hex')],
    ['an encapsulated key that is too short', 'ab'.repeat(31), Buffer.from('0000000100', 'hex')],
    ['an encapsulated key of low order', '00'.repeat(32), Buffer.from('0000000100', 'hex')],
    ['a body that ends in a length', '09'.repeat(32), Buffer.from('000000', 'hex')],
    ['a body that ends in a frame', '09'.repeat(32), Buffer.from('00000020aabb', 'hex')],
    ['empty frames alone', '09'.repeat(32), Buffer.alloc(8)],
  ])('%s: 400', async (_, key, bytes) => {
    const response = await post(key, bytes)
    expect(response.status).toBe(400)
    expect(response.headers.get('ehbp-response-nonce')).toBeNull()
  })

  test('a body sealed to another key: 422 key-config', async () => {
    const raw = generateKeyPairSync('x25519').publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
    const transport = new Transport(
      await Identity.fromPublicKeyHex(raw.toString('hex')),
      new URL(sandbox.baseUrl).host,
    )
    await expect(transport.post(path(), body(), { headers: headers() })).rejects.toBeInstanceOf(
      KeyConfigMismatchError,
    )
  })

  test('no key, and an unknown key', async () => {
    const transport = await attestedTransport()
    await expect(
      transport.post(path(), body(), { headers: { 'content-type': 'application/json' } }),
    ).rejects.toBeInstanceOf(ProtocolError)
    const refused = await fetch(path(), {
      method: 'POST',
      headers: { 'ehbp-encapsulated-key': '09'.repeat(32), authorization: 'Bearer sk-nobody' },
      body: 'x',
    })
    expect([refused.status, await refused.json()]).toEqual([
      401,
      { error: 'Invalid API key', message: 'API key not found or has been revoked' },
    ])
  })
})

describe('key rotation', () => {
  test('after one rotation the old key is refused, and the new one is accepted', async () => {
    const transport = await attestedTransport()
    sandbox.rotateKey()
    await expect(transport.post(path(), body(), { headers: headers() })).rejects.toBeInstanceOf(
      KeyConfigMismatchError,
    )
    const again = await (await attestedTransport()).post(path(), body(), { headers: headers() })
    expect(again.status).toBe(200)
  })

  test('the fault key-rotation: the second attempt fails like the first', async () => {
    sandbox.setFault('key-rotation', true)
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const transport = await attestedTransport()
      await expect(transport.post(path(), body(), { headers: headers() })).rejects.toBeInstanceOf(
        KeyConfigMismatchError,
      )
    }
    sandbox.setFault('key-rotation', false)
    expect((await (await attestedTransport()).post(path(), body(), { headers: headers() })).status).toBe(200)
  })

  test('the fault swapped-key: a request sealed to the certificate’s key is readable by someone else', async () => {
    sandbox.setFault('swapped-key', true)
    const swapped = await offeredKey(sandbox)
    const { report } = await fetchEvidence(sandbox)
    expect(swapped).not.toEqual(report.subarray(0x70, 0x90))
    const deceived = new Transport(
      await Identity.fromPublicKeyHex(swapped.toString('hex')),
      new URL(sandbox.baseUrl).host,
    )
    expect((await deceived.post(path(), body(), { headers: headers() })).status).toBe(200)
    await expect(
      (await attestedTransport()).post(path(), body(), { headers: headers() }),
    ).rejects.toBeInstanceOf(KeyConfigMismatchError)
  })
})

describe('faulty replies', () => {
  test('plaintext-200: no nonce', async () => {
    const transport = await attestedTransport()
    sandbox.setFault('plaintext-200', true)
    await expect(transport.post(path(), body(), { headers: headers() })).rejects.toBeInstanceOf(ProtocolError)
  })

  /** Frames as the wire has them: how many whole ones, and what is left of a cut one. */
  async function framesOf(response: Response): Promise<{ whole: number; rest: number }> {
    const bytes = Buffer.from(await response.arrayBuffer())
    let at = 0
    let whole = 0
    while (at + 4 <= bytes.length && at + 4 + bytes.readUInt32BE(at) <= bytes.length) {
      at += 4 + bytes.readUInt32BE(at)
      whole += 1
    }
    return { whole, rest: bytes.length - at }
  }

  /** A sealed request whose answer is left as ciphertext. */
  async function sealedFetch(rest: object, init: RequestInit = {}): Promise<Response> {
    const { report } = await fetchEvidence(sandbox)
    const identity = await Identity.fromPublicKeyHex(report.subarray(0x70, 0x90).toString('hex'))
    const plain = new Request(path(), { method: 'POST', headers: headers(), body: body(rest) })
    const { request } = await identity.encryptRequestWithContext(plain)
    return fetch(request, init)
  }

  test.each([{ stream: true }, { stream: false }])(
    'cut-inside-frame ends the connection cleanly within a frame (%j)',
    async (rest) => {
      sandbox.setFault('cut-inside-frame', true)
      const frames = await framesOf(await sealedFetch(rest))
      expect(frames.whole).toBeGreaterThan(0)
      expect(frames.rest).toBeGreaterThan(0)
    },
  )

  test.each([{ stream: true }, { stream: false }])(
    'cut-on-frame-boundary ends the connection cleanly after a whole frame (%j)',
    async (rest) => {
      sandbox.setFault('cut-on-frame-boundary', true)
      const response = await (await attestedTransport()).post(path(), body(rest), { headers: headers() })
      const text = await response.text()
      expect(text.length).toBeGreaterThan(0)
      expect(text).not.toContain('[DONE]')
      if (!rest.stream)
        expect(() => {
          JSON.parse(text)
        }).toThrow(SyntaxError)
    },
  )

  test('even a reply of one token is cut before its end', async () => {
    sandbox.setFault('cut-on-frame-boundary', true)
    const response = await (
      await attestedTransport()
    ).post(path(), body({ stream: true, max_tokens: 1 }), { headers: headers() })
    expect(await response.text()).not.toContain('[DONE]')
  })

  test('stalled-stream: some frames, then nothing, until the caller disconnects', async () => {
    sandbox.setFault('stalled-stream', true)
    const controller = new AbortController()
    const response = await sealedFetch({ stream: true }, { signal: controller.signal })
    const reader = response.body!.getReader()
    let bytes = Buffer.alloc(0)
    const wholeFrames = () => {
      let [at, whole] = [0, 0]
      for (; at + 4 <= bytes.length && at + 4 + bytes.readUInt32BE(at) <= bytes.length; whole += 1)
        at += 4 + bytes.readUInt32BE(at)
      return whole
    }
    // A comment, the role and two bursts.
    while (wholeFrames() < 4) bytes = Buffer.concat([bytes, (await reader.read()).value ?? Buffer.alloc(0)])
    const next = reader.read().then(
      () => 'more',
      () => 'gone',
    )
    // An answer that goes on would be through by the time that these are.
    for (let n = 0; n < 5; n += 1) await (await fetch(`${sandbox.baseUrl}/v1/models`)).text()
    expect(await Promise.race([next, Promise.resolve('silence')])).toBe('silence')
    const charged = sandbox.ledger().at(-1)
    controller.abort()
    expect(await next).toBe('gone')
    await expect.poll(() => sandbox.ledger().at(-1)?.aborted).toBe(true)
    expect(sandbox.ledger().at(-1)?.outputTokens).toBe(charged?.outputTokens)
  })

  test.each([
    ['status-401', 401, 'application/json; charset=utf-8'],
    ['status-402', 402, 'application/json; charset=utf-8'],
    ['status-429', 429, 'application/json; charset=utf-8'],
    ['status-500-html', 500, 'text/html; charset=utf-8'],
  ] as const)('%s responds in plaintext, without a nonce', async (fault, status, type) => {
    sandbox.setFault(fault, true)
    const response = await sealedFetch({})
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('ehbp-response-nonce'),
    ]).toEqual([status, type, null])
    expect(response.headers.get('retry-after')).toBe(status === 429 ? '7' : null)
  })

  test('a changed reply can’t be opened', async () => {
    const original = globalThis.fetch
    const transport = await attestedTransport()
    globalThis.fetch = async (input, init) => {
      const response = await original(input, init)
      const bytes = Buffer.from(await response.arrayBuffer())
      bytes[20] = (bytes[20] ?? 0) ^ 1
      return new Response(bytes, response)
    }
    try {
      const response = await transport.post(path(), body(), { headers: headers() })
      await expect(response.text()).rejects.toBeInstanceOf(DecryptionError)
    } finally {
      globalThis.fetch = original
    }
  })
})
